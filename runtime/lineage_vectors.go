// This file computes the expressions of the lanes of vector registers and of masks, in
// equivalence proofs.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/expr"
)

// laneInput is an operand of a vector instruction in symbolic execution: a register, or a
// scalar that is used for each lane.
type laneInput struct {
	vecOperand
	size int
}

// laneInput describes how symbolic execution reads the operand v of a vector instruction.
// The operand is a register or a scalar, and the lanes have format f.
func (p *planner) laneInput(v *ir.Value, f num.Format) laneInput {
	return laneInput{p.vecOperand(v, f), f.Bytes()}
}

// lanes holds the lanes of a vector operand during symbolic execution. If the field one
// is set, the operand is a scalar, and each lane has the value in the field all.
type lanes struct {
	traced
	all value
	one bool
}

// of returns the lanes of the operand, as they are when the instruction starts. A lane
// that depends on symbolic inputs is an expression; any other lane is a bit pattern.
func (o *laneInput) of(fr *frame, x *tracer) lanes {
	if !o.scalar {
		return lanes{traced: fr.vector(o.at)}
	}
	v := x.scalar(fr, o.at)
	if v.known && !(v.shadowed() && o.conv == nil) {
		v.h = expr.Hash{}
		if o.conv != nil {
			v.bits = o.conv(v.bits)
		}
		v.bits &= ^uint64(0) >> (64 - 8*o.size)
	}
	return lanes{all: v, one: true}
}

// lanesOf returns the lanes of at most three inputs in the frame fr.
func lanesOf(fr *frame, x *tracer, inputs []laneInput) (all [3]lanes) {
	for i := range inputs {
		all[i] = inputs[i].of(fr, x)
	}
	return all
}

// at returns lane i of the operand: its bits if they do not depend on symbolic inputs,
// and an expression if they do. A lane has size bytes.
func (l *lanes) at(x *tracer, i, size int) value {
	if l.one {
		return l.all
	}
	return x.get(&l.traced, i*size, size)
}

// on returns the mask bit of lane i of a mask register. The parameter m is the slot of
// the register, and the parameter size is the size of a lane in bytes. If the bit
// depends on symbolic inputs, the result is an expression.
func (fr *frame) on(m slot, i, size int) value {
	if t := fr.lin.m[m]; t != nil {
		return t[i*size]
	}
	return knownValue(uint64(bit(fr.m[m].has(i, size))))
}

// masked returns the value v if a mask bit is 1, and zero if the bit is 0. The parameter
// on is this bit. If the bit depends on inputs, the result is an expression that selects
// between v and zero.
func (x *tracer) masked(on, v value) value {
	if on.known && on.bits != 0 {
		return v
	}
	return x.choose(on, v, knownValue(0))
}

// maskOr is the optional mask operand of an instruction. Without a mask, all lanes are
// selected.
type maskOr struct {
	at    slot
	given bool
}

// maskOf returns a description of the mask of op, from which symbolic execution reads the
// mask: the slot of the mask operand, or a mask that selects all lanes if op has no mask
// operand.
func (p *planner) maskOf(op *ir.Op) maskOr {
	if on := sem.MaskOf(op); on.Given() {
		return maskOr{p.slot(on.Value), true}
	}
	return maskOr{}
}

// on returns the mask bit of lane i. The parameter size is the size of a lane in bytes.
// The result is 1 if the instruction has no mask.
func (m maskOr) on(fr *frame, i, size int) value {
	if !m.given {
		return knownValue(1)
	}
	return fr.on(m.at, i, size)
}

// off reports whether v, a mask bit, is known to be 0, so that the lane is not selected.
func (v *value) off() bool { return v.known && v.bits == 0 }

// tracedVecMap compiles an elementwise function of vector registers.
func (p *planner) tracedVecMap(op *ir.Op, kind sem.VecMap) step {
	return p.tracedLanes(op, kind.Fn, kind.Inputs(op))
}

// tracedVecRound compiles a rounding of each vector lane to an integral value.
func (p *planner) tracedVecRound(op *ir.Op, _ sem.VecRound) step {
	fn, _ := sem.IntegralOf(op)
	return p.tracedLanes(op, fn, sem.VecMap{Fn: fn}.Inputs(op))
}

