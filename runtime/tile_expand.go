// This file executes row and column expansions.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime/kernels"
)

// tileExpand executes a row or column expansion, an instruction that broadcasts a vector
// (a single row or column). One variant repeats the vector over all rows or columns of
// dst. The other variant combines the vector with each row or column of a tile.
type tileExpand struct {
	op  *ir.Op
	dst tileOperand
	// ins are the operands of loop. Without loop, the vector is the only operand.
	ins [2]tileOperand
	n   int
	// alongCol means that the vector is a row, which is repeated down the columns.
	alongCol bool
	// inTurn means that the operand is row-major and that element i of each row uses
	// element i of the vector, cyclically.
	inTurn bool
	// loop combines the operands; nil means that the vector is copied.
	loop *rowLoop
	// then, if not nil, is applied to the result of loop.
	then *rowLoop
}

// tileExpand compiles op, a row or column expansion, into a step, a Go function. The step
// repeats a vector over a tile, or combines the vector with each row or column of a tile.
func (p *planner) tileExpand(op *ir.Op, kind sem.TileExpand) step {
	e := &tileExpand{op: op, dst: p.tileOut(op), alongCol: kind.Axis == sem.AlongCol, inTurn: kind.InTurn()}
	names := []string{"src"}
	fn := kind.Fn
	if fn != nil {
		names = []string{"src0", "src1"}
	}
	for i, name := range names {
		if e.ins[i] = p.tileArg(op, name); e.ins[i].l == nil {
			if !p.failed {
				p.errorf(op, "requires the tile operand \"%s\"", name)
			}
			return nil
		}
	}
	e.n = len(names)
	if e.dst.l == nil {
		return nil
	}
	if fn != nil {
		var ok bool
		if e.loop, ok = p.loop(op, fn, e.dst.l.f); !ok {
			return nil
		}
		if kind.Then != nil {
			if e.then, ok = p.loop(op, kind.Then, e.dst.l.f); !ok {
				return nil
			}
		}
	}
	return p.checked(op, e.exec)
}

// vectorOf returns the index of the source operand that is the vector. In a column
// expansion, this is the last operand. In a row expansion with two operands, it is the
// one whose valid region differs from that of the result d. If both or neither differ,
// it is the last operand.
func (e *tileExpand) vectorOf(fr *frame, d *tile) int {
	if e.n == 2 && !e.alongCol && fr.t[e.ins[1].at].extent() == d.extent() && fr.t[e.ins[0].at].extent() != d.extent() {
		return 0
	}
	return e.n - 1
}

// expansion holds the operands of an expansion (a vector combined with each row or column
// of a tile) during one execution.
type expansion struct {
	// vector is the number of the operand that is the repeated vector.
	vector int
	// lines is the number of rows of dst (columns in a column-major tile), and n their
	// length in elements.
	lines, n int
	// out accesses the result, in the operand that is not the vector, and from the
	// vector.
	out, in, from cursor
	// lies means that the vector runs in the same direction as the rows of dst (columns
	// in a column-major tile). Otherwise each row uses a single element of the vector.
	lies   bool
	inTurn bool
	// length is the number of elements of the vector.
	length int
	// elems are the elements of the vector, unless inTurn is set.
	elems []byte
}

// exec executes the expansion on the values in the frame fr. It returns a fault if an
// operand is too small, or if the arithmetic function of the expansion returns an error.
func (e *tileExpand) exec(fr *frame) *Fault {
	d := fr.t[e.dst.at]
	vector := e.vectorOf(fr, d)
	if f := e.check(fr, d, vector); f != nil {
		return f
	}
	var x expansion
	e.over(&x, fr, d, vector)
	if x.lines == 0 || x.n == 0 {
		return nil
	}
	if !x.lies && e.loop == nil && x.out.direct {
		fillFrom(&x.out, &x.from, x.lines, x.n)
		return nil
	}
	if !x.inTurn {
		x.elems = x.from.read(0, 0, x.length)
	}
	if e.loop == nil && x.out.direct && x.lies && !overlap(x.elems, d.data) {
		repeatLine(&x.out, x.elems, x.lines)
		return nil
	}
	var err error
	if e.goesByLines(&x) {
		err = e.byLines(fr.core, &x)
	} else {
		err = e.inPieces(fr.core, &x)
	}
	if err != nil {
		return faultAt(e.op, "fails: %s", err)
	}
	return nil
}

// over prepares one execution of the instruction. It fills the empty expansion x, which
// holds the tiles of this execution and which is too large to be copied. The parameter d
// is the result tile. The parameter vector is the index, among the source operands, of the
// operand that is repeated.
func (e *tileExpand) over(x *expansion, fr *frame, d *tile, vector int) {
	c, byCols, v := fr.core, e.dst.l.byCols, &e.ins[vector]
	x.vector, x.lies, x.inTurn = vector, e.alongCol != byCols, e.inTurn && !v.l.byCols
	x.lines, x.n = d.lines(byCols)
	x.out = e.dst.l.over(d, byCols, c.scratch[0])
	if e.n == 2 {
		in := &e.ins[1-vector]
		x.in = in.l.over(fr.t[in.at], byCols, c.scratch[1])
	}
	switch {
	case x.inTurn:
		x.length = max(fr.t[v.at].cols, 1)
	case x.lies:
		x.length = x.n
	default:
		x.length = x.lines
	}
	x.from = v.l.over(fr.t[v.at], !e.alongCol && !x.inTurn, c.bytes(x.length*e.dst.l.size))
}

