// This file lists all scalar functions.

package scalar

import (
	"iter"
	"slices"
)

// table lists all functions, in the order in which All yields them.
var table = []*Fn{
	Add, Carry, Sub, Mul, MulHi, MulHiS, MulHiU, MulAdd, Fma, Axpy, Recip,
	Div, DivS, DivU, DivRecip, FloorDiv, FloorDivS, CeilDiv, CeilDivS, CeilDivU,
	Rem, RemZero, Fmod, RemS, RemU, FmodByQuotient, RemByQuotient, FloorByQuotient, RemInF32, RemSInF32,
	Max, Min, MaxS, MaxU, MinS, MinU, MaxNum, MinNum, AbsDiff,
	And, Or, Xor, Not, Shl, ShlWide, Shr, ShrS, ShrU, ShrWide, PopCount, LeadingZeros, TrailingZeros, LeadingSigns,
	Relu, LRelu, Prelu, PreluAbove, AddRelu, SubRelu, FmaRelu,
	Floor, Ceil, Round, Rint, Trunc, Odd,
	Copy, Select, Neg, Abs, CopySign,
	Sqrt, Rsqrt, Exp, Exp2, Expm1, ExpDif, Log, Log2, Log10, Log1p, Pow, Tanh, Sin, Cos,
}

// byName maps the name of each function to the function.
var byName = func() map[string]*Fn {
	m := make(map[string]*Fn, len(table))
	for _, fn := range table {
		m[fn.Name] = fn
	}
	return m
}()

// lookup returns the function with the given name, or nil.
func lookup(name string) *Fn { return byName[name] }

// All yields every function, in a fixed order.
func All() iter.Seq[*Fn] { return slices.Values(table) }
