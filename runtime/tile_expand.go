package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/ir"
)

// tileExpand executes an instruction that repeats a vector over dst, alone or
// combined with a tile of the size of dst.
type tileExpand struct {
	op       *ir.Op
	dst      tileOperand
	ins      [2]tileOperand // the operands of row; one alone without row
	n        int
	alongCol bool
	row      rowFunc // nil copies the vector
}

// tileExpand plans repeating a vector.
func (p *planner) tileExpand(op *ir.Op, sem pto.TileExpand) step {
	e := &tileExpand{op: op, dst: p.tileOut(op), alongCol: sem.Axis == pto.AlongCol}
	names := []string{"src"}
	fn := sem.For(op, p.target)
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
		if e.row, ok = p.rows(op, fn, e.dst.l.f); !ok {
			return nil
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
	out := e.dst.l.over(d, byCols, c.scratch[0])
	var in cursor
	if e.n == 2 {
		in = e.ins[1-vector].l.over(fr.t[e.ins[1-vector].at], byCols, c.scratch[1])
	}
	size := e.dst.l.size
	longest := chunkBytes / size
	for line := range lines {
		for at := 0; at < n; at += longest {
			k := min(longest, n-at)
			var rows [2][]byte
			rows[vector] = c.scratch[2][:k*size]
			e.spread(fr.t[e.ins[vector].at], &e.ins[vector], line, at, rows[vector])
			row := out.place(line, at, k)
			if e.row == nil {
				copy(row, rows[0])
			} else {
				rows[1-vector] = in.read(line, at, k)
				if err := e.row(row, rows[0], rows[1], nil); err != nil {
					return faultAt(e.op, "fails: %s", err)
				}
			}
			out.write(line, at, k, row)
		}
	}
	return nil
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

// spread fills a row with the elements of the vector for a line of dst.
func (e *tileExpand) spread(v *tile, o *tileOperand, line, at int, row []byte) {
	size := e.dst.l.size
	switch {
	case e.alongCol && e.dst.l.byCols:
		fill(row, size, o.l.get(v, 0, line))
	case e.alongCol:
		for i := range len(row) / size {
			copy(row[i*size:(i+1)*size], o.l.elem(v, 0, at+i))
		}
	case e.dst.l.byCols:
		for i := range len(row) / size {
			copy(row[i*size:(i+1)*size], o.l.elem(v, at+i, 0))
		}
	default:
		fill(row, size, o.l.get(v, line, 0))
	}
}
