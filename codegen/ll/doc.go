// Package ll writes LLVM IR: a module, its functions, and their instructions.
// It knows element formats and the functions of ir/scalar, and nothing of
// programs of PTO, which package codegen/llvm turns into what is written here.
//
//	m := ll.NewModule(triple, dataLayout, false)
//	f := m.AddFunction("twice", ll.F32, llir.NewParam("x", ll.F32))
//	c := ll.NewCode(m, f)
//	c.Ret(c.FAdd(f.Params[0], f.Params[0]))
//	m.Write(os.Stdout)
//
//	module.go    Module: functions, helpers written on demand, variables, tables
//	llvm.go      types and constants as LLVM spells them
//	code.go      Code: instructions, on numbers and vectors alike
//	lanes.go     constant vectors and shuffles
//	flow.go      loops, branches, traps, loads and stores
//	fence.go interval.go
//	             a rewrite after which every access stays in its memory or faults
//	known.go     the same for operands that may be constants
//	format.go decode.go encode.go rounder.go rounding.go convert.go
//	             element formats, as ir/num has them
//	compare.go   comparisons and casts, as ir/scalar has them
//	fn*.go       every function of ir/scalar
//
// # Values
//
// Values are those of github.com/llir/llvm, with opaque pointers (Ptr) and
// constants that print exactly. Elements of a float format other than f32 and
// f64 are carried as the integer of their bits. An operation takes numbers and
// vectors: where one operand is a vector and the other a number, the number
// stands for a vector of equal elements.
//
// # Same bits
//
// Float operations carry no flag that would let LLVM fuse or reorder them.
// Elementary functions repeat ir/scalar step by step, and the tests compare
// every function and every conversion with it, bit for bit.
package ll
