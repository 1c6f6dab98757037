// Package term represents scalars of a program as terms of bit vectors, and decides
// questions about them: can these two conditions hold together, can these two ranges of
// bytes meet.
//
// The central types are Pool, which creates terms, and Term. A term has a width from 1 to
// MaxWidth bits, and arithmetic wraps to this width. A term of width 1 is a condition.
// Terms are hash-consed: two terms of one pool are equal exactly if they are ==. Equal
// terms have equal values, but different terms can have equal values too.
//
// Linear is an exact integer, such as an address, which never wraps. Pool.Possible decides
// whether facts, which are terms of width 1, can hold together.
//
//	pool.go     Pool, Term, constants, variables
//	sum.go      + - *, in linear normal form
//	divide.go   division and remainder
//	bitwise.go  and, or, xor, not, shifts
//	cast.go     truncation and extension
//	compare.go  comparisons, if-then-else, minima and maxima
//	float.go    comparisons of floats
//	linear.go   Linear
//	fn.go       terms for functions of package scalar
//	eval.go     values of terms
//	rewrite.go  substitution, variables
//	text.go     text for people, and SMT-LIB 2
//	int128.go   Int
//	decide.go   Answer, Budget, Pool.Possible: the decision and its layers, in this order:
//	abs.go      ranges and known bits of a term
//	refine.go   ranges that follow from facts
//	sample.go   a few values that could fulfil the facts
//	integer.go translate.go products.go fourier.go  linear constraints on integers
//	blast.go gates.go sat.go                        clauses, and a SAT solver
//
// # Rules
//
// Every constructor simplifies, and a simplification never changes the value of a term.
// It can use the declared range of a variable (Pool.VarIn), but no other assumption.
//
// An operation without a defined result, such as a division by zero, is an unknown that
// depends on its operands. Its value can be any number.
package term
