// Package ll emits LLVM IR: a module, its functions, and their instructions. It supports
// the element formats of ir/num and the functions of ir/scalar, and does not depend on PTO
// programs, which package codegen/llvm translates. The central types are Module and Code;
// start with module.go and code.go.
//
//	m := ll.NewModule(triple, dataLayout, false)
//	f := m.AddFunction("twice", ll.F32, llir.NewParam("x", ll.F32))
//	c := ll.NewCode(m, f)
//	c.Ret(c.FAdd(f.Params[0], f.Params[0]))
//	m.Write(os.Stdout)
//
//	module.go    Module: functions, helpers that are emitted on first use, variables, tables
//	llvm.go      types and constants in LLVM syntax
//	code.go      Code: instructions on scalars and vectors
//	lanes.go     constant vectors and shuffles
//	flow.go      loops, branches, traps, loads and stores
//	fence.go fence_access.go interval.go
//	             a rewrite after which every access stays in its memory or faults
//	known.go     operations that return constants for constant operands
//	format.go decode.go encode.go rounder.go rounding.go convert.go
//	             the element formats of ir/num
//	compare.go   the comparisons and casts of ir/scalar
//	fn*.go       every function of ir/scalar
//
// # Values
//
// Values are those of github.com/llir/llvm, with opaque pointers (Ptr) and constants that
// print exactly. An element of a float format other than f32 and f64 is represented by an
// integer that holds its bits. An operation accepts scalars and vectors. If one operand is
// a vector and the other one a scalar, the scalar is broadcast to a vector.
//
// # Same bits
//
// Float operations carry no flags that permit LLVM to fuse or reorder them. Elementary
// functions repeat ir/scalar step by step, and the tests compare every function and every
// conversion with ir/scalar bit for bit.
package ll
