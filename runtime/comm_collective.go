// This file executes collective instructions on a group of ranks within one launch. The
// root accesses the memory of all members in rank order; the other members do nothing.

package runtime

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// collective executes a collective instruction, for example a broadcast, on a group of
// ranks (devices). Only the root rank of the group executes the instruction; it accesses
// the memory of all members.
type collective struct {
	op *ir.Op
	// data is the view of the root rank, from which the instruction reads or to which it
	// writes.
	data *tensor
	// members are the views of all ranks of the group, in rank order.
	members []*tensor
	// fn is the function with which a reduction combines elements. It is nil for other
	// instructions.
	fn *scalar.Fn
}

// commCollective compiles a collective instruction on a group of ranks (devices) into a
// step, the function that the root rank of the group executes.
func (p *planner) commCollective(op *ir.Op, kind sem.CommCollective) step {
	d := sem.CommGroupOf(op)
	how, each := reads, writes
	if d.Collects {
		how, each = writes, reads
	}
	x := &collective{op: op, data: p.commView(op, d.Data, how)}
	for _, m := range d.Members {
		x.members = append(x.members, p.commView(op, m, each))
	}
	if x.data == nil || slices.Contains(x.members, nil) {
		return nil
	}
	switch kind.Kind {
	case sem.Broadcast:
		return x.broadcast
	case sem.Scatter:
		return func(fr *frame) *Fault { return x.parts(fr, true) }
	case sem.Gather:
		return func(fr *frame) *Fault { return x.parts(fr, false) }
	}
	if d.Reduce == nil {
		p.errorf(op, "uses a reduction that pto-run does not support yet")
		return nil
	}
	x.fn = d.Reduce
	return x.reduce
}

// broadcast copies all elements of a view of the root rank to a view of each rank in the
// group. Ranks are devices, and the root rank executes the instruction. It returns a
// fault if the view of a rank is too small.
func (x *collective) broadcast(fr *frame) *Fault {
	n := x.data.elements(fr)
	for r, m := range x.members {
		if have := m.elements(fr); have < n {
			return x.tooSmall(r, n, have)
		}
		if f := copyElements(fr, m, x.data, 0, 0, n); f != nil {
			return f
		}
	}
	return nil
}

// parts implements the collective operations scatter and gather. The root rank executes
// the instruction and has one view. The other view operands are the views of all ranks of
// a group. If scatter is set, parts copies consecutive elements of the root's view to the
// views of the ranks, in rank order; each rank receives as many elements as its view has.
// If scatter is not set, the operation is a gather: parts copies the elements of the
// ranks to the root's view in the same order.
func (x *collective) parts(fr *frame, scatter bool) *Fault {
	all, at := x.data.elements(fr), 0
	for r, m := range x.members {
		n := m.elements(fr)
		if at+n > all {
			return faultAt(x.op, "needs %d elements for members 0 to %d of the group, but \"%s\" has only %d elements", at+n, r, x.data.name, all)
		}
		dst, src, to, from := x.data, m, at, 0
		if scatter {
			dst, src, to, from = m, x.data, 0, at
		}
		if f := copyElements(fr, dst, src, to, from, n); f != nil {
			return f
		}
		at += n
	}
	return nil
}

// reduce combines element i of the views of all ranks in the group, for each i. It stores
// the result in element i of the root's view. The root is the rank (device) that executes
// the instruction. The elements are combined in rank order, because the order changes the
// rounding of floating-point sums. All execution engines use this order.
func (x *collective) reduce(fr *frame) *Fault {
	for i := range x.data.elements(fr) {
		var sum uint64
		for r, m := range x.members {
			if have := m.elements(fr); i >= have {
				return x.tooSmall(r, i+1, have)
			}
			b, f := m.element(fr, i)
			if f != nil {
				return f
			}
			if v := num.Load(m.f, b); r == 0 {
				sum = v
			} else {
				sum, _ = x.fn.Eval2(m.f, sum, v) // neither sums nor bounds have errors
			}
		}
		b, f := x.data.element(fr, i)
		if f != nil {
			return f
		}
		num.Store(x.data.f, b, sum)
	}
	return nil
}

// tooSmall returns the fault for rank number r of the group, whose view is too small for
// the instruction. want is the number of elements that the instruction needs, and have is
// the number of elements that the view has.
func (x *collective) tooSmall(r, want, have int) *Fault {
	return faultAt(x.op, "needs %d elements in the view of member %d of the group, but this view has only %d elements", want, r, have)
}
