// Package cpp translates kernels to C++ for the public tile library, pto-isa. The vendor's
// compiler builds this C++ for the NPU, and any other compiler for the CPU simulator.
//
// Emit accepts a module of Level 2 or 3. A tile becomes a variable of type Tile, a view
// becomes a variable of type GlobalTensor, and a tile instruction becomes a library call.
// The field pto.Cpp of the instruction's definition is the template of that call. All other
// operations have an emitting function for their kind of meaning, in a table like that of
// the LLVM emitter (kinds.go). Start with emit.go and kinds.go.
//
//	template.go  library calls, from the template in the definition
//	types.go     types
//	names.go     names of variables
//	function.go  signatures, bodies, and declarations at the top of a function
//	guard.go     which core executes which code: #if around the code of one core
//	scalar.go    scalar operations
//	control.go   loops, branches, jumps
//	view.go      tensors in global memory and rectangular parts of them
//	tile.go      addresses and valid regions of tiles
//
// This package computes nothing itself: passes have already added the addresses, scratch
// tiles and synchronization that the kernel needs.
package cpp
