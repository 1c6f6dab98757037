// This file defines the interface for listeners: the events of a launch, their memory
// accesses, and the channels through which signals pass.

package runtime

import (
	"fmt"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Listener receives everything that a launch executes, as one stream of events. The order
// of the events respects the synchronization of the program. An event follows all events
// that precede it in program order on its core, and a wait follows the signals that it
// waited for.
//
// With a listener, all cores of a launch run in one goroutine, so that listeners need no
// locks. A BlockListener permits concurrent blocks. Without listeners, the compiled
// program contains no code for events.
type Listener interface {
	// Begin is called once for each launch, before all events.
	Begin(l *Launch)
	// Event is called for each event. The memory that e points to is valid only until
	// Event returns. Operations, cores and the launch stay valid.
	Event(e *Event)
	// End is called once, after all events. fault is the fault that ended the launch, or
	// nil. An instruction that faults, or that still waits when the launch ends, has no
	// event.
	End(fault *Fault)
}

// BlockListener is a listener that can receive the events of each block separately. If
// all listeners of a launch are block listeners and its blocks do not wait for each
// other, Options.Workers blocks run at the same time.
type BlockListener interface {
	Listener
	// Block returns the listener for the events of the block with index b. The launch
	// calls Begin and End only on the BlockListener itself. It calls Block for each block
	// in order, before any event, but not if all blocks run in one goroutine.
	Block(b int) Listener
}

// Launch describes a launch to its listeners: the program, its cores and its buffers.
//
// A function that contains work for both core types but no sections (analysis.Mixed) is
// executed once, in program order, but reported as one cube core and two vector cores.
// Each event then names the core that executes the instruction on a device; an
// instruction of several cores has one event per core. The second vector core repeats the
// events of the first one on its own unified buffer. If the two vector cores may do
// different work (analysis.PerVectorCore), only the first vector core is reported.
type Launch struct {
	Module *ir.Op
	Target ir.Target
	Ranks  int
	// Blocks is the number of blocks of each rank (device).
	Blocks int
	// Cores are all cores of the launch, ordered by rank and then by block. Event.Core
	// points into this slice.
	Cores []CoreInfo
	// Buffers are the global memory buffers, ordered by rank and then by argument number.
	// Arguments that are scalars have nil entries.
	Buffers []*Buffer
	// Indices is the number of blocks of all ranks together, or of all tasks of a graph.
	Indices int
	// Tasks are the kernel executions of a graph; Tasks is empty for a single kernel.
	// Names are the names of the buffers of one rank of a graph.
	Tasks []TaskInfo
	Names []string
}

// CoreInfo describes a core of a launch to its listeners.
type CoreInfo struct {
	// Number is the index in Launch.Cores.
	Number int
	Rank   int
	// Block is the number of the block in its rank.
	Block int
	// Index is the number of the block among the blocks of all ranks.
	Index int
	// Task is the number of the task of a graph, or -1.
	Task int
	// Unit is the type of the core. It is AnyUnit if a single core represents all cores
	// of a block.
	Unit sem.Unit
	// Sub is the number of a vector core in its block.
	Sub int
	// Kernel is the function that the core executes.
	Kernel *ir.Op
}

// String returns the name of the core within its block, for example "the cube core" or
// "vector core 1".
func (c *CoreInfo) String() string {
	switch c.Unit {
	case sem.CubeUnit:
		return "the cube core"
	case sem.VectorUnit:
		return fmt.Sprintf("vector core %d", c.Sub)
	}
	return "the core"
}

// EventKind is the type of an event: for example an executed instruction, a flag that is
// set, or a barrier.
type EventKind uint8

// These are the kinds of events. Some of them carry links: signals that are raised or
// waited for.
const (
	// KernelBegin is the first event of a core and KernelEnd its last one. Op is the
	// function.
	KernelBegin EventKind = iota
	KernelEnd
	// Instruction means that an instruction, or an internal step of a macro instruction
	// (Event.Step), was executed on Pipe. Accesses are the memory ranges that it has read
	// and written.
	Instruction
	// FlagSet means that Pipe sets a flag for another pipe of the core. Link.Channel
	// contains both pipes and the number of the flag. FlagWait means that Pipe, the
	// destination, has waited for the flag.
	FlagSet
	FlagWait
	// PipeBarrier means that the core has waited for all earlier instructions of Pipe, or
	// of all pipes if Pipe is PipeAll.
	PipeBarrier
	// TileBarrier means that the core has waited for all writes to the operands of Op
	// (tsync). Accesses are the memory ranges of the operands, as reads.
	TileBarrier
	// MemoryBarrier orders memory accesses within a vecscope. Event.Order is the kind of
	// order, for example "VST_VLD": loads wait for stores.
	MemoryBarrier
	// Fence orders or moves data between caches and memory. Event.Order is the name of
	// the instruction without "pto.", for example "dsb" or "dcci". Accesses are the
	// memory ranges that the instruction names, if any, with neither read nor write set.
	Fence
	// ScopeBegin and ScopeEnd are the first and last event of an execution of a vecscope.
	ScopeBegin
	ScopeEnd
	// BufferGet and BufferRelease mean that Pipe acquires or releases a synchronization
	// buffer. Event.Mode is the mode of the instruction; the channel of the link contains
	// the number of the buffer.
	BufferGet
	BufferRelease
	// SignalSet raises a signal for other cores after the earlier work of Pipe is
	// complete. It has one link for each counter that it increments. SignalWait makes
	// Pipe wait; with pipe S, all later instructions of the core wait. It has one link
	// for each counter that it decrements.
	SignalSet
	SignalWait
	// CoresArrive and CoresLeave are the two halves of syncall, a barrier across cores.
	// In each execution, all cores arrive before the first one leaves.
	CoresArrive
	CoresLeave
	// QueueReserve waits for a free slot of a queue and reserves it for the instruction
	// Op, a push or an allocation. QueuePush publishes an entry, QueuePop waits for an
	// entry, and QueueFree frees its slot. Pipe is the pipe of the device that executes
	// this operation. The data copy of a push or pop is a separate Instruction event
	// between two queue events. Each vector core whose lane of the queue participates has
	// one link.
	QueueReserve
	QueuePush
	QueuePop
	QueueFree
	// Notify raises a signal through memory. Accesses are the words that were written;
	// they are also read if the instruction adds to them. Await means that the words in
	// Accesses satisfied the comparison of a wait; all later instructions of the core
	// waited for it.
	Notify
	Await
	// CopyWait has waited for the event of an asynchronous copy, or a test has seen that the
	// copy is complete.
	CopyWait
)

// Event describes one thing that a core has executed: an instruction, a synchronization,
// or the begin or end of a kernel or scope.
type Event struct {
	Kind EventKind
	Op   *ir.Op
	// Pipe is the pipe that executes the event on the target, given the operands of Op. In a
	// vecscope, scalar accesses also belong to pipe V.
	Pipe sem.Pipe
	Core *CoreInfo
	// Number is the number of the event in the launch, starting from 1. For a
	// BlockListener, it is the number in the block.
	Number uint64
	// Scalars is the number of operations without an event that the core has executed
	// since its last event. Such operations are scalar arithmetic, control flow, and the
	// construction of views and tiles.
	Scalars int
	// Scope identifies the current execution of a vecscope, or is 0 outside vecscopes.
	// Each execution has a different number.
	Scope uint64
	// Step is the number of an internal step of a macro instruction, starting from 1. It
	// is 0 for other instructions. A step that sets or waits for flags is an event of
	// kind FlagSet or FlagWait.
	Step int
	// Order is the kind of order that a MemoryBarrier or a Fence establishes.
	Order string
	// Mode is the mode of a BufferGet or BufferRelease, or the ffts_mode of a SignalSet
	// or SignalWait. It is -1 if the instruction does not have a mode.
	Mode int
	// Accesses are the memory accesses. Accesses that only read come first.
	Accesses []Access
	Links    []Link
	// Signal is the value and comparison of a Notify or Await event.
	Signal Signal
	// Rounds are the current iterations of the loops that enclose the instruction,
	// outermost loop first.
	Rounds []Round
	// Item is the number of the work item that executes the event, in SIMT code. Phase is
	// the number of pto.syncthreads that the work item has passed in its launch.
	Item, Phase int

	fr *frame
	p  *opPlan
	r  *recorder
}

// Signal is the value that an instruction stores in a signal in memory, or with which a
// waiting instruction compares the signal.
type Signal struct {
	Value int64
	// Add means that Notify adds Value to the contents of memory.
	Add bool
	// Fulfils is the comparison of an Await event. Its arguments are the contents of
	// memory and Value.
	Fulfils func(a, b int64) bool
	// Compare is the name of the comparison: eq, ne, gt, ge, lt or le.
	Compare string
}

// Round is the current iteration, counted from 0, of a loop that a core executes.
type Round struct {
	Loop  *ir.Op
	Round int
	// Index is the value of the induction variable, if the loop has one.
	Index int64
}

// AccessKind is a set of properties of a memory access, such as ReadAccess and
// AtomicAccess.
type AccessKind uint8

// These are the properties of a memory access, which can be combined.
const (
	ReadAccess AccessKind = 1 << iota
	WriteAccess
	// AtomicAccess means that the instruction reads and writes in one indivisible step.
	// Atomic accesses therefore do not race with each other.
	AtomicAccess
	// ScratchAccess means that the memory is a workspace of the instruction. The earlier
	// contents do not matter, and the later contents are undefined. A scratch access is
	// always a write.
	ScratchAccess
	// UnusedAccess means that the instruction reads the bytes, but the results do not
	// depend on them.
	UnusedAccess
)

// Access describes the memory that an event has read or written through one operand. An
// operand that is both read and written has two accesses, unless the access is atomic.
type Access struct {
	Kind  AccessKind
	Space sem.Space
	// Core is the number in Launch.Cores of the core that owns the local memory, or -1
	// for global memory. A vector core that executes no function is not in Launch.Cores;
	// vector core s of the block with index b then has the number len(Launch.Cores) + 2*b
	// + s.
	Core int
	// Buffer is the index in Launch.Buffers of the accessed global memory buffer.
	Buffer int
	// Operand is the number of the operand of Op that refers to the memory, or -1.
	// Results are numbered after the last operand.
	Operand int
	// Runs are exactly the accessed bytes.
	Runs []Run
}

// Run describes Count ranges of Length bytes each, whose starts are Stride bytes apart.
// Start is the offset of the first range in the local memory or in the buffer. The ranges
// do not overlap. Stride is positive if there are several ranges.
type Run struct {
	Start, Length, Stride int64
	Count                 int64
}

// End returns the offset of the first byte after the last of the Count ranges of r.
func (r Run) End() int64 { return r.Start + (r.Count-1)*r.Stride + r.Length }

// Bytes returns the number of bytes that r describes: Count ranges of Length bytes each.
func (r Run) Bytes() int64 { return r.Length * r.Count }

// ChannelKind is the type of the mechanism that carries a signal, for example a flag
// between pipes or a queue.
type ChannelKind uint8

// These are the types of channels. A channel is a path along which signals travel, such as
// a flag between two pipes.
const (
	FlagChannel   ChannelKind = iota // between two pipes of a core
	BufferChannel                    // that pipes of a core take turns with
	CoreChannel                      // a counter between cores of a block, or of all blocks
	CoresChannel                     // where all cores of a kind meet
	EntryChannel                     // filled entries of a queue
	SlotChannel                      // free slots of a queue
)

// Channel identifies a path along which signals travel in order: the k-th wait consumes
// the k-th signal. Channels are comparable and can be map keys.
type Channel struct {
	Kind ChannelKind
	// Rank, Block and Core identify the owner: the rank, the block in the rank, and the
	// core in Launch.Cores. Block is -1 for a channel that all blocks of the rank share,
	// and Core is -1 for a channel of several cores. The waiting core owns a CoreChannel.
	// The vector core of the lane owns an EntryChannel or a SlotChannel.
	Rank, Block, Core int
	// Src and Dst are the pipes that set and wait for the flag of a FlagChannel.
	Src, Dst sem.Pipe
	// From is the number of the core that raises the signal of a CoreChannel, or -1.
	From int
	// ID is the number of the flag, buffer or signal. For a queue it is the number of the
	// ring: 2*queue for entries to the vector cores, and 2*queue+1 for entries to the
	// cube core. For a CoresChannel it is 0 for vector cores, 1 for cube cores and 2 for
	// all cores.
	ID int
}

// Link is a signal that an event has raised or waited for: its channel and its number in
// the channel.
type Link struct {
	Channel Channel
	Raised  bool
	// Number is the number of the signal in its channel, counted from 1. Raises and waits
	// are counted separately, and a wait has the number of the raise that it consumes.
	// For a queue, it is the number of the entry. A QueueReserve of entry n waits for
	// entry n - slots of its SlotChannel; it has no link if n is at most slots. For a
	// buffer, it counts the releases by all pipes. A BufferGet has the number of the last
	// release before it and waits for all releases up to that number.
	Number int
	// Of is the number of cores that participate in a CoresChannel, or the number of slots
	// of a queue.
	Of int
}
