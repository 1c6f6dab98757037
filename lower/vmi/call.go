// This file defines the instruction that is being lowered.

package vmi

import (
	"fmt"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/ir"
)

// call is one VMI instruction together with a layout for each operand and result. A
// layout maps the lanes of a VMI value to lanes of registers. The layouts are either
// those of the program or candidates that the solver evaluates.
type call struct {
	*emitter
	op *ir.Op
	// args are the operands, and outs are the types of the results.
	args []arg
	outs []ir.Type
	// tries reports that the solver evaluates exactly these layouts. The lowering must
	// then not fall back to other layouts.
	tries bool
}

// arg is an operand of a VMI instruction. The operand is a VMI value or a scalar. For a
// VMI value, the field t is its type, and the field parts contains the registers that
// hold it. For a scalar, the field v is its value.
type arg struct {
	t     ir.Type
	parts []*ir.Value
	v     *ir.Value
}

// lowered is the result of lowering one VMI instruction: the registers of each result, or
// the reason why the instruction cannot be lowered with these layouts.
type lowered struct {
	outs [][]*ir.Value
	why  string
}

// gives returns a successful lowering. outs are the registers of each result.
func gives(outs ...[]*ir.Value) lowered { return lowered{outs: outs} }

// refused returns a failed lowering, whose reason is formatted as in fmt.Sprintf.
//
//go:noinline
func refused(format string, args ...any) lowered { return lowered{why: fmt.Sprintf(format, args...)} }

// arg returns an operand of the instruction, identified by its name in the definition. It
// tries the given names in order and returns the first operand that exists, or nil.
func (c *call) arg(names ...string) *arg {
	for _, name := range names {
		for i, a := range c.op.Form().Operands {
			if from, to := c.op.ArgRange(i); a.Name == name && to > from {
				return &c.args[from]
			}
		}
	}
	return nil
}

// of returns the description of the SSA value v as an operand of the instruction, or nil
// if v is not an operand.
func (c *call) of(v *ir.Value) *arg {
	for i := range c.args {
		if c.op.Operand(i) == v {
			return &c.args[i]
		}
	}
	return nil
}

// vectors returns the operands of the instruction that are VMI vectors, without masks and
// scalars.
func (c *call) vectors() (vs []*arg) {
	for i := range c.args {
		if ir.Is[pto.VMIVReg](c.args[i].t) {
			vs = append(vs, &c.args[i])
		}
	}
	return vs
}

// elem returns the element type of a VMI operand.
func (a *arg) elem() ir.Type { return ir.ElementType(a.t) }

// layout returns the layout of a VMI operand: the mapping from its lanes to registers.
func (a *arg) layout() pto.VMILayout { return layoutOf(a.t) }

// sameLayouts reports whether all VMI operands and results of the instruction have the
// same layout.
func (c *call) sameLayouts() bool {
	var l pto.VMILayout
	for _, t := range c.vmiTypes() {
		if l.IsZero() {
			l = layoutOf(t)
		}
		if layoutOf(t) != l {
			return false
		}
	}
	return true
}

// vmiTypes returns the types of all VMI operands and results of the instruction.
func (c *call) vmiTypes() (ts []ir.Type) {
	for _, a := range c.args {
		if isVMI(a.t) {
			ts = append(ts, a.t)
		}
	}
	for _, t := range c.outs {
		if isVMI(t) {
			ts = append(ts, t)
		}
	}
	return ts
}

// contiguousOnly reports whether all VMI operands and results of the instruction have a
// contiguous layout: consecutive lanes of a value are consecutive lanes of its registers.
func (c *call) contiguousOnly() bool {
	for _, t := range c.vmiTypes() {
		if layoutOf(t) != contiguous {
			return false
		}
	}
	return true
}

// needsContiguous is the reason with which a lowering refuses operands or results that
// are not contiguous.
const needsContiguous = "its operands and results must be contiguous"

// valid returns register r of the mask operand m, with the bits of unused register lanes
// cleared. A register can have more lanes than the VMI value needs. The bits of these
// unused lanes are undefined, unless the instruction that defines the mask clears them.
func (c *call) valid(m *arg, r int) *ir.Value {
	held := contents(m.t)[r]
	lanes := make([]want, len(held))
	hasTail := false
	for i, n := range held {
		if n >= 0 {
			lanes[i] = on
		} else {
			hasTail = true
		}
	}
	if !hasTail || clean(m.v) {
		return m.parts[r]
	}
	return c.logic(isavector.PAnd, m.parts[r], c.selecting(laneBits(m.t), lanes))
}

// over returns the mask register with which an instruction processes register r of a
// vector with elements of type elem. The mask m has a bit for each lane of the vector.
// over clears the bits of register lanes that do not hold a lane of the vector. If the
// lanes of the vector are narrower than those of the mask, over reinterprets the mask for
// the narrower lanes; the register lanes between the lanes of the vector are then unused.
func (c *call) over(elem ir.Type, m *arg, r int) *ir.Value { return c.fit(c.valid(m, r), bitsOf(elem)) }

// held returns a mask for register r of a value of type t. Some register lanes do not
// hold a lane of the value; the mask selects the lanes that do.
func (c *call) held(t ir.Type, r int) *ir.Value {
	held := contents(t)[r]
	lanes := make([]want, len(held))
	for i, n := range held {
		if n >= 0 {
			lanes[i] = on
		}
	}
	return c.selecting(laneBits(t), lanes)
}

// add returns the index v plus the constant n. It emits an addition only if v is not a
// constant.
func (e *emitter) add(v *ir.Value, n int64) *ir.Value {
	if k, ok := arith.ConstantInt(v); ok && n != 0 {
		return e.index(k + n)
	}
	if n == 0 {
		return v
	}
	return e.sum(v, e.index(n))
}

// sum emits the addition of two index values, and returns the result.
func (e *emitter) sum(a, b *ir.Value) *ir.Value {
	return e.one(arith.AddI, a.Type(), []*ir.Value{a, b})
}

// times returns the index v multiplied by the constant n. It emits a multiplication only
// if v is not a constant.
func (e *emitter) times(v *ir.Value, n int64) *ir.Value {
	if k, ok := arith.ConstantInt(v); ok {
		return e.integer(v.Type(), k*n)
	}
	if n == 1 {
		return v
	}
	return e.one(arith.MulI, v.Type(), []*ir.Value{v, e.integer(v.Type(), n)})
}

// moved returns the pointer p advanced by a number of elements, the parameter by. If it
// is nil, moved returns p itself.
func (e *emitter) moved(p, by *ir.Value) *ir.Value {
	if by == nil {
		return p
	}
	return e.one(isabase.AddPtr, p.Type(), []*ir.Value{p, by})
}

// clean reports whether the unused bits of the mask v are zero. A mask register can have
// more lanes than the mask needs; the instruction that defines the mask must clear the
// bits of the additional lanes.
func clean(v *ir.Value) bool {
	if v == nil || v.Op() == nil {
		return false
	}
	return v.Op().Def().Sem != nil && cleanKinds.Has(v.Op().Def().Sem)
}
