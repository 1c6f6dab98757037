// Package cpp writes kernels as C++ for the public tile library, pto-isa, which
// the vendor's compiler builds for the NPU and any other for the CPU simulator.
//
// Emit takes a module of Level 2 or 3. A tile becomes a variable of type Tile,
// a view one of type GlobalTensor, a tile instruction a call; pto.Cpp of its
// definition says how it is spelled. Everything else has a routine for its kind
// of meaning, in a table as the LLVM emitter has one (kinds.go).
//
//	template.go  calls of the library, from the spelling of the definition
//	types.go     types
//	names.go     names of variables
//	function.go  signatures, bodies, and what a function declares on top
//	guard.go     which core executes what: #if around the code of one core
//	scalar.go    numbers
//	control.go   loops, branches, jumps
//	view.go      tensors in global memory and their parts
//	tile.go      where tiles lie and how much of them is valid
//
// Nothing is computed here: what the kernel needs besides - addresses, scratch
// tiles, synchronization - passes have put into the program before.
package cpp
