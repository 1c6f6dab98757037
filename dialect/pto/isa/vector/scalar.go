// This file defines elementwise instructions with a scalar operand.

package vector

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Definitions of the lanewise instructions on a register and a scalar.
var (
	VAddS = Define("vadds", func(name string) *ir.Def {
		return Issued(Issue{Latency: 7}, Timed(vecScalar(name, scalar.Add, laneArith, "Adds scalar to each lane."), Latency{Elems: "f16, f32", A5: "7"}))
	})
	VMulS = Define("vmuls", func(name string) *ir.Def {
		return Issued(Issue{Latency: 8}, Timed(vecScalar(name, scalar.Mul, laneArith, "Multiplies each lane by scalar."), Latency{Elems: "f16, f32", A5: "8"}))
	})
	VMaxS = Define("vmaxs", func(name string) *ir.Def {
		return vecScalar(name, scalar.Max, laneArith, "Computes the larger of each lane and scalar; NaN wins.")
	})
	VMinS = Define("vmins", func(name string) *ir.Def {
		return vecScalar(name, scalar.Min, laneArith, "Computes the smaller of each lane and scalar; NaN wins.")
	})
	VLRelu = Define("vlrelu", func(name string) *ir.Def {
		return vecScalar(name, scalar.LRelu, F16|F32, "Multiplies negative lanes by scalar and keeps the others.")
	})
	VSubS = Define("vsubs", func(name string) *ir.Def {
		return Issued(Issue{Latency: 7}, vecScalarISA(name, scalar.Sub, laneArith, "Subtracts scalar from each lane."))
	})
	VAndS = Define("vands", func(name string) *ir.Def {
		return vecScalarISA(name, scalar.And, laneInts, "Ands each lane with scalar.")
	})
	VOrS = Define("vors", func(name string) *ir.Def {
		return vecScalarISA(name, scalar.Or, laneInts, "Ors each lane with scalar.")
	})
	VXorS = Define("vxors", func(name string) *ir.Def {
		return vecScalarISA(name, scalar.Xor, laneInts, "Xors each lane with scalar.")
	})
	VShlS = vecShiftScalar("vshls", scalar.Shl, "Shifts each lane left by scalar bits.")
	VShrS = vecShiftScalar("vshrs", scalar.Shr, "Shifts each lane right by scalar bits: arithmetically, or logically for unsigned lanes.")
)

// vecShiftScalar declares the instruction with the given name, a shift by a scalar. The
// scalar is i16 for lanes of any width. The function fn is the shift, and doc is the
// description on the reference page.
func vecShiftScalar(name string, fn *scalar.Fn, doc string) *ir.Def {
	return Define(name, func(name string) *ir.Def {
		return VectorOp(micro(Op{
			Name: name, Doc: doc,
			Ins:    Args{In("input", lanes(laneInts)), In("scalar", WrittenI16), In("mask", MaskFor("input"))},
			Outs:   Args{Out("result", ir.SameAs("input"))},
			Traits: ir.Pure,
			Sem:    sem.VecMap{Fn: fn},
			Examples: []string{
				"%r = pto." + name + " %a, %s, %m : !pto.vreg<64xi32>, i16, !pto.mask<b32> -> !pto.vreg<64xi32>",
			},
		}, vecScalarOps))
	})
}
