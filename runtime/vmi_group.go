// This file compiles instructions on groups of lanes of logical vectors (VMI). A vector
// of n lanes in g groups has n/g adjacent lanes in each group.

package runtime

import (
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// rowReduce compiles op into a step, a function that reduces each group of adjacent lanes
// of a logical vector to one lane, in lane order. Lanes that the mask does not select
// count as the neutral element of the function.
func (p *planner) rowReduce(op *ir.Op, kind sem.GroupReduce) step {
	v := op.Result(0)
	from, to := p.rowType(op, op.Operand(0)), p.rowType(op, v)
	f := from.numbers()
	fn, neutral := neutralOf(kind.Op, f)
	per := from.lanes / to.lanes
	a, d, by := p.slot(op.Operand(0)), p.slot(v), p.selection(op, op.Operand(0))
	return func(fr *frame) *Fault {
		x, out := fr.r[a], fr.r[d]
		for g := range to.lanes {
			acc := neutral
			for i := g * per; i < (g+1)*per; i++ {
				if by.on(fr, i) {
					acc, _ = fn.Eval2(f, acc, num.Load(f, x[i*from.size:])) // sums and extrema have no errors
				}
			}
			num.Store(to.f, out[g*to.size:], acc)
		}
		return nil
	}
}

// rowBroadcast compiles op into a step, a function that fills a logical vector. If the
// operand is a vector, each of its lanes is copied to a group of adjacent lanes of the
// result. If the operand is a scalar, it is copied to all lanes.
func (p *planner) rowBroadcast(op *ir.Op, _ sem.GroupBroadcast) step {
	to := p.rowType(op, op.Result(0))
	from, d := op.Operand(0), p.slot(op.Result(0))
	a := p.slot(from)
	if p.classOf(from.Type()) == scalarClass {
		return func(fr *frame) *Fault { fill(fr.r[d], to.size, fr.x[a]); return nil }
	}
	n := p.rowType(op, from).lanes
	return func(fr *frame) *Fault {
		for i := range to.lanes {
			copy(fr.r[d][i*to.size:(i+1)*to.size], fr.r[a][i*n/to.lanes*to.size:])
		}
		return nil
	}
}

// rowIndex compiles op into a step, a function that fills a logical vector. The step
// fills each group of adjacent lanes with consecutive numbers, ascending or descending.
// The first number of each group is a scalar operand.
func (p *planner) rowIndex(op *ir.Op, _ sem.GroupIndex) step {
	t := p.rowType(op, op.Result(0))
	f, per := t.numbers(), t.lanes/sem.GroupsOf(op)
	fn := scalar.Add
	if sem.CountsDown(op) {
		fn = scalar.Sub
	}
	base, d := p.slot(op.Operand(0)), p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		for i := range t.lanes {
			k := num.Convert(num.U32, f, uint64(i%per), num.NearestEven, false)
			x, _ := fn.Eval2(f, fr.x[base], k) // sums have no errors
			num.Store(f, fr.r[d][i*t.size:], x)
		}
		return nil
	}
}

// prefixMask compiles op into a step, a function that creates a mask of a logical vector.
// The vector consists of groups of adjacent lanes, and the mask selects the first k lanes
// of each group. The number k is an operand of op, or follows from the mask pattern that
// op names.
func (p *planner) prefixMask(op *ir.Op, _ sem.PrefixMask) step {
	t, d := p.rowType(op, op.Result(0)), p.slot(op.Result(0))
	per := t.lanes / sem.GroupsOf(op)
	count := func(*frame) int64 { return int64(per) }
	if op.NumOperands() > 0 {
		f, n := num.I64, p.slot(op.Operand(0))
		if g, ok := ir.FormatOf(op.Operand(0).Type()); ok {
			f = g
		}
		count = func(fr *frame) int64 { return num.Int(f, fr.x[n]) }
	} else if n, ok := lanemap.Pattern(op); ok {
		count = func(*frame) int64 { return n }
	}
	return func(fr *frame) *Fault {
		n := count(fr)
		for i := range t.lanes {
			fr.r[d][i] = bit(int64(i%per) < n)
		}
		return nil
	}
}

// rowTail compiles op into a step with two results, for a loop over vectors. The first
// result is a mask of the first n lanes, where n is a scalar operand; a negative n
// selects no lanes. The second result is the remaining count for the next iteration: n
// minus the number of lanes, but at least 0.
func (p *planner) rowTail(op *ir.Op, _ sem.MaskTail) step {
	lanes := int64(p.rowType(op, op.Result(0)).lanes)
	in, d, rest := p.slot(op.Operand(0)), p.slot(op.Result(0)), p.slot(op.Result(1))
	return func(fr *frame) *Fault {
		n := int64(int32(fr.x[in]))
		for i := range lanes {
			fr.r[d][i] = bit(i < n)
		}
		fr.x[rest] = uint64(max(n-lanes, 0))
		return nil
	}
}

// rowHistogram compiles op into a step, a function that counts how often each byte value
// occurs in a logical vector. Counts have 16 bits and wrap around, as do the prefix sums
// of the cumulative variant.
func (p *planner) rowHistogram(op *ir.Op, kind sem.LaneHistogram) step {
	counted := sem.LaneCountsOf(op)
	acc, a, d, by := p.slot(counted.Counts.Value), p.slot(counted.Source.Value), p.slot(op.Result(0)), p.selection(op, counted.Source.Value)
	return func(fr *frame) *Fault {
		var counts [256]uint16
		for i, x := range fr.r[a] {
			if by.on(fr, i) {
				counts[x]++
			}
		}
		old, out, sum := as[uint16](fr.r[acc]), as[uint16](fr.r[d]), uint16(0)
		for i := range out {
			if sum += counts[i]; !kind.Cumulative {
				sum = counts[i]
			}
			out[i] = old[i] + sum
		}
		return nil
	}
}
