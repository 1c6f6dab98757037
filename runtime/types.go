package runtime

import (
	"fmt"

	"ptogo/dialect/fn"
	"ptogo/dialect/llvm"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
	"ptogo/ir/num"
)

// valueType holds what the planner needs to know about a type of values.
type valueType struct {
	class  class
	row    int        // bytes of a row, for rowClass
	elem   int        // bytes of an element, or of the value if it has no elements
	format num.Format // of an element, or num.Invalid
	layout *layout    // of a tile that can be executed, or nil
	unfit  string     // why a tile of known elements has no layout
}

// valueTypes resolves the types of all values in a module. The planner does so
// once, before it plans the first operation: operations are many and types are
// few.
func valueTypes(module *ir.Op) map[ir.Type]valueType {
	types := map[ir.Type]valueType{}
	add := func(t ir.Type) {
		if _, done := types[t]; done {
			return
		}
		types[t] = valueTypeOf(t)
		if m, ok := ir.As[pto.MultiTileBuf](t); ok {
			types[m.Slot] = valueTypeOf(m.Slot)
		}
	}
	for op := range module.Walk() {
		for _, v := range op.Results() {
			add(v.Type())
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for _, v := range b.Args() {
					add(v.Type())
				}
			}
		}
		if op.Is(fn.Func) { // a function that never returns still has homes for its results
			_, outs := fn.TypeOf(op)
			for _, t := range outs {
				add(t)
			}
		}
	}
	return types
}

// valueTypeOf resolves one type.
func valueTypeOf(t ir.Type) valueType {
	elem := ir.ElementType(t)
	f, known := ir.FormatOf(elem)
	x := valueType{class: classOf(t), elem: pto.ByteSize(elem), format: f}
	if x.class == rowClass {
		x.row = int(pto.LocalBytes(t))
		if row, ok := rowTypeOf(t); ok {
			x.row = row.bytes()
		}
	}
	if info, tile := pto.TileOf(t); tile && known {
		if l, ok := newLayout(info); ok {
			x.layout = l
		} else {
			x.unfit = fmt.Sprintf("whose %dx%d elements are no whole number of boxes", info.Rows, info.Cols)
		}
	}
	return x
}

var alignType = ir.TypeOf(pto.Handle{Name: "align"})

// classOf returns the class of values of type t.
func classOf(t ir.Type) class {
	switch t.Data().(type) {
	case pto.VReg:
		return vectorClass
	case pto.VMIVReg, pto.VMIMask, pto.LocalArray, pto.Struct, pto.EventIDArray:
		return rowClass
	case pto.Mask:
		return maskClass
	case pto.TileBuf, pto.MultiTileBuf:
		return tileClass
	case pto.TensorView, pto.PartitionView:
		return viewClass
	case pto.PtrType, llvm.PointerType:
		return scalarClass
	case ir.MemRefType:
		if _, _, ok := memrefStrides(t); ok {
			return scalarClass
		}
	case ir.VectorType:
		if n := shortVector(t); n > 0 {
			return vectorClass
		}
	case pto.Handle:
		switch {
		case t == alignType:
			return alignClass
		case isatile.IsPatches(t):
			return patchClass
		}
	}
	if _, ok := ir.FormatOf(t); ok {
		return scalarClass
	}
	return noClass
}
