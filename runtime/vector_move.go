// This file compiles selections, broadcasts, rearrangements and comparisons of vector
// registers.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// A vector register has 256 bytes for every lane type, and a mask has one bit for each
// byte. The bit of a lane is the bit of its first byte. The same mask therefore applies
// to lanes of all widths, and most functions need only the lane size of a type.

// vecSelect compiles op into a step, a function that selects each lane from one of two
// registers by a mask.
func (p *planner) vecSelect(op *ir.Op, _ sem.VecSelect) step {
	o := sem.LaneChoiceOf(op)
	a, b := p.slot(o.First.Value), p.slot(o.Second.Value)
	m, d, size := p.slot(o.Mask.Value), p.slot(op.Result(0)), p.elemSize(op.Result(0))
	return func(fr *frame) *Fault {
		x, y, out, by := &fr.v[a], &fr.v[b], &fr.v[d], &fr.m[m]
		for w := range out {
			on := by.bytesOn(w, size)
			out[w] = x[w]&on | y[w]&^on
		}
		return nil
	}
}

// vecBroadcast compiles op into a step, a function that sets all lanes to a scalar, or to
// one lane of a register.
func (p *planner) vecBroadcast(op *ir.Op, _ sem.VecBroadcast) step {
	from, d, size := op.Operand(0), p.slot(op.Result(0)), p.elemSize(op.Result(0))
	at := p.slot(from)
	lane := 0
	if sem.LastLane(op) {
		lane = pto.VectorBytes/size - 1
	}
	isVector := p.classOf(from.Type()) == vectorClass
	masked := op.NumOperands() > 1
	var m slot
	if masked {
		m = p.slot(op.Operand(1))
	}
	return func(fr *frame) *Fault {
		var bits uint64
		if isVector {
			bits = fr.v[at].lane(lane, size)
		} else {
			bits = fr.x[at]
		}
		out := &fr.v[d]
		fill(out.bytes(), size, bits)
		if masked {
			fr.m[m].clear(out, size)
		}
		return nil
	}
}

// vecIndex compiles op into a step, a function that fills the lanes with consecutive
// numbers, starting at a scalar.
func (p *planner) vecIndex(op *ir.Op, _ sem.VecIndex) step {
	f, ok := p.laneFormat(op, op.Result(0).Type())
	if !ok {
		return nil
	}
	base, d := p.slot(op.Operand(0)), p.slot(op.Result(0))
	row, lanes := rowsOf(scalar.Add, f), new(vreg)
	if sem.CountsDown(op) {
		row = rowsOf(scalar.Sub, f)
	}
	for i := range pto.VectorBytes / f.Bytes() {
		lanes.setLane(i, f.Bytes(), num.Convert(num.I32, f, uint64(i), num.NearestEven, false))
	}
	return func(fr *frame) *Fault {
		var from vreg
		fill(from.bytes(), f.Bytes(), fr.x[base])
		row(fr.v[d].bytes(), from.bytes(), lanes.bytes(), nil)
		return nil
	}
}

// vecRearrange compiles op into a step, a function that moves lanes within a register or
// between registers.
func (p *planner) vecRearrange(op *ir.Op, kind sem.VecRearrange) step {
	v := op.Operand(0)
	a, d, size := p.slot(v), p.slot(op.Result(0)), p.elemSize(v)
	switch kind.Kind {
	case sem.Interleave:
		return p.vecPair(op, size, interleaveLanes)
	case sem.Deinterleave:
		return p.vecPair(op, size, deinterleaveLanes)
	case sem.Compact:
		m := p.slot(op.Operand(1))
		return func(fr *frame) *Fault { compact(fr, d, a, m, size); return nil }
	case sem.CountBefore:
		m := p.slot(op.Operand(1))
		return func(fr *frame) *Fault { countBefore(&fr.v[d], fr.m[m], size); return nil }
	case sem.Narrow:
		upper := sem.UpperHalf(op)
		return func(fr *frame) *Fault { fr.v[d] = narrowLanes(&fr.v[a], size, upper); return nil }
	case sem.WidenSigned, sem.WidenZero:
		which, signed := p.slot(op.Operand(1)), kind.Kind == sem.WidenSigned
		return func(fr *frame) *Fault {
			fr.v[d] = widenLanes(&fr.v[a], size, half(fr.x[which] != 0), signed)
			return nil
		}
	case sem.Permute:
		index := p.slot(op.Operand(1))
		return func(fr *frame) *Fault { fr.v[d] = permute(&fr.v[a], &fr.v[index], size); return nil }
	case sem.Window, sem.ShiftLanes:
		return p.vecWindow(op, size)
	case sem.Reinterpret:
		return func(fr *frame) *Fault { fr.v[d] = fr.v[a]; return nil }
	}
	return p.unplanned(op)
}