// tracedLanes compiles the function fn, applied to each lane of the inputs. The mask of
// op selects the lanes; the other lanes of the result become zero.
func (p *planner) tracedLanes(op *ir.Op, fn *scalar.Fn, inputs []*ir.Value) step {
	f := p.types[op.Result(0).Type()].format
	call, size := p.loopFn(fn, f), f.Bytes()
	var ins []laneInput
	for _, v := range inputs {
		ins = append(ins, p.laneInput(v, f))
	}
	mask, d := p.maskOf(op), p.slot(op.Result(0))
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		in := lanesOf(fr, x, ins)
		p := fr.target(d)
		for i := range pto.VectorBytes / size {
			on := mask.on(fr, i, size)
			if on.off() {
				x.put(p, i*size, size, on)
				continue
			}
			var args [3]value
			for k := range ins {
				args[k] = in[k].at(x, i, size)
			}
			x.put(p, i*size, size, x.masked(on, x.apply(call, &args)))
		}
		return nil
	})
}

// target returns the vector register in the given slot together with the expressions of
// its lanes, in a form in which an instruction can store symbolic results.
func (fr *frame) target(at slot) *traced {
	r := fr.vector(at)
	return &r
}

// tracedVecExtended compiles a function of vector lanes with two results, such as the
// low and the high half of a product.
func (p *planner) tracedVecExtended(op *ir.Op, kind sem.VecExtended) step {
	f := p.types[op.Result(0).Type()].format
	calls, size := [2]*tracedFn{p.tracedFn(kind.Low, f), p.tracedFn(kind.High, f)}, f.Bytes()
	a, b, mask := p.laneInput(op.Operand(0), f), p.laneInput(op.Operand(1), f), p.maskOf(op)
	d := [2]slot{p.slot(op.Result(0)), p.slot(op.Result(1))}
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u, v := a.of(fr, x), b.of(fr, x)
		for k, call := range calls {
			p := fr.target(d[k])
			for i := range pto.VectorBytes / size {
				x.put(p, i*size, size, x.masked(mask.on(fr, i, size), x.apply(call, &[3]value{u.at(x, i, size), v.at(x, i, size)})))
			}
		}
		return nil
	})
}

// tracedVecCarry compiles an addition or subtraction of vector lanes with carry. The
// expressions of each result lane and of each carry bit are uninterpreted functions of
// the operands.
func (p *planner) tracedVecCarry(op *ir.Op, kind sem.VecCarry) step {
	a, b, m := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Operand(op.NumOperands()-1))
	in := slot(0)
	if kind.CarryIn {
		in = p.slot(op.Operand(2))
	}
	d, carry, s := p.slot(op.Result(0)), p.slot(op.Result(1)), p.plain
	sum, over := expr.Named("sum with carry %v %v", kind.Sub, kind.CarryIn), expr.Named("carry of sum %v %v", kind.Sub, kind.CarryIn)
	const size = 4
	return func(fr *frame) *Fault {
		x := fr.core.lineageOf()
		x.begin()
		x.t.At = op
		u, v, p := fr.vector(a), fr.vector(b), fr.target(d)
		carries, depends := new(maskTrace), false
		for i := range carries {
			carries[i] = knownValue(0)
		}
		for i := range pto.VectorBytes / size {
			on := fr.on(m, i, size)
			args := []value{x.get(&u, i*size, size), x.get(&v, i*size, size), knownValue(0)}
			if kind.CarryIn {
				args[2] = fr.on(in, i, size)
			}
			y, c := knownValue(0), knownValue(0)
			if !on.off() && !(args[0].known && args[1].known && args[2].known && on.known) {
				y, c, depends = x.masked(on, x.named(sum, args...)), x.masked(on, x.named(over, args...)), true
			} else if !on.off() {
				c = value{bits: 2, known: true} // what the step finds
			}
			x.put(p, i*size, size, y)
			carries[i*size] = c
		}
		if f := s(fr); f != nil {
			return f
		}
		x.commit()
		fr.lin.m[carry] = nil
		if depends {
			for i := range pto.VectorBytes / size {
				if c := &carries[i*size]; c.known && c.bits == 2 {
					c.bits = uint64(bit(fr.m[carry].has(i, size)))
				}
			}
			fr.lin.m[carry] = carries
			x.settleMask(fr, carry)
		}
		return nil
	}
}

