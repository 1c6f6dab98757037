// The matrix product of the cube unit on pointers: L0A times L0B into L0C. Operands
// are unpacked from their fractals into dense rows of 32-bit numbers, multiplied by
// the one product that tiles use as well (product.go), and put back into fractals.

package runtime

import (
	"math"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime/kernels"
)

// mad executes a product of matrices in the operand buffers.
type mad struct {
	op             *ir.Op
	lhs, rhs, dst  cubeArg
	bias           cubeArg
	start          sem.MadStart // what the sums begin with
	lscale, rscale pointee      // where scales lie
	scaled, packed bool         // there are scales; extents and modes are fields of one word
	gemv           bool         // a single row of lhs lies in one piece
	finite         bool         // sums become finite
	unit           sem.UnitMode // whether it waits for L0C to be stored, and says that it is full
	left, right    *unpacker    // of both operands, with the rounding that the modes ask for
	integers       bool
	how            kernels.Arithmetic
	m, n, k, word  func(fr *frame) uint64 // word: the fields of a packed product
}

// cubeArg is a pointer operand of an instruction of the cube unit.
type cubeArg struct {
	pointee
	ptr slot
	f   num.Format
}

// cubeArg prepares a pointer operand.
func (p *planner) cubeArg(op *ir.Op, o sem.Operand, how access) cubeArg {
	f, ok := ir.FormatOf(ir.ElementType(o.Type()))
	if p.classOf(o.Type()) != scalarClass || !ok {
		p.errorf(op, "works on %s, which pto-run cannot execute", o.Type())
	}
	return cubeArg{pointee{op: op, name: o.Name, how: how, space: pto.SpaceOf(o.Type())}, p.slot(o.Value), f}
}

// read returns n bytes from the pointer on.
func (a *cubeArg) read(fr *frame, n int) ([]byte, *Fault) { return a.bytes(fr.core, fr.x[a.ptr], n) }

// mad returns the step that multiplies two matrices.
func (p *planner) mad(op *ir.Op, _ sem.Mad) step {
	d := sem.ProductOf(op)
	a := &mad{
		op: op, lhs: p.cubeArg(op, d.Lhs, reads), rhs: p.cubeArg(op, d.Rhs, reads), dst: p.cubeArg(op, d.Dst, writes),
		start: d.Start, scaled: d.Scaled, packed: d.Packed, gemv: d.Vector, finite: d.Finite, unit: d.Unit,
		m: p.number(d.M), n: p.number(d.N), k: p.number(d.K), word: p.number(d.Word),
	}
	if d.Bias.Given() {
		a.bias = p.cubeArg(op, d.Bias, reads)
	}
	if p.failed {
		return nil
	}
	a.lscale = pointee{op: op, name: d.Lhs.Name, how: reads, space: scalesA}
	a.rscale = pointee{op: op, name: d.Rhs.Name, how: reads, space: scalesB}
	rules := inputRules{finite: d.Finite, tf32: d.Tf32, round: d.Round}
	a.left, a.right = newUnpacker(a.lhs.f, rules), newUnpacker(a.rhs.f, rules)
	a.integers = a.dst.f.IsInt()
	a.how = arithmeticOf(a.dst.f, a.lhs.f, a.rhs.f)
	p.hearMad(op, a)
	return a.exec
}

// maxExtent is the greatest extent of a matrix in a product.
const maxExtent = 1<<12 - 1

// madShape is what a product is about: its extents and what it starts with.
type madShape struct {
	m, n, k int
	start   sem.MadStart
	gemv    bool
	unit    sem.UnitMode
}

// shape reads the operands that are numbers. A packed product has extents, the mode
// of the unit flag and two bits about sums and rows in one register; the bit that
// begins with zeros counts only where the instruction does not say itself what it
// begins with. The mode for one row has an effect only if there is one.
func (a *mad) shape(fr *frame) (madShape, *Fault) {
	s := madShape{start: a.start, gemv: a.gemv, unit: a.unit}
	m, n, k := a.m(fr), a.n(fr), a.k(fr)
	if a.packed {
		word := a.word(fr)
		m, k, n = sem.MadM.Of(word), sem.MadK.Of(word), sem.MadN.Of(word)
		s.gemv, s.unit = word>>sem.MadNoVector&1 == 0, sem.UnitNumber(sem.MadUnit.Of(word))
		if s.start == sem.MadZero && word>>sem.MadFresh&1 == 0 {
			s.start = sem.MadAcc
		}
	}
	for _, x := range []struct {
		name string
		n    uint64
	}{{"m", m}, {"n", n}, {"k", k}} {
		if x.n == 0 || x.n > maxExtent {
			return s, faultAt(a.op, "has %s = %d, but it must be 1 to %d", x.name, int64(x.n), maxExtent)
		}
	}
	s.m, s.n, s.k = int(m), int(n), int(k)
	s.gemv = s.gemv && s.m == 1
	return s, nil
}

