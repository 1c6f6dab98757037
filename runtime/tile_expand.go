package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime/kernels"
)

// tileExpand executes an instruction that repeats a vector over dst, alone or
// combined with a tile of the size of dst.
type tileExpand struct {
	op       *ir.Op
	dst      tileOperand
	ins      [2]tileOperand // the operands of loop; one alone without it
	n        int
	alongCol bool
	inTurn   bool     // the elements of a row-major vector along rows
	loop     *rowLoop // nil copies the vector
	then     *rowLoop // of what loop gives, or nil
}

// tileExpand returns the step that repeats a vector.
func (p *planner) tileExpand(op *ir.Op, kind sem.TileExpand) step {
	e := &tileExpand{op: op, dst: p.tileOut(op), alongCol: kind.Axis == sem.AlongCol, inTurn: kind.InTurn(p.target)}
	names := []string{"src"}
	fn := kind.Fn
	if fn != nil {
		names = []string{"src0", "src1"}
	}
	for i, name := range names {
		if e.ins[i] = p.tileArg(op, name); e.ins[i].l == nil {
			if !p.failed {
				p.errorf(op, "has no tile \"%s\"", name)
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

// vectorOf tells which operand is the vector: the last, or along rows the last
// one whose valid region is not that of dst.
func (e *tileExpand) vectorOf(fr *frame, d *tile) int {
	if e.n == 2 && !e.alongCol && fr.t[e.ins[1].at].extent() == d.extent() && fr.t[e.ins[0].at].extent() != d.extent() {
		return 0
	}
	return e.n - 1
}

func (e *tileExpand) exec(fr *frame) *Fault {
	d, c := fr.t[e.dst.at], fr.core
	vector := e.vectorOf(fr, d)
	byCols := e.dst.l.byCols
	lines, n := d.lines(byCols)
	if f := e.check(fr, d, vector); f != nil {
		return f
	}
	size := e.dst.l.size
	out := e.dst.l.over(d, byCols, c.scratch[0])
	var in, from cursor
	if e.n == 2 {
		in = e.ins[1-vector].l.over(fr.t[e.ins[1-vector].at], byCols, c.scratch[1])
	}
	v := &e.ins[vector]
	lies := e.alongCol != byCols // the vector along lines; else each line has one element of it
	length := lines
	if lies {
		length = n
	}
	inTurn := e.inTurn && !v.l.byCols
	if inTurn {
		length = max(fr.t[v.at].cols, 1)
	}
	from = v.l.over(fr.t[v.at], !e.alongCol && !inTurn, c.bytes(length*size))
	if !lies && e.loop == nil && out.direct {
		fillFrom(&out, &from, lines, n)
		return nil
	}
	var elems []byte
	if !inTurn {
		elems = from.read(0, 0, length)
	}
	var rows [2][]byte
	longest := chunkBytes / size
	for line := range lines {
		for at := 0; at < n; at += longest {
			k := min(longest, n-at)
			row := out.place(line, at, k)
			switch {
			case lies:
				rows[vector] = elems[at*size : (at+k)*size]
			case inTurn:
				rows[vector] = c.scratch[2][:k*size]
				repeatFrom(rows[vector], from.read(line, 0, length), at*size)
			default:
				rows[vector] = e.repeated(c.scratch[2], elems, line, lines, vector, k*size)
			}
			if e.loop == nil {
				copy(row, rows[0])
			} else {
				rows[1-vector] = in.read(line, at, k)
				err := e.loop.run(row, rows[0], rows[1], nil, false)
				if err == nil && e.then != nil {
					err = e.then.run(row, row, nil, nil, false)
				}
				if err != nil {
					return faultAt(e.op, "fails: %s", err)
				}
			}
			out.write(line, at, k, row)
		}
	}
	return nil
}

// repeatFrom fills dst with row, again and again, from byte at of that on.
func repeatFrom(dst, row []byte, at int) {
	for n := 0; n < len(dst); {
		n += copy(dst[n:], row[(at+n)%len(row):])
	}
}

// fillFrom sets all n elements of each line to one of those in the first line of
// another tile.
func fillFrom(to, from *cursor, lines, n int) {
	size := to.l.size
	elems, step := from.spaced(lines, to.t)
	fillLines(to.t.data, elems, size, step, to.across, n*size, lines)
}

// repeated is a row of n bytes with the element for a line. As the second
// operand it need not be as long as that, so that scratch memory has room for
// those of many lines.
func (e *tileExpand) repeated(scratch, elems []byte, line, lines, vector, n int) []byte {
	size := e.dst.l.size
	if e.loop == nil || vector == 0 {
		fillLines(scratch, elems[line*size:], size, size, n, n, 1)
		return scratch[:n]
	}
	const many = chunkBytes / kernels.HeldBytes
	if line%many == 0 {
		fillLines(scratch, elems[line*size:], size, size, kernels.HeldBytes, kernels.HeldBytes, min(many, lines-line))
	}
	return scratch[line%many*kernels.HeldBytes:][:min(n, kernels.HeldBytes)]
}

// check tests that the operands have all the elements that dst asks for.
func (e *tileExpand) check(fr *frame, d *tile, vector int) *Fault {
	v := &e.ins[vector]
	if e.alongCol && d.cols > v.l.cols || !e.alongCol && d.rows > v.l.rows || d.rows*d.cols > 0 && v.l.rows*v.l.cols == 0 {
		return faultAt(e.op, "repeats \"%s\" over %dx%d elements, but it has room for %dx%d", v.name, d.rows, d.cols, v.l.rows, v.l.cols)
	}
	if e.n == 2 {
		return e.ins[1-vector].covers(e.op, d)
	}
	return nil
}
