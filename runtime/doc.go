// Package runtime executes kernels on a simulated machine. A kernel is a program of
// Level 2 (tiles are buffers) or of vector instructions.
//
// Execution has two phases. [Plan] compiles the kernel: it processes every operation once,
// assigns a numbered slot to each value, and selects a Go function for the kind of the
// operation and its element type. Loops stay loops. [Program.Run] then only calls these
// functions; it looks up no names and allocates no memory per operation. A [Listener]
// receives the executed instructions as events; checkers and the timing model are
// listeners. Start reading in program.go.
//
//	program.go      the interface for callers: Kernels, Plan, Run
//	launch.go       the cores of a launch, in parallel or interleaved
//	ranks.go        ranks (devices) of a launch, and the memory that they share
//	fault.go        errors of a kernel at run time
//	plan.go         slots for values, one step (Go function) per operation
//	plan_kinds.go   which function compiles which kind of operation
//	exec.go         frames, blocks, moving values
//	control.go      functions, loops and branches
//	machine.go      a core: its memory spaces and flags
//	registers.go    special registers of a core, and atomic stores
//	memory.go       addresses and the checks on them
//	spaces.go       memories that programs cannot address directly
//	share.go        memory that the cores of a block share
//	arith.go        operations on scalars
//	scalar_memory.go
//	                elements at pointers, and single bits
//	pairs.go        scalars that pack several numbers
//	bitcast.go      operations of the llvm dialect
//	convert.go      conversions of adjacent elements
//	loops*.go       functions on adjacent elements; package kernels contains
//	                the frequent ones in assembly
//	tile*.go        tiles and the instructions on them
//	patch.go        feature maps and their patches, as rows of a matrix
//	view.go         tensors in global memory and regions of them
//	memref.go       memrefs: addresses with strides that their types determine
//	vec*.go mask*.go
//	                vector registers, masks, and the instructions on them
//	vmi*.go         vectors of any number of lanes
//	sort.go         records of a score and an index, for tiles and registers
//	cube*.go        the cube unit: loads of L0A and L0B, products, copies out of L0C
//	fractal.go      the memory layout of its operands; scale.go: their scales
//	product*.go     the arithmetic of matrix products, and the rounding of operands
//	fixpipe.go      conversions of elements that are copied out of L0C
//	simt*.go        work items
//	ub.go local.go  rows of the unified buffer; arrays and structs on the stack
//	stack.go        memory of !llvm.ptr
//	dma.go          copies of bursts
//	sync*.go        flags between pipes, signals and events between cores
//	queue*.go       queues between cores
//	comm*.go        communication between ranks
//	print*.go       instructions that print, and the order of their output
//	pipes*.go       pipes and cores that run interleaved in random order, to find races
//	lineage*.go     symbolic execution: the expression of the inputs for each byte;
//	                lineage_nest.go uses the descriptions of dialect/pto/nest
//	event*.go       events of executed instructions, for listeners; event_nest.go derives
//	                accessed bytes from the same descriptions
//
// # Terms
//
// A step is a Go function that executes one operation. A slot is the index of a value in
// its frame, the storage of a call. A vecscope is a vector function of A5. A logical
// vector (VMI) has any number of lanes. The valid region of a tile consists of the rows
// and columns that hold data. A region rule is a function that lists the bytes that an
// instruction accesses in one operand. A token is a number that identifies the symbolic
// expression of a byte. A function whose name begins with traced compiles an instruction
// into a step that computes the results and, for proofs and numerics, their expressions.
//
// # Results
//
// Package ir/scalar defines the value of each element of a result. The loops in this
// package are faster implementations; tests verify that they produce the same bits.
//
// Instructions of a core run one after the other in program order. Flags, buffer tokens
// and unit flags are therefore not needed for the order, and the runtime only checks that
// they are paired: a wait for a flag that is not set yet can never succeed.
package runtime
