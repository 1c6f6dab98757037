// This file defines constraints for registers.

package vector

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/ir"
)

// Element types that many vector instructions accept.
const (
	laneInts  = Ints | Ints64
	laneArith = Ints | Ints64 | Floats
	laneBytes = B8 | B16 | B32 | Ints64 | BF16x2
)

// lanes returns a constraint that accepts a register with the given element types on
// every target.
func lanes(e Elems) ir.Constraint { return VRegOf(Both(e)) }

// vregFixed returns a constraint that accepts registers with one of the given element
// types. The program must state the type of the register.
func vregFixed(elems ...ir.Type) ir.Constraint {
	cs := make([]ir.Constraint, len(elems))
	for i, e := range elems {
		cs[i] = ir.Written(VregType(e))
	}
	if len(cs) == 1 {
		return cs[0]
	}
	return ir.OneOf(cs...)
}

// intLanes is a constraint that accepts registers of integers with as many lanes as
// another register. The field with the name of contains the name of the operand that is
// this other register.
type intLanes struct {
	of string
	// signs are the accepted signs of the integers (signed, unsigned, signless); nil
	// means that every sign is accepted.
	signs []ir.Sign
}

// Check implements ir.Constraint. It reports whether the constraint accepts type t in an
// instruction described by e.
func (c intLanes) Check(t ir.Type, e *ir.Env) bool {
	v, ok := ir.As[VReg](t)
	if !ok {
		return false
	}
	i, ok := ir.As[ir.IntegerType](v.Elem)
	w, ok2 := ir.As[VReg](e.Type(c.of))
	if !ok || ok2 && v.Lanes != w.Lanes {
		return false
	}
	for _, s := range c.signs {
		if i.Sign == s {
			return true
		}
	}
	return len(c.signs) == 0
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (c intLanes) Want(e *ir.Env) string {
	kind := "integers"
	if len(c.signs) == 1 && c.signs[0] == ir.Signed {
		kind = "signed integers"
	}
	return "a !pto.vreg of " + kind + " as wide as the lanes of \"" + c.of + "\"" + TypeNote(e, c.of)
}

// widened is a constraint on the result register of a sum of lanes. Its value is the name
// of the operand whose lanes are added up. Sums of 8-bit and 16-bit lanes have twice the
// width, so the result register has half as many lanes.
type widened string

// The method of returns the register type that the constraint accepts for a sum of lanes.
// The type depends on the operand whose lanes are added. If this operand is not a
// register, the result is the zero type.
func (c widened) of(e *ir.Env) ir.Type {
	v, ok := ir.As[VReg](e.Type(string(c)))
	if !ok {
		return ir.Type{}
	}
	if i, ok := ir.As[ir.IntegerType](v.Elem); ok && i.Width < 32 {
		return VregType(ir.TypeOf(ir.IntegerType{Width: 2 * i.Width, Sign: i.Sign}))
	}
	return e.Type(string(c))
}

// Check implements ir.Constraint. It reports whether t is the register type that a sum of
// lanes must have. The instruction that e describes determines this type. If the type is
// not known yet, Check accepts every type.
func (c widened) Check(t ir.Type, e *ir.Env) bool {
	w := c.of(e)
	return w.IsZero() || t == w
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (c widened) Want(e *ir.Env) string {
	if t := c.of(e); !t.IsZero() {
		return t.String() + ", which holds sums of \"" + string(c) + "\""
	}
	return fmt.Sprintf("of the type of %q, with integers of 8 and 16 bits twice as wide", string(c))
}

// Infer implements ir.Inferrer: it returns the type of a register that the program omits.
// The register holds sums of the lanes of another operand, whose name is c.
func (c widened) Infer(e *ir.Env) ir.Type { return c.of(e) }

// Constraints that accept a single type. A program must state this type, and the printer
// always writes it. For most constraints on a single type, the text omits the type.
var (
	alignState = ir.Written(ir.TypeOf(Handle{Name: "align"}))
)

// sameBits returns a rule that requires registers a and b to have the same size in
// bits.
func sameBits(a, b string) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		env := ir.EnvOf(op, 0)
		x, y := env.Type(a), env.Type(b)
		if vregBits(x) == vregBits(y) {
			return ""
		}
		return "\"" + a + "\" and \"" + b + "\" must hold equally many bits, but are " + x.String() + " and " + y.String()
	})
}

// vregBits returns the size of a register type in bits.
func vregBits(t ir.Type) int64 {
	v, _ := ir.As[VReg](t)
	return v.Lanes * int64(ByteSize(v.Elem)) * 8
}
