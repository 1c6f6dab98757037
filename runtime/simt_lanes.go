// This file compiles the instructions with which SIMT work items exchange values, and
// atomic memory operations.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// laneMask compiles op into a step, a function that computes a 32-bit mask of subgroup
// lanes. The instruction determines which lanes the mask contains: those before the lane
// of the current work item, this lane itself, or those after it.
func (p *planner) laneMask(op *ir.Op, kind sem.LaneMask) step {
	d := p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		lane := fr.core.aloneTask().lane()
		same := uint32(1) << lane
		var m uint32
		if kind.Below {
			m |= same - 1
		}
		if kind.Same {
			m |= same
		}
		if kind.Above {
			m |= ^(same | (same - 1))
		}
		fr.x[d] = uint64(m)
		return nil
	}
}

// lanesStep compiles op, which exchanges values between the lanes of a subgroup, into a
// step. The step waits until all other lanes of the subgroup have reached op; the
// function combine then computes the results. control is an optional operand such as a
// lane number.
func (p *planner) lanesStep(op *ir.Op, control sem.Operand, combine func(lanes []*itemTask)) step {
	p.cur.collective = true
	from, to := p.bitsOf(op.Operand(0)), p.bitsOf(op.Result(0))
	by := p.number(control)
	return func(fr *frame) *Fault {
		out, f := fr.core.meetOthers(op, *from(fr), by(fr), combine)
		if f == nil {
			*to(fr) = out
		}
		return f
	}
}

// bitsOf returns a function that returns a pointer to the bits of v in a frame, the
// storage of a call. v is a scalar, or a builtin MLIR vector of up to 64 bits.
func (p *planner) bitsOf(v *ir.Value) func(fr *frame) *uint64 {
	at := p.slot(v)
	if p.classOf(v.Type()) == vectorClass {
		return func(fr *frame) *uint64 { return &fr.v[at][0] }
	}
	return func(fr *frame) *uint64 { return &fr.x[at] }
}

// vote compiles op into a step, a function that combines one bit of each lane of the
// subgroup, for example "all" or "any".
func (p *planner) vote(op *ir.Op, kind sem.Vote) step {
	return p.lanesStep(op, sem.Operand{}, func(lanes []*itemTask) {
		var set, all uint64
		for _, t := range lanes {
			all |= 1 << t.lane()
			if t.bits != 0 {
				set |= 1 << t.lane()
			}
		}
		out := set
		switch kind.Kind {
		case sem.VoteAll:
			out = truth(set == all)
		case sem.VoteAny:
			out = truth(set != 0)
		case sem.VoteUniform:
			out = truth(set == all || set == 0)
		}
		for _, t := range lanes {
			t.out = out
		}
	})
}

// truth converts a bool into an element: it returns 1 for true and 0 for false.
func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// laneShuffle compiles op into a step, a function that reads the value of another lane of
// the subgroup. If this lane does not exist, the result is the value of the reading lane
// itself.
func (p *planner) laneShuffle(op *ir.Op, kind sem.LaneShuffle) step {
	if msg := analysis.CheckShuffle(op); msg != "" {
		p.errorf(op, "%s", msg)
		return nil
	}
	width := int(sem.ShuffleWidth(op))
	return p.lanesStep(op, sem.ShuffleControl(op), func(lanes []*itemTask) {
		var at [subgroup]*itemTask
		for _, t := range lanes {
			at[t.lane()] = t
		}
		for _, t := range lanes {
			base, i, x := t.lane()/width*width, t.lane()%width, int(int32(t.control))
			j := x
			switch kind.Kind {
			case sem.ShuffleUp:
				j = i - x
			case sem.ShuffleDown:
				j = i + x
			case sem.ShuffleXor:
				j = i ^ x
			}
			t.out = t.bits
			if j >= 0 && j < width && at[base+j] != nil {
				t.out = at[base+j].bits
			}
		}
	})
}

// laneReduce compiles op into a step, a function that combines the values of all lanes of
// the subgroup with a scalar function such as a sum.
func (p *planner) laneReduce(op *ir.Op, kind sem.LaneReduce) step {
	f, ok := p.format(op, op.Operand(0).Type())
	fn := kind.For(op)
	if !ok || !p.supports(op, fn, f) {
		return nil
	}
	return p.lanesStep(op, sem.Operand{}, func(lanes []*itemTask) {
		acc := lanes[0].bits
		for _, t := range lanes[1:] {
			acc, _ = fn.Eval2(f, acc, t.bits) // sums and extrema have no errors
		}
		for _, t := range lanes {
			t.out = acc
		}
	})
}

