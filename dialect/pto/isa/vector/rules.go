// This file defines constraints for registers.

package vector

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/ir"
)

// Common element types of vector instructions.
const (
	laneInts  = Ints | Ints64
	laneArith = Ints | Ints64 | Floats
	laneBytes = B8 | B16 | B32 | Ints64 | BF16x2
)

// lanes accepts a register with lanes of the given types, on every profile.
func lanes(e Elems) ir.Constraint { return VRegOf(Both(e)) }

// vregFixed accepts the registers of the given element types.
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

// intLanes accepts registers of integers with as many lanes as the register argument of.
type intLanes struct {
	of string
	// signs are the accepted signs; nil means any.
	signs []ir.Sign
}

// Check implements ir.Constraint.
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

// Want implements ir.Constraint.
func (c intLanes) Want(e *ir.Env) string {
	kind := "integers"
	if len(c.signs) == 1 && c.signs[0] == ir.Signed {
		kind = "signed integers"
	}
	return "a !pto.vreg of " + kind + " as wide as the lanes of \"" + c.of + "\"" + TypeNote(e, c.of)
}

// widened accepts the register that a sum over the register name needs: sums
// of 8 and 16 bits are twice as wide, in half as many lanes.
type widened string

// of returns the type of a register with sums of the argument's lanes, which are wider
// for 8 and 16 bits.
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

// Check implements ir.Constraint.
func (c widened) Check(t ir.Type, e *ir.Env) bool {
	w := c.of(e)
	return w.IsZero() || t == w
}

// Want implements ir.Constraint.
func (c widened) Want(e *ir.Env) string {
	if t := c.of(e); !t.IsZero() {
		return t.String() + ", which holds sums of \"" + string(c) + "\""
	}
	return fmt.Sprintf("of the type of %q, with integers of 8 and 16 bits twice as wide", string(c))
}

// Infer implements ir.Inferrer.
func (c widened) Infer(e *ir.Env) ir.Type { return c.of(e) }

// scalarOrLane accepts a scalar that fits the lanes of the register name, or
// a register of that type.
func scalarOrLane(name string) ir.Constraint {
	return ir.OneOf(ScalarOf(name), ir.SameAs(name))
}

// Fixed types that are written in the text.
var (
	alignState = ir.Written(ir.TypeOf(Handle{Name: "align"}))
)

// sameBits requires registers of the same size in bits.
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
