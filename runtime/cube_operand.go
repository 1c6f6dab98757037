// This file executes loads of the operand buffers from L1, with or without
// transposition, and of MX scales.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// operandLoad executes a copy from L1 to an operand buffer of the cube unit (L0A or L0B).
// It copies a matrix in fractals, blocks of 16 rows by 32 bytes.
type operandLoad struct {
	op       *ir.Op
	src, dst cubeArg
	// transpose reports whether this execution transposes the matrix.
	transpose func(fr *frame) bool
	// controls reads the parameters of one execution from the operands of the
	// instruction.
	controls func(fr *frame) (controls, *Fault)
}

// controls are the parameters of an instruction that loads a matrix operand from L1 to an
// operand buffer. All fields count fractals (blocks of 16 rows by 32 bytes). The fields
// row and col are the position of the first fractal in L1. The fields rows and cols are
// the extents of the copied matrix. The field src is the distance between adjacent
// columns of fractals in L1, and dst is the distance between them in the operand buffer.
type controls struct {
	row, col, rows, cols int
	src, dst             int
}

// loadOperand compiles op into a step, a function that copies a matrix from L1 to an
// operand buffer of the cube unit (L0A or L0B).
func (p *planner) loadOperand(op *ir.Op, _ sem.LoadOperand) step {
	d := sem.OperandLoadOf(op)
	l := &operandLoad{op: op, src: p.cubeArg(op, d.Source, reads), dst: p.cubeArg(op, d.Destination, writes)}
	if d.Transpose.Given() {
		at := p.slot(d.Transpose.Value)
		l.transpose = func(fr *frame) bool { return fr.x[at] != 0 }
	} else {
		l.transpose = func(*frame) bool { return d.Transposed }
	}
	if d.Shaped {
		l.controls = p.shapeControls(op, l, d.Shape[:])
		return l.exec
	}
	numbers := p.fields(op, d.Controls[:])
	l.controls = func(fr *frame) (controls, *Fault) {
		n, f := numbers(fr)
		return controls{n[0], n[1], n[2], n[3], n[4], n[5]}, f
	}
	return l.exec
}

// fields returns a function that reads up to six scalar operands of op. The function
// returns a fault if the value of an operand does not fit into a 16-bit encoding field of
// the instruction.
func (p *planner) fields(op *ir.Op, operands []sem.Operand) func(fr *frame) ([6]int, *Fault) {
	var read [6]func(fr *frame) uint64
	for i, o := range operands {
		read[i] = p.number(o)
	}
	return func(fr *frame) (n [6]int, f *Fault) {
		for i, o := range operands {
			x := read[i](fr)
			if x > maxField {
				return n, faultAt(op, "has %s = %d, but this operand must be at most %d", o.Name, int64(x), maxField)
			}
			n[i] = int(x)
		}
		return n, nil
	}
}

// shapeControls returns a function that computes the parameters of the operand load l
// from the extents of the matrix. The operands in shape are the numbers of rows and
// columns of the matrix in the operand buffer, and the position of its first element in
// L1. If the load transposes, the function rounds both extents up to a multiple of a
// square of fractals, because the hardware transposes only complete squares. The returned
// function faults if the position is not at the start of a fractal.
func (p *planner) shapeControls(op *ir.Op, l *operandLoad, shape []sem.Operand) func(fr *frame) (controls, *Fault) {
	numbers := p.fields(op, shape)
	unit := blockElems(l.src.f)
	return func(fr *frame) (c controls, f *Fault) {
		n, f := numbers(fr)
		if f != nil {
			return c, f
		}
		rows, cols := n[0], n[1] // of the destination
		if n[2]%fractalRows != 0 || n[3]%unit != 0 {
			return c, faultAt(op, "starts at row %d and column %d, but must start at a fractal, at a multiple of %d rows and of %d columns", n[2], n[3], fractalRows, unit)
		}
		c.row, c.col = n[2]/fractalRows, n[3]/unit
		if !l.transpose(fr) {
			c.rows, c.cols = roundUp(rows, fractalRows)/fractalRows, roundUp(cols, unit)/unit
			c.src, c.dst = c.rows, c.rows
			return c, nil
		}
		// Whole squares are transposed.
		square := max(unit, fractalRows)
		rows, cols = roundUp(rows, square), roundUp(cols, square)
		c.rows, c.cols = cols/fractalRows, rows/unit
		c.src, c.dst = c.rows, rows/fractalRows
		return c, nil
	}
}

// exec copies the fractals (blocks of 16 rows by 32 bytes) of one matrix from L1 to the
// operand buffer, with or without transposition. It first reads the parameters of the
// copy from the operands of the instruction. It returns a fault if an access is out of
// bounds.
func (l *operandLoad) exec(fr *frame) *Fault {
	c, f := l.controls(fr)
	if f != nil {
		return f
	}
	for _, a := range []*cubeArg{&l.src, &l.dst} {
		if at := fr.x[a.ptr]; at%blockBytes != 0 {
			return a.misaligned(at, blockBytes)
		}
	}
	if l.transpose(fr) {
		return l.transposed(fr, c)
	}
	return c.copy(fr, &l.dst, &l.src, fr.x[l.dst.ptr], fr.x[l.src.ptr], fractalBytes)
}

