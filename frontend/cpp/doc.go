// Package cpp reads kernels that are written in C++ for the PTO tile library.
//
// Read compiles a C++ file with clang against a header of ours (include/), which turns
// every library call into calls of undefined functions with literal arguments. opt then
// inlines everything and removes local variables. Package llir reads the resulting LLVM
// IR, and this package recovers loops and branches, and converts the calls to operations
// of Level 3. No code of the user is executed.
//
//	read.go      the entry point
//	launch.go    launches in the C++ text: NAME<<<blocks, ...>>>(...)
//	compile.go   the search for clang, and its options
//	confine.go   limits for clang
//	cache.go     results that are kept on disk
//	precompiled.go  the header as clang has parsed it
//	variants.go  the code of one type of core, and code without jumps out of loops
//	guards.go    files that divide their code between the types of cores
//	header.go    the header, with the names of all instructions
//	enums.go     enumerations of the library
//	convert.go   functions and values
//	pointer.go   pointers and addresses
//	inst.go      instructions of LLVM IR
//	shape.go     dominators, loops and the regions between them
//	loops.go     loops
//	calls.go     library calls, by the call templates of package codegen/cpp
//	movers.go    calls whose template arguments are enumerators in any combination
//	special.go   calls without a call template, or with several instructions
//	operands.go  tiles, views and scalars in library calls
//	scalars.go   conversions of scalars to the types of tiles
//	fit.go       extents of tiles and views that differ
//	packed.go    tiles and views of 4-bit numbers
//	raw.go       copies without the library
//	conv.go      tiles of convolutions, and patches of feature maps
//	maps.go      loads of feature maps
//	statics.go   static variables
//	print.go     printf
//	auto.go      tiles without addresses
//	async.go     asynchronous copies between ranks
package cpp
