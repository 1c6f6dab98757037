// This file maps types of the program to LLVM types.

package llvm

import (
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/llvm"
	"ptogo/dialect/memref"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
	"ptogo/ir/num"
)

// parts are the LLVM values that together represent one value of the program:
//
//	a number, an index     the number
//	a pointer              its address
//	a memref               the address of its first element
//	a vector register      a vector of its lanes
//	a mask                 256 bits, one for each byte of a register
//	a logical vector (VMI) a vector of its lanes; for a mask, of i1
//	a tile                 the address of its storage, the distance between its rows
//	                       and, if its valid region is dynamic, the address of the
//	                       variable with the valid rows and columns
//	a multi-buffer         the same values for its first tile
//	a view                 its address, its sizes and its strides
//	an array or a struct on the stack, and memory of !llvm.ptr: the address
//	an alignment state     the bytes that are not written yet, and their number
//	the handle of a queue  no value, because the queue is known at compile time
//	the event of an asynchronous copy or prefetch: no value, because emitted code
//	                       performs them immediately
//	parameters of img2col  one value for each parameter
type parts []value.Value

// element describes the elements of a tile, a view or a vector register.
type element struct {
	// f is the number format of an element.
	f num.Format
	// t is the LLVM type of the values that represent elements in computations.
	t types.Type
	// mem is the LLVM type of an element in memory.
	mem types.Type
	// size is the size of an element in memory, in bytes.
	size int
	// packed means that an element contains several numbers, which instructions move
	// together.
	packed bool
}

// elementOfType returns a description of elements of type t. ok is false if t is not an
// element type.
func elementOfType(t ir.Type) (element, bool) {
	f, ok := ir.FormatOf(t)
	size := pto.ByteSize(t)
	if !ok || size == 0 {
		return element{}, false
	}
	e := element{f: f, t: ll.ElementType(f), mem: ll.MemoryType(f), size: size}
	if _, own := ir.As[pto.ElemType](t); own && size*8 != f.Bits() {
		e.packed, e.t, e.mem = true, ll.IntType(8*size), ll.IntType(8*size)
	}
	return e, true
}

// partsOf returns the LLVM types of the values that represent a value of type t. ok is
// false if the type is not supported.
func partsOf(t ir.Type) ([]types.Type, bool) {
	switch d := t.Data().(type) {
	case pto.PtrType, llvm.PointerType:
		return []types.Type{ll.Ptr}, true
	case ir.MemRefType:
		_, _, ok := memref.Flat(t)
		return []types.Type{ll.Ptr}, ok && pto.ByteSize(d.Elem) > 0
	case pto.MultiTileBuf:
		return partsOf(d.Slot)
	case pto.TileBuf:
		if d.StaticValid() {
			return []types.Type{ll.Ptr, ll.I64}, true
		}
		return []types.Type{ll.Ptr, ll.I64, ll.Ptr}, true
	case pto.TensorView:
		return viewParts(d.Shape), true
	case pto.PartitionView:
		return viewParts(d.Shape), true
	case pto.VReg:
		e, ok := elementOfType(d.Elem)
		if !ok || int(d.Lanes)*e.size != pto.VectorBytes {
			return nil, false
		}
		return []types.Type{ll.VectorOf(int(d.Lanes), e.t)}, true
	case pto.Mask:
		return []types.Type{maskType}, true
	case pto.VMIVReg, pto.VMIMask:
		r, ok := rowOf(t)
		if !ok {
			return nil, false
		}
		return []types.Type{r.vector()}, true
	case pto.LocalArray, pto.Struct, pto.EventIDArray:
		return []types.Type{ll.Ptr}, true
	case pto.Handle:
		switch {
		case isatile.IsPatches(t):
			return patchParts, true
		case d.Name == "align":
			return alignParts, true
		}
		return nil, true
	case ir.VectorType:
		return vectorParts(d)
	case ir.IntegerType:
		return []types.Type{ll.IntType(int(d.Width))}, d.Width > 0
	}
	e, ok := elementOfType(t)
	return []types.Type{e.t}, ok
}

func viewParts(shape ir.Dims) []types.Type {
	ts := []types.Type{ll.Ptr}
	for range 2 * shape.Len() {
		ts = append(ts, ll.I64)
	}
	return ts
}

// vectorParts returns the LLVM vector type that holds all elements of the static vector
// type d. ok is false if the type is not supported.
func vectorParts(d ir.VectorType) ([]types.Type, bool) {
	e, ok := partsOf(d.Elem)
	n := d.Shape.Elements()
	if !ok || len(e) != 1 || !d.Shape.Static() || d.Scalable != "" || n < 1 || n > mostLanes {
		return nil, false
	}
	return []types.Type{ll.VectorOf(int(n), e[0])}, true
}

// splitParts divides the parameter all, a list of LLVM values, into one list for each
// program value in vs. One program value can be represented by several LLVM values, which
// are adjacent in the list.
func splitParts(all []value.Value, vs []*ir.Value) []parts {
	out := make([]parts, len(vs))
	for i, v := range vs {
		ts, _ := partsOf(v.Type())
		out[i], all = all[:len(ts):len(ts)], all[len(ts):]
	}
	return out
}
