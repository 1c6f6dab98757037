// Package llvm writes kernels as LLVM IR: programs of Level 2 (tiles as
// buffers) and of vector instructions. Package ll below it writes single
// instructions, element formats and scalar functions.
//
//	emit.go          what callers use: Emit, Options
//	prototype.go     how C calls a kernel
//	module.go        the module being written, and what is known of the program
//	values.go        the LLVM values that stand for a value of the program
//	storage.go       where tiles without an address lie
//	kinds.go         one routine for each kind of meaning
//	function.go      one function of the program
//	control.go       scf, cf and calls
//	scalars.go       arith, and what has the same meaning
//	bitcast.go       what kernels use of the llvm dialect
//	scalar_memory.go registers.go  scalars in memory, registers of the core
//	memory.go memref.go  spaces, pointers, views; memrefs
//	tile*.go dma.go  tiles, and copies between memories
//	patch.go         feature maps and their patches, as rows of a matrix
//	sort.go          sorting, of tiles and registers
//	matmul*.go       products of matrices, of tiles and of the cube unit
//	cube*.go ub.go   instructions of the cube unit; rows of the unified buffer
//	local.go stack.go  arrays and structs on the stack; memory of !llvm.ptr
//	team.go core_schedule.go
//	                kernels for several cores, and which of them runs when
//	cores.go         signals between cores
//	queue*.go        queues between cores
//	comm.go          communication, inside one launch
//	declare.go       names for what a queue gives later
//	print.go         what kernels print
//	places.go        where code was when somebody stopped it
//	vector*.go mask.go  registers and masks
//	row*.go          values of vmi
//	simt*.go         work items, and how they wait for each other
//
// Package jit compiles and runs what is written here.
//
// # Calling a kernel
//
// Every function of the program becomes one of C:
//
//	void name(parameters..., int64_t block_idx, int64_t block_num)
//
// and is called once for each block. Integers, f32 and f64 have their C types
// (i1 is bool), index is int64_t. f16, bf16 and everything shorter are passed
// as unsigned integers with their bits, since C has no type for them
// everywhere. A pointer is a pointer. A view is passed in parts: its address,
// its sizes, its strides, as int64_t. Private functions are internal to the
// module; functions of the program may have results, which only they use.
//
// Local memory spaces are variables of each thread, of the sizes of the
// profile. They start as zeros in a new thread and keep their contents from
// call to call: launch each block in a thread of its own, as the hardware
// starts each with undefined memory and the runtime with zeros. Threads may run
// at the same time, unless the program combines with what is in global memory
// (pto.Combining): only atomics of work items do that in one step.
//
// A kernel with parts for the cube core and parts for the vector cores of a
// block runs all of them in this one call. Kernels for them that are launched
// together (Options.Together) become one function. Where blocks wait for each
// other the call for block 0 runs all blocks, and the others return at once.
//
// # Printing
//
// Kernels that print call two functions, which the program around them has. To
// print as the runtime does, they need no more than
//
//	void pto_print_int(const char *format, int64_t x) { printf(format, x); }
//	void pto_print_float(const char *format, double x) { printf(format, x); }
//
// A format has at most one conversion, of a long long (or unsigned long long) or
// a double; without one the number means nothing. A call prints one number with
// the text around it, or text alone: a tile comes element by element, from the
// first row to the last. Blocks that run at the same time print at the same time,
// unless these functions make them wait, as those of package jit do. The sign of
// a NaN is not defined; package jit and the runtime do not show it.
//
// # Same bits
//
// A kernel gives the same bits as the runtime, except that a NaN may be any
// NaN where it is an f32 or f64. Float operations carry no flags that would
// let LLVM fuse or reorder them. f16, bf16 and shorter floats are computed in
// float and rounded once where that is exact, else in double; their
// conversions are integer code, which needs no library and vectorizes.
// Elementary functions repeat ir/scalar step by step.
//
// # Work items and cores
//
// Work items run one after the other, or, where they wait for each other, in
// turns, in the order of the runtime; cores do too. Functions that wait become
// coroutines of LLVM, which opt and clang take apart at every level of
// optimization, and llc alone does not; their frames come from malloc.
//
// What is a fault in the runtime is llvm.trap where it is noticed: a zero
// integer divisor, a loop whose step is not positive, a valid region that is
// larger than its tile or breaks a rule of an instruction, windows that leave their
// tile, cf.assert, pto.trap, extents and addresses of products
// in the operand buffers, fields and addresses of instructions of the cube unit,
// fields of patches, tiles that are written over what is still to be read, operands
// with less storage than is read of them, slots
// of queues and the vector cores that share them,
// indices of tables, of tiles and of arrays on the stack, cores that all wait.
// With Options.Fenced every other access beyond a buffer or a memory space faults, too.
// Wrong alignment is not noticed.
// Instructions run in program order, so flags and barriers write nothing.
package llvm