// supports reports whether the function fn is defined on format f. If it is not, supports
// reports an error at op.
func (p *planner) supports(op *ir.Op, fn *scalar.Fn, f num.Format) bool {
	if fn.Supports(f) {
		return true
	}
	p.errorf(op, "applies the function %s to elements of type %s, which pto-run does not support", fn, f)
	return false
}

// wideProduct compiles op into a step, a function that multiplies two i32 numbers and
// returns the 64-bit product.
func (p *planner) wideProduct(op *ir.Op, _ sem.WideProduct) step {
	a, b, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0))
	if sem.Unsigned(op) {
		return func(fr *frame) *Fault { fr.x[d] = fr.x[a] * fr.x[b]; return nil }
	}
	return func(fr *frame) *Fault {
		fr.x[d] = uint64(int64(int32(fr.x[a])) * int64(int32(fr.x[b])))
		return nil
	}
}

// permuteBytes compiles op into a step, a function that builds a 32-bit word from bytes
// of two other words. A selector operand chooses each byte.
func (p *planner) permuteBytes(op *ir.Op, _ sem.PermuteBytes) step {
	o := sem.ByteChoiceOf(op)
	a, b, s, d := p.slot(o.Lhs.Value), p.slot(o.Rhs.Value), p.slot(o.Selector.Value), p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		both := fr.x[a]<<32 | fr.x[b]
		var out uint64
		for i := range 4 {
			out |= both >> (fr.x[s] >> (4 * i) & 7 * 8) & 0xFF << (8 * i)
		}
		fr.x[d] = out
		return nil
	}
}

// atomicStep compiles an atomic operation on memory into a step, the Go function that
// executes it. The step calls update, which computes the new value in place: its
// parameter old holds the value from memory and receives the new value. The parameters
// value and compare of update are the operands of op. The result of op is the value that
// memory held before.
func (p *planner) atomicStep(op *ir.Op, update func(old, value, compare []byte) error) step {
	o := sem.AtomicAccessOf(op)
	t := o.Value.Type()
	size := pto.ByteSize(t)
	mem := p.vecAccess(op, sem.PointerAccessOf(op), writes, size)
	if mem != nil {
		mem.combines = true
	}
	if mem == nil || size > 8 {
		return nil
	}
	value, old := p.bitsOf(o.Value.Value), p.bitsOf(op.Result(0))
	compare := value
	if v := o.Compare.Value; v != nil {
		compare = p.bitsOf(v)
	}
	return func(fr *frame) *Fault {
		b, f := mem.next(fr, size)
		if f != nil {
			return f
		}
		// All operands are copied to 64-bit words, because the loops require aligned
		// elements.
		words := [3]uint64{0, *value(fr), *compare(fr)}
		copy(bytesOf(words[:1]), b)
		*old(fr) = words[0]
		if err := update(bytesOf(words[:1])[:size], bytesOf(words[1:2])[:size], bytesOf(words[2:])[:size]); err != nil {
			return faultAt(op, "fails: %s", err)
		}
		copy(b, bytesOf(words[:1]))
		return nil
	}
}

// atomicUpdate compiles op into a step, a function that atomically combines the value in
// memory with an operand by a scalar function.
func (p *planner) atomicUpdate(op *ir.Op, kind sem.AtomicChange) step {
	f, ok := p.format(op, ir.ElementType(sem.AtomicAccessOf(op).Value.Type()))
	if !ok {
		return nil
	}
	row, ok := p.rows(op, kind.For(op), f)
	if !ok {
		return nil
	}
	return p.atomicStep(op, func(old, value, _ []byte) error { return row(old, old, value, nil) })
}

// atomicExchange compiles op into a step, a function that atomically replaces the value
// in memory and returns the old value.
func (p *planner) atomicExchange(op *ir.Op) step {
	return p.atomicStep(op, func(old, value, _ []byte) error { copy(old, value); return nil })
}

// atomicCompare compiles op into a step, a compare-and-swap: a function that atomically
// replaces the value in memory if its bits equal the bits of an operand. The step returns
// the old value.
func (p *planner) atomicCompare(op *ir.Op) step {
	return p.atomicStep(op, func(old, value, compare []byte) error {
		if string(old) == string(compare) {
			copy(old, value)
		}
		return nil
	})
}

// atomic compiles an atomic operation on memory into a step: an update by a scalar
// function, an exchange, or a compare-and-swap.
func (p *planner) atomic(op *ir.Op, kind sem.AtomicChange) step {
	switch kind.Act {
	case sem.AtomicExchange:
		return p.atomicExchange(op)
	case sem.AtomicCompare:
		return p.atomicCompare(op)
	}
	return p.atomicUpdate(op, kind)
}
