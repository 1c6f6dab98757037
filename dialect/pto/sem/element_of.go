// This file reads the operands of element accesses.

package sem

import "ptogo/ir"

// ElementUse holds the operands of an instruction that loads or stores one element
// through a pointer (kinds LoadElement and StoreElement). Offset counts elements. Hinted
// means that the instruction has cache hints.
type ElementUse struct {
	Pointer, Offset, Value Operand
	Hinted                 bool
}

// ElementUseOf decodes the operands of op, which loads or stores one element through a
// pointer (kinds LoadElement and StoreElement).
func ElementUseOf(op *ir.Op) ElementUse {
	return ElementUse{operand(op, "ptr"), operand(op, "offset"), operand(op, "value"), op.HasAttr("l1cache") || op.HasAttr("l2cache")}
}

// LocalUse holds the operands of an access to an array or struct on the stack (kind
// Local): the indices of an element, and the value to store.
type LocalUse struct {
	Indices []*ir.Value
	Value   Operand
}

// LocalUseOf decodes the operands of op, which accesses an array or struct on the stack
// (kind Local).
func LocalUseOf(op *ir.Op) LocalUse { return LocalUse{op.Args("indices"), operand(op, "value")} }
