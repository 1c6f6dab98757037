// This file prints address spaces in a form that other MLIR tools accept.

package ir

// Other tools, such as mlir-opt, do not know our dialects and read their attributes
// as opaque ones. MLIR allows only few kinds of attributes as the memory space of a
// memref. The generic form is for these tools, so it puts a space of a dialect into
// a dictionary: memref<4xf32, {memory_space = #pto.address_space<vec>}>.

// portableSpace is the key of a dictionary attribute that contains a memory space. In
// types for other MLIR tools, such a dictionary replaces the memory space of a dialect
// that these tools do not know.
const portableSpace = "memory_space"

// portable returns t with each memory space wrapped in a dictionary attribute, the only
// form that other MLIR tools accept for memory spaces of an unknown dialect. It returns t
// itself if t contains no such memory space.
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
		if ins, outs := portables(d.Ins), portables(d.Outs); ins != d.Ins || outs != d.Outs {
			return TypeOf(FunctionType{ins, outs})
		}
	case TupleType:
		if elems := portables(d.Elems); elems != d.Elems {
			return TypeOf(TupleType{elems})
		}
	}
	return t
}

// portables applies the function portable to each type of the list ts, and returns the
// list of results. In these types, memory spaces have a form that other MLIR tools
// accept.
func portables(ts List[Type]) List[Type] {
	var list []Type // nil as long as all types are unchanged
	for i, t := range ts.All() {
		p := portable(t)
		if p != t && list == nil {
			list = ts.Slice()
		}
		if list != nil {
			list[i] = p
		}
	}
	if list == nil {
		return ts
	}
	return MakeList(list...)
}

// unwrapSpace undoes what the function portable does to a memory space: portable puts it
// into a dictionary with one entry. For such a dictionary, unwrapSpace returns the memory
// space. It returns every other attribute unchanged.
func unwrapSpace(a Attr) Attr {
	if d, ok := AttrAs[DictAttr](a); ok && d.Entries.Len() == 1 {
		if e := d.Entries.Slice()[0]; e.Name == portableSpace {
			return e.Attr
		}
	}
	return a
}
