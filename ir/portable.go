package ir

// Tools that do not know a dialect take its attributes for attributes of
// MLIR's own, and of those few can be the memory space of a memref. In the
// generic form, which is for such tools, a space of a dialect therefore stands
// in a dictionary: memref<4xf32, {memory_space = #pto.address_space<vec>}>.

const portableSpace = "memory_space"

// portable returns the type to write in generic form in place of t.
func portable(t Type) Type {
	switch d := t.Data().(type) {
	case MemRefType:
		switch d.Space.Data().(type) {
		case nil, IntegerAttr, StringAttr, DictAttr:
			return t
		}
		d.Space = Dict(NamedAttr{portableSpace, d.Space})
		return TypeOf(d)
	case FunctionType:
		return TypeOf(FunctionType{portables(d.Ins), portables(d.Outs)})
	case TupleType:
		return TypeOf(TupleType{portables(d.Elems)})
	}
	return t
}

func portables(ts List[Type]) List[Type] {
	list := make([]Type, 0, ts.Len())
	for _, t := range ts.All() {
		list = append(list, portable(t))
	}
	return MakeList(list...)
}

// unwrapSpace returns the space that portable put into a dictionary.
func unwrapSpace(a Attr) Attr {
	if d, ok := AttrAs[DictAttr](a); ok && d.Entries.Len() == 1 {
		if e := d.Entries.Slice()[0]; e.Name == portableSpace {
			return e.Attr
		}
	}
	return a
}
