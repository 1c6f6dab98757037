// This file compiles reductions and histograms of vector registers.

package runtime

import (
	"math"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// reduction combines lanes of a vector register into one value, by a function such as the
// sum.
type reduction struct {
	fn *scalar.Fn
	// from is the format of the lanes. to is the format of the computation and of the
	// result.
	from, to num.Format
	// neutral is the initial value of a reduction. Combining an operand with it returns
	// the operand.
	neutral uint64
}

// neutralOf returns the function of a reduction, and its neutral element in format f.
// Combining the neutral element with any element yields that element.
func neutralOf(op sem.ReduceOp, f num.Format) (*scalar.Fn, uint64) {
	switch op {
	case sem.ReduceMax:
		return scalar.Max, num.Extreme(f, true)
	case sem.ReduceMin:
		return scalar.Min, num.Extreme(f, false)
	}
	return scalar.Add, 0
}

// vecReduce compiles op into a step, a function that reduces the lanes of a register to
// one value, or to one value per group of lanes.
func (p *planner) vecReduce(op *ir.Op, kind sem.VecReduce) step {
	from, ok := p.laneFormat(op, op.Operand(0).Type())
	to, ok2 := p.laneFormat(op, op.Result(0).Type())
	if !ok || !ok2 {
		return nil
	}
	r := &reduction{from: from, to: to}
	r.fn, r.neutral = neutralOf(kind.Op, to)
	a, m, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0))
	n := pto.VectorBytes / from.Bytes()
	switch kind.Into {
	case sem.IntoFirst:
		return r.groups(a, m, d, n)
	case sem.PerBlock:
		return r.groups(a, m, d, blockBytes/from.Bytes())
	case sem.PerPair:
		return r.groups(a, m, d, 2)
	case sem.IntoIndexed:
		return func(fr *frame) *Fault {
			v, active := fr.v[a], fr.m[m]
			best := r.reduce(&v, &active, 0, n)
			var out vreg
			out.setLane(0, to.Bytes(), best)
			for i := range n {
				if active.has(i, from.Bytes()) && num.Same(from, v.lane(i, from.Bytes()), best) {
					out.setLane(1, to.Bytes(), uint64(i))
					break
				}
			}
			fr.v[d] = out
			return nil
		}
	case sem.IntoMasked:
		equal := p.slot(op.Result(1))
		return func(fr *frame) *Fault {
			v, active := fr.v[a], fr.m[m]
			best := r.reduce(&v, &active, 0, n)
			fr.v[d] = vreg{}
			fr.v[d].setLane(0, to.Bytes(), best)
			fr.m[equal] = mask{}
			for i := range n {
				if active.has(i, from.Bytes()) && num.Same(from, v.lane(i, from.Bytes()), best) {
					fr.m[equal].set(i, from.Bytes())
				}
			}
			return nil
		}
	}
	p.errorf(op, "cannot be executed by pto-run yet")
	return nil
}

// groups returns a step that reduces each group of lanes of register a under mask m. The
// parameter per is the number of lanes of a group. The results are in the first lanes of
// register d.
func (r *reduction) groups(a, m, d slot, per int) step {
	groups := pto.VectorBytes / r.from.Bytes() / per
	return func(fr *frame) *Fault {
		v, active := fr.v[a], fr.m[m]
		var out vreg
		for g := range groups {
			out.setLane(g, r.to.Bytes(), r.reduce(&v, &active, g*per, per))
		}
		fr.v[d] = out
		return nil
	}
}

// reduce combines n lanes of the register v, starting with lane i. It ignores lanes that
// the mask does not select. It adds floats pairwise, because the target adds in this
// order and the order changes the rounding. For integers, and for the maximum or minimum
// of floats, it combines the lanes in ascending order.
func (r *reduction) reduce(v *vreg, m *mask, i, n int) uint64 {
	if r.fn == scalar.Add && r.to.IsFloat() {
		return r.sum(v, m, i, n)
	}
	if r.from == num.F32 && r.to == num.F32 {
		return r.reduceFloats(as[float32](v.bytes()), m, i, n)
	}
	acc := r.neutral
	for k := i; k < i+n; k++ {
		if m.has(k, r.from.Bytes()) {
			x := v.lane(k, r.from.Bytes())
			if r.from != r.to {
				x = num.Convert(r.from, r.to, x, num.NearestEven, false)
			}
			acc, _ = r.fn.Eval2(r.to, acc, x) // sums and extrema have no errors
		}
	}
	return acc
}

// reduceFloats returns the maximum or minimum of n elements of xs, starting with element
// i. It uses only the elements that the mask m selects. The result is the bits of an f32.
func (r *reduction) reduceFloats(xs []float32, m *mask, i, n int) uint64 {
	acc := math.Float32frombits(uint32(r.neutral))
	for k := i; k < i+n; k++ {
		if !m.has(k, 4) {
			continue
		}
		if r.fn == scalar.Max {
			acc = max(acc, xs[k])
		} else {
			acc = min(acc, xs[k])
		}
	}
	return uint64(math.Float32bits(canonical(acc)))
}

// sum adds the n floats from lane i on pairwise in f32, and rounds the sum to the result
// format. Lanes that the mask does not select count as zero.
func (r *reduction) sum(v *vreg, m *mask, i, n int) uint64 {
	var xs [pto.VectorBytes]float32
	for k := range n {
		if m.has(i+k, r.from.Bytes()) {
			xs[k] = float32(num.Decode(r.from, v.lane(i+k, r.from.Bytes())))
		}
	}
	for ; n > 1; n /= 2 {
		for k := range n / 2 {
			xs[k] = xs[2*k] + xs[2*k+1]
		}
	}
	return num.Encode(r.to, float64(xs[0]), num.NearestEven, false)
}

// vecHistogram compiles op into a step, a function that counts how often each byte value
// occurs, and adds the counts to a register.
func (p *planner) vecHistogram(op *ir.Op, kind sem.VecHistogram) step {
	o := sem.LaneCountsOf(op)
	acc, src := p.slot(o.Counts.Value), p.slot(o.Source.Value)
	m, bin, d := p.slot(o.Mask.Value), p.slot(o.Bin.Value), p.slot(op.Result(0))
	const bins = pto.VectorBytes / 2
	return func(fr *frame) *Fault {
		half := fr.x[bin]
		if half > 1 {
			return faultAt(op, "has bin = %d, but this operand must be 0 (count the bytes 0 to 127) or 1 (count the bytes 128 to 255)", int32(half))
		}
		var counts [2 * bins]uint16
		v := fr.v[src].bytes()
		for i, x := range v {
			if fr.m[m].has(i, 1) {
				counts[x]++
			}
		}
		if kind.Cumulative {
			for i := 1; i < len(counts); i++ {
				counts[i] += counts[i-1]
			}
		}
		fr.v[d] = fr.v[acc]
		out := as[uint16](fr.v[d].bytes())
		for i := range out {
			out[i] += counts[int(half)*bins+i]
		}
		return nil
	}
}
