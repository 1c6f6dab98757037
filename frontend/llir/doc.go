// Package llir reads LLVM IR in its textual form: the part of it that clang and opt write
// for kernels after inlining. Read parses a module and returns the functions of one
// section; it skips the bodies of all others.
//
// The well-known Go library for LLVM IR (llir/llvm v0.3.6) cannot serve: its grammar is
// that of LLVM 14, before pointers became opaque, so it rejects every load, store and
// address computation that LLVM 17 and later print.
//
//	types.go   types and their sizes in bytes
//	lex.go     words of a line
//	read.go    modules: types, strings, functions, source locations
//	body.go    blocks of functions, and how they are connected
//	inst.go    instructions and their operands
package llir
