// Package runtime executes kernels: programs of Level 2 (tiles as buffers) and
// of vector instructions, on a model of the machine.
//
// Execution has two halves. Plan looks at every operation once: it resolves
// operands to numbered slots, picks one Go function for the kind of operation
// and the element type, and keeps loops as loops. Run then only calls these
// functions: it looks up no name and allocates nothing per operation.
//
//	program.go      what callers use: Kernels, Plan, Run
//	launch.go       the cores of a launch, side by side or in turns
//	ranks.go        ranks of a launch, and the windows that they share
//	fault.go        what can go wrong while a kernel runs
//	plan.go         slots for values, one step per operation
//	plan_kinds.go   which routine plans which kind of meaning
//	exec.go         frames, blocks, moving values
//	control.go      functions, loops and branches
//	machine.go      a core: its memory spaces and flags
//	registers.go    its special registers, and stores that combine
//	memory.go       addresses and the checks on them
//	spaces.go       memories without addresses of their own
//	share.go        memory that the cores of a block share
//	arith.go        operations on scalars
//	scalar_memory.go
//	                elements at pointers, and single bits
//	pairs.go        scalars that pack several numbers
//	bitcast.go      operations of the llvm dialect
//	convert.go      conversions of elements that lie side by side
//	loops*.go       functions over elements that lie side by side; package
//	                kernels has the hot ones in assembly
//	tile*.go        tiles and the instructions on them
//	patch.go        feature maps and their patches, as rows of a matrix
//	view.go         tensors in global memory and parts of them
//	memref.go       memrefs: addresses with strides that their types determine
//	vec*.go mask*.go
//	                vector registers, masks, and the instructions on them
//	vmi*.go         vectors of any number of lanes
//	sort.go         records of a score and an index, for tiles and registers
//	cube*.go        the cube unit: loads of L0, products, what leaves L0C
//	fractal.go      how its operands lie in memory; scale.go: their scales
//	product*.go     how products compute, and round their operands
//	fixpipe.go      what becomes of elements that leave L0C
//	simt*.go        work items
//	ub.go local.go  rows of the unified buffer; arrays and structs on the stack
//	stack.go        memory of !llvm.ptr
//	dma.go          copies of bursts
//	sync*.go        flags between pipes, signals and events between cores
//	queue*.go       queues between cores
//	comm*.go        communication between ranks
//	print*.go       instructions that print, and the order of blocks in that
//	pipes*.go       pipes and cores that run side by side in random order, to find races
//	lineage*.go     by which expression of the inputs each byte is made, and the
//	                float64 shadow of each float (lineage_shadow.go)
//	event*.go      what executes, for listeners: tools that check, time or show programs
//
// What an element of a result is, ir/scalar says; the loops here are faster
// ways to say the same and are tested to agree with it bit for bit.
//
// Instructions run one after the other in program order. Flags, turns at
// buffers and unit flags are checked for pairing, not needed for order: what is
// not there when it is waited for never will be.
package runtime