// tracedVecBroadcast compiles sem.VecBroadcast into a step. The instruction copies a
// scalar, or one lane of a register, to all lanes of a register. The step is a Go
// function that computes the result. In equivalence proofs, the step computes the
// symbolic expressions of the lanes too.
func (p *planner) tracedVecBroadcast(op *ir.Op, _ sem.VecBroadcast) step {
	from, d, size := op.Operand(0), p.slot(op.Result(0)), p.elemSize(op.Result(0))
	at, lane := p.slot(from), 0
	if sem.LastLane(op) {
		lane = pto.VectorBytes/size - 1
	}
	isVector, mask := p.classOf(from.Type()) == vectorClass, maskOr{}
	if op.NumOperands() > 1 {
		mask = maskOr{p.slot(op.Operand(1)), true}
	}
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		var v value
		if isVector {
			r := fr.vector(at)
			v = x.get(&r, lane*size, size)
		} else {
			v = x.scalar(fr, at)
		}
		p := fr.target(d)
		for i := range pto.VectorBytes / size {
			x.put(p, i*size, size, x.masked(mask.on(fr, i, size), v))
		}
		return nil
	})
}

// tracedVecCompare compiles a comparison of vector lanes. The result is a mask whose
// bits can depend on inputs.
func (p *planner) tracedVecCompare(op *ir.Op, _ sem.VecCompare) step {
	f := p.types[op.Operand(0).Type()].format
	pred, _, _ := sem.LanePredicate(op)
	rel := pred.Relation()
	fn, size := comparisonFn(rel, f), f.Bytes()
	a, b := p.laneInput(op.Operand(0), f), p.laneInput(op.Operand(1), f)
	m, d, s := p.slot(op.Operand(2)), p.slot(op.Result(0)), p.plain
	return func(fr *frame) *Fault {
		x := fr.core.lin
		x.t.At = op
		u, v := a.of(fr, x), b.of(fr, x)
		out, depends := new(maskTrace), false
		for i := range out {
			out[i] = knownValue(0)
		}
		for i := range pto.VectorBytes / size {
			on := fr.on(m, i, size)
			if on.off() {
				continue
			}
			y := x.masked(on, x.compare(fn, rel, f, u.at(x, i, size), v.at(x, i, size)))
			depends = depends || !y.known
			out[i*size] = y
		}
		if f := s(fr); f != nil {
			return f
		}
		fr.lin.m[d] = nil
		if depends {
			fr.lin.m[d] = out
			x.settleMask(fr, d)
		}
		return nil
	}
}

// tracedVecSelect compiles a selection between the lanes of two registers by a mask.
func (p *planner) tracedVecSelect(op *ir.Op, _ sem.VecSelect) step {
	o := sem.LaneChoiceOf(op)
	a, b, m, d, size := p.slot(o.First.Value), p.slot(o.Second.Value), p.slot(o.Mask.Value), p.slot(op.Result(0)), p.elemSize(op.Result(0))
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u, v, p := fr.vector(a), fr.vector(b), fr.target(d)
		for i := range pto.VectorBytes / size {
			x.put(p, i*size, size, x.choose(fr.on(m, i, size), x.get(&u, i*size, size), x.get(&v, i*size, size)))
		}
		return nil
	})
}

// tracedVecReduce compiles a reduction of the lanes of a vector register.
func (p *planner) tracedVecReduce(op *ir.Op, kind sem.VecReduce) step {
	from, to := p.types[op.Operand(0).Type()].format, p.types[op.Result(0).Type()].format
	fn, neutral := neutralOf(kind.Op, to)
	per := pto.VectorBytes / from.Bytes()
	switch kind.Into {
	case sem.IntoFirst:
	case sem.PerBlock:
		per = blockBytes / from.Bytes()
	case sem.PerPair:
		per = 2
	case sem.IntoIndexed, sem.IntoMasked:
		return p.tracedExtreme(op, kind)
	}
	sums := fn == scalar.Add && to.IsFloat()
	wide := to
	if sums {
		wide = num.F32
	}
	call := p.tracedFn(fn, wide)
	widen, narrow := p.tracedConversion(from, wide, num.NearestEven, false), p.tracedConversion(wide, to, num.NearestEven, false)
	a, m, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0))
	n, out := from.Bytes(), to.Bytes()
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		v, p := fr.vector(a), fr.target(d)
		for at := 0; at < pto.VectorBytes; at += out {
			x.put(p, at, out, knownValue(0))
		}
		element := func(k int) value {
			y := x.get(&v, k*n, n)
			if from != wide {
				y = x.convert(widen, y)
			}
			return y
		}
		for g := range pto.VectorBytes / n / per {
			var y value
			if sums {
				xs := make([]value, per)
				for k := range xs {
					on := fr.on(m, g*per+k, n)
					if on.off() {
						xs[k] = on
					} else {
						xs[k] = x.masked(on, element(g*per+k))
					}
				}
				f := func(a, b value) value { return x.apply(call, &[3]value{a, b}) }
				y = scalar.Reduce(scalar.Sequence{Of: scalar.InPairs}, xs, f, f)
				if to != wide {
					y = x.convert(narrow, y)
				}
			} else {
				y = knownValue(neutral)
				for k := g * per; k < (g+1)*per; k++ {
					if on := fr.on(m, k, n); !on.off() {
						y = x.choose(on, x.apply(call, &[3]value{y, element(k)}), y)
					}
				}
			}
			x.put(p, g*out, out, y)
		}
		return nil
	})
}

