// This file lowers instructions that create masks.

package vmi

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/routine"
	"ptogo/ir/scalar"
)

// cleanKinds lists the kinds of mask instructions whose results have zeros in unused
// register lanes. Other instructions can leave bits in these lanes.
var cleanKinds = kinds(
	routine.Does(func(routine.Done, *ir.Op, sem.PrefixMask) {}),
	routine.Does(func(routine.Done, *ir.Op, sem.MaskTail) {}),
	routine.Does(func(routine.Done, *ir.Op, scalar.Literal) {}),
)

// activeLanes returns how many lanes of each group op selects. The operation op is a
// PrefixMask, which selects the first lanes of each group. The result known is false if
// the number is not constant or op is not a PrefixMask.
func activeLanes(op *ir.Op) (n int64, known bool) {
	if _, ok := op.Def().Sem.(sem.PrefixMask); !ok {
		return 0, false
	}
	if op.NumOperands() > 0 {
		return arith.ConstantInt(op.Operand(0))
	}
	if n, ok := lanemap.Pattern(op); ok {
		return n, true
	}
	return lanesOf(op.Result(0).Type()), true
}

// prefixMask lowers the creation of a mask that selects the first lanes of each group.
func (c *call) prefixMask(op *ir.Op, _ sem.PrefixMask) lowered {
	t := c.outs[0]
	per := lanesOf(t) / int64(sem.GroupsOf(op))
	if n, known := activeLanes(op); known {
		return gives(c.constantPrefix(t, per, n))
	}
	n := c.clamped32(c.args[0].v, per)
	if per == lanesOf(t) {
		return gives(c.dynamicPrefix(t, n))
	}
	return gives(c.groupPrefix(t, per, n))
}

// constantPrefix returns the registers of a mask of type t. The lanes are divided into
// groups; the parameter per is the number of lanes of a group. The mask selects the first
// n lanes of each group.
func (c *call) constantPrefix(t ir.Type, per, n int64) []*ir.Value {
	var out []*ir.Value
	for _, held := range contents(t) {
		lanes := make([]want, len(held))
		for i, k := range held {
			if k >= 0 && k%per < n {
				lanes[i] = on
			}
		}
		out = append(out, c.selecting(laneBits(t), lanes))
	}
	return out
}

// clamped32 converts the count v to i32 and limits it to a range. The range starts at 0
// and ends at the parameter high.
func (c *call) clamped32(v *ir.Value, high int64) *ir.Value {
	if v.Type() != ir.I32 {
		v = c.one(arith.IndexCast, ir.I32, []*ir.Value{v})
	}
	v = c.one(arith.MaxSI, ir.I32, []*ir.Value{v, c.integer(ir.I32, 0)})
	return c.one(arith.MinUI, ir.I32, []*ir.Value{v, c.integer(ir.I32, high)})
}

// dynamicPrefix returns the registers of a mask of type t that selects the first n lanes,
// where n is an SSA value.
func (c *call) dynamicPrefix(t ir.Type, n *ir.Value) []*ir.Value {
	l := layoutOf(t)
	count, _ := parts(t)
	out := make([]*ir.Value, count)
	switch {
	case l.Kind == pto.LayoutContiguous:
		for r := range out {
			plt := c.plt(laneBits(t), n)
			out[r], n = plt.Result(0), plt.Result(1)
		}
	case l.Kind == pto.LayoutDeinterleaved && count%l.Factor == 0:
		each := count / l.Factor
		for part := range l.Factor {
			k := n
			if bias := l.Factor - 1 - part; bias > 0 {
				k = c.one(arith.AddI, ir.I32, []*ir.Value{n, c.integer(ir.I32, bias)})
			}
			k = c.one(arith.DivUI, ir.I32, []*ir.Value{k, c.integer(ir.I32, l.Factor)})
			for r := range each {
				plt := c.plt(laneBits(t), k)
				out[part*each+r], k = plt.Result(0), plt.Result(1)
			}
		}
	default:
		plain := withLayout(t, contiguous)
		return c.relayout(c.dynamicPrefix(plain, n), plain, t)
	}
	return out
}

// groupPrefix returns the registers of a mask of type t. In each group, the mask selects
// the first n lanes, where n is an SSA value.
func (c *call) groupPrefix(t ir.Type, groupLanes int64, n *ir.Value) []*ir.Value {
	bits := laneBits(t)
	if groupLanes >= 1<<bits { // numbers of lanes do not fit into a lane
		wide := withBits(withLayout(t, contiguous), 2*bits)
		return c.relayout(c.groupPrefix(wide, groupLanes, n), wide, t)
	}
	elem := pto.UintType(uint32(bits))
	limit := n
	if bits < 32 {
		limit = c.one(arith.TruncI, ir.Int(uint32(bits)), []*ir.Value{n})
	}
	var out []*ir.Value
	for r, held := range contents(t) {
		ns := make([]int64, len(held))
		exact := true
		for i, k := range held {
			if ns[i] = anything; k >= 0 {
				ns[i] = k % groupLanes
			}
			exact = exact && k >= 0
		}
		m := c.below(elem, c.numbers(elem, ns), limit)
		if !exact {
			m = c.logic(isavector.PAnd, m, c.held(t, r))
		}
		out = append(out, m)
	}
	return out
}

// tail lowers an instruction that creates the mask of one loop iteration. The mask
// selects as many lanes as elements remain, up to all lanes. The second result of the
// instruction is the number of elements that remain after the iteration.
func (c *call) tail(*ir.Op, sem.MaskTail) lowered {
	t := c.outs[0]
	if !c.contiguousOnly() {
		return refused(needsContiguous)
	}
	lanes, n := lanesOf(t), c.args[0].v
	left := c.one(arith.MaxSI, ir.I32, []*ir.Value{n, c.integer(ir.I32, lanes)})
	rest := c.one(arith.SubI, ir.I32, []*ir.Value{left, c.integer(ir.I32, lanes)})
	out := lowered{outs: [][]*ir.Value{nil, {rest}}}
	if full(t) {
		count, _ := parts(t)
		for range count {
			plt := c.plt(laneBits(t), n)
			out.outs[0] = append(out.outs[0], plt.Result(0))
			n = plt.Result(1)
		}
		out.outs[1][0] = n
		return out
	}
	out.outs[0] = c.dynamicPrefix(t, c.clamped32(n, lanes))
	return out
}

// relayoutOp lowers a VMI instruction that changes the layout of a vector or mask, or the
// lane width of a mask. It does not change the values of lanes.
func (c *call) relayoutOp(*ir.Op, sem.Relayout) lowered {
	return gives(c.relayout(c.args[0].parts, c.args[0].t, c.outs[0]))
}

// partsOp lowers the instructions that split a VMI value into registers or assemble it
// from registers.
func (c *call) partsOp(_ *ir.Op, kind sem.Parts) lowered {
	if kind.Pack {
		var out []*ir.Value
		for _, a := range c.args {
			out = append(out, a.v)
		}
		return gives(out)
	}
	var outs [][]*ir.Value
	for _, v := range c.args[0].parts {
		outs = append(outs, []*ir.Value{v})
	}
	return gives(outs...)
}
