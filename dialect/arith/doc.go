// Package arith is MLIR's arith dialect: arithmetic on integers, indices and
// floating-point numbers. Vectors and tensors are processed element by element. Most
// definitions combine a function of package ir/scalar with constraints on types and
// folding rules; start with integer.go.
//
//	integer.go     addi, divsi, shli, ...: integers and indices
//	float.go       addf, divf, negf, ...: floating-point numbers
//	compare.go     cmpi, cmpf, select
//	cast.go        extsi, truncf, sitofp, index_cast, ...
//	constant.go    constant, and constants for other packages
//	flags.go       fastmath, overflow and rounding
//	types.go       constraints on types
//	fold.go        folding by the functions of ir/scalar, for every dialect
//	identity.go    algebraic identities such as x + 0 = x
//
// An index is a 64-bit integer.
package arith
