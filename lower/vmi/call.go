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

// call is one VMI instruction with a layout for each operand and result. The layouts are
// those of the program, or some that the solver tries.
type call struct {
	*emitter
	op *ir.Op
	// args are the operands, and outs the types of the results.
	args []arg
	outs []ir.Type
	// tries reports that the solver tries the layouts, which excludes other layouts.
	tries bool
}

// arg is an operand: the registers of a VMI value of type t, or a scalar v.
type arg struct {
	t     ir.Type
	parts []*ir.Value
	v     *ir.Value
}

// lowered is the result of lowering: the registers of each result, or the reason why the
// instruction cannot be lowered with these layouts.
type lowered struct {
	outs [][]*ir.Value
	why  string
}

// gives returns the registers of the results.
func gives(outs ...[]*ir.Value) lowered { return lowered{outs: outs} }

// refused returns a reason.
func refused(format string, args ...any) lowered { return lowered{why: fmt.Sprintf(format, args...)} }

// arg returns the first operand with one of the given names, or nil.
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

// of returns the operand with a value.
func (c *call) of(v *ir.Value) *arg {
	for i := range c.args {
		if c.op.Operand(i) == v {
			return &c.args[i]
		}
	}
	return nil
}

// vectors returns the operands that are VMI vectors.
func (c *call) vectors() (vs []*arg) {
	for i := range c.args {
		if ir.Is[pto.VMIVReg](c.args[i].t) {
			vs = append(vs, &c.args[i])
		}
	}
	return vs
}

// elem returns the type of the lanes of an operand.
func (a *arg) elem() ir.Type { return ir.ElementType(a.t) }

// layout returns the layout of an operand.
func (a *arg) layout() pto.VMILayout { return layoutOf(a.t) }

// sameLayouts reports whether all VMI operands and results have the same layout.
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

// vmiTypes returns the types of all VMI operands and results.
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

// contiguousOnly reports whether all VMI operands and results are contiguous.
func (c *call) contiguousOnly() bool {
	for _, t := range c.vmiTypes() {
		if layoutOf(t) != contiguous {
			return false
		}
	}
	return true
}

// needsContiguous is the reason of instructions that need contiguous operands and results.
const needsContiguous = "its operands and results must be contiguous"

// valid returns the mask of register r of an operand mask, without the lanes that belong to
// no lane of the value. Their bits may be anything, unless the instruction that made the
// mask clears them.
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

// over returns valid as a mask of the lanes of registers with elements of type elem. If the
// lanes of a vector have a stride, its mask is one for wider lanes, with bits at the same
// places.
func (c *call) over(elem ir.Type, m *arg, r int) *ir.Value { return c.fit(c.valid(m, r), bitsOf(elem)) }

// held returns the mask of the lanes of register r that hold lanes of a value of type t.
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

// add returns the sum of an index and a constant.
func (e *emitter) add(v *ir.Value, n int64) *ir.Value {
	if k, ok := arith.ConstantInt(v); ok && n != 0 {
		return e.index(k + n)
	}
	if n == 0 {
		return v
	}
	return e.sum(v, e.index(n))
}

// sum returns the sum of two indices.
func (e *emitter) sum(a, b *ir.Value) *ir.Value {
	return e.one(arith.AddI, a.Type(), []*ir.Value{a, b})
}

// times returns the product of an index and a constant.
func (e *emitter) times(v *ir.Value, n int64) *ir.Value {
	if k, ok := arith.ConstantInt(v); ok {
		return e.integer(v.Type(), k*n)
	}
	if n == 1 {
		return v
	}
	return e.one(arith.MulI, v.Type(), []*ir.Value{v, e.integer(v.Type(), n)})
}

// moved returns a pointer moved by an index, which may be nil.
func (e *emitter) moved(p, by *ir.Value) *ir.Value {
	if by == nil {
		return p
	}
	return e.one(isabase.AddPtr, p.Type(), []*ir.Value{p, by})
}

// clean reports whether the instruction that makes a mask clears the bits of lanes that do
// not exist.
func clean(v *ir.Value) bool {
	if v == nil || v.Op() == nil {
		return false
	}
	return v.Op().Def().Sem != nil && cleanKinds.Has(v.Op().Def().Sem)
}