// copy copies the rectangle of fractals that c describes, without conversion, from one
// memory of the cube core to another. The operands src and dst determine the memories.
// from is the source address, and to is the destination address. Each fractal has the
// given number of bytes.
func (c *controls) copy(fr *frame, dst, src *cubeArg, to, from uint64, bytes int) *Fault {
	for j := range c.cols {
		s, f := src.bytes(fr.core, from+uint64(((c.col+j)*c.src+c.row)*bytes), c.rows*bytes)
		if f != nil {
			return f
		}
		d, f := dst.bytes(fr.core, to+uint64(j*c.dst*bytes), c.rows*bytes)
		if f != nil {
			return f
		}
		copy(d, s)
	}
	return nil
}

// transposed copies the matrix that c describes to the operand buffer and exchanges its
// rows and columns.
func (l *operandLoad) transposed(fr *frame, c controls) *Fault {
	unit := blockElems(l.src.f)
	rows, cols := c.rows*fractalRows, c.cols*unit // of the source
	if rows == 0 || cols == 0 {
		return nil
	}
	size := func(cols, stride, rows int) int { return ((cols-1)*stride + rows) * fractalBytes }
	l.hearTransposed(fr, c)
	src, dst := l.src.pointee, l.dst.pointee
	src.quiet, dst.quiet = true, true
	from, f := src.bytes(fr.core, fr.x[l.src.ptr]+uint64((c.col*c.src+c.row)*fractalBytes), size(c.cols, c.src, c.rows))
	if f != nil {
		return f
	}
	to, f := dst.bytes(fr.core, fr.x[l.dst.ptr],
		size(roundUp(rows, unit)/unit, c.dst, roundUp(cols, fractalRows)/fractalRows))
	if f != nil {
		return f
	}
	move := elementMover(l.src.f)
	for i := range rows {
		for j := range cols {
			move(to, ((i/unit)*c.dst*fractalRows+j)*unit+i%unit, from, ((j/unit)*c.src*fractalRows+i)*unit+j%unit)
		}
	}
	return nil
}

// elementMover returns a function that copies one element of format f from one buffer to
// another. Its parameters from and to are the source and the destination buffer. It reads
// the element with index s of the source, and writes the element with index d of the
// destination. Elements can have 4 bits.
func elementMover(f num.Format) func(to []byte, d int, from []byte, s int) {
	if halfBytes(f) {
		return func(to []byte, d int, from []byte, s int) { num.SetNibble(to, d, num.Nibble(from, s)) }
	}
	switch f.Bytes() {
	case 1:
		return func(to []byte, d int, from []byte, s int) { to[d] = from[s] }
	case 2:
		return func(to []byte, d int, from []byte, s int) { as[uint16](to)[d] = as[uint16](from)[s] }
	case 4:
		return func(to []byte, d int, from []byte, s int) { as[uint32](to)[d] = as[uint32](from)[s] }
	}
	return func(to []byte, d int, from []byte, s int) { as[uint64](to)[d] = as[uint64](from)[s] }
}

// loadScales compiles op into a step, the Go function that executes it. The step loads
// the scale factors of an MX operand (a matrix whose elements share one scale per group)
// from L1. A row of scales in L1 is laid out like a column of matrix elements, so the
// step interprets the row operands of op as columns.
func (p *planner) loadScales(op *ir.Op, _ sem.LoadScales) step {
	d := sem.ScaleLoadOf(op)
	src, dst := p.cubeArg(op, d.Source, reads), p.cubeArg(op, d.Destination, writes)
	if dst.space == sem.L0B {
		dst.space = scalesB
	} else {
		dst.space = scalesA
	}
	numbers := p.fields(op, d.Controls[:])
	if d.Shaped {
		numbers = p.fields(op, d.Shape[:])
	}
	return func(fr *frame) *Fault {
		n, f := numbers(fr)
		if f != nil {
			return f
		}
		c := controls{n[0], n[1], n[2], n[3], n[4], n[5]}
		if d.Shaped {
			pairs := (n[1] + 2*scaleGroup - 1) / (2 * scaleGroup)
			c = controls{row: n[3], col: n[2], rows: pairs, cols: roundUp(n[0], fractalRows) / fractalRows, src: pairs, dst: pairs}
		}
		if at := fr.x[src.ptr]; at%scaleFractal != 0 {
			return src.misaligned(at, scaleFractal)
		}
		return c.copy(fr, &dst, &src, fr.x[dst.ptr]>>scaleShift, fr.x[src.ptr], scaleFractal)
	}
}
