// This file determines the pipe of instructions of each kind.

package sem

import "ptogo/ir"

// NamesPipe is a kind whose operations name their pipe in an attribute. The result is
// NoPipe if the attribute is absent.
type NamesPipe interface {
	PipeOf(op *ir.Op, t ir.Target) Pipe
}

func (SetFlag) PipeOf(op *ir.Op, _ ir.Target) Pipe    { return namedPipe(op, "src_pipe", "src_op") }
func (WaitFlag) PipeOf(op *ir.Op, _ ir.Target) Pipe   { return namedPipe(op, "dst_pipe", "dst_op") }
func (Barrier) PipeOf(op *ir.Op, _ ir.Target) Pipe    { return namedPipe(op, "pipe", "op_type") }
func (BufAcquire) PipeOf(op *ir.Op, _ ir.Target) Pipe { return namedPipe(op, "op_type") }
func (BufRelease) PipeOf(op *ir.Op, _ ir.Target) Pipe { return namedPipe(op, "op_type") }
func (CrossSet) PipeOf(op *ir.Op, _ ir.Target) Pipe   { return namedPipe(op, "pipe") }

// PipeOf returns S on A2/A3, because a wait for another core stops the whole core there.
func (CrossWait) PipeOf(op *ir.Op, t ir.Target) Pipe {
	if t != A5 {
		return PipeS
	}
	return namedPipe(op, "pipe")
}

// namedPipe is the pipe of the first of some attributes that names one.
func namedPipe(op *ir.Op, attrs ...string) Pipe {
	for _, name := range attrs {
		if p := PipeNamed(op.Attr(name)); p != NoPipe {
			return p
		}
	}
	return NoPipe
}

// PipeNamed returns the pipe of an attribute that names a pipe or a kind of
// operation, or NoPipe.
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

// kindPipes are the pipes of kinds of operations, as the headers of the NPU
// have them (pto-isa:include/pto/common/event.hpp).
var kindPipes = map[string]Pipe{
	"TLOAD": PipeMTE2, "TSTORE_ACC": PipeFix, "TSTORE_VEC": PipeMTE3,
	"TMOV_M2L": PipeMTE1, "TMOV_M2S": PipeFix, "TMOV_M2B": PipeMTE1, "TMOV_M2V": PipeFix, "TMOV_V2M": PipeFix,
	"TMATMUL": PipeM, "TVEC": PipeV, "TVECWAIT_EVENT": PipeV,
}
