// This file defines exponentials, logarithms and roots.

package scalar

import "math"

// elementary returns a float function of one operand, with the given name and
// description. The function f computes the function in float64 with an error far below
// one unit of f32. The rounded result is therefore within one unit in every format up to
// f32.
func elementary(name, doc string, f func(float64) float64) *Fn {
	return &Fn{
		Name: name, Doc: doc, Arity: 1, ULP: 1,
		Flt: func(a, _, _ float64) float64 { return f(a) },
	}
}

// elementary32 returns a float function of one operand that has two algorithms: the
// function f computes in float64, and f32 in float32. The error of each is below one unit
// in the last place of the result.
func elementary32(name, doc string, f func(float64) float64, f32 func(float32) float32) *Fn {
	fn := elementary(name, doc, f)
	fn.Flt32 = func(a, _, _ float32) float32 { return f32(a) }
	return fn
}

// These are the elementary functions of one operand.
var (
	// Exp is e to the power a.
	Exp = elementary32("exp", "e to the power a", exp, exp32)
	// Exp2 is 2 to the power a.
	Exp2 = elementary("exp2", "2 to the power a", exp2)
	// Expm1 is exp(a) - 1, accurate near zero.
	Expm1 = elementary("expm1", "exp(a) - 1, accurate near zero", expm1)
	// Log is the natural logarithm: -inf at zero, NaN below.
	Log = elementary32("log", "natural logarithm of a", log, log32)
	// Log2 is the logarithm to base 2.
	Log2 = elementary("log2", "logarithm of a to base 2", log2)
	// Log10 is the logarithm to base 10.
	Log10 = elementary("log10", "logarithm of a to base 10", log10)
	// Log1p is log(1 + a), accurate near zero.
	Log1p = elementary("log1p", "natural logarithm of 1 + a, accurate near zero", log1p)
	// Tanh is the hyperbolic tangent.
	Tanh = elementary("tanh", "hyperbolic tangent of a", tanh)
	// Sin is the sine of an angle in radians.
	Sin = elementary("sin", "sine of a radians", sin)
	// Cos is the cosine of an angle in radians.
	Cos = elementary("cos", "cosine of a radians", cos)
	// Rsqrt is 1 / sqrt(a). It is rounded twice in float64, once for each step.
	Rsqrt = elementary("rsqrt", "1 / sqrt(a)", func(a float64) float64 { return 1 / math.Sqrt(a) })
)

// Sqrt is the square root, correctly rounded. It is NaN below zero, and -0 for -0.
var Sqrt = &Fn{
	Name: "sqrt", Doc: "square root of a", Arity: 1,
	Flt: func(a, _, _ float64) float64 { return math.Sqrt(a) },
}

// ExpDif is exp(a - b). The instruction is fused: it does not round the difference
// to the format.
var ExpDif = &Fn{
	Name: "expdif", Doc: "e to the power a - b", Arity: 2, ULP: 1,
	Flt: func(a, b, _ float64) float64 { return exp(a - b) },
}

// Pow is a to the power b, with the special cases of C. Integers wrap. An integer
// to a negative power is the truncated quotient 1 / a^|b|, and 0 for a zero base.
var Pow = &Fn{
	Name: "pow", Doc: "a to the power b", Arity: 2, ULP: 1,
	Flt: func(a, b, _ float64) float64 { return pow(a, b) },
	Int: func(a, b, _ int64) int64 {
		if b >= 0 {
			return int64(powUint(uint64(a), uint64(b)))
		}
		switch {
		case a == 1, a == -1 && b%2 == 0:
			return 1
		case a == -1:
			return -1
		}
		return 0
	},
	Uint: func(a, b, _ uint64) uint64 { return powUint(a, b) },
}

// powUint returns a to the power n modulo 2^64, by squaring.
func powUint(a, n uint64) uint64 {
	p := uint64(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			p *= a
		}
		a *= a
	}
	return p
}
