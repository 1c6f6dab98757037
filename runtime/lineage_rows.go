// This file implements the symbolic execution of instructions on logical vectors (VMI) in
// equivalence proofs.

package runtime

import (
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/routine"
	"ptogo/ir/scalar"
	"ptogo/runtime/expr"
)

// This file computes the expressions of the lanes of logical vectors (VMI).

// tracedRows lists, for each kind of instruction on logical vectors (VMI), the function
// that compiles its symbolic execution.
func tracedRows() rows {
	return rows{
		routine.Makes((*planner).tracedRowMap),
		routine.Makes((*planner).tracedRowConvert),
		routine.Makes((*planner).tracedRowCompare),
		routine.Makes((*planner).tracedRowReduce),
		routine.Makes((*planner).tracedRowWiden),
		routine.Makes(movesData[sem.LaneLoad]),
		routine.Makes(movesData[sem.LaneStore]),
		routine.Makes((*planner).tracedRowChoice),
		routine.Makes((*planner).tracedRowExtended),
		routine.Makes((*planner).tracedRowRearrange),
		routine.Makes((*planner).tracedRowGather),
		routine.Makes((*planner).tracedRowScatter),
		routine.Makes(movesData[sem.PermuteBy]),
		routine.Makes((*planner).tracedGroupBroadcast),
		routine.Makes(describes[sem.GroupIndex]),
		routine.Makes(describes[sem.PrefixMask]),
		routine.Makes(describes[sem.MaskTail]),
		routine.Makes(describes[scalar.Literal]),
		routine.Makes(movesData[sem.Relayout]),
		routine.Makes(movesData[sem.Parts]),
		routine.Makes(movesData[sem.LaneChannels]),
	}
}

// rowLane is an operand of a symbolically executed instruction on logical vectors (VMI):
// a vector, or a scalar that is used for each lane.
type rowLane struct {
	rowOperand
	scalar bool
}

// rowLane describes where symbolic execution finds the operand v of an instruction on
// logical vectors (VMI): its slot, and whether it is a vector of type r or a scalar that
// is used for each lane.
func (p *planner) rowLane(v *ir.Value, r rowType) rowLane {
	o := p.rowOperand(v, r)
	return rowLane{o, o.size > 0}
}

// of returns the symbolic lanes of the operand. For a scalar, all lanes have its value.
func (o *rowLane) of(fr *frame, x *tracer) lanes {
	if !o.scalar {
		return lanes{traced: fr.tracedRow(o.at)}
	}
	v := x.scalar(fr, o.from)
	if v.known && !(v.shadowed() && o.conv == nil) {
		v.h = expr.Hash{}
		if o.conv != nil {
			v.bits = o.conv(v.bits)
		}
		v.bits &= ^uint64(0) >> (64 - 8*o.size)
	}
	return lanes{all: v, one: true}
}

// lane returns the symbolic value of lane i of a masked instruction. If the mask selects
// the lane, the value is v. If it does not, the value is zero or the previous value of
// the lane, depending on the instruction. A lane has size bytes.
func (s *selection) lane(fr *frame, x *tracer, i, size int, v value) value {
	if !s.masked {
		return v
	}
	m := fr.tracedRow(s.mask)
	on := x.get(&m, i, 1)
	rest := knownValue(0)
	if s.kept {
		o := fr.tracedRow(s.other)
		rest = x.get(&o, i*size, size)
	}
	return x.choose(on, v, rest)
}

// tracedRowMap compiles an elementwise function on logical vectors (VMI).
func (p *planner) tracedRowMap(op *ir.Op, kind sem.VecMap) step {
	v := op.Result(0)
	t := p.rowType(op, v)
	if t.per > 1 {
		return p.unfollowed(op, "computes pairs of numbers")
	}
	f := t.numbers()
	if t.f == num.I1 {
		f = num.I1
	}
	call := p.loopFn(kind.Fn, f)
	var ins []rowLane
	for _, in := range kind.Inputs(op) {
		ins = append(ins, p.rowLane(in, t))
	}
	by, d := p.selection(op, v), p.slot(v)
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		var in [3]lanes
		for i := range ins {
			in[i] = ins[i].of(fr, x)
		}
		out := fr.rowTarget(d)
		for i := range t.lanes {
			var args [3]value
			for k := range ins {
				args[k] = in[k].at(x, i, t.size)
			}
			x.put(out, i*t.size, t.size, by.lane(fr, x, i, t.size, x.apply(call, &args)))
		}
		return nil
	})
}

