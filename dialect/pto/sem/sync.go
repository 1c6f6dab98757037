package sem

// The kinds of meaning of instructions that order others. Pipes run side by
// side; what stands in the text is the order in which the scalar unit hands
// instructions to them.
type (
	// SetFlag raises an event of a pair of pipes when all earlier instructions
	// of the first pipe are done. The event is attribute or operand event_id;
	// the pipes are attributes src_pipe and dst_pipe, or those of the
	// operation kinds src_op and dst_op (PipeNamed).
	SetFlag struct{}
	// WaitFlag makes the second pipe wait until the event has been raised, and
	// lowers it.
	WaitFlag struct{}
	// Barrier waits for earlier instructions of attribute pipe, or of the pipe
	// of op_type.
	Barrier struct{}

	// BufAcquire makes the pipe of op_type wait until no other pipe holds buffer
	// buf_id, and take it; it must not hold it already. Mode 1 does not wait.
	BufAcquire struct{}
	// BufRelease makes the pipe, which must hold the buffer, release it when its
	// earlier instructions are done; mode 1: those of all pipes.
	BufRelease struct{}

	// CrossSet raises signal event_id (attribute, or operand event_id_dyn) for
	// other cores when earlier instructions of attribute pipe are done. Reach
	// says which cores hear it. On A5, numbers from 16 are those 16 lower of
	// the second vector core.
	CrossSet struct{ Reach Reach }
	// CrossWait waits for the signal, once for each time it was raised.
	CrossWait struct{ Reach Reach }

	// SyncAllCores waits until all cores of attribute core_type have come to it.
	SyncAllCores struct{}

	// MemoryFence orders the memory accesses of a core, or moves data between
	// caches and memory. Nothing a program can see depends on it where
	// accesses take effect at once.
	MemoryFence struct{}
)

// Reach says which cores a signal goes to.
type Reach uint8

// The reaches.
const (
	// ReachByMode: attribute ffts_mode says it: 0 as ReachAll, 1 as
	// ReachVectors, 2 as ReachBlock. What no mode means, pto.Signals knows.
	ReachByMode Reach = iota
	// ReachBlock: all cores of a block. The cube core is heard by both vector
	// cores; it hears them when both have raised the signal.
	ReachBlock
	// ReachVectors: the vector cores of a block, each of which hears both.
	ReachVectors
	// ReachAll: the cores of all blocks.
	ReachAll
	// ReachPeer: inside a block, one to one: numbers from 0 are for the first
	// vector core, numbers from 16 for the second.
	ReachPeer
)
