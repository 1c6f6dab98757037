// This file defines functions that round floats to integral values.

package scalar

import (
	"math"

	"ptogo/ir/num"
)

// Floor is the largest integral float not above a.
var Floor = &Fn{
	Name: "floor", Doc: "a rounded down to an integral float", Arity: 1,
	Flt: func(a, _, _ float64) float64 { return math.Floor(a) },
}

// Ceil is the smallest integral float not below a.
var Ceil = &Fn{
	Name: "ceil", Doc: "a rounded up to an integral float", Arity: 1,
	Flt: func(a, _, _ float64) float64 { return math.Ceil(a) },
}

// Round is the integral float nearest to a; a tie is rounded away from zero.
var Round = &Fn{
	Name: "round", Doc: "a rounded to the nearest integral float, ties away from zero", Arity: 1,
	Flt: func(a, _, _ float64) float64 { return math.Round(a) },
}

// Rint returns the integral float nearest to its operand; a tie is rounded to even.
var Rint = &Fn{
	Name: "rint", Doc: "a rounded to the nearest integral float, ties to even", Arity: 1,
	Flt: func(a, _, _ float64) float64 { return math.RoundToEven(a) },
}

// Trunc is a without its fraction, that is, a rounded toward zero.
var Trunc = &Fn{
	Name: "trunc", Doc: "a rounded toward zero to an integral float", Arity: 1,
	Flt: func(a, _, _ float64) float64 { return math.Trunc(a) },
}

// Odd returns its operand if the operand is an integral number, and otherwise the odd one
// of the two adjacent integers.
var Odd = &Fn{
	Name: "odd", Doc: "a rounded to an integral float, the odd one of two", Arity: 1,
	Flt: func(a, _, _ float64) float64 {
		t := math.Trunc(a)
		if t != a && math.Mod(t, 2) == 0 {
			t += math.Copysign(1, a)
		}
		return t
	},
}

// Integral maps rounding modes to the functions that round to an integral float.
// HalfUp has no such function.
var Integral = map[num.Rounding]*Fn{
	num.NearestEven: Rint, num.NearestAway: Round, num.Floor: Floor, num.Ceil: Ceil, num.Zero: Trunc, num.Odd: Odd,
}
