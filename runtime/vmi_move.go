// This file compiles rearrangements of logical vectors, and their conversion to and from
// registers.

package runtime

import (
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// rowCopy compiles a change of register layout into a step, a function that copies the
// operand to the result without a change. The reason is that the runtime stores logical
// vectors in lane order, whatever their register layout is.
func (p *planner) rowCopy(op *ir.Op, _ sem.Relayout) step {
	a, d := p.slot(op.Operand(0)), p.slot(op.Result(0))
	return func(fr *frame) *Fault { copy(fr.r[d], fr.r[a]); return nil }
}

// rowLiteral compiles a constant logical vector into a step, a function that writes its
// lanes.
func (p *planner) rowLiteral(op *ir.Op, kind scalar.Literal) step {
	t, d := p.rowType(op, op.Result(0)), p.slot(op.Result(0))
	dense, ok := ir.AttrAs[ir.DenseAttr](op.Attr(kind.Attr))
	bits, known := dense.Numbers()
	if !ok || !known || t.per > 1 {
		p.errorf(op, "returns a constant of type %s, which pto-run does not support", op.Result(0).Type())
		return nil
	}
	image := make([]byte, t.bytes())
	for i := range t.lanes {
		num.Store(t.f, image[i*t.size:], bits[min(i, len(bits)-1)])
	}
	return func(fr *frame) *Fault { copy(fr.r[d], image); return nil }
}

// rowChoice compiles a selection between two logical vectors into a step. If the
// condition is a mask, the step selects each lane separately. If the condition is a
// scalar, the step selects one of the vectors completely.
func (p *planner) rowChoice(op *ir.Op, kind scalar.Choice) step {
	if p.classOf(op.Operand(0).Type()) != rowClass {
		return p.choice(op, kind)
	}
	size := p.rowType(op, op.Result(0)).size
	m, yes, no, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Operand(2)), p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		for i, on := range fr.r[m] {
			from := fr.r[no]
			if on != 0 {
				from = fr.r[yes]
			}
			copy(fr.r[d][i*size:(i+1)*size], from[i*size:])
		}
		return nil
	}
}

// rowRearrange compiles op into a step, a function that moves lanes within or between
// logical vectors.
func (p *planner) rowRearrange(op *ir.Op, kind sem.VecRearrange) step {
	switch kind.Kind {
	case sem.Interleave:
		return p.rowPair(op, interleaveLanes)
	case sem.Deinterleave:
		return p.rowPair(op, deinterleaveLanes)
	case sem.Compact:
		return p.rowCompact(op)
	case sem.CountBefore:
		return p.rowCountBefore(op)
	case sem.Permute:
		return p.rowPermute(op)
	case sem.Reinterpret:
		return p.rowCopy(op, sem.Relayout{})
	}
	p.errorf(op, "cannot be executed by pto-run yet")
	return nil
}

// rowPair compiles op into a step, a function that rearranges the lanes of two logical
// vectors. shuffle is a function that computes the two result vectors, low and high, from
// the two operands a and b; its argument size is the size of a lane in bytes. The masks
// of op apply to the lanes of the results.
func (p *planner) rowPair(op *ir.Op, shuffle func(low, high, a, b []byte, size int)) step {
	size := p.rowType(op, op.Operand(0)).size
	a, b, d, e := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0)), p.slot(op.Result(1))
	low, high := p.selection(op, op.Result(0)), p.selection(op, op.Result(1))
	return func(fr *frame) *Fault {
		shuffle(fr.r[d], fr.r[e], fr.r[a], fr.r[b], size)
		low.rest(fr, fr.r[d], size)
		high.rest(fr, fr.r[e], size)
		return nil
	}
}

// rowCompact compiles op into a step, a function that compacts the lanes of a logical
// vector. The lanes that the mask of op selects move to the lowest lanes of the result.
// The remaining lanes of the result become zero.
func (p *planner) rowCompact(op *ir.Op) step {
	size := p.rowType(op, op.Result(0)).size
	a, m, d := p.slot(op.Operand(0)), p.slot(sem.MaskOf(op).Value), p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		out := fr.r[d]
		n := 0
		for i, on := range fr.r[m] {
			if on != 0 {
				n += copy(out[n:n+size], fr.r[a][i*size:])
			}
		}
		clear(out[n:])
		return nil
	}
}

// rowCountBefore compiles op into a step, a function that sets each lane of a logical
// vector to the number of preceding lanes that the mask of op selects.
func (p *planner) rowCountBefore(op *ir.Op) step {
	t := p.rowType(op, op.Result(0))
	m, d := p.slot(sem.MaskOf(op).Value), p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		n := uint64(0)
		for i, on := range fr.r[m] {
			num.Store(t.f, fr.r[d][i*t.size:], n)
			n += uint64(on)
		}
		return nil
	}
}

