package pto

import (
	"fmt"
	"strconv"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Element types that the pages of vector instructions share.
const (
	laneInts  = Ints | Ints64
	laneArith = Ints | Ints64 | Floats
	laneBytes = B8 | B16 | B32 | Ints64 | BF16x2
)

// lanes accepts a register with lanes of the given types, on every profile.
func lanes(e Elems) ir.Constraint { return VRegOf(Both(e)) }

// vregType is the register type with elements t.
func vregType(t ir.Type) ir.Type {
	return ir.TypeOf(VReg{int64(VectorBytes / ByteSize(t)), t})
}

// uint returns the unsigned integer type of the given width.
func uintType(width uint32) ir.Type {
	return ir.TypeOf(ir.IntegerType{Width: width, Sign: ir.Unsigned})
}

// vregFixed accepts the registers of the given element types.
func vregFixed(elems ...ir.Type) ir.Constraint {
	cs := make([]ir.Constraint, len(elems))
	for i, e := range elems {
		cs[i] = ir.Written(vregType(e))
	}
	if len(cs) == 1 {
		return cs[0]
	}
	return ir.OneOf(cs...)
}

// intLanes accepts a register of integers with as many lanes as the register
// name, of the given signs.
type intLanes struct {
	of    string
	signs []ir.Sign // nil: any
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
	return "a !pto.vreg of " + kind + " as wide as the lanes of \"" + c.of + "\"" + typeNote(e, c.of)
}

// typeNote is the type of an argument for messages.
func typeNote(e *ir.Env, name string) string {
	if t := e.Type(name); !t.IsZero() {
		return ", " + t.String()
	}
	return ""
}

// widened accepts the register that a sum over the register name needs: sums
// of 8 and 16 bits are twice as wide, in half as many lanes.
type widened string

func (c widened) of(e *ir.Env) ir.Type {
	v, ok := ir.As[VReg](e.Type(string(c)))
	if !ok {
		return ir.Type{}
	}
	if i, ok := ir.As[ir.IntegerType](v.Elem); ok && i.Width < 32 {
		return vregType(ir.TypeOf(ir.IntegerType{Width: 2 * i.Width, Sign: i.Sign}))
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

// Types that are always the same and stand in the text.
var (
	writtenI16 = ir.Written(ir.I16)
	writtenI32 = ir.Written(ir.I32)
	alignState = ir.Written(ir.TypeOf(Handle{"align"}))
)

// constantIn asks for an operand that is a constant between lo and hi.
func constantIn(arg string, lo, hi int64) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		v := op.Arg(arg)
		c, ok := ConstantInt(v)
		switch {
		case !ok:
			return "operand \"" + arg + "\" must be a constant"
		case c < lo || c > hi:
			return "operand \"" + arg + "\" must be between " + strconv.FormatInt(lo, 10) + " and " +
				strconv.FormatInt(hi, 10) + ", but is " + strconv.FormatInt(c, 10)
		}
		return ""
	})
}

// constantBetween asks that an operand lies between lo and hi if it is a
// constant.
func constantBetween(arg string, lo, hi int64) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		n, ok := ConstantInt(op.Arg(arg))
		if !ok || n >= lo && n <= hi {
			return ""
		}
		return "operand \"" + arg + "\" must be between " + itoa(lo) + " and " + itoa(hi) + ", but is " + itoa(n)
	})
}

// ConstantInt returns the value of v if it is a constant integer.
func ConstantInt(v *ir.Value) (int64, bool) {
	if v == nil || v.Op() == nil || !v.Op().HasTrait(ir.ConstantLike) {
		return 0, false
	}
	return v.Op().Attr("value").AsInt()
}

// sameBits asks for registers that hold equally many bits.
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

func vregBits(t ir.Type) int64 {
	v, _ := ir.As[VReg](t)
	return v.Lanes * int64(ByteSize(v.Elem)) * 8
}

// ptrTo accepts a pointer to elements of the given types, described by want,
// in one of the given spaces.
func ptrTo(want string, on Elems, spaces ...sem.Space) ir.Constraint {
	in := PtrIn(spaces...)
	return ir.TypeIf(in.Want(nil)+" to "+want, func(t ir.Type) bool {
		return in.Check(t, nil) && on.Has(ir.ElementType(t))
	})
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// intIn accepts integers of type t between lo and hi.
func intIn(t ir.Type, lo, hi int64) ir.AttrConstraint {
	return &intRange{ir.IntOf(t), lo, hi}
}

type intRange struct {
	ir.AttrConstraint
	lo, hi int64
}

// CheckAttr implements ir.AttrConstraint.
func (r *intRange) CheckAttr(a ir.Attr) bool {
	n, ok := a.AsInt()
	return ok && r.AttrConstraint.CheckAttr(a) && n >= r.lo && n <= r.hi
}

// WantAttr implements ir.AttrConstraint.
func (r *intRange) WantAttr() string {
	if r.hi == 1<<31-1 {
		return r.AttrConstraint.WantAttr() + ", at least " + itoa(r.lo)
	}
	return r.AttrConstraint.WantAttr() + " between " + itoa(r.lo) + " and " + itoa(r.hi)
}

// Unwrap lets the text leave out the type of the number.
func (r *intRange) Unwrap() ir.AttrConstraint { return r.AttrConstraint }
