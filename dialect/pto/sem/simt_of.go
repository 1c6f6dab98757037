// This file reads the operands of SIMT instructions.

package sem

import "ptogo/ir"

// SimtDimensions are the numbers of work items along x, y and z. If the instruction has
// operands for these numbers, Operands contains them. If the numbers are constants in
// attributes, Numbers contains them.
type SimtDimensions struct {
	Operands [3]Operand
	Numbers  [3]int64
}

// SimtDimensionsOf decodes the dimensions of op: a SimtLaunch, a SimtDims, or a section
// of SIMT code.
func SimtDimensionsOf(op *ir.Op) (d SimtDimensions) {
	for i, name := range []string{"dimX", "dimY", "dimZ"} {
		d.Operands[i] = operand(op, name)
		d.Numbers[i], _ = op.Attr(name).AsInt()
	}
	return d
}

// SimtArgs returns the arguments of the function that op, a SimtLaunch, runs for each
// work item.
func SimtArgs(op *ir.Op) []*ir.Value { return op.Args("args") }

// ShuffleWidth returns the number of lanes in a group within which op, a LaneShuffle,
// exchanges values.
func ShuffleWidth(op *ir.Op) int64 {
	n, _ := op.Attr("width").AsInt()
	return n
}

// ShuffleControl returns the operand of a LaneShuffle that determines from which lane
// each lane reads.
func ShuffleControl(op *ir.Op) Operand { return Operand{op.Form().Operands[1].Name, op.Operand(1)} }

// Unsigned reports whether op interprets its integers as unsigned.
func Unsigned(op *ir.Op) bool { return keyword(op, "signedness") == "unsigned" }

// ByteChoice holds the operands of an instruction that selects four bytes from Lhs and
// Rhs (kind PermuteBytes).
type ByteChoice struct{ Lhs, Rhs, Selector Operand }

// ByteChoiceOf decodes the operands of op, which selects four bytes from two words (kind
// PermuteBytes).
func ByteChoiceOf(op *ir.Op) ByteChoice {
	return ByteChoice{operand(op, "lhs"), operand(op, "rhs"), operand(op, "selector")}
}

// AtomicAccess holds the operands of an atomic access by a work item: the address, the
// new value, and the value with which a compare-and-swap compares the old one.
type AtomicAccess struct{ Pointer, Value, Compare Operand }

// AtomicAccessOf decodes the operands of op, an atomic access (kind AtomicChange).
func AtomicAccessOf(op *ir.Op) AtomicAccess {
	return AtomicAccess{operand(op, "ptr"), operand(op, "value"), operand(op, "compare")}
}

// KeptSlot returns the attribute slot of op (kind KeptState): the number under which op
// stores a value for later launches. The bool result is false if the attribute is absent.
func KeptSlot(op *ir.Op) (int64, bool) { return op.Attr("slot").AsInt() }
