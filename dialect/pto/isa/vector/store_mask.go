// This file defines the constraint on masks of stores.

package vector

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/lanemap"
	"ptogo/ir"
)

// storeMask is the constraint on the mask of a store. Depending on the distribution mode,
// the mask must have the lane width of the register or the width of the packed elements
// in memory. The string is the name of the operand that contains this register.
type storeMask string

// bits returns the lane width in bits that the mask of a vector store must have. The
// width depends on the distribution mode of the store, or on the type of the stored
// register. The result is 0 if any width is accepted.
func (c storeMask) bits(e *ir.Env) int {
	token, _ := e.Attr("dist").AsString()
	if d := lanemap.FindDist(lanemap.StoreDists, token); d.Mask != 0 {
		return d.Mask
	}
	if v, ok := ir.As[VReg](e.Type(string(c))); ok {
		return LaneBits(v.Elem)
	}
	return 0
}

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (c storeMask) Check(t ir.Type, e *ir.Env) bool {
	m, ok := ir.As[Mask](t)
	return ok && (c.bits(e) == 0 || int(m.Bits) == c.bits(e))
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (c storeMask) Want(e *ir.Env) string {
	token, _ := e.Attr("dist").AsString()
	if token == "" {
		return MaskFor(string(c)).Want(e)
	}
	return ir.TypeOf(Mask{Bits: uint8(c.bits(e))}).String() + ", the mask of a store with dist " + token
}
