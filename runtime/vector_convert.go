// This file compiles conversions of vector registers.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/kernels"
)

// conversion describes how lanes of one width are converted to lanes of another width.
// The wider lane has the size of several narrower lanes. A conversion to wider lanes
// reads only one of these narrower lanes, and a conversion to narrower lanes writes only
// one of them. The field place selects this lane.
type conversion struct {
	from, to num.Format
	// in and out are the sizes in bytes of a lane before and after the conversion.
	in, out int
	// place selects which of the narrow lanes that correspond to a wide lane is used.
	place int
}

// conversion returns the conversion between the lanes of two register types: from the
// type in the parameter from to the type in the parameter to. It reports an error at op
// and returns false if the runtime does not support the conversion.
func (p *planner) conversion(op *ir.Op, from, to ir.Type) (conversion, bool) {
	f, ok := ir.FormatOf(ir.ElementType(from))
	t, ok2 := ir.FormatOf(ir.ElementType(to))
	if !ok || !ok2 {
		p.errorf(op, "converts type %s to type %s, which pto-run does not support", from, to)
		return conversion{}, false
	}
	return conversion{
		from: f, to: t, place: sem.PartOf(op),
		in: pto.ByteSize(ir.ElementType(from)), out: pto.ByteSize(ir.ElementType(to)),
	}, true
}

// source returns the index of the operand lane from which a result lane is computed. If
// the lanes of the operand are narrower than those of the result, several operand lanes
// correspond to a result lane with index i, and the field place selects one of them.
// Otherwise the index is i.
func (c *conversion) source(i int) int {
	if c.in < c.out {
		return i*(c.out/c.in) + c.place
	}
	return i
}

// lanes returns the number of converted lanes. It equals the number of lanes of the
// register type with the wider lanes.
func (c *conversion) lanes() int { return pto.VectorBytes / max(c.in, c.out) }

// vecConvert compiles op into a step, a function that converts vector lanes to another
// number format. A fused conversion applies a function to the lanes first.
func (p *planner) vecConvert(op *ir.Op, kind sem.VecConvert) step {
	c, ok := p.conversion(op, op.Operand(0).Type(), op.Result(0).Type())
	if !ok {
		return nil
	}
	r, sat := sem.LaneRounding(op)
	convert := laneConverter(c.from, c.to, r, sat)
	src, pre, ok := p.before(op, kind.Pre, c.from)
	if !ok {
		return nil
	}
	d := p.slot(op.Result(0))
	active := everyLaneOr(p, op)
	pairs := c.from.Bits() == 4 || c.to.Bits() == 4
	if pairs {
		return convertPairs(&c, r, src, d, active)
	}
	return func(fr *frame) *Fault {
		if pre != nil {
			if f := pre(fr); f != nil {
				return f
			}
		}
		v, m := &fr.v[src], active(fr)
		n := c.lanes()
		from, to := fr.core.scratch[0][:n*c.in], fr.core.scratch[1][:n*c.out]
		takeLanes(from, v, c.in, c.out/c.in, c.place)
		convert(to, from)
		out := &fr.v[d]
		switch {
		case m.all(c.in):
		case c.in >= c.out:
			clearOff(to, m, c.in, 0, c.out)
		default:
			clearOff(to, m, c.out, c.place*c.in, c.out)
		}
		putLanes(out, to, c.out, c.in/c.out, c.place)
		return nil
	}
}

// laneConverter returns a function that converts vector lanes from the source format (the
// parameter from) to the destination format (the parameter to). It rounds in mode r and
// saturates if sat is set. With saturation, NaN becomes zero in 16-bit float results,
// because the hardware does so.
func laneConverter(from, to num.Format, r num.Rounding, sat bool) convertFunc {
	zero := sat && from.IsFloat() && to.IsFloat() && to.Bits() == 16
	convert := converterBothWays(kernels.Best, from, to, r, sat, zero)
	return func(d, a []byte) { convert(d, a, false) }
}

// zeroNaN replaces each NaN in d by zero. The elements of d have the 16-bit float format
// f.
func zeroNaN(f num.Format, d []byte) {
	infinity, _ := num.Inf(f, false)
	// Adding the distance from infinity to the largest magnitude carries into the
	// sign of NaN alone: a test of four elements at a time.
	const each, magnitude = 0x0001_0001_0001_0001, 0x7fff_7fff_7fff_7fff
	beyond := (0x7fff - infinity) * each
	isNaN := func(x uint64) uint64 { return (x&magnitude + beyond) & ^uint64(magnitude) }
	const step = 32
	for len(d) >= step {
		x := as[uint64](d[:step])
		if isNaN(x[0])|isNaN(x[1])|isNaN(x[2])|isNaN(x[3]) != 0 {
			zeroEachNaN(infinity, as[uint16](d[:step]))
		}
		d = d[step:]
	}
	zeroEachNaN(infinity, as[uint16](d))
}

// zeroEachNaN replaces each NaN in d by zero, one element at a time. The elements have a
// 16-bit float format, in which the parameter infinity is the bit pattern of infinity.
func zeroEachNaN(infinity uint64, d []uint16) {
	for i, x := range d {
		if uint64(x)&0x7fff > infinity {
			d[i] = 0
		}
	}
}

// takeLanes copies every step-th lane of register v to adjacent elements of a buffer, the
// parameter to. place is the index of the first copied lane, and step is the distance to
// the next one. A step of 0 or 1 copies all lanes.
func takeLanes(to []byte, v *vreg, laneBytes, step, place int) {
	if step <= 1 {
		copy(to, v.bytes())
		return
	}
	for i := range len(to) / laneBytes {
		copy(to[i*laneBytes:(i+1)*laneBytes], v.bytes()[(i*step+place)*laneBytes:])
	}
}