// tracedVecRearrange compiles an instruction that moves lanes within or between vector
// registers. The step faults if indices of a permutation depend on symbolic inputs.
func (p *planner) tracedVecRearrange(op *ir.Op, kind sem.VecRearrange) step {
	switch kind.Kind {
	case sem.WidenSigned:
		return p.knownStep(op, p.plain)
	case sem.Permute:
		return p.moveStep(op, p.plain, op.Operand(1))
	}
	return p.moveStep(op, p.plain)
}

// tracedIndexed compiles a gather from memory into a vector register, or a scatter from a
// register to memory. The step faults if the memory offsets depend on symbolic inputs.
func tracedIndexed[S ir.Meaning](p *planner, op *ir.Op, _ S) step {
	return p.moveStep(op, p.plain, sem.VectorAccessOf(op).Offsets.Value)
}

// maskNames maps each logical operation on masks to its scalar function, which is applied
// to each bit.
var maskNames = map[sem.LogicOp]*scalar.Fn{sem.MaskAnd: scalar.And, sem.MaskOr: scalar.Or, sem.MaskXor: scalar.Xor, sem.MaskNot: scalar.Not}

// tracedExtreme compiles a maximum or minimum over the lanes of a vector. The
// instruction returns the extreme value and its position. The position is the index of
// the first lane with this value, or a mask of all lanes with it.
func (p *planner) tracedExtreme(op *ir.Op, kind sem.VecReduce) step {
	f := p.types[op.Operand(0).Type()].format
	fn, neutral := neutralOf(kind.Op, f)
	call, n := p.tracedFn(fn, f), f.Bytes()
	same, place := expr.Named("same %s", f), expr.Named("lane of %s %s", fn, f)
	a, m, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0))
	s, equalAt := p.plain, slot(0)
	if kind.Into == sem.IntoMasked {
		equalAt = p.slot(op.Result(1))
	}
	find := func(fr *frame, x *tracer) *maskTrace {
		x.t.At = op
		v, p := fr.vector(a), fr.target(d)
		for at := 0; at < pto.VectorBytes; at += n {
			x.put(p, at, n, knownValue(0))
		}
		var xs, ons []value
		best, known := knownValue(neutral), true
		for k := range pto.VectorBytes / n {
			on := fr.on(m, k, n)
			y := knownValue(0)
			if !on.off() {
				y = x.get(&v, k*n, n)
				best = x.choose(on, x.apply(call, &[3]value{best, y}), best)
			}
			xs, ons, known = append(xs, y), append(ons, on), known && y.known && on.known
		}
		x.put(p, 0, n, best)
		if kind.Into == sem.IntoIndexed {
			at := knownValue(0)
			if !known {
				at = x.fold(place, append(xs, ons...))
			}
			x.put(p, n, n, at)
			return nil
		}
		if known {
			return nil
		}
		equal := new(maskTrace)
		for i := range equal {
			equal[i] = knownValue(0)
		}
		for k := range xs {
			if !ons[k].off() {
				equal[k*n] = x.masked(ons[k], x.named(same, xs[k], best))
			}
		}
		return equal
	}
	return func(fr *frame) *Fault {
		x := fr.core.lineageOf()
		x.begin()
		equal := find(fr, x)
		if f := s(fr); f != nil {
			return f
		}
		x.commit()
		if kind.Into == sem.IntoMasked {
			fr.lin.m[equalAt] = equal
			x.settleMask(fr, equalAt)
		}
		return nil
	}
}
