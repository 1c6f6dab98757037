// Package scalar defines every elementwise function on one element. Constant
// folding, execution, code generation and tests all read this table, so they cannot
// disagree.
//
// The central types are Fn, a function on elements, and the kinds of meaning in
// sem.go. Start with fn.go.
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
// Integers wrap to the width of the format. Floats are computed in float64, or in
// float32 if the function has Fn.Flt32. The result is rounded once to the format,
// to nearest even and without saturation. For + - * / and the square root that is
// the correctly rounded result in every format up to f32, because float64 has more
// than twice as many bits. A NaN result is the canonical NaN, except in functions
// that only move bits.
//
// The elementary functions use only + - * /, each rounded to float64 or float32,
// and fused operations only where the code says so. They therefore return the same
// bits on every machine, and code generators can emit them operation by operation
// in another language.
package scalar
