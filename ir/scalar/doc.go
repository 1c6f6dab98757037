// Package scalar holds the meaning of every elementwise function on one
// element. Constant folding, execution, code generation and tests all read
// this one table, so they cannot disagree.
//
//	fn.go          Fn, Eval, Elementwise
//	table.go       Lookup, All
//	sem.go         the kinds of meaning that dialects share: Comparison, Cast, ...
//	predicate.go   Predicate, Compare
//	relation.go    Order, Relation: comparisons in full
//	carry.go       Carry
//	arith.go       + - * and their relatives; fused multiply-add
//	division.go    quotients and remainders
//	minmax.go      Max, Min and their variants
//	bitwise.go     and, or, xor, not, shifts, counting bits
//	activation.go  Relu and its family
//	rounding.go    Floor, Ceil, Round, Rint, Trunc, Odd
//	move.go        Copy, Select, Neg, Abs, CopySign: functions of the bits
//	elementary.go  the table rows of Exp, Log, Pow, Sin and so on
//	exp.go log.go trig.go  how those are computed
//	exp32.go log32.go      and those of them that float32 is enough for
//
// # Rules
//
// Integers wrap to the width of the format. Floats are computed in float64, by
// some functions (Fn.Flt32) in float32, and rounded once to the format, to
// nearest even and without saturation; for + - * / and the square root that is
// the correctly rounded result in every format up to f32, since float64 has more
// than twice their bits. A NaN result is the canonical NaN, except where a
// function only moves bits.
//
// The elementary functions are built from + - * / alone, each rounded to
// float64, or float32, and never fused, so they give the same bits on every
// machine and can be written out again in another language, operation by
// operation.
package scalar
