// This file defines the kinds of meaning of scalar operations.

package scalar

import (
	"ptogo/ir/effect"
	"ptogo/ir/num"
)

// The kinds of meaning that several dialects share. The interpreter and the code
// generators have one routine per kind. A kind is plain data: if an attribute of
// the instruction selects a variant, the kind contains the name of the attribute.

// Extended is the meaning of an instruction with two results that together hold a
// value wider than one element: a sum and its carry, or the lower and the upper
// half of a product. Each result is truncated to its own format.
type Extended struct{ Low, High *Fn }

// Literal is the meaning of an instruction whose result is the value of the
// attribute Attr.
type Literal struct{ Attr string }

// Choice is the meaning of an instruction that selects elements. result[i] is element i
// of operand 1 if element i of operand 0 is true, and element i of operand 2 otherwise.
// If operand 0 is a scalar, it decides for all elements.
type Choice struct{}

// Comparison is the meaning of an instruction that compares elements. An attribute of the
// instruction selects one relation of the list Cases. The field Attr is the name of this
// attribute, and its integer or enum value is the index in the list. If Attr is "", the
// list has only one relation.
type Comparison struct {
	Attr  string
	Cases []Relation
}

// Cast is the meaning of an instruction that converts elements. From and To determine
// whether integers of the source and of the result are signed.
type Cast struct {
	// From and To determine how integers of the source and of the result are read.
	From, To Sign
	// Rounding is the mode in which an inexact result is rounded.
	Rounding num.Rounding
	// Modes are the rounding modes from which the attribute Attr selects. Without
	// the attribute, Rounding applies.
	Attr  string
	Modes []num.Rounding
	// Sat makes a value outside the range the nearest one in the range, instead of
	// wrapping it.
	Sat bool
	// Bits keeps the bits of the element, so Rounding has no meaning.
	Bits bool
}

// Reinterpret is the meaning of an instruction that converts an integer to an
// integer type of another width. It truncates, or extends by the sign of its
// operand's type.
type Reinterpret struct{}

// Eval converts one element. from is the format of the element, and to is the format of
// the result. bits are the bits of the element, and Eval returns the bits of the result.
func (c Cast) Eval(from, to num.Format, bits uint64) uint64 {
	return c.EvalRounded(from, to, bits, c.Rounding)
}

// EvalRounded converts one element and returns the bits of the result. It rounds in mode
// r, which an attribute of the instruction has selected. from is the format of the
// element, and to is the format of the result.
func (c Cast) EvalRounded(from, to num.Format, bits uint64, r num.Rounding) uint64 {
	if c.Bits {
		return bits & to.Mask()
	}
	return num.Convert(c.From.Reading(from), c.To.Reading(to), bits, r, c.Sat)
}

// Reading returns f with the signedness s if f is an integer format, and f itself
// otherwise.
func (s Sign) Reading(f num.Format) num.Format {
	switch s {
	case Signed:
		return f.AsSigned()
	case Unsigned:
		return f.Unsigned()
	}
	return f
}

// The kinds compute elements and have no effects. Only a division can fault.

func (Extended) Effects() effect.Set    { return 0 }
func (Literal) Effects() effect.Set     { return 0 }
func (Choice) Effects() effect.Set      { return 0 }
func (Comparison) Effects() effect.Set  { return 0 }
func (Cast) Effects() effect.Set        { return 0 }
func (Reinterpret) Effects() effect.Set { return 0 }

// Effects returns MayFault if the function Fn has a divisor, because an integer division
// by zero is a fault. It does not distinguish integers from floats. For all other
// functions, it returns no effects.
func (e Elementwise) Effects() effect.Set {
	if e.Fn.Divisor > 0 {
		return effect.MayFault
	}
	return 0
}
