// This file defines activation functions.

package scalar

import "ptogo/ir/num"

// Relu is max(a, +0): NaN stays NaN and -0 becomes +0. The ISA pages define it both
// as the maximum and as "a > 0 ? a : 0", which would turn NaN into 0. The published
// golden data agree with the maximum.
var Relu = &Fn{
	Name: "relu", Doc: "max(a, 0)", Arity: 1,
	Flt:  func(a, _, _ float64) float64 { return max(a, 0) },
	Int:  func(a, _, _ int64) int64 { return max(a, 0) },
	Uint: func(a, _, _ uint64) uint64 { return a },
}

// LRelu is a if a >= 0, and a * b otherwise, with the slope b. The vector instructions
// define it in this way. NaN stays NaN.
var LRelu = &Fn{
	Name: "lrelu", Doc: "a if a >= 0, else a * b", Arity: 2,
	Flt: leaky,
}

// Prelu is a if a >= 0, and a * b otherwise, where b is the slope. Unlike for LRelu, each
// element has its own slope.
var Prelu = &Fn{
	Name: "prelu", Doc: "a if a >= 0, else a * b", Arity: 2,
	Flt: leaky,
}

// PreluAbove returns a if a > 0, and a * b otherwise; b is the slope. The manual pages,
// the simulator and the golden data of the tile instructions agree on this definition.
// PreluAbove differs from Prelu, the function of the vector instructions, if a is zero
// and the slope is negative, infinite or NaN. Prelu returns the zero in this case.
var PreluAbove = &Fn{
	Name: "prelu_above", Doc: "a if a > 0, else a * b", Arity: 2,
	Flt: func(a, b, _ float64) float64 {
		if a > 0 {
			return a
		}
		return a * b
	},
}

// leaky returns a if a >= 0, and a * b otherwise; LRelu and Prelu use it.
func leaky(a, b, _ float64) float64 {
	if a >= 0 {
		return a
	}
	return a * b
}

// AddRelu is Relu(a + b).
var AddRelu = &Fn{
	Name: "addrelu", Doc: "relu(a + b)", Arity: 2, Commutative: true,
	Flt:     func(a, b, _ float64) float64 { return max(a+b, 0) },
	IntBits: func(f num.Format, a, b, _ uint64) uint64 { return reluBits(f, a+b) },
}

// SubRelu is Relu(a - b).
var SubRelu = &Fn{
	Name: "subrelu", Doc: "relu(a - b)", Arity: 2,
	Flt:     func(a, b, _ float64) float64 { return max(a-b, 0) },
	IntBits: func(f num.Format, a, b, _ uint64) uint64 { return reluBits(f, a-b) },
}

// FmaRelu is Relu(a * b + c), the sum rounded once.
var FmaRelu = &Fn{
	Name: "fmarelu", Doc: "relu(a * b + c), rounded once", Arity: 3, Commutative: true,
	FltBits: func(f num.Format, a, b, c uint64) uint64 {
		return num.Encode(f, max(num.Decode(f, fma(f, a, b, c)), 0), num.NearestEven, false)
	},
	IntBits: func(f num.Format, a, b, c uint64) uint64 { return reluBits(f, a*b+c) },
}

// reluBits returns max(a, 0) for an integer a of format f. The caller passes a sum that
// may exceed the width of f; reluBits reads the sign from the low bits of a that belong
// to f.
func reluBits(f num.Format, a uint64) uint64 {
	if f.Signed() && num.Int(f, a) < 0 {
		return 0
	}
	return a
}
