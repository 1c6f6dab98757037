// This file reads the operands of synchronization instructions.

package sem

import "ptogo/ir"

// Number is the value of an operand, or of an attribute if the operand is absent.
type Number struct {
	Operand
	Constant int64
	// Ok reports whether the operation has the operand or the attribute.
	Ok bool
}

// numberOf reads a number from an operand or an attribute of that name.
func numberOf(op *ir.Op, name string) Number {
	n := Number{Operand: operand(op, name)}
	if n.Given() {
		n.Ok = true
		return n
	}
	a := op.Attr(name)
	if e, ok := ir.AttrAs[ir.EnumAttr](a); ok {
		n.Constant, n.Ok = e.Value, true
		return n
	}
	n.Constant, n.Ok = a.AsInt()
	return n
}

// Flag is the event of a pair of pipes that a SetFlag or WaitFlag is about.
type Flag struct {
	Source, Destination Pipe
	Event               Number
}

// FlagOf returns the event that an instruction is about.
func FlagOf(op *ir.Op) Flag {
	return Flag{namedPipe(op, "src_pipe", "src_op"), namedPipe(op, "dst_pipe", "dst_op"), numberOf(op, "event_id")}
}

// BufferUse is a BufAcquire or BufRelease: the pipe, the buffer, and the mode.
type BufferUse struct {
	Pipe   Pipe
	Buffer Number
	Mode   int64
}

// BufferUseOf returns the operands of an instruction on a buffer token.
func BufferUseOf(op *ir.Op) BufferUse {
	mode, _ := op.Attr("mode").AsInt()
	return BufferUse{namedPipe(op, "op_type"), numberOf(op, "buf_id"), mode}
}

// Signal holds the operands of a CrossSet or CrossWait.
type Signal struct {
	Number
	// Reach is that of the kind, or of the mode attribute. It is ReachByMode if the
	// instruction has neither.
	Reach Reach
}

// reachOfMode are the reaches of attribute ffts_mode.
var reachOfMode = [...]Reach{ReachAll, ReachVectors, ReachBlock}

// SignalOf returns the signal of a CrossSet or CrossWait. For other operations, Ok is
// false.
func SignalOf(op *ir.Op) (s Signal) {
	if op.Def() == nil {
		return s
	}
	switch kind := op.Def().Sem.(type) {
	case CrossSet:
		s.Reach = kind.Reach
	case CrossWait:
		s.Reach = kind.Reach
	default:
		return s
	}
	if mode, ok := op.Attr("ffts_mode").AsInt(); ok && s.Reach == ReachByMode && mode >= 0 && mode < int64(len(reachOfMode)) {
		s.Reach = reachOfMode[mode]
	}
	if s.Number = numberOf(op, "event_id_dyn"); !s.Given() {
		s.Number = numberOf(op, "event_id")
	}
	return s
}

// Meeting is a SyncAllCores: the kinds of cores that wait for each other, and their
// number if an operand gives it.
type Meeting struct {
	Cores Unit
	Used  Operand
}

// MeetingOf decodes which cores wait for each other.
func MeetingOf(op *ir.Op) Meeting {
	m := Meeting{AnyUnit, operand(op, "used_cores")}
	switch keyword(op, "core_type") {
	case "aiv_only":
		m.Cores = VectorUnit
	case "aic_only":
		m.Cores = CubeUnit
	}
	return m
}

// EventUse is an access to an array of event numbers.
type EventUse struct{ Array, Index, Value Operand }

// EventUseOf returns the operands of a Local of events.
func EventUseOf(op *ir.Op) EventUse {
	return EventUse{operand(op, "array"), operand(op, "index"), operand(op, "value")}
}

// FenceKind returns the attribute kind of a Barrier or MemoryFence.
func FenceKind(op *ir.Op) string { return keyword(op, "kind") }

// NamesNoPipe reports whether a barrier has no pipe attribute. It is then for the scalar
// pipe.
func NamesNoPipe(op *ir.Op) bool { return op.Attr("pipe").IsZero() && op.Attr("op_type").IsZero() }
