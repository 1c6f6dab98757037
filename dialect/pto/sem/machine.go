// This file lists constants of the machine: events, buffers and signals.

package sem

import "ptogo/ir"

// These constants count the resources of a core that order its pipes and synchronize it
// with other cores.
const (
	// EventIDs is how many events each pair of pipes has: the manuals and the
	// headers of the NPU agree on 8, but for one page of pto-isa, which has 16.
	EventIDs = 8
	// BufferIDs is the number of buffers that get_buf and rls_buf can name
	// (PTOAS:docs/bufid_sync_a5_design.md).
	BufferIDs = 32
	// Signals is the number of signals between two cores. SignalMost is how often one
	// signal can be raised without a wait, because the hardware counts it in 4 bits.
	Signals    = 16
	SignalMost = 15
)

// InOrder reports whether an instruction of pipe p starts on a target when
// those before it in the pipe are over. On A5 the event of a pipe with itself
// becomes a barrier only where its source is MTE2 or its destination MTE3, and
// nothing for the others (pto-isa:include/pto/npu/a5/TSync.hpp); on A2/A3 it is
// a barrier of any pipe (pto-isa:include/pto/npu/a2a3/TSync.hpp).
func (p Pipe) InOrder(t ir.Target) bool {
	switch p {
	case PipeS:
		return true
	case PipeV, PipeM, PipeMTE1, PipeFix:
		return t == A5
	}
	return false
}

// Unit returns the kinds of cores that have pipe p on a target. The cube core of
// A2/A3 has MTE3, too, for stores from L1.
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