// tracedRowWiden compiles op into a step, a Go function that executes op. op applies a
// function to the lanes of logical vectors (VMI), and its result lanes are wider than
// its operand lanes. The step computes the results and, for equivalence proofs, their
// symbolic expressions.
func (p *planner) tracedRowWiden(op *ir.Op, kind sem.VecWiden) step {
	v := op.Result(0)
	from, to := p.rowType(op, op.Operand(0)), p.rowType(op, v)
	if from.per > 1 || to.per > 1 {
		return p.unfollowed(op, "computes pairs of numbers")
	}
	call, widen := p.loopFn(kind.Fn, to.numbers()), p.tracedConversion(from.f, to.f, num.NearestEven, false)
	a, b, d, by := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(v), p.selection(op, v)
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u, w := fr.tracedRow(a), fr.tracedRow(b)
		out := fr.rowTarget(d)
		for i := range to.lanes {
			y := x.apply(call, &[3]value{x.convert(widen, x.get(&u, i*from.size, from.size)), x.convert(widen, x.get(&w, i*from.size, from.size))})
			x.put(out, i*to.size, to.size, by.lane(fr, x, i, to.size, y))
		}
		return nil
	})
}

// tracedRowConvert compiles a conversion of the lanes of a logical vector (VMI) to
// another number format.
func (p *planner) tracedRowConvert(op *ir.Op, _ sem.LaneConvert) step {
	v := op.Result(0)
	from, to := p.rowType(op, op.Operand(0)), p.rowType(op, v)
	if from.f.Bits() < 8 || to.f.Bits() < 8 {
		return p.unfollowed(op, "converts pairs of numbers")
	}
	r, sat := lanemap.Rounding(op)
	conv, zero := p.tracedConversion(from.numbers(), to.numbers(), r, sat), zeroedNaN(from.f, to.f, sat)
	a, d, by := p.slot(op.Operand(0)), p.slot(v), p.selection(op, v)
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u := fr.tracedRow(a)
		out := fr.rowTarget(d)
		for i := range to.lanes {
			x.put(out, i*to.size, to.size, by.lane(fr, x, i, to.size, x.convertLane(conv, zero, x.get(&u, i*from.size, from.size))))
		}
		return nil
	})
}

// tracedRowCompare compiles a comparison of logical vectors (VMI) into a step. The step
// is a Go function that computes the result, a mask. In equivalence proofs, the step
// computes the symbolic expressions of the mask bits too.
func (p *planner) tracedRowCompare(op *ir.Op, _ sem.LaneCompare) step {
	rel, ok := lanemap.Relation(op)
	if !ok {
		return p.plain
	}
	v := op.Result(0)
	t := p.rowType(op, op.Operand(0))
	if t.per > 1 {
		return p.unfollowed(op, "compares pairs of numbers")
	}
	fn := comparisonFn(rel, t.f)
	a, b := p.rowLane(op.Operand(0), t), p.rowLane(op.Operand(1), t)
	d, by := p.slot(v), p.selection(op, v)
	by.kept = false
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u, w := a.of(fr, x), b.of(fr, x)
		out := fr.rowTarget(d)
		for i := range t.lanes {
			x.put(out, i, 1, by.lane(fr, x, i, 1, x.compare(fn, rel, t.f, u.at(x, i, t.size), w.at(x, i, t.size))))
		}
		return nil
	})
}

// tracedRowReduce compiles a reduction of each group of lanes of a logical vector (VMI).
func (p *planner) tracedRowReduce(op *ir.Op, kind sem.GroupReduce) step {
	v := op.Result(0)
	from, to := p.rowType(op, op.Operand(0)), p.rowType(op, v)
	if from.per > 1 || to.per > 1 {
		return p.unfollowed(op, "reduces pairs of numbers")
	}
	f := from.numbers()
	fn, neutral := neutralOf(kind.Op, f)
	call, per := p.tracedFn(fn, f), from.lanes/to.lanes
	a, d, by := p.slot(op.Operand(0)), p.slot(v), p.selection(op, op.Operand(0))
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u := fr.tracedRow(a)
		var m traced
		if by.masked {
			m = fr.tracedRow(by.mask)
		}
		out := fr.rowTarget(d)
		for g := range to.lanes {
			acc := knownValue(neutral)
			for i := g * per; i < (g+1)*per; i++ {
				on := knownValue(1)
				if by.masked {
					on = x.get(&m, i, 1)
				}
				if !on.off() {
					acc = x.choose(on, x.apply(call, &[3]value{acc, x.get(&u, i*from.size, from.size)}), acc)
				}
			}
			if from.size != to.size && !acc.known {
				return fr.core.undecided(op, &acc, "reduces lanes into others of another width")
			}
			x.put(out, g*to.size, to.size, acc)
		}
		return nil
	})
}

