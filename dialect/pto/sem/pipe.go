// This file defines the pipes of a core.

package sem

// Pipe is a hardware queue of a core that executes one type of instructions, such as
// copies or vector instructions. A pipe starts its instructions in order. Instructions of
// different pipes run in parallel unless flags order them.
type Pipe uint8

// The pipes: S is the scalar unit, V and V2 the vector unit, M the cube unit, MTE1 to
// MTE5 copy between memories, and Fix copies out of the accumulator. The values are those
// of attribute #pto.pipe.
const (
	PipeS Pipe = iota
	PipeV
	PipeM
	PipeMTE1
	PipeMTE2
	PipeMTE3
	PipeAll
	PipeMTE4
	PipeMTE5
	PipeV2
	PipeFix
	// NoPipe is the pipe of views and other operations that no pipe executes.
	NoPipe Pipe = 255
)

// pipeNames are the names of the pipes in programs, such as PIPE_V, indexed by Pipe.
var pipeNames = [...]string{
	"PIPE_S", "PIPE_V", "PIPE_M", "PIPE_MTE1", "PIPE_MTE2", "PIPE_MTE3", "PIPE_ALL", "PIPE_MTE4", "PIPE_MTE5", "PIPE_V2", "PIPE_FIX",
	"VIRTUAL_PIPE_MTE2_L1A", "VIRTUAL_PIPE_MTE2_L1B",
}

// String returns the name of the pipe in programs, such as PIPE_V, or "none" for NoPipe.
func (p Pipe) String() string {
	switch {
	case p == NoPipe:
		return "none"
	case int(p) < len(pipeNames):
		return pipeNames[p]
	}
	return "?"
}
