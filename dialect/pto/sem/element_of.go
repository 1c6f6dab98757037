// This file reads the operands of element accesses.

package sem

import "ptogo/ir"

// ElementUse holds the operands of a LoadElement or StoreElement. Offset counts elements.
type ElementUse struct{ Pointer, Offset, Value Operand }

// ElementUseOf returns the operands of a LoadElement or StoreElement.
func ElementUseOf(op *ir.Op) ElementUse {
	return ElementUse{operand(op, "ptr"), operand(op, "offset"), operand(op, "value")}
}

// LocalUse holds the operands of a Local: the indices of an element, and the value to
// store.
type LocalUse struct {
	Indices []*ir.Value
	Value   Operand
}

// LocalUseOf returns the operands of a Local.
func LocalUseOf(op *ir.Op) LocalUse { return LocalUse{op.Args("indices"), operand(op, "value")} }