// tracedRowChoice compiles a selection between two logical vectors (VMI) by a mask. It
// also accepts the scalar selection arith.select.
func (p *planner) tracedRowChoice(op *ir.Op, kind scalar.Choice) step {
	if p.classOf(op.Operand(0).Type()) != rowClass {
		return p.tracedChoice(op, kind)
	}
	t := p.rowType(op, op.Result(0))
	m, yes, no, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Operand(2)), p.slot(op.Result(0))
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		on, u, v := fr.tracedRow(m), fr.tracedRow(yes), fr.tracedRow(no)
		out := fr.rowTarget(d)
		for i := range t.lanes {
			x.put(out, i*t.size, t.size, x.choose(x.get(&on, i, 1), x.get(&u, i*t.size, t.size), x.get(&v, i*t.size, t.size)))
		}
		return nil
	})
}

// tracedRowExtended compiles an instruction with two results, such as the low and the
// high half of a product, on logical vectors (VMI). The step that it returns is a Go
// function that computes the results and, for equivalence proofs, their symbolic
// expressions.
func (p *planner) tracedRowExtended(op *ir.Op, kind sem.VecExtended) step {
	t := p.rowType(op, op.Result(0))
	a, b := p.rowLane(op.Operand(0), t), p.rowLane(op.Operand(1), t)
	calls := [2]*tracedFn{p.tracedFn(kind.Low, t.f), p.tracedFn(kind.High, t.f)}
	d := [2]slot{p.slot(op.Result(0)), p.slot(op.Result(1))}
	by := [2]selection{p.selection(op, op.Result(0)), p.selection(op, op.Result(1))}
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u, v := a.of(fr, x), b.of(fr, x)
		for k, call := range calls {
			out := fr.rowTarget(d[k])
			for i := range t.lanes {
				y := x.apply(call, &[3]value{u.at(x, i, t.size), v.at(x, i, t.size)})
				x.put(out, i*t.size, t.size, by[k].lane(fr, x, i, t.size, y))
			}
		}
		return nil
	})
}

// tracedRowRearrange compiles an instruction that permutes lanes of logical vectors
// (VMI). The step faults if indices of the permutation depend on symbolic inputs.
func (p *planner) tracedRowRearrange(op *ir.Op, kind sem.VecRearrange) step {
	if kind.Kind == sem.Permute {
		return p.moveStep(op, p.plain, sem.PermutationOf(op).Index.Value)
	}
	return p.moveStep(op, p.plain)
}

// tracedRowGather compiles a gather from memory into a logical vector (VMI). The step
// faults if the memory offsets depend on symbolic inputs.
func (p *planner) tracedRowGather(op *ir.Op, _ sem.LaneGather) step {
	return p.moveStep(op, p.plain, sem.VectorAccessOf(op).Offsets.Value)
}

// tracedRowScatter compiles a scatter from a logical vector (VMI) to memory. The step
// faults if the memory offsets depend on symbolic inputs.
func (p *planner) tracedRowScatter(op *ir.Op, _ sem.LaneScatter) step {
	return p.moveStep(op, p.plain, sem.VectorAccessOf(op).Offsets.Value)
}

// tracedGroupBroadcast compiles a broadcast on logical vectors (VMI). The broadcast
// copies one value to all lanes of a group.
func (p *planner) tracedGroupBroadcast(op *ir.Op, _ sem.GroupBroadcast) step {
	if p.classOf(op.Operand(0).Type()) == rowClass {
		return p.moveStep(op, p.plain)
	}
	to, a, d := p.rowType(op, op.Result(0)), p.slot(op.Operand(0)), p.slot(op.Result(0))
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		v := x.scalar(fr, a)
		out := fr.rowTarget(d)
		for i := range to.lanes {
			x.put(out, i*to.size, to.size, v)
		}
		return nil
	})
}
