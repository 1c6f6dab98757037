// This file executes the matrix product of the cube unit on pointers: L0A times L0B, with
// the result in L0C. It unpacks the operands from fractals into dense rows of 32-bit
// numbers, multiplies them with the loops that tile products use (product.go), and stores
// the results as fractals.

package runtime

import (
	"math"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime/kernels"
)

// mad executes a matrix product (multiply-add). It reads the operands from the operand
// buffers L0A and L0B and adds the products to sums in the accumulator L0C.
type mad struct {
	op            *ir.Op
	lhs, rhs, dst cubeArg
	// bias is the row of biases with which the sums start, if start selects it.
	bias cubeArg
	// start selects the initial value of the sums: zero, the contents of L0C, or the
	// bias.
	start sem.MadStart
	// lscale and rscale access the memories of the scale factors of both operands in an
	// MX product, whose operands share one scale per group of elements.
	lscale, rscale pointee
	// scaled means that the operands have scales (MX formats). packed means that extents
	// and modes are fields of a single register operand.
	scaled, packed bool
	// gemv means that lhs is a single row, stored without fractals.
	gemv bool
	// finite means that infinite sums become the largest finite number.
	finite bool
	// unit is the mode of the unit flags of L0C: whether the product waits until a copy
	// has read the old contents of L0C, and whether it signals new contents.
	unit sem.UnitMode
	// left and right convert the elements of the left and right operand into the format
	// in which the product is computed.
	left, right *unpacker
	// integers selects integer arithmetic. Otherwise how selects the variant of
	// floating-point arithmetic.
	integers bool
	how      kernels.Arithmetic
	// m, n and k return the extents of the product: an m x k matrix times a k x n matrix.
	// word returns the register whose bit fields contain the extents and modes of a
	// packed product.
	m, n, k, word func(fr *frame) uint64
}

// cubeArg is a pointer operand of an instruction of the cube unit, with the memory space
// that it addresses, its slot and its element format.
type cubeArg struct {
	pointee
	ptr slot
	f   num.Format
}

// cubeArg describes the memory at the pointer operand o of op, for the step that executes
// op. The result contains the slot (frame index) of the pointer and the element format.
// The parameter how states whether the instruction reads or writes through the pointer.
// cubeArg reports an error if the runtime cannot compute with the element type.
func (p *planner) cubeArg(op *ir.Op, o sem.Operand, how access) cubeArg {
	f, ok := ir.FormatOf(ir.ElementType(o.Type()))
	if p.classOf(o.Type()) != scalarClass || !ok {
		p.errorf(op, "has an operand or result of type %s, which pto-run does not support", o.Type())
	}
	return cubeArg{pointee{op: op, name: o.Name, how: how, space: pto.SpaceOf(o.Type())}, p.slot(o.Value), f}
}

// read returns the n bytes at the address that the pointer operand holds, or a fault if
// they are out of bounds.
func (a *cubeArg) read(fr *frame, n int) ([]byte, *Fault) { return a.bytes(fr.core, fr.x[a.ptr], n) }

// mad compiles op into a step, a function that multiplies two matrices. The matrices are
// in the operand memories of the cube unit (L0A and L0B), and the product is written to
// the accumulator (L0C).
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

// maxExtent is the largest number of rows, columns or summands of a matrix product: the
// extents are 12-bit fields of the instruction.
const maxExtent = 1<<12 - 1

// madShape holds the parameters of one execution of a matrix product: its extents (an m x
// k matrix times a k x n matrix), the initial value of the sums, and the modes.
type madShape struct {
	m, n, k int
	start   sem.MadStart
	gemv    bool
	unit    sem.UnitMode
}

// shape reads the parameters of one execution of a matrix product. The instruction has
// either one operand per parameter, or one packed operand with a bit field for each
// parameter. The packed operand can also request that the product starts with zeros. This
// bit has an effect only if the instruction itself does not determine the initial value.
// The single-row mode (gemv) has an effect only if the left matrix has one row.
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
			return s, faultAt(a.op, "has %s = %d, but this operand must be between 1 and %d", x.name, int64(x.n), maxExtent)
		}
	}
	s.m, s.n, s.k = int(m), int(n), int(k)
	s.gemv = s.gemv && s.m == 1
	return s, nil
}

// exec executes the matrix product. It checks and reads all memory before it writes, so
// that a fault leaves L0C unchanged. L0C consists of fractals of 16 x 16 elements, and
// the result may cover some fractals only partly. exec then computes only the elements of
// the result. The bounds check and the unit flags nevertheless apply to the complete
// fractals.
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

// operands reads the left and the right operand of a matrix product and converts them
// into rows of numbers. It stores the rows of the left matrix in x and the columns of the
// right matrix in y. Both operands are stored in fractals (blocks of 16 rows by 32
// bytes), and L0B contains the transposed right matrix.
//
// In MX formats, groups of elements share a scale, and the function multiplies each
// element by the scale of its group. The product is exact unless it overflows, because
// scales are powers of two. The scales are in a separate memory. Their address is the
// address of the operand, shifted right by scaleShift.
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

// begin initializes the sums of an m x n product. Depending on s.start, it uses the
// contents acc of L0C, the row of biases (repeated for each row of the product), or
// zeros.
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

// finish copies the sums of a matrix product into acc, the memory of L0C. s contains the
// extents of the product. If a.finite is set, finish replaces infinite sums by the
// largest finite number. This replacement happens only once at the end, not after each
// addition.
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