// vecPair compiles op into a step, a function that moves the lanes of two registers to
// two other registers with the function shuffle. Some instructions have only one result:
// the lower or the upper of the two registers.
func (p *planner) vecPair(op *ir.Op, laneBytes int, shuffle func(low, high, a, b []byte, size int)) step {
	a, b, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Result(0))
	if op.NumResults() == 2 {
		e := p.slot(op.Result(1))
		return func(fr *frame) *Fault {
			shuffle(fr.v[d].bytes(), fr.v[e].bytes(), fr.v[a].bytes(), fr.v[b].bytes(), laneBytes)
			return nil
		}
	}
	upper := sem.UpperHalf(op)
	return func(fr *frame) *Fault {
		var other vreg
		low, high := fr.v[d].bytes(), other.bytes()
		if upper {
			low, high = high, low
		}
		shuffle(low, high, fr.v[a].bytes(), fr.v[b].bytes(), laneBytes)
		return nil
	}
}

// interleaveLanes alternates the lanes of registers a and b, and writes the sequence to
// low and high. The register low receives the lanes from the lower halves of a and b, and
// high receives the lanes from the upper halves.
func interleaveLanes(low, high, a, b []byte, laneBytes int) {
	n := len(a) / 2
	for i := 0; i < n; i += laneBytes {
		copy(low[2*i:], a[i:i+laneBytes])
		copy(low[2*i+laneBytes:], b[i:i+laneBytes])
		copy(high[2*i:], a[n+i:n+i+laneBytes])
		copy(high[2*i+laneBytes:], b[n+i:n+i+laneBytes])
	}
}

// deinterleaveLanes separates the even and the odd lanes of the registers a and b. It
// writes the even lanes of a to the slice low, followed by the even lanes of b. It writes
// the odd lanes of a to the slice high, followed by the odd lanes of b. A lane has size
// bytes.
func deinterleaveLanes(low, high, a, b []byte, size int) {
	n := len(a) / 2
	every(low[:n], a, size, 2, 0)
	every(low[n:], b, size, 2, 0)
	every(high[:n], a, size, 2, 1)
	every(high[n:], b, size, 2, 1)
}

// compact moves the lanes of register a that mask m selects to the lowest lanes of
// register d. It stores their total size in bytes in a special register, for a later
// unaligned store. size is the size of a lane in bytes.
func compact(fr *frame, d, a, m slot, size int) {
	var out vreg
	n := 0
	for i := range pto.VectorBytes / size {
		if fr.m[m].has(i, size) {
			out.setLane(n, size, fr.v[a].lane(i, size))
			n++
		}
	}
	fr.v[d] = out
	fr.core.compacted = n * size
}

// countBefore sets each lane of d to the number of preceding lanes that the mask selects.
func countBefore(d *vreg, m mask, laneBytes int) {
	n := uint64(0)
	for i := range pto.VectorBytes / laneBytes {
		d.setLane(i, laneBytes, n)
		if m.has(i, laneBytes) {
			n++
		}
	}
}

// narrowLanes returns register v with each lane truncated to half its width. The results
// are in the lower half of the register, or in the upper half if upper is set. The
// parameter size is the size of a lane of v in bytes.
func narrowLanes(v *vreg, size int, upper bool) (out vreg) {
	from := half(upper) * 2 / size // a number of narrow lanes
	for i := range pto.VectorBytes / size {
		out.setLane(from+i, size/2, v.lane(i, size))
	}
	return out
}

// widenLanes extends the lanes in one half of register v to twice their width: with
// copies of the sign bit if signed is set, and with zeros if it is not. The half begins
// at byte start, and its lanes have size bytes.
func widenLanes(v *vreg, size, start int, signed bool) (out vreg) {
	from := start / size
	shift := 64 - 8*size
	for i := range pto.VectorBytes / size / 2 {
		x := v.lane(from+i, size)
		if signed {
			x = uint64(int64(x<<shift) >> shift)
		}
		out.setLane(i, 2*size, x)
	}
	return out
}

// permute returns a register whose lane i is a lane of v. The number of that lane is in
// lane i of the register index; it is used modulo the number of lanes. A lane has size
// bytes.
func permute(v, index *vreg, size int) (out vreg) {
	n := pto.VectorBytes / size
	for i := range n {
		out.setLane(i, size, v.lane(int(index.lane(i, size)%uint64(n)), size))
	}
	return out
}

// vecWindow compiles op into a step, a function that concatenates two registers and
// extracts one register from the result at an offset. If the instruction has only one
// register operand, the upper register is zero.
func (p *planner) vecWindow(op *ir.Op, laneBytes int) step {
	last := op.NumOperands() - 1
	lower, by, d := p.slot(op.Operand(last-1)), p.slot(op.Operand(last)), p.slot(op.Result(0))
	upper := lower
	if last == 2 {
		upper = p.slot(op.Operand(0))
	}
	return func(fr *frame) *Fault {
		var both [2]vreg
		both[0] = fr.v[lower]
		if last == 2 {
			both[1] = fr.v[upper]
		}
		n := pto.VectorBytes / laneBytes
		var out vreg
		for i := range n {
			// The distance may be negative; lanes from outside are zeros.
			if k := i + int(int16(fr.x[by])); k >= 0 && k < 2*n {
				out.setLane(i, laneBytes, both[k/n].lane(k%n, laneBytes))
			}
		}
		fr.v[d] = out
		return nil
	}
}