// putLanes copies adjacent elements of size bytes from a buffer (the parameter from) to
// lanes of the register v. If step is greater than 1, the element with index i becomes
// lane i*step + place, and all other lanes become zero. If step is at most 1, the
// elements become the first lanes, and the remaining lanes stay unchanged.
func putLanes(v *vreg, from []byte, size, step, place int) {
	if step <= 1 {
		copy(v.bytes(), from)
		return
	}
	*v = vreg{}
	for i := range len(from) / size {
		copy(v.bytes()[(i*step+place)*size:], from[i*size:(i+1)*size])
	}
}

// clearOff sets those elements of row to zero that the mask m does not select. The mask
// bit of element i has the number i*every + first.
func clearOff(row []byte, m *mask, every, first, elemBytes int) {
	for i := range len(row) / elemBytes {
		if at := i*every + first; m[at>>6]>>(at&63)&1 == 0 {
			clear(row[i*elemBytes : (i+1)*elemBytes])
		}
	}
}

// before returns the slot (frame index) of the value that op converts. Some instructions
// apply a function to their operands first and convert its result. For them, fn is this
// function. The slot is then a new one, and the returned step computes fn and stores the
// result in this slot. For other instructions, fn is nil: the slot is that of the first
// operand, and the step is nil. f is the format of the lanes. The bool result is false if
// the runtime does not support fn.
func (p *planner) before(op *ir.Op, fn *scalar.Fn, f num.Format) (slot, step, bool) {
	if fn == nil {
		return p.slot(op.Operand(0)), nil, true
	}
	row, ok := p.rows(op, fn, f)
	if !ok {
		return 0, nil, false
	}
	m := &vecMap{op: op, row: row, dst: p.fresh(op, op.Operand(0).Type()).at, size: f.Bytes(), format: f}
	for _, v := range op.Operands() {
		if c := p.classOf(v.Type()); c != maskClass {
			m.ins = append(m.ins, p.vecOperand(v, f))
		}
	}
	return m.dst, m.exec, true
}

// everyLaneOr returns a function that returns the mask operand of op, or a mask of all
// lanes if op has no mask.
func everyLaneOr(p *planner, op *ir.Op) func(fr *frame) *mask {
	if on := sem.MaskOf(op); on.Given() {
		at := p.slot(on.Value)
		return func(fr *frame) *mask { return &fr.m[at] }
	}
	return func(*frame) *mask { return &everyLane }
}

// convertPairs returns a step that converts lanes from or to a 4-bit format. An 8-bit
// lane contains two 4-bit numbers, and both are converted together. The function active
// returns the mask.
func convertPairs(c *conversion, r num.Rounding, src, d slot, active func(fr *frame) *mask) step {
	widening := c.from.Bits() == 4
	wide := max(c.in, c.out)
	return func(fr *frame) *Fault {
		v, m := &fr.v[src], active(fr)
		var out vreg
		for i := range pto.VectorBytes / wide { // a number
			b := i/2*4 + c.place // the byte it shares
			shift := i % 2 * 4
			if widening {
				if m.has(b, 1) {
					out.setLane(i, wide, num.Convert(c.from, c.to, v.lane(b, 1)>>shift&0xF, r, false))
				}
			} else if m.has(i, wide) {
				out.setLane(b, 1, out.lane(b, 1)|num.Convert(c.from, c.to, v.lane(i, wide), r, false)<<shift)
			}
		}
		fr.v[d] = out
		return nil
	}
}

// vecWiden compiles op into a step, a function that first widens its operands to the lane
// format of the result and then computes a function.
func (p *planner) vecWiden(op *ir.Op, kind sem.VecWiden) step {
	c, ok := p.conversion(op, op.Operand(0).Type(), op.Result(0).Type())
	if !ok {
		return nil
	}
	if c.in == c.out {
		c.place = 0
	}
	row, ok := p.rows(op, kind.Fn, c.to)
	if !ok {
		return nil
	}
	a, b, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0))
	active := everyLaneOr(p, op)
	if c.from == c.to {
		return func(fr *frame) *Fault {
			out := &fr.v[d]
			if err := row(out.bytes(), fr.v[a].bytes(), fr.v[b].bytes(), nil); err != nil {
				return faultAt(op, "fails: %s", err)
			}
			active(fr).clear(out, c.out)
			return nil
		}
	}
	return func(fr *frame) *Fault {
		m := active(fr)
		x, y := c.widen(&fr.v[a]), c.widen(&fr.v[b])
		out := &fr.v[d]
		if err := row(out.bytes(), x.bytes(), y.bytes(), nil); err != nil {
			return faultAt(op, "fails: %s", err)
		}
		for i := range c.lanes() {
			if !m.has(c.source(i), c.in) {
				out.setLane(i, c.out, 0)
			}
		}
		return nil
	}
}

// widen converts lanes of register v to wider lanes, and returns the register with the
// wide lanes. The bytes of each wide lane correspond to several narrow lanes of v, and
// c.place selects which of these is converted. The conversion is exact.
func (c *conversion) widen(v *vreg) (out vreg) {
	for i := range c.lanes() {
		out.setLane(i, c.out, num.Convert(c.from, c.to, v.lane(c.source(i), c.in), num.NearestEven, false))
	}
	return out
}

// vecRound compiles op into a step, a function that rounds float lanes to integral values
// in the same format.
func (p *planner) vecRound(op *ir.Op, _ sem.VecRound) step {
	fn, mode := sem.IntegralOf(op)
	if fn == nil {
		p.errorf(op, "uses the rounding mode %q, which pto-run does not support", mode)
		return nil
	}
	return p.vecMap(op, sem.VecMap{Fn: fn})
}
