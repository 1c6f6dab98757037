// This file reads the operands of SIMT instructions.

package sem

import "ptogo/ir"

// SimtDimensions are the dimensions of a launch: operands, or numbers.
type SimtDimensions struct {
	Operands [3]Operand
	Numbers  [3]int64
}

// SimtDimensionsOf returns the dimensions in a SimtLaunch, a SimtDims or a section for
// work items.
func SimtDimensionsOf(op *ir.Op) (d SimtDimensions) {
	for i, name := range []string{"dimX", "dimY", "dimZ"} {
		d.Operands[i] = operand(op, name)
		d.Numbers[i], _ = op.Attr(name).AsInt()
	}
	return d
}

// SimtArgs returns the operands of the function that a SimtLaunch runs.
func SimtArgs(op *ir.Op) []*ir.Value { return op.Args("args") }

// ShuffleWidth returns the number of lanes in a group of a LaneShuffle.
func ShuffleWidth(op *ir.Op) int64 {
	n, _ := op.Attr("width").AsInt()
	return n
}

// ShuffleControl returns the operand that selects the source lane.
func ShuffleControl(op *ir.Op) Operand { return Operand{op.Form().Operands[1].Name, op.Operand(1)} }

// Unsigned reports whether op interprets its integers as unsigned.
func Unsigned(op *ir.Op) bool { return keyword(op, "signedness") == "unsigned" }

// ByteChoice is a PermuteBytes with its operands.
type ByteChoice struct{ Lhs, Rhs, Selector Operand }

// ByteChoiceOf returns the operands of a PermuteBytes.
func ByteChoiceOf(op *ir.Op) ByteChoice {
	return ByteChoice{operand(op, "lhs"), operand(op, "rhs"), operand(op, "selector")}
}

// AtomicAccess holds the operands of an atomic access by a work item: the address, the
// value, and the value to compare with.
type AtomicAccess struct{ Pointer, Value, Compare Operand }

// AtomicAccessOf returns the operands of an AtomicChange.
func AtomicAccessOf(op *ir.Op) AtomicAccess {
	return AtomicAccess{operand(op, "ptr"), operand(op, "value"), operand(op, "compare")}
}

// KeptSlot returns the number of the slot in which a KeptState stores its value.
func KeptSlot(op *ir.Op) (int64, bool) { return op.Attr("slot").AsInt() }
