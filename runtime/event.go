// This file defines the interface for listeners: the events of a launch, their memory
// accesses, and the channels through which signals pass.

package runtime

import (
	"fmt"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Listener hears of everything that a launch executes, as one stream of
// events. Their order is one that the synchronization of the program allows: an
// instruction comes after those before it in program order on its core, and
// what waits comes after what it waited for.
//
// With a listener all cores of a launch run in one goroutine, so that listeners
// need no locks; a BlockListener lets blocks run side by side. Without one, plans
// hold no code for any of this.
type Listener interface {
	// Begin comes first, once for each launch.
	Begin(l *Launch)
	// Event comes for each event. What e points to is valid until Event returns;
	// operations, cores and the launch stay.
	Event(e *Event)
	// End comes last; fault is what ended the launch, or nil. What faults, or
	// still waits then, has had no event.
	End(fault *Fault)
}

// BlockListener is a listener that can hear of each block by itself. If all
// listeners of a launch are, and its blocks do not wait for each other, then
// Options.Workers blocks run at the same time.
type BlockListener interface {
	Listener
	// Block returns what hears the events of the block with index b, and nothing else: Begin and
	// End are for the listener itself. It is called for each block in order, before
	// any event; if blocks run in one goroutine, it is not called.
	Block(b int) Listener
}

// Launch is what a listener knows of a launch. A function without sections that has
// work for both kinds of cores (analysis.Mixed) is executed once, in the order of the
// text, and heard as a cube core and two vector cores: each event is one of the core that
// executes the instruction on a device, and what several execute has an event of each.
// The second vector core does what the first one does, with a unified buffer of its own;
// it is left out where its work may differ (analysis.PerVectorCore).
type Launch struct {
	Module  *ir.Op
	Target  ir.Target
	Ranks   int
	Blocks  int        // of each rank
	Cores   []CoreInfo // of rank 0 first, and in it of block 0; Event.Core points into it
	Buffers []*Buffer  // of global memory, of rank 0 first, by the number of the argument; nil for scalars
	Indices int        // blocks of all ranks, or of all tasks
	// Of a graph: its tasks, and the names of the buffers of a rank.
	Tasks []TaskInfo
	Names []string
}

// CoreInfo is a core of a launch.
type CoreInfo struct {
	Number int // in Launch.Cores
	Rank   int
	Block  int      // in its rank
	Index  int      // of the block, through all ranks
	Task   int      // the task of a graph, else -1
	Unit   sem.Unit // AnyUnit where one core stands for all of a block
	Sub    int      // number of a vector core in its block
	Kernel *ir.Op   // the function that it runs
}

// String names a core in its block.
func (c *CoreInfo) String() string {
	switch c.Unit {
	case sem.CubeUnit:
		return "the cube core"
	case sem.VectorUnit:
		return fmt.Sprintf("vector core %d", c.Sub)
	}
	return "the core"
}

// EventKind is the kind of an event.
type EventKind uint8

// These are the kinds of events. Some of them carry links: signals that are raised or
// waited for.
const (
	// KernelBegin and KernelEnd stand around all other events of a core. Op is
	// the function.
	KernelBegin EventKind = iota
	KernelEnd
	// Instruction is an instruction that has worked on Pipe, or an internal step
	// of one (Event.Step). Accesses are the memory it has read and written.
	Instruction
	// FlagSet raises an event for another pipe: Pipe is the source, Link.Channel
	// has both pipes and the number. FlagWait waits for it: Pipe is the
	// destination.
	FlagSet
	FlagWait
	// PipeBarrier waits for the instructions of Pipe, which may be PipeAll.
	PipeBarrier
	// TileBarrier waits for what writes the operands of Op (tsync); Accesses are
	// their memory, as reads.
	TileBarrier
	// MemoryBarrier orders accesses within a vecscope; Event.Order is the kind, as
	// in "VST_VLD".
	MemoryBarrier
	// Fence orders or moves data between caches and memory; Event.Order says how:
	// "dsb", "dcci" and so on, the name of the instruction without "pto.".
	// Accesses are the memory it names, if any, as neither read nor written.
	Fence
	// ScopeBegin and ScopeEnd stand around the events of a vecscope.
	ScopeBegin
	ScopeEnd
	// BufferGet and BufferRelease acquire and release a buffer for Pipe. Event.Mode is
	// the mode; the channel of the link has the buffer number.
	BufferGet
	BufferRelease
	// SignalSet raises a signal for other cores when earlier work of Pipe is
	// done: one link for each counter that goes up. SignalWait makes Pipe wait,
	// S for all later issue: one link for each counter that goes down.
	SignalSet
	SignalWait
	// CoresArrive and CoresLeave are the two halves of syncall. In each execution, all
	// cores arrive before any of them leaves.
	CoresArrive
	CoresLeave
	// QueueReserve waits for a free slot and reserves it for the push or allocation Op.
	// QueuePush makes an entry visible, QueuePop waits for an entry, and QueueFree
	// frees its slot. Pipe is the pipe that does this on the target. The copy of a push
	// or pop is a separate Instruction event in between. There is one link for each
	// vector core whose lane of the queue takes part.
	QueueReserve
	QueuePush
	QueuePop
	QueueFree
	// Notify is a signal through memory: Accesses are the words that were written
	// (read too, if it adds). Await has seen the words of Accesses as it wants
	// them, and all later issue has waited for that.
	Notify
	Await
	// CopyWait has waited for the event of an asynchronous copy, or a test has seen that the
	// copy is complete.
	CopyWait
)

// Event is one thing that a core has done.
type Event struct {
	Kind EventKind
	Op   *ir.Op
	// Pipe is where it happened on the target, given the operands of Op. In a
	// vecscope scalar accesses belong to V, too.
	Pipe sem.Pipe
	Core *CoreInfo
	// Number counts the events of the launch, from 1, or those of the block for a
	// BlockListener.
	Number uint64
	// Scalars is how many operations without an event the core has executed since
	// its last event: scalar arithmetic, control flow, making views and tiles.
	Scalars int
	// Scope is the number of the vecscope that the core is in, or 0. Each entry
	// of a scope has a number of its own.
	Scope uint64
	// Step counts the internal steps of a macro instruction, from 1; it is 0 for
	// other instructions. Steps that raise or wait for flags are events of kind
	// FlagSet and FlagWait.
	Step int
	// Order is the kind of a MemoryBarrier or a Fence.
	Order string
	// Mode is that of BufferGet and BufferRelease, of SignalSet and SignalWait
	// (ffts_mode; -1 where there is none).
	Mode int
	// Accesses are those that only read first.
	Accesses []Access
	Links    []Link
	// Signal is that of Notify and Await.
	Signal Signal
	// Rounds are the loops that the core is in, the outermost first.
	Rounds []Round
	// Item is the number of the work item, for Before and After of a Watcher.
	Item int

	fr *frame
	p  *opPlan
	r  *recorder
}

// Signal is what a signal through memory is changed by, or compared with.
type Signal struct {
	Value int64
	// Add means that Notify adds Value to the contents of memory.
	Add bool
	// Fulfils is the comparison of Await, with Value second.
	Fulfils func(a, b int64) bool
	// Compare is the name of the comparison: eq, ne, gt, ge, lt or le.
	Compare string
}

// Round is the current iteration, counted from 0, of a loop that a core executes.
type Round struct {
	Loop  *ir.Op
	Round int
	// Index is the value of the induction variable, of a loop that has one.
	Index int64
}

// AccessKind is a set of properties of a memory access.
type AccessKind uint8

// The kinds of accesses.
const (
	ReadAccess AccessKind = 1 << iota
	WriteAccess
	// AtomicAccess: reads and writes in one step, so it does not race with other such
	// accesses.
	AtomicAccess
	// ScratchAccess: a workspace of the instruction. Its earlier contents do not
	// matter, and its later contents are undefined. It is always a write.
	ScratchAccess
	// UnusedAccess: bytes that are read, but on which no result depends.
	UnusedAccess
)

// Access is memory that an event has read or written. An operand that is both
// has two accesses, unless it is atomic.
type Access struct {
	Kind  AccessKind
	Space sem.Space
	// Core is whose local memory it is, a number in Launch.Cores; -1 for global
	// memory. Vector core s of the block with index b, if nothing runs on it, has number
	// len(Launch.Cores) + 2*b + s.
	Core int
	// Buffer is the buffer of global memory, a number in Launch.Buffers.
	Buffer int
	// Operand is the number of the operand of Op through which memory is
	// reached, results counted on from the last operand; -1 for none.
	Operand int
	// Runs are the bytes, exactly: no byte outside them, none of them left out.
	Runs []Run
}

// Run is Count pieces of Length bytes, whose starts are Stride bytes apart.
// Start is an offset in the local memory or in the buffer. Pieces do not
// overlap, and Stride is positive where there are several.
type Run struct {
	Start, Length, Stride int64
	Count                 int64
}

// End is the first byte after all pieces.
func (r Run) End() int64 { return r.Start + (r.Count-1)*r.Stride + r.Length }

// Bytes is how many bytes all pieces have.
func (r Run) Bytes() int64 { return r.Length * r.Count }

// ChannelKind is what carries a signal.
type ChannelKind uint8

// The kinds of channels.
const (
	FlagChannel   ChannelKind = iota // between two pipes of a core
	BufferChannel                    // that pipes of a core take turns with
	CoreChannel                      // a counter between cores of a block, or of all blocks
	CoresChannel                     // where all cores of a kind meet
	EntryChannel                     // filled entries of a queue
	SlotChannel                      // free slots of a queue
)

// Channel is something that signals go through, in order: the k-th wait takes
// what the k-th raise gave. It can be compared, and be the key of a map.
type Channel struct {
	Kind ChannelKind
	// Rank, Block and Core say whose it is: the number of a rank, of a block in it,
	// and of a core in Launch.Cores. Block and Core are -1 where all blocks of the
	// rank or several cores share it. A
	// CoreChannel belongs to the core that waits; EntryChannel and SlotChannel
	// to the vector core of the lane.
	Rank, Block, Core int
	// Src and Dst are the pipes of a flag.
	Src, Dst sem.Pipe
	// From is the core that raises a CoreChannel, or -1.
	From int
	// ID is the number of the event, buffer or signal, or of the ring of a queue:
	// 2*queue for what goes to the vector cores, 2*queue+1 for what goes to the
	// cube core. For CoresChannel it is 0 for vector cores, 1 for cube cores, 2
	// for all.
	ID int
}

// Link is a signal that an event has raised, or waited for.
type Link struct {
	Channel Channel
	Raised  bool
	// Number is the number of a signal in its channel, counted from 1. Raises and waits
	// are counted separately, and a wait has the number of the raise that it consumes.
	// For a queue it is the number of the entry, from 1; a QueueReserve of entry n
	// waits for entry n - slots of its SlotChannel, and has no link if n is at most
	// slots. For a buffer it counts releases by all pipes; a get has the number of the
	// last release before it, and waits for all releases up to that one.
	Number int
	// Of is the number of participating cores, for a CoresChannel.
	Of int
}
