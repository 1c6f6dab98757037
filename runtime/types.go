// This file maps types to what the planner needs to know about them.

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

// valueType holds the properties of a type that the planner needs to allocate and access
// values.
type valueType struct {
	class class
	// row is the size in bytes of a logical vector.
	row int
	// elem is the size in bytes of an element, or of the complete value if it has no
	// elements.
	elem int
	// format is the number format of an element, or num.Invalid.
	format num.Format
	// layout is the layout of a tile type, or nil if the runtime does not support it.
	layout *layout
	// unfit is the reason why the runtime does not support a tile type, for messages.
	unfit string
}

// valueTypes returns the properties of all types in a module. The planner computes them
// once in advance, because there are far fewer types than operations.
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

// valueTypeOf returns the properties of values of type t that the planner needs, such as
// their class and size.
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
			x.unfit = fmt.Sprintf("whose size, %dx%d elements, is not a multiple of the size of its boxes", info.Rows, info.Cols)
		}
	}
	return x
}

// alignType is the type of alignment registers, which hold the pending bytes of unaligned
// vector stores.
var alignType = ir.TypeOf(pto.Handle{Name: "align"})

// classOf returns the class of values of type t, such as scalar or tile. The storage of a
// call has a separate array for each class. It returns noClass for types that the runtime
// does not support.
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
