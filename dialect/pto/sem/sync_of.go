// This file reads the operands of synchronization instructions.

package sem

import "ptogo/ir"

// Number is a number that an instruction has as an operand or as a constant attribute.
type Number struct {
	Operand
	Constant int64
	// Ok reports whether the operation has the operand or the attribute.
	Ok bool
}

// numberOf reads the number that op has as an operand or as an attribute with the given
// name. If op has both, numberOf returns the operand. If op has neither, the field Ok of
// the result is false.
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

// Flag is the event that a SetFlag raises or a WaitFlag awaits: the pipe that raises it
// (Source), the pipe that waits (Destination), and its number.
type Flag struct {
	Source, Destination Pipe
	Event               Number
}

// FlagOf decodes the event that op, a SetFlag or WaitFlag, raises or awaits.
func FlagOf(op *ir.Op) Flag {
	return Flag{namedPipe(op, "src_pipe", "src_op"), namedPipe(op, "dst_pipe", "dst_op"), numberOf(op, "event_id")}
}

// BufferUse holds the operands of an instruction that acquires or releases a buffer token
// (kinds BufAcquire and BufRelease): the pipe, the number of the token, and the mode.
type BufferUse struct {
	Pipe   Pipe
	Buffer Number
	Mode   int64
}

// BufferUseOf decodes the operands of op, which acquires or releases a buffer token.
func BufferUseOf(op *ir.Op) BufferUse {
	mode, _ := op.Attr("mode").AsInt()
	return BufferUse{namedPipe(op, "op_type"), numberOf(op, "buf_id"), mode}
}

// Signal holds the operands of an instruction that raises or awaits a signal between
// cores (kinds CrossSet and CrossWait).
type Signal struct {
	Number
	// Reach names the cores that the signal reaches. It comes from the kind of the
	// instruction or from attribute ffts_mode, and is ReachByMode if neither determines
	// it.
	Reach Reach
}

// reachOfMode maps the values of attribute ffts_mode to the cores that a signal reaches.
var reachOfMode = [...]Reach{ReachAll, ReachVectors, ReachBlock}

// SignalOf decodes the signal that op raises or awaits (kinds CrossSet and CrossWait).
// For other operations, Ok of the result is false.
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

// Meeting holds the operands of a SyncAllCores, a barrier at which cores wait for each
// other. Cores selects the core types that take part. Used is the optional operand with
// the number of participating cores.
type Meeting struct {
	Cores Unit
	Used  Operand
}

// MeetingOf decodes which cores wait for each other at op, a SyncAllCores.
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

// EventUse holds the operands of an instruction that reads or writes an element of an
// array of event numbers: the array, and the index of the element. Value is the event
// number that a write stores. A read has no operand Value.
type EventUse struct{ Array, Index, Value Operand }

// EventUseOf decodes the operands of op, which accesses an array of event numbers (kind
// Local).
func EventUseOf(op *ir.Op) EventUse {
	return EventUse{operand(op, "array"), operand(op, "index"), operand(op, "value")}
}

// FenceKind returns attribute kind of a Barrier or MemoryFence, which names the memory
// accesses that it orders.
func FenceKind(op *ir.Op) string { return keyword(op, "kind") }

// NamesNoPipe reports whether op, a barrier, has no attribute that names a pipe, neither
// pipe nor op_type. Such a barrier belongs to the scalar pipe; an example is pto.tsync
// with tiles as operands.
func NamesNoPipe(op *ir.Op) bool { return op.Attr("pipe").IsZero() && op.Attr("op_type").IsZero() }

// SyncMode returns the mode of op: that of an instruction that acquires or releases a
// buffer token, or the ffts_mode of a signal between cores. It returns -1 if op has no
// mode.
func SyncMode(op *ir.Op) int {
	name := "ffts_mode"
	switch op.Def().Sem.(type) {
	case BufAcquire, BufRelease:
		name = "mode"
	}
	if mode, ok := op.Attr(name).AsInt(); ok {
		return int(mode)
	}
	return -1
}

// OrdersPipes reports whether op synchronizes pipes (hardware queues of instructions) of
// one core: it sets or awaits a flag, is a barrier, or acquires or releases a buffer
// token.
func OrdersPipes(op *ir.Op) bool {
	switch op.Def().Sem.(type) {
	case SetFlag, WaitFlag, Barrier, BufAcquire, BufRelease:
		return true
	}
	return false
}