// exec checks and reads all memory before it writes some, so that a fault leaves the
// accumulator as it was. L0C is touched in whole fractals, also after the last row
// and column: that is the range that must be inside and that unit flags are about.
func (a *mad) exec(fr *frame) *Fault {
	s, f := a.shape(fr)
	if f != nil {
		return f
	}
	words := as[uint32](fr.core.bytes(accSize * (s.m*s.k + s.k*s.n + s.m*s.n)))
	x, words := words[:s.m*s.k], words[s.m*s.k:]
	y, sums := words[:s.k*s.n], words[s.k*s.n:][:s.m*s.n]
	if f := a.operands(fr, &s, x, y); f != nil {
		return f
	}
	size := roundUp(s.m, fractalRows) * roundUp(s.n, accCols) * accSize
	acc, f := a.dst.read(fr, size)
	if f != nil {
		return f
	}
	if s.unit != sem.UnitOff {
		if f := a.waitTaken(fr.core, fr.x[a.dst.ptr], size); f != nil {
			return f
		}
	}
	if f := a.begin(fr, &s, sums, as[uint32](acc)); f != nil {
		return f
	}
	kernels.Matmul(a.how, floatsOf(sums), floatsOf(x), floatsOf(y), s.m, s.n, s.k)
	a.finish(&s, sums, as[uint32](acc))
	if s.unit == sem.UnitChanges {
		a.publish(fr.core, fr.x[a.dst.ptr], size)
	}
	return nil
}

// operands unpacks both operands: the left one into rows, the right one, whose
// columns lie in its fractals as rows, into rows too. Scales are multiplied into the
// unpacked numbers, which is exact short of overflow: they are powers of two. They lie
// in memories of their own, at the address of the operand shifted by scaleShift.
func (a *mad) operands(fr *frame, s *madShape, x, y []uint32) *Fault {
	if s.gemv {
		row, f := a.lhs.read(fr, (s.k*a.lhs.f.Bits()+7)/8)
		if f != nil {
			return f
		}
		a.left.run(x, row)
	} else {
		data, f := a.lhs.read(fr, a.left.fractalsSize(s.m, s.k))
		if f != nil {
			return f
		}
		a.left.rows(x, data, s.m, s.k)
	}
	data, f := a.rhs.read(fr, a.right.fractalsSize(s.n, s.k))
	if f != nil {
		return f
	}
	a.right.columns(y, data, s.n, s.k)
	if !a.scaled {
		return nil
	}
	groups := (s.k + scaleGroup - 1) / scaleGroup
	left, right := scaleSize(s.m, groups), scaleSize(s.n, groups)
	if s.gemv {
		left = groups
	}
	ls, f := a.lscale.bytes(fr.core, fr.x[a.lhs.ptr]>>scaleShift, left)
	if f != nil {
		return f
	}
	rs, f := a.rscale.bytes(fr.core, fr.x[a.rhs.ptr]>>scaleShift, right)
	if f != nil {
		return f
	}
	scaleRows(floatsOf(x), ls, s.m, s.k, s.gemv)
	scaleColumns(floatsOf(y), rs, s.n, s.k)
	return nil
}

// begin puts what the product is added to into sums: the accumulator, one row of
// biases for all rows, or zeros.
func (a *mad) begin(fr *frame, s *madShape, sums, acc []uint32) *Fault {
	switch s.start {
	case sem.MadAcc:
		for i := range s.m {
			for j := range s.n {
				sums[i*s.n+j] = acc[accOffset(i, j, roundUp(s.m, fractalRows))]
			}
		}
	case sem.MadBias:
		data, f := a.bias.read(fr, s.n*accSize)
		if f != nil {
			return f
		}
		for i := range s.m {
			copy(sums[i*s.n:(i+1)*s.n], as[uint32](data))
		}
	default:
		clear(sums)
	}
	return nil
}

// finish puts the sums into the accumulator. Infinite ones become the greatest finite
// number here, once, and not at each addition.
func (a *mad) finish(s *madShape, sums, acc []uint32) {
	stride := roundUp(s.m, fractalRows)
	for i := range s.m {
		for j, x := range sums[i*s.n : (i+1)*s.n] {
			if a.finite && !a.integers {
				x = math.Float32bits(clampFinite(math.Float32frombits(x), math.MaxFloat32))
			}
			acc[accOffset(i, j, stride)] = x
		}
	}
}
