// Package arith is MLIR's arith dialect: arithmetic on integers, indices and
// floating-point numbers, and on vectors and tensors of them element by
// element.
//
//	integer.go     addi, divsi, shli, ...: integers and indices
//	float.go       addf, divf, negf, ...: floating-point numbers
//	compare.go     cmpi, cmpf, select
//	cast.go        extsi, truncf, sitofp, index_cast, ...
//	constant.go    constant, and constants for other packages
//	flags.go       fastmath, overflow and rounding
//	types.go       the rules on types
//	fold.go        folding by the functions of ir/scalar, for every dialect
//	identity.go    x + 0 = x and its like
//
// Index counts as a 64-bit integer.
package arith