// goesByLines reports whether one call of a loop can compute many rows (or columns) of
// the result of op. The instruction combines a row or column vector with a tile. The
// operands must be contiguous in each row (or column). Some instructions apply a second
// function after the first one. The loop applies the first function to all rows before
// the second. The result must then not share memory with the tile operand, because the
// first function would overwrite elements that the second still reads.
func (e *tileExpand) goesByLines(x *expansion) bool {
	if e.loop == nil || x.inTurn || !x.out.direct || !x.in.direct || !x.lies && x.vector == 0 {
		return false
	}
	return e.then == nil || !overlap(x.out.t.data, x.in.t.data)
}

// byLines computes the result of an expansion (a broadcast along rows or columns) with
// the vector loop e.loop. The loop processes whole rows, several in each call. If each
// row needs another scalar, the copies of the scalars must fit into scratch memory, which
// limits the number of rows per call. The function e.then, if present, is applied to the
// result rows afterwards.
func (e *tileExpand) byLines(c *core, x *expansion) error {
	size, group := e.dst.l.size, x.lines
	if !x.lies {
		group = chunkBytes / kernels.HeldBytes
	}
	for line := 0; line < x.lines; line += group {
		lines := min(group, x.lines-line)
		d := x.out.linesFrom(line)
		var in [3]kernels.Lines
		in[1-x.vector] = x.in.linesFrom(line)
		if in[x.vector].Data = x.elems; !x.lies {
			held := c.scratch[2]
			fillLines(held, x.elems[line*size:], size, size, kernels.HeldBytes, kernels.HeldBytes, lines)
			in[1] = kernels.Lines{Data: held, Pitch: kernels.HeldBytes}
		}
		if err := e.loop.runLines(d, in, lines, x.n*size, !x.lies); err != nil {
			return err
		}
		if e.then != nil {
			if err := e.then.runLines(d, [3]kernels.Lines{d}, lines, x.n*size, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// inPieces computes the result of the instruction, one row after the other (or one column
// after the other). It divides each row into chunks, because an intermediate result must
// fit into scratch memory. The parameter x contains the tiles of the current execution of
// the instruction.
func (e *tileExpand) inPieces(c *core, x *expansion) error {
	size := e.dst.l.size
	longest := chunkBytes / size
	for line := range x.lines {
		for at := 0; at < x.n; at += longest {
			k := min(longest, x.n-at)
			row := x.out.destination(line, at, k)
			if err := e.piece(c, x, row, line, at); err != nil {
				return err
			}
			x.out.write(line, at, k, row)
		}
	}
	return nil
}

// piece computes one chunk of a row of the result. The parameter line is the index of the
// row, at is the index of the first element of the chunk, and row is the buffer that
// receives the results.
func (e *tileExpand) piece(c *core, x *expansion, row []byte, line, at int) error {
	size := e.dst.l.size
	var rows [2][]byte
	switch {
	case x.lies:
		rows[x.vector] = x.elems[at*size:][:len(row)]
	case x.inTurn:
		rows[x.vector] = c.scratch[2][:len(row)]
		repeatFrom(rows[x.vector], x.from.read(line, 0, x.length), at*size)
	default:
		rows[x.vector] = c.scratch[2][:len(row)]
		fill(rows[x.vector], size, num.Load(wordFormats[size], x.elems[line*size:]))
	}
	if e.loop == nil {
		copy(row, rows[0])
		return nil
	}
	rows[1-x.vector] = x.in.read(line, at, len(row)/size)
	if err := e.loop.run(row, rows[0], rows[1], nil, false); err != nil || e.then == nil {
		return err
	}
	return e.then.run(row, row, nil, nil, false)
}

// repeatFrom fills dst with repetitions of the bytes in row. The copy begins at the index
// in the parameter at. After the last byte of row, it continues with the first byte.
func repeatFrom(dst, row []byte, at int) {
	for n := 0; n < len(dst); {
		n += copy(dst[n:], row[(at+n)%len(row):])
	}
}

// repeatLine fills rows of a tile with copies of one row. The cursor, the first
// parameter, refers to the tile and its first row. The parameter line contains the bytes
// of the copied row, and the parameter lines is the number of rows to fill. If the rows
// are contiguous in memory, repeatLine copies all rows that are already filled at once.
// The number of filled rows then doubles with each copy.
func repeatLine(to *cursor, line []byte, lines int) {
	d := to.t.data
	if to.across == len(line) {
		d = d[:lines*len(line)]
		for n := copy(d, line); n < len(d); n *= 2 {
			copy(d[n:], d[:n])
		}
		return
	}
	for i := range lines {
		copy(d[i*to.across:], line)
	}
}

// fillFrom fills rows of a destination tile with copies of single elements: each of the n
// elements of row i becomes a copy of element i in the first row of the source. The
// parameter to accesses the destination, and the parameter from accesses the source. The
// parameter lines is the number of rows.
func fillFrom(to, from *cursor, lines, n int) {
	size := to.l.size
	elems, step := from.spaced(lines, to.t)
	fillLines(to.t.data, elems, size, step, to.across, n*size, lines)
}

// check returns a fault if an operand of the expansion has fewer elements than the result
// d requires. The parameter vector is the number of the operand that is broadcast over
// the rows or columns.
func (e *tileExpand) check(fr *frame, d *tile, vector int) *Fault {
	v := &e.ins[vector]
	if e.alongCol && d.cols > v.l.cols || !e.alongCol && d.rows > v.l.rows || d.rows*d.cols > 0 && v.l.rows*v.l.cols == 0 {
		return faultAt(e.op, "repeats \"%s\" over %dx%d elements, but this operand has room for only %dx%d", v.name, d.rows, d.cols, v.l.rows, v.l.cols)
	}
	if e.n == 2 {
		return e.ins[1-vector].covers(e.op, d)
	}
	return nil
}
