// Package llvm translates kernels to LLVM IR: programs of Level 2 (tiles are buffers) and
// of vector instructions. It builds on package ll, which emits single LLVM instructions,
// element formats and scalar functions. Package jit compiles and runs the result. Start
// with emit.go and kinds.go.
//
//	emit.go          Emit, Options: the interface for callers
//	prototype.go     how C calls a kernel
//	module.go        the LLVM module under construction, and facts about the program
//	values.go        the LLVM values that represent a value of the program
//	storage.go       addresses of tiles that have none
//	kinds.go         one emitting function for each kind of meaning without a description
//	nest.go          emission of the kinds that dialect/pto/nest describes
//	function.go      one function of the program
//	control.go       scf, cf and calls
//	scalars.go       arith, and instructions with the same meaning
//	bitcast.go       the operations of the llvm dialect that kernels use
//	scalar_memory.go registers.go  scalars in memory, registers of the core
//	memory.go memref.go  memory spaces, pointers, views; memrefs
//	tile*.go dma.go  tiles, and copies between memories
//	patch.go         img2col: windows of feature maps as rows of a matrix
//	sort.go          sorting of tiles and registers
//	matmul*.go       matrix products of tiles and of the cube unit
//	cube*.go ub.go   instructions of the cube unit; rows of the unified buffer
//	local.go stack.go  arrays and structs on the stack; memory of !llvm.ptr
//	team.go core_schedule.go
//	                kernels for several cores, and the scheduling of the cores
//	cores.go         signals between cores
//	queue*.go        queues between cores
//	comm.go          communication inside one launch
//	declare.go       tiles and views that a later instruction assigns
//	print.go         printing from kernels
//	places.go        the position in the program at which code was stopped
//	vector*.go mask.go  vector registers and masks
//	row*.go          logical vectors of any length (VMI)
//	simt*.go         SIMT work items, and how they wait for each other
//
// # Calling a kernel
//
// Every function of the program becomes a C function:
//
//	void name(parameters..., int64_t block_idx, int64_t block_num)
//
// The caller calls it once for each block. Integers, f32 and f64 have their C types (i1 is
// bool); index is int64_t. f16, bf16 and narrower floats are passed as unsigned integers
// that hold their bits, since C has no type for them on all machines. A pointer is a
// pointer. A view becomes several parameters of type int64_t: its address, its sizes and
// its strides. Private functions are internal to the module. Functions of the program may
// have results, which only other functions of the program use.
//
// Local memory spaces are thread-local variables with the sizes of the hardware profile.
// They contain zeros in a new thread and keep their contents from call to call. Therefore
// launch each block in a new thread: the hardware starts each block with undefined memory,
// and the runtime with zeros. Threads may run at the same time, unless the program combines
// data with the contents of global memory (pto.Combining). Only atomics of work items do
// that in one step.
//
// A kernel with code for the cube core and for the vector cores of a block runs all of them
// in one call. Kernels that are launched together (Options.Together) become one function.
// If blocks wait for each other, the call for block 0 runs all blocks, and the other calls
// return immediately.
//
// # Printing
//
// Kernels that print call two functions, which the surrounding program must define. To
// print like the runtime, these definitions are sufficient:
//
//	void pto_print_int(const char *format, int64_t x) { printf(format, x); }
//	void pto_print_float(const char *format, double x) { printf(format, x); }
//
// A format has at most one conversion, of a long long (or unsigned long long) or a double.
// If it has none, the number is ignored. A call prints one number with the text around it,
// or only text. A tile is printed element by element, from the first row to the last.
// Blocks that run at the same time also print at the same time, unless these functions
// serialize the output, as those of package jit do. The sign of a NaN is not defined;
// package jit and the runtime do not print it.
//
// # Same bits
//
// A kernel computes the same bits as the runtime, except that an f32 or f64 NaN may have
// any sign and payload. Float operations carry no flags that permit LLVM to fuse or reorder
// them. f16, bf16 and narrower floats are computed in float and rounded once where that is
// exact, and otherwise in double. Their conversions are integer code, which needs no
// library and can be vectorized. Elementary functions repeat ir/scalar step by step.
//
// # Work items and cores
//
// Work items run one after the other. If they wait for each other, they alternate in the
// order of the runtime; the same holds for cores. Functions that wait become LLVM
// coroutines. opt and clang lower these at every optimization level, but llc alone does
// not. The frames of coroutines are allocated with aligned_alloc.
//
// A fault of the runtime becomes a call of llvm.trap where the code detects it:
//
//   - a zero integer divisor, a loop whose step is not positive, cf.assert, pto.trap
//   - a valid region that exceeds its tile or violates a rule of an instruction
//   - windows that exceed their tile, and operands with less storage than is read from them
//   - indices of tables, of tiles and of arrays on the stack that are out of range
//   - extents and addresses of products in the operand buffers
//   - fields and addresses of instructions of the cube unit, and parameters of img2col
//   - tiles that are overwritten while they are still to be read
//   - slots of queues, and the vector cores that share them
//   - cores that all wait for each other
//
// With Options.Fenced every other access outside of a buffer or a memory space also faults.
// Wrong alignment is not detected. Instructions run in program order, so flags and barriers
// need no code.
package llvm
