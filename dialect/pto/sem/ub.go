// This file defines the kinds of A2/A3 vector instructions.

package sem

import (
	"ptogo/ir/effect"
	"ptogo/ir/scalar"
)

// Kinds of meaning of instructions that process rows of the unified buffer without vector
// registers.
type (
	// UbMap applies Fn to elements of the unified buffer. The instruction runs a number
	// of steps, which is an operand. Each step processes 8 blocks of 32 bytes. UbRowsOf
	// decodes the operands.
	UbMap struct {
		// Fn is applied to elements of src, or of src0 and src1. nil means a copy.
		Fn *scalar.Fn
		// Scalar names the operand whose low bits are the last argument of Fn.
		Scalar string
	}
	// UbMask sets the mask of UbMap instructions, or switches count mode on or off.
	UbMask struct{ Set UbMaskPart }
)

// UbMaskPart is the setting that a UbMask instruction changes.
type UbMaskPart uint8

// The settings of a UbMask: the bits of the mask, and whether count mode is on. In count
// mode, the mask is a number of elements.
const (
	UbMaskBits UbMaskPart = iota
	UbCountOn
	UbCountOff
)

// Doc returns a sentence for reference pages, which describes how the instruction changes
// the mask or the count mode.
func (m UbMask) Doc() string {
	switch m.Set {
	case UbCountOn:
		return "Turns count mode on."
	case UbCountOff:
		return "Turns count mode off."
	}
	return "Sets the mask: bit i of mask0 selects lane i, of mask1 lane 64 + i. In count mode mask0 is the number of elements."
}

// Effects returns WritesState, because the mask of UbMap instructions is state of the
// core.
func (UbMask) Effects() effect.Set { return effect.WritesState }

// Doc returns the description for reference pages: which elements are written, and with
// which values.
func (m UbMap) Doc() string {
	args := []string{"src0", "src1"}
	switch {
	case m.Scalar != "" && m.Fn != nil && m.Fn.Arity == 2:
		args = []string{"src", m.Scalar}
	case m.Fn != nil && m.Fn.Arity == 1:
		args = []string{"src"}
	}
	value := m.Scalar
	if m.Fn != nil {
		value = m.Fn.Formula(args...)
	}
	return "For every selected element: " + value + ".\n\n" +
		"Each of repeat steps works on 8 blocks of 32 bytes. Block b of step r of an operand starts after its pointer by r times its repeat stride and b times its block stride, in blocks. " +
		"The mask selects elements by their number in a step; those from 128 on, which only bytes have, are never selected. " +
		"In count mode there are as many steps as the count needs, and the elements are counted on."
}
