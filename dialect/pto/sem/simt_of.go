// This file reads the operands of SIMT instructions.

package sem

import "ptogo/ir"

// SimtDimensions are the dimensions of a launch: operands, or numbers.
type SimtDimensions struct {
	Operands [3]Operand
	Numbers  [3]int64
}

// SimtDimensionsOf returns the dimensions that a SimtLaunch, SimtDims or a
// section for work items gives.
func SimtDimensionsOf(op *ir.Op) (d SimtDimensions) {
	for i, name := range []string{"dimX", "dimY", "dimZ"} {
		d.Operands[i] = operand(op, name)
		d.Numbers[i], _ = op.Attr(name).AsInt()
	}
	return d
}

// SimtArgs returns the operands of the function that a SimtLaunch runs.
func SimtArgs(op *ir.Op) []*ir.Value { return op.Args("args") }

// ShuffleWidth returns how many lanes the groups of a LaneShuffle have.
func ShuffleWidth(op *ir.Op) int64 {
	n, _ := op.Attr("width").AsInt()
	return n
}

// ShuffleControl returns the operand that selects the source lane.
func ShuffleControl(op *ir.Op) Operand { return Operand{op.Form().Operands[1].Name, op.Operand(1)} }

// Unsigned reports whether op reads its integers without a sign.
func Unsigned(op *ir.Op) bool { return keyword(op, "signedness") == "unsigned" }

// ByteChoice is a PermuteBytes with its operands.
type ByteChoice struct{ Lhs, Rhs, Selector Operand }

// ByteChoiceOf returns the operands of a PermuteBytes.
func ByteChoiceOf(op *ir.Op) ByteChoice {
	return ByteChoice{operand(op, "lhs"), operand(op, "rhs"), operand(op, "selector")}
}

// AtomicAccess is an atomic access of a work item: where, the value, and what
// must be there for it.
type AtomicAccess struct{ Pointer, Value, Compare Operand }

// AtomicAccessOf returns the operands of an AtomicChange.
func AtomicAccessOf(op *ir.Op) AtomicAccess {
	return AtomicAccess{operand(op, "ptr"), operand(op, "value"), operand(op, "compare")}
}

// KeptSlot returns the number under which a KeptState keeps its
// value.
func KeptSlot(op *ir.Op) (int64, bool) { return op.Attr("slot").AsInt() }
