// This file defines minima and maxima with their rules for NaN and zeros.

package scalar

// Max is the larger operand, and NaN if either operand is NaN. +0 is larger than
// -0. This is the maximum of IEEE 754-2019.
var Max = &Fn{
	Name: "max", Doc: "larger of a and b; NaN if either is", Arity: 2, Commutative: true,
	Flt:  func(a, b, _ float64) float64 { return max(a, b) }, // Go's max has these rules
	Int:  func(a, b, _ int64) int64 { return max(a, b) },
	Uint: func(a, b, _ uint64) uint64 { return max(a, b) },
}

// Min is the smaller operand, and NaN if either operand is NaN. -0 is smaller than
// +0. This is the minimum of IEEE 754-2019.
var Min = &Fn{
	Name: "min", Doc: "smaller of a and b; NaN if either is", Arity: 2, Commutative: true,
	Flt:  func(a, b, _ float64) float64 { return min(a, b) },
	Int:  func(a, b, _ int64) int64 { return min(a, b) },
	Uint: func(a, b, _ uint64) uint64 { return min(a, b) },
}

// MaxS is the larger of two signed integers.
var MaxS = withSign(Max, Signed, "max_s", "larger of signed a and b")

// MaxU is the larger of two unsigned integers.
var MaxU = withSign(Max, Unsigned, "max_u", "larger of unsigned a and b")

// MinS is the smaller of two signed integers.
var MinS = withSign(Min, Signed, "min_s", "smaller of signed a and b")

// MinU is the smaller of two unsigned integers.
var MinU = withSign(Min, Unsigned, "min_u", "smaller of unsigned a and b")

// MaxNum is the larger operand, where +0 is larger than -0. If exactly one operand is
// NaN, the result is the other operand.
var MaxNum = &Fn{
	Name: "maxnum", Doc: "larger of a and b; the other if one is NaN", Arity: 2, Commutative: true,
	Flt: func(a, b, _ float64) float64 {
		switch {
		case a != a:
			return b
		case b != b:
			return a
		}
		return max(a, b)
	},
}

// MinNum is the smaller operand, where -0 is smaller than +0. If exactly one operand is
// NaN, the result is the other operand.
var MinNum = &Fn{
	Name: "minnum", Doc: "smaller of a and b; the other if one is NaN", Arity: 2, Commutative: true,
	Flt: func(a, b, _ float64) float64 {
		switch {
		case a != a:
			return b
		case b != b:
			return a
		}
		return min(a, b)
	},
}
