// This file defines the kinds of synchronization instructions.

package sem

import "ptogo/ir"

// The kinds of meaning of instructions for synchronization. Pipes execute in parallel.
// The order of the text is the order in which the scalar unit issues instructions to
// them.
type (
	// SetFlag raises an event of a pair of pipes (FlagOf).
	SetFlag struct{}
	// WaitFlag waits for an event and lowers it (FlagOf).
	WaitFlag struct{}
	// Barrier waits for earlier instructions of attribute pipe, or of the pipe
	// of op_type.
	Barrier struct{}

	// BufAcquire makes a pipe wait until a buffer is free, and acquires it
	// (BufferUseOf).
	BufAcquire struct{}
	// BufRelease makes a pipe release a buffer (BufferUseOf).
	BufRelease struct{}

	// CrossSet raises a signal for other cores (SignalOf).
	CrossSet struct{ Reach Reach }
	// CrossWait waits for a signal, once for each time it was raised.
	CrossWait struct{ Reach Reach }

	// SyncAllCores waits until all cores of the kind in attribute core_type have
	// reached it.
	SyncAllCores struct{}

	// MemoryFence orders the memory accesses of a core (FenceKind).
	MemoryFence struct{}
)

// Reach names the cores that receive a signal.
type Reach uint8

// The values of Reach.
const (
	// ReachByMode means that attribute ffts_mode decides: 0 is ReachAll, 1 is
	// ReachVectors, and 2 is ReachBlock. pto.Signals defines the meaning if the attribute
	// is absent.
	ReachByMode Reach = iota
	// ReachBlock means all cores of a block. A signal of the cube core reaches both
	// vector cores. A signal of the vector cores reaches the cube core when both have
	// raised it.
	ReachBlock
	// ReachVectors means the vector cores of a block. Each receives the signals of both.
	ReachVectors
	// ReachAll means the cores of all blocks.
	ReachAll
	// ReachPeer means one other core of the block. Signal numbers from 0 are for the
	// first vector core, and numbers from 16 for the second.
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
	return "A pipe must not take a buffer that it holds already. Mode 1 does not wait."
}

func (BufRelease) Doc() string {
	return "The pipe must hold the buffer. Mode 1 frees it when the earlier instructions of all pipes are done."
}

// docOfReach describes the cores that receive a signal.
var docOfReach = [...]string{
	ReachByMode: "The cores of a block take part. A program for A5 that names a number from 16 has numbers from 0 for the first vector core and from 16 for the second; " +
		"in any other program both vector cores have the same numbers, and the cube core hears one when both have raised it.",
	ReachBlock:   "The cores of a block take part. Both vector cores hear the cube core, which hears them when both have raised the signal.",
	ReachVectors: "The vector cores of a block take part; each hears both.",
	ReachAll:     "The cores of all blocks take part.",
	ReachPeer:    "The cube core and one vector core of a block take part: the first one for numbers from 0, the second one for numbers from 16.",
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
	return "It orders accesses of one core, or moves data between caches and memory. Where accesses take effect at once, nothing that a kernel computes depends on it."
}
