// This file computes the expressions of vector lanes that an instruction converts or widens.

package runtime

import (
	"math"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime/expr"
)

// zeroedNaN returns the operator that represents, in symbolic expressions, the
// replacement of NaN by zero. A saturating conversion from a float (the parameter from)
// to a 16-bit float (the parameter to) replaces NaN in this way. zeroedNaN returns nil
// for all other conversions.
func zeroedNaN(from, to num.Format, sat bool) *expr.Fn {
	if !sat || !from.IsFloat() || !to.IsFloat() || to.Bits() != 16 {
		return nil
	}
	return expr.Named("NaN to zero %s", to)
}

// convertLane returns lane v converted by c, with the same rules as laneConverter. The
// function zero represents the replacement of NaN by 0 in expressions; it is nil if the
// conversion does not replace NaN.
func (x *tracer) convertLane(c *tracedConversion, zero *expr.Fn, v value) value {
	return x.withoutNaN(zero, c.to, x.convert(c, v))
}

// withoutNaN returns v, a value of the float format f, or zero if v is NaN. The parameter
// zero represents this replacement in expressions; if it is nil, withoutNaN returns v
// unchanged.
func (x *tracer) withoutNaN(zero *expr.Fn, f num.Format, v value) value {
	switch {
	case zero == nil:
	case !v.known:
		return x.named(zero, v)
	case v.derived && math.IsNaN(math.Float64frombits(v.bits)), !v.derived && num.IsNaN(f, v.bits):
		return knownValue(0)
	}
	return v
}

// tracedVecConvert compiles a conversion of vector lanes to another number format.
func (p *planner) tracedVecConvert(op *ir.Op, kind sem.VecConvert) step {
	c, ok := p.conversion(op, op.Operand(0).Type(), op.Result(0).Type())
	if !ok {
		return p.plain
	}
	if c.from.Bits() == 4 || c.to.Bits() == 4 {
		return p.unfollowed(op, "converts pairs of numbers")
	}
	r, sat := sem.LaneRounding(op)
	conv, zero := p.tracedConversion(c.from, c.to, r, sat), zeroedNaN(c.from, c.to, sat)
	var pre *tracedFn
	var ins []laneInput
	if kind.Pre != nil {
		pre = p.loopFn(kind.Pre, c.from)
		for _, v := range op.Operands() {
			if p.classOf(v.Type()) != maskClass {
				ins = append(ins, p.laneInput(v, c.from))
			}
		}
	} else {
		ins = []laneInput{p.laneInput(op.Operand(0), c.from)}
	}
	mask, d := p.maskOf(op), p.slot(op.Result(0))
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		in := lanesOf(fr, x, ins)
		p := fr.target(d)
		if c.in > c.out { // the other lanes become zero
			for i := 0; i < pto.VectorBytes; i += c.out {
				x.put(p, i, c.out, knownValue(0))
			}
		}
		for i := range c.lanes() {
			from, to := i, i
			if c.in < c.out {
				from = c.source(i)
			} else if c.in > c.out {
				to = i*(c.in/c.out) + c.place
			}
			on := mask.on(fr, from, c.in)
			if on.off() {
				x.put(p, to*c.out, c.out, on)
				continue
			}
			var args [3]value
			for k := range ins {
				args[k] = in[k].at(x, from, c.in)
			}
			if pre != nil {
				args[0] = x.apply(pre, &args)
			}
			x.put(p, to*c.out, c.out, x.masked(on, x.convertLane(conv, zero, args[0])))
		}
		return nil
	})
}

// tracedVecWiden compiles a vector instruction whose result lanes are wider than its
// operand lanes. The result is a step: a Go function that computes the result lanes and,
// for equivalence proofs, their symbolic expressions.
func (p *planner) tracedVecWiden(op *ir.Op, kind sem.VecWiden) step {
	c, ok := p.conversion(op, op.Operand(0).Type(), op.Result(0).Type())
	if !ok {
		return p.plain
	}
	if c.in == c.out {
		c.place = 0
	}
	call, conv := p.loopFn(kind.Fn, c.to), p.tracedConversion(c.from, c.to, num.NearestEven, false)
	a, b, d, mask := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0)), p.maskOf(op)
	return computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		u, v, p := fr.vector(a), fr.vector(b), fr.target(d)
		for i := range pto.VectorBytes / c.out {
			from := c.source(i)
			on := mask.on(fr, from, c.in)
			if c.from == c.to {
				on = mask.on(fr, i, c.out)
			}
			if on.off() {
				x.put(p, i*c.out, c.out, on)
				continue
			}
			y, z := x.get(&u, from*c.in, c.in), x.get(&v, from*c.in, c.in)
			if c.from != c.to {
				y, z = x.convert(conv, y), x.convert(conv, z)
			}
			x.put(p, i*c.out, c.out, x.masked(on, x.apply(call, &[3]value{y, z})))
		}
		return nil
	})
}
