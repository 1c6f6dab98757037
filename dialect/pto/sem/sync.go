// This file defines the kinds of synchronization instructions.

package sem

import "ptogo/ir"

// Kinds of meaning of synchronization. Pipes, the hardware queues of a core, run in
// parallel. The scalar unit issues instructions to them in the order of the program.
type (
	// SetFlag raises an event (a flag) between two pipes of a core. FlagOf decodes the
	// pipes and the number of the event.
	SetFlag struct{}
	// WaitFlag makes a pipe wait until an event between two pipes is raised, and lowers
	// the event. FlagOf decodes the pipes and the number of the event.
	WaitFlag struct{}
	// Barrier waits until earlier instructions of a pipe are complete. Attribute pipe
	// names the pipe, or attribute op_type names the type of instructions that the pipe
	// executes.
	Barrier struct{}

	// BufAcquire makes a pipe wait until a buffer token is free, and acquires the token.
	// A buffer token is a lock that guards a buffer against simultaneous use by several
	// pipes. BufferUseOf decodes the operands.
	BufAcquire struct{}
	// BufRelease makes a pipe release a buffer token, a lock that guards a buffer against
	// simultaneous use by several pipes. The pipe has acquired the token before.
	// BufferUseOf decodes the operands.
	BufRelease struct{}

	// CrossSet raises a signal for other cores. SignalOf decodes its operands.
	CrossSet struct{ Reach Reach }
	// CrossWait waits for a signal of other cores. Each wait consumes one raise of the
	// signal.
	CrossWait struct{ Reach Reach }

	// SyncAllCores waits until all cores of the type in attribute core_type have reached
	// this instruction.
	SyncAllCores struct{}

	// MemoryFence orders the memory accesses of a core. FenceKind returns which accesses
	// it orders.
	MemoryFence struct{ Act FenceAct }
)

// FenceAct is what a memory fence does.
type FenceAct uint8

// The acts of memory fences.
const (
	// FenceMemory waits until all earlier accesses to a memory have taken effect.
	FenceMemory FenceAct = iota
	// FenceVector orders accesses to the unified buffer within a vector function.
	FenceVector
	// CleanCache waits until the earlier stores of the scalar unit have left its data
	// cache.
	CleanCache
	// RefreshCache invalidates the data cache of the scalar unit, or one of its lines, so
	// that later loads read memory again.
	RefreshCache
)

// Reach names the cores that a signal between cores reaches.
type Reach uint8

// The sets of cores that a signal can reach.
const (
	// ReachByMode means that attribute ffts_mode of an instruction selects the cores: 0
	// is ReachAll, 1 is ReachVectors, and 2 is ReachBlock. If an instruction does not
	// have the attribute, type analysis.Signals determines the cores from the signal
	// numbers in the whole program.
	ReachByMode Reach = iota
	// ReachBlock means all cores of a block. A signal of the cube core reaches both
	// vector cores. A signal of the vector cores reaches the cube core when both vector
	// cores have raised it.
	ReachBlock
	// ReachVectors means the vector cores of a block. Each vector core receives the
	// signals of both.
	ReachVectors
	// ReachAll means the cores of all blocks.
	ReachAll
	// ReachPeer means one other core of the block. Signal numbers 0 to 15 belong to the
	// first vector core, and numbers from 16 to the second.
	ReachPeer
)

// What these instructions do, for readers of the reference.

func (SetFlag) Doc() string {
	return "Pipes run side by side. Instructions of the second pipe that come after the wait start when those of the first pipe that came before the event are done."
}

func (WaitFlag) Doc() string {
	return "Other pipes go on. Each wait belongs to one raising of the event."
}

func (Barrier) Doc() string {
	return "PIPE_ALL means all pipes, and a kind of operation means the pipe that executes it."
}

func (BufAcquire) Doc() string {
	return "A pipe must not acquire a buffer that it already holds. Mode 1 does not wait."
}

func (BufRelease) Doc() string {
	return "The pipe must hold the buffer. Mode 1 frees it when the earlier instructions of all pipes are done."
}

// docOfReach holds the sentences of reference pages that describe which cores a signal
// reaches, indexed by Reach.
var docOfReach = [...]string{
	ReachByMode: "The signal connects the cores of a block. If a program for A5 uses a signal number from 16, numbers from 0 belong to the first vector core and numbers from 16 to the second; " +
		"in any other program both vector cores have the same numbers, and the cube core receives a signal when both vector cores have raised it.",
	ReachBlock:   "The signal connects the cores of a block. Both vector cores receive a signal of the cube core, and the cube core receives a signal when both vector cores have raised it.",
	ReachVectors: "The signal connects the vector cores of a block; each receives the signals of both.",
	ReachAll:     "The signal connects the cores of all blocks.",
	ReachPeer:    "The signal connects the cube core with one vector core of a block: the first vector core for numbers from 0, the second vector core for numbers from 16.",
}

func (m CrossSet) DocFor(d *ir.Def) string { return m.Reach.docFor(d) }

func (m CrossWait) DocFor(d *ir.Def) string {
	return m.Reach.docFor(d) + " Each wait belongs to one raising of the signal."
}

func (r Reach) docFor(d *ir.Def) string {
	text := docOfReach[r]
	if r == ReachByMode {
		text += given(d, "ffts_mode", " An ffts_mode selects other cores: 0 the cores of all blocks, 1 the vector cores of a block, 2 all cores of a block.")
	}
	return text
}

func (SyncAllCores) Doc() string {
	return "core_type names the cores: aiv_only the vector cores, aic_only the cube cores, mix both. used_cores is the number of cores that arrive, if it is not all of them."
}

func (MemoryFence) Doc() string {
	return "The instruction orders accesses of one core, or moves data between caches and memory. In pto-run, accesses have an immediate effect, so the instruction does not change results."
}
