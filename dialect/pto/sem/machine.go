// This file lists constants of the machine: events, buffers and signals.

package sem

import "ptogo/ir"

// The resources of a core for synchronization of its pipes (hardware queues of
// instructions) and for synchronization with other cores.
const (
	// EventIDs is the number of events of each pair of pipes. The manuals and the NPU
	// headers agree on 8, except for one page of pto-isa, which gives 16.
	EventIDs = 8
	// BufferIDs is the number of buffer tokens for get_buf and rls_buf
	// (PTOAS:docs/bufid_sync_a5_design.md).
	BufferIDs = 32
	// Signals is the number of signals between two cores. SignalMost is the maximum
	// number of pending raises of a signal, because the hardware counts them in 4 bits.
	Signals    = 16
	SignalMost = 15
)

// InOrder reports whether an instruction of pipe p starts on target t only after all
// earlier instructions of p are complete.
//
// The public library pto-isa shows which pipes are in order, by its code for an event
// from a pipe to itself. On A2/A3, the library uses a barrier for each such event
// (pto-isa:include/pto/npu/a2a3/TSync.hpp), so only the scalar pipe counts as in order.
// On A5, the library uses a barrier only if the pipe is MTE2 or MTE3. For the other pipes
// of A5, it emits no code for the event, so these pipes must execute in order
// (pto-isa:include/pto/npu/a5/TSync.hpp).
func (p Pipe) InOrder(t ir.Target) bool {
	switch p {
	case PipeS:
		return true
	case PipeV, PipeM, PipeMTE1, PipeFix:
		return t == A5
	}
	return false
}

// Unit returns the core types that have pipe p on target t. The cube core of A2/A3 also
// has MTE3, for stores from L1.
func (p Pipe) Unit(t ir.Target) Unit {
	switch p {
	case PipeV, PipeV2:
		return VectorUnit
	case PipeM, PipeMTE1, PipeFix:
		return CubeUnit
	case PipeMTE3:
		if t == A5 {
			return VectorUnit
		}
	}
	return AnyUnit
}