// rowPermute compiles op into a step, a function that computes a vector from the lanes of
// another one. Lane i of the result is the lane whose number is in lane i of an index
// vector, modulo the number of lanes.
func (p *planner) rowPermute(op *ir.Op) step {
	o := sem.PermutationOf(op)
	from, to := p.rowType(op, o.Source.Value), p.rowType(op, op.Result(0))
	a, index, d := p.slot(o.Source.Value), p.slot(o.Index.Value), p.slot(op.Result(0))
	f := wordFormats[to.size]
	return func(fr *frame) *Fault {
		for i := range to.lanes {
			k := int(num.Load(f, fr.r[index][i*to.size:]) % uint64(from.lanes))
			copy(fr.r[d][i*to.size:(i+1)*to.size], fr.r[a][k*to.size:])
		}
		return nil
	}
}

// rowShuffle compiles op into a step, a function that permutes the lanes of a logical
// vector by constant lane numbers.
func (p *planner) rowShuffle(op *ir.Op, _ sem.PermuteBy) step {
	size := p.rowType(op, op.Result(0)).size
	from := sem.PermutationOf(op).Numbers
	a, d := p.slot(op.Operand(0)), p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		for i, k := range from {
			copy(fr.r[d][i*size:(i+1)*size], fr.r[a][int(k)*size:])
		}
		return nil
	}
}

// rowChannels compiles op into a step, a function that distributes the lanes of a logical
// vector cyclically to several vectors (channels), or that merges channels into one
// vector.
func (p *planner) rowChannels(op *ir.Op, kind sem.LaneChannels) step {
	whole, parts := op.Operand(0), op.Results()
	if kind.Merge {
		whole, parts = op.Result(0), op.Operands()
	}
	t, all := p.rowType(op, whole), p.slot(whole)
	each := make([]slot, len(parts))
	for i, v := range parts {
		each[i] = p.slot(v)
	}
	return func(fr *frame) *Fault {
		for i := range t.lanes {
			k := i / len(each)
			one, other := fr.r[each[i%len(each)]][k*t.size:(k+1)*t.size], fr.r[all][i*t.size:(i+1)*t.size]
			if kind.Merge {
				one, other = other, one
			}
			copy(one, other)
		}
		return nil
	}
}

// partPlace states where a lane of a logical vector is in hardware registers: the
// register and the lane in it.
type partPlace struct {
	reg  slot
	lane int
}

// rowParts compiles op into a step, a function that splits a logical vector or mask into
// hardware registers, or that assembles one from registers.
func (p *planner) rowParts(op *ir.Op, kind sem.Parts) step {
	whole, parts := op.Operand(0), op.Results()
	if kind.Pack {
		whole, parts = op.Result(0), op.Operands()
	}
	t, all := p.rowType(op, whole), p.slot(whole)
	each := make([]slot, len(parts))
	for i, v := range parts {
		each[i] = p.slot(v)
	}
	places := make([]partPlace, t.lanes)
	for i := range places {
		reg, lane, ok := lanemap.Place(whole.Type(), int64(i))
		if !ok || int(reg) >= len(each) {
			p.errorf(op, "has a value of type %s, but no pass has assigned its lanes to registers", whole.Type())
			return nil
		}
		places[i] = partPlace{each[reg], int(lane)}
	}
	if part := parts[0].Type(); p.classOf(part) == maskClass {
		return maskParts(places, each, all, maskBits(part)/8, kind.Pack)
	}
	return vectorParts(places, each, all, t.size, kind.Pack)
}

// vectorParts returns a step that splits a logical vector into hardware registers, or
// that assembles one from registers if pack is set. The list of slots contains the slots
// of the registers, and the single slot is that of the logical vector. For lane i of the
// logical vector, places[i] is the register and its lane that hold the same element.
func vectorParts(places []partPlace, each []slot, all slot, laneBytes int, pack bool) step {
	return func(fr *frame) *Fault {
		if !pack {
			for _, r := range each {
				fr.v[r] = vreg{}
			}
		}
		for i, at := range places {
			in, out := fr.v[at.reg].bytes()[at.lane*laneBytes:(at.lane+1)*laneBytes], fr.r[all][i*laneBytes:(i+1)*laneBytes]
			if !pack {
				in, out = out, in
			}
			copy(out, in)
		}
		return nil
	}
}

// maskParts returns a step that splits a logical mask (VMI, a mask of any length) into
// hardware mask registers, or that assembles one from registers if pack is set. The list
// of slots contains the slots of the registers, and the single slot is that of the
// logical mask. For lane i of the logical mask, places[i] is the register and its lane
// that hold the same bit.
func maskParts(places []partPlace, each []slot, all slot, laneBytes int, pack bool) step {
	return func(fr *frame) *Fault {
		if !pack {
			for _, r := range each {
				fr.m[r] = mask{}
			}
		}
		for i, at := range places {
			switch m := &fr.m[at.reg]; {
			case pack:
				fr.r[all][i] = bit(m.has(at.lane, laneBytes))
			case fr.r[all][i] != 0:
				m.set(at.lane, laneBytes)
			}
		}
		return nil
	}
}
