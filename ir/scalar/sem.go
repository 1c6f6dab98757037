package scalar

import (
	"ptogo/ir/effect"
	"ptogo/ir/num"
)

// The kinds of meaning that several dialects share. Execution and code
// generation have one routine for each kind. They are plain data; where a
// choice is made by an attribute of the instruction, the kind names it.

// Extended is the meaning of an instruction with two results that together
// hold more than one element can: the sum and its carry, the lower and the
// upper half of a product. Each result is cut to its own format.
type Extended struct{ Low, High *Fn }

// Literal is the meaning of an instruction whose result is the attribute Attr.
type Literal struct{ Attr string }

// Choice is the meaning of an instruction that selects elements: result[i] is
// operand 1 where operand 0 is true, else operand 2. A scalar condition selects
// all elements.
type Choice struct{}

// Comparison is the meaning of an instruction that compares elements. The
// integer or enum value of the attribute Attr selects one of the Cases;
// without an attribute there is one case.
type Comparison struct {
	Attr  string
	Cases []Relation
}

// Cast is the meaning of an instruction that converts elements. From and To
// say how signless integers are read on either side.
type Cast struct {
	From, To Sign
	Rounding num.Rounding
	// Modes are the rounding modes that the attribute Attr selects from, if it
	// is there.
	Attr  string
	Modes []num.Rounding
	Sat   bool // a value outside the range becomes the nearest in it
	Bits  bool // the bits stay as they are and Rounding has no meaning
}

// Reinterpret is the meaning of an instruction that gives its operand, an
// integer, as an integer of another type, cut or extended by its own sign.
type Reinterpret struct{}

// Eval converts one element.
func (c Cast) Eval(from, to num.Format, bits uint64) uint64 {
	return c.EvalRounded(from, to, bits, c.Rounding)
}

// EvalRounded is Eval with a rounding mode that an attribute has selected.
func (c Cast) EvalRounded(from, to num.Format, bits uint64, r num.Rounding) uint64 {
	if c.Bits {
		return bits & to.Mask()
	}
	return num.Convert(c.From.Reading(from), c.To.Reading(to), bits, r, c.Sat)
}

// Reading is f with the sign s for integers.
func (s Sign) Reading(f num.Format) num.Format {
	switch s {
	case Signed:
		return f.AsSigned()
	case Unsigned:
		return f.Unsigned()
	}
	return f
}

// The kinds compute one element, which fails only where a division does.

func (Extended) Effects() effect.Set    { return 0 }
func (Literal) Effects() effect.Set     { return 0 }
func (Choice) Effects() effect.Set      { return 0 }
func (Comparison) Effects() effect.Set  { return 0 }
func (Cast) Effects() effect.Set        { return 0 }
func (Reinterpret) Effects() effect.Set { return 0 }

// Effects is MayFault for a function that divides.
func (e Elementwise) Effects() effect.Set {
	if e.Fn.Divisor > 0 {
		return effect.MayFault
	}
	return 0
}
