// This file emits operations on vector lanes.

package ll

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// VectorConstant returns a constant vector with the given constant elements.
func VectorConstant(elems []value.Value) value.Value {
	cs := make([]constant.Constant, len(elems))
	for i, e := range elems {
		cs[i] = e.(constant.Constant)
	}
	return &constant.Vector{Typ: types.NewVector(uint64(len(cs)), elems[0].Type()), Elems: cs}
}

// ConstantMask returns a constant vector of i1 with the given bits.
func ConstantMask(bits []bool) value.Value {
	elems := make([]value.Value, len(bits))
	for i, b := range bits {
		elems[i] = ConstantBool(b)
	}
	return VectorConstant(elems)
}

// Shuffle emits a vector whose element i is element indices[i] of the concatenation of x
// and y. A negative index selects an undefined element.
func (c *Code) Shuffle(x, y value.Value, indices []int) value.Value {
	elems := make([]value.Value, len(indices))
	for i, k := range indices {
		if k < 0 {
			elems[i] = Poison(I32)
			continue
		}
		elems[i] = Integer(I32, int64(k))
	}
	return c.Emit(llir.NewShuffleVector(x, y, VectorConstant(elems)))
}

// ShuffleOne emits a vector whose element i is element indices[i] of x. If x is constant
// the result is a constant, which makes masks in the emitted text easier to read.
func (c *Code) ShuffleOne(x value.Value, indices []int) value.Value {
	v, ok := x.(*constant.Vector)
	if !ok {
		return c.Shuffle(x, Poison(x.Type()), indices)
	}
	elems := make([]constant.Constant, len(indices))
	for i, k := range indices {
		elems[i] = v.Elems[k]
	}
	return &constant.Vector{Typ: types.NewVector(uint64(len(indices)), v.Typ.ElemType), Elems: elems}
}

// AllOn reports whether a vector of i1 is a constant that is true in every lane.
func AllOn(x value.Value) bool {
	v, ok := x.(*constant.Vector)
	return ok && !slices.ContainsFunc(v.Elems, func(e constant.Constant) bool { return e.Ident() != "true" })
}
