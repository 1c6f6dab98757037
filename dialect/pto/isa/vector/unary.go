// This file defines elementwise instructions with one register.

package vector

import (
	. "ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Definitions of the lanewise instructions on one register.
var (
	VAbs = Define("vabs", func(name string) *ir.Def {
		return Issued(Issue{Latency: 5, Late: 1}, Timed(vecUnary(name, scalar.Abs, Ints|Floats, "Computes the absolute value of each lane; the smallest integer is unchanged.",
			"bf16: no page of this instruction has it, the unified one has; accepted."),
			Latency{Elems: "f16, f32", A5: "5", Startup: 14, Completion: 19, PerRepeat: 1, Interval: 18},
			Latency{Elems: "i8, i16, i32", A5: "5", Startup: 14, Completion: 17, PerRepeat: 1, Interval: 18}))
	})
	VNeg = Define("vneg", func(name string) *ir.Def {
		return Issued(Issue{Latency: 5}, Timed(vecUnary(name, scalar.Neg, Ints|Floats, "Negates each lane."),
			Latency{Elems: "f16, f32", A5: "8", Startup: 14, Completion: 20, PerRepeat: 1, Interval: 18},
			Latency{Elems: "i16, i32", A5: "8", Startup: 14, Completion: 18, PerRepeat: 1, Interval: 18},
			Latency{Elems: "i8", A5: "8"}))
	})
	VExp = Define("vexp", func(name string) *ir.Def {
		return Issued(Issue{Latency: 16, Interval: 4, Late: 1}, Timed(vecUnary(name, scalar.Exp, F16|F32, "Computes the exponential of each lane."),
			Latency{Elems: "f16", A5: "21", Startup: 13, Completion: 28, PerRepeat: 4, Interval: 18},
			Latency{Elems: "f32", A5: "16", Startup: 13, Completion: 26, PerRepeat: 2, Interval: 18}))
	})
	VLn = Define("vln", func(name string) *ir.Def {
		return Issued(Issue{Latency: 18, Interval: 4}, Timed(vecUnary(name, scalar.Log, F16|F32, "Computes the natural logarithm of each lane."),
			Latency{Elems: "f16", A5: "23", Startup: 13, Completion: 2, PerRepeat: 4, Interval: 18},
			Latency{Elems: "f32", A5: "18", Startup: 13, Completion: 26, PerRepeat: 2, Interval: 18}))
	})
	VSqrt = Define("vsqrt", func(name string) *ir.Def {
		return Issued(Issue{Latency: 17, Interval: 4}, Timed(vecUnary(name, scalar.Sqrt, F16|F32, "Computes the square root of each lane."),
			Latency{Elems: "f16", A5: "22", Startup: 13, Completion: 29, PerRepeat: 4, Interval: 18},
			Latency{Elems: "f32", A5: "17", Startup: 13, Completion: 27, PerRepeat: 2, Interval: 18}))
	})
	VRelu = Define("vrelu", func(name string) *ir.Def {
		return Issued(Issue{Latency: 5}, Timed(vecUnary(name, scalar.Relu, I32|F16|F32, "Replaces negative lanes with zero.",
			"i32: the vector page has floating point only, the micro-ISA adds signed and signless i32; accepted."), Latency{Elems: "f16, f32", A5: "5", Startup: 14, Completion: 19, PerRepeat: 1, Interval: 18}))
	})
	VNot = Define("vnot", func(name string) *ir.Def {
		return Timed(vecUnary(name, scalar.Not, laneInts|Floats, "Inverts the bits of each lane.",
			"The pages have integers; bits are bits, so floats are accepted as for the other bitwise instructions."), Latency{Elems: "i8, i16, i32", A5: "5"})
	})
	VRec = Define("vrec", func(name string) *ir.Def {
		return vecUnaryISA(name, scalar.Recip, F16|F32, "Computes the reciprocal of each lane.")
	})
	VRSqrt = Define("vrsqrt", func(name string) *ir.Def {
		return Issued(Issue{Latency: 31, Interval: 8}, Timed(vecUnaryISA(name, scalar.Rsqrt, F16|F32, "Computes the reciprocal of the square root of each lane.",
			"A5: no public source has its interval. The timing model uses the sum of vsqrt and vdiv, with which the library computes TRSQRT."), Latency{Elems: "f16, f32", A5: "13", Startup: 14, Completion: 20, PerRepeat: 1, Interval: 18}))
	})
	VMov = Define("vmov", func(name string) *ir.Def {
		return Timed(vecUnaryISA(name, scalar.Copy, laneArith, "Copies the selected lanes."), Latency{A5: "9", Interval: 13})
	})
	VBcnt = Define("vbcnt", func(name string) *ir.Def {
		return vecUnaryISA(name, scalar.PopCount, laneInts, "Counts the set bits of each lane.")
	})
	VCls = Define("vcls", func(name string) *ir.Def {
		return vecUnaryISA(name, scalar.LeadingSigns, laneInts, "Counts the bits after the sign bit of each lane that equal it.")
	})
)