// vecCompare compiles op into a step, a function that compares lanes and returns the
// results as a mask.
func (p *planner) vecCompare(op *ir.Op, _ sem.VecCompare) step {
	f, ok := p.laneFormat(op, op.Operand(0).Type())
	pred, name, ok2 := sem.LanePredicate(op)
	if !ok || !ok2 {
		if !ok2 {
			p.errorf(op, "uses the comparison predicate %q, which pto-run does not support", name)
		}
		return nil
	}
	compare := comparer(pred.Relation(), f)
	a, b, m, d := p.slot(op.Operand(0)), p.slot(op.Operand(1)), p.slot(op.Operand(2)), p.slot(op.Result(0))
	isScalar := p.classOf(op.Operand(1).Type()) == scalarClass
	size := f.Bytes()
	return func(fr *frame) *Fault {
		var rhs *vreg
		if isScalar {
			var equal vreg
			fill(equal.bytes(), size, fr.x[b])
			rhs = &equal
		} else {
			rhs = &fr.v[b]
		}
		out := compare(fr.v[a].bytes(), rhs.bytes())
		for i := range out {
			out[i] &= fr.m[m][i]
		}
		fr.m[d] = out
		return nil
	}
}

// comparer returns a function that compares elements of format f with the relation rel
// and returns a mask. A mask has one bit for each byte of the compared registers. With
// elements of size bytes, bit i*size is 1 if the relation is true for element i, and all
// other bits are 0.
func comparer(rel scalar.Relation, f num.Format) func(a, b []byte) mask {
	switch f = rel.Sign.Reading(f); {
	case f == num.F32:
		return compareRows[float32](rel.On)
	case f == num.F16:
		return compareNarrow(rel.On, num.F16sToF32s)
	case f == num.BF16:
		return compareNarrow(rel.On, num.BF16sToF32s)
	case f.IsFloat():
		return compareSlow(rel, f)
	case f.Signed():
		return [9]func(a, b []byte) mask{
			1: compareRows[int8](rel.On), 2: compareRows[int16](rel.On), 4: compareRows[int32](rel.On), 8: compareRows[int64](rel.On),
		}[f.Bytes()]
	}
	return [9]func(a, b []byte) mask{
		1: compareRows[uint8](rel.On), 2: compareRows[uint16](rel.On), 4: compareRows[uint32](rel.On), 8: compareRows[uint64](rel.On),
	}[f.Bytes()]
}

// holds reports whether the order of x and y is in the set of orders given by the
// parameter on. The order of two numbers is less, equal, greater or unordered.
func holds[T integer | float32](on scalar.Order, x, y T) bool {
	outcome := scalar.Unordered
	switch {
	case x < y:
		outcome = scalar.Less
	case x > y:
		outcome = scalar.Greater
	case x == y:
		outcome = scalar.Equal
	}
	return on&outcome != 0
}

// compareRows returns a function that compares elements of type T and returns the results
// as a mask.
func compareRows[T integer | float32](outcomes scalar.Order) func(a, b []byte) mask {
	return func(a, b []byte) (m mask) {
		x, y := as[T](a), as[T](b)
		n := size[T]()
		for i := range x {
			if holds(outcomes, x[i], y[i]) {
				m.set(i, n)
			}
		}
		return m
	}
}

// compareNarrow returns a function that compares 16-bit floats and returns the results as
// a mask. The function widen converts the floats exactly to float32 before the
// comparison.
func compareNarrow(outcomes scalar.Order, widen func([]float32, []uint16)) func(a, b []byte) mask {
	return func(a, b []byte) (m mask) {
		var x, y [pto.VectorBytes / 2]float32
		widen(x[:], as[uint16](a))
		widen(y[:], as[uint16](b))
		for i := range x {
			if holds(outcomes, x[i], y[i]) {
				m.set(i, 2)
			}
		}
		return m
	}
}

// compareSlow returns a function that compares elements of any format f with the relation
// rel and returns the results as a mask. It calls the general definition of the relation
// for each element.
func compareSlow(rel scalar.Relation, f num.Format) func(a, b []byte) mask {
	n := f.Bytes()
	return func(a, b []byte) (m mask) {
		for i := range len(a) / n {
			if rel.Holds(f, num.Load(f, a[i*n:]), num.Load(f, b[i*n:])) {
				m.set(i, n)
			}
		}
		return m
	}
}
