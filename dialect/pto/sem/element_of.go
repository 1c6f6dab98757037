// This file reads the operands of element accesses.

package sem

import "ptogo/ir"

// ElementUse is a LoadElement or StoreElement with its operands; Offset counts
// elements.
type ElementUse struct{ Pointer, Offset, Value Operand }

// ElementUseOf returns the operands of a LoadElement or StoreElement.
func ElementUseOf(op *ir.Op) ElementUse {
	return ElementUse{operand(op, "ptr"), operand(op, "offset"), operand(op, "value")}
}

// LocalUse is a Local with its operands: the indices of an element, and what is
// stored.
type LocalUse struct {
	Indices []*ir.Value
	Value   Operand
}

// LocalUseOf returns the operands of a Local.
func LocalUseOf(op *ir.Op) LocalUse { return LocalUse{op.Args("indices"), operand(op, "value")} }
