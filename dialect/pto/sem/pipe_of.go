// This file determines the pipe of instructions of each kind.

package sem

import "ptogo/ir"

// NamesPipe is implemented by kinds whose operations name their pipe in an attribute.
// PipeOf returns the pipe on target t, or NoPipe if op does not have the attribute.
type NamesPipe interface {
	PipeOf(op *ir.Op, t ir.Target) Pipe
}

func (SetFlag) PipeOf(op *ir.Op, _ ir.Target) Pipe    { return namedPipe(op, "src_pipe", "src_op") }
func (WaitFlag) PipeOf(op *ir.Op, _ ir.Target) Pipe   { return namedPipe(op, "dst_pipe", "dst_op") }
func (Barrier) PipeOf(op *ir.Op, _ ir.Target) Pipe    { return namedPipe(op, "pipe", "op_type") }
func (BufAcquire) PipeOf(op *ir.Op, _ ir.Target) Pipe { return namedPipe(op, "op_type") }
func (BufRelease) PipeOf(op *ir.Op, _ ir.Target) Pipe { return namedPipe(op, "op_type") }
func (CrossSet) PipeOf(op *ir.Op, _ ir.Target) Pipe   { return namedPipe(op, "pipe") }

// PipeOf returns the pipe that waits for a signal of another core. On A2/A3, it is the
// scalar pipe S, because the wait stops the whole core on these chips.
func (CrossWait) PipeOf(op *ir.Op, t ir.Target) Pipe {
	if t != A5 {
		return PipeS
	}
	return namedPipe(op, "pipe")
}

// namedPipe returns the pipe of the first attribute among attrs that op has and that
// names a pipe, or NoPipe.
func namedPipe(op *ir.Op, attrs ...string) Pipe {
	for _, name := range attrs {
		if p := PipeNamed(op.Attr(name)); p != NoPipe {
			return p
		}
	}
	return NoPipe
}

// PipeNamed returns the pipe that attribute a names, directly (PIPE_V) or by the type of
// an operation (TLOAD). It returns NoPipe for other attributes.
func PipeNamed(a ir.Attr) Pipe {
	d, ok := ir.AttrAs[ir.EnumAttr](a)
	if !ok {
		return NoPipe
	}
	if d.Enum.Name == "pipe" {
		return Pipe(d.Value)
	}
	if p, ok := kindPipes[d.Keyword()]; ok {
		return p
	}
	return NoPipe
}

// kindPipes maps the operation types of public programs to the pipes that execute them.
// An example of an operation type is TLOAD, which MTE2 executes. The source is the
// headers of the NPU (pto-isa:include/pto/common/event.hpp).
var kindPipes = map[string]Pipe{
	"TLOAD": PipeMTE2, "TSTORE_ACC": PipeFix, "TSTORE_VEC": PipeMTE3,
	"TMOV_M2L": PipeMTE1, "TMOV_M2S": PipeFix, "TMOV_M2B": PipeMTE1, "TMOV_M2V": PipeFix, "TMOV_V2M": PipeFix,
	"TMATMUL": PipeM, "TVEC": PipeV, "TVECWAIT_EVENT": PipeV,
}
