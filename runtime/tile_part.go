package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// tilePart returns the step that combines tiles of which one may be smaller:
// where only one has an element, that is the result.
func (p *planner) tilePart(op *ir.Op, kind sem.TilePart) step {
	o := sem.TilePairOf(op)
	a, b, d := p.tileOperand(op, o.Src[0]), p.tileOperand(op, o.Src[1]), p.tileOperand(op, o.Dst)
	if a.l == nil || b.l == nil || d.l == nil {
		return nil
	}
	if kind.Arg {
		return p.checked(op, p.tilePartArg(op, kind.Fn, a, b, d))
	}
	row, ok := p.rows(op, kind.Fn, d.l.f)
	if !ok {
		return nil
	}
	t := &tilePart{op: op, a: a, b: b, dst: d, row: row}
	switch kind.Fn {
	case scalar.Max:
		t.empty, t.fills = num.Lowest(d.l.f), true
	case scalar.Min:
		t.empty, t.fills = num.Max(d.l.f), true
	}
	return p.checked(op, t.exec)
}

// tilePart executes a combination of two tiles over the valid region of dst.
type tilePart struct {
	op        *ir.Op
	a, b, dst tileOperand
	row       rowFunc
	empty     uint64 // the element where neither tile has one: the neutral one of Fn
	fills     bool   // empty is written; sums and products leave dst as it was
}

// exec combines each row in three pieces: columns that both tiles have, those that
// only one has, and those of neither. It works in chunks that fit the scratch rows of
// a core, and through a copy of the left operand, since dst may be one of the
// operands and its row must not change before it was read.
func (t *tilePart) exec(fr *frame) *Fault {
	c := fr.core
	x, y, z := fr.t[t.a.at], fr.t[t.b.at], fr.t[t.dst.at]
	left, right := t.a.l.over(x, false, c.scratch[0]), t.b.l.over(y, false, c.scratch[1])
	out := t.dst.l.over(z, false, c.scratch[2])
	size := t.dst.l.size
	longest := chunkBytes / size
	for r := range z.rows {
		n, m := min(x.inRow(r), z.cols), min(y.inRow(r), z.cols)
		rest := &left // has the elements that stand alone
		if m > n {
			rest = &right
		}
		for at := 0; at < z.cols; at += longest {
			k := min(longest, z.cols-at)
			either := min(k, max(max(n, m)-at, 0))
			both := min(k, max(min(n, m)-at, 0))
			row := c.scratch[3][:k*size] // dst may be an operand
			if either > 0 {              // else neither tile need have room for the row
				copy(row, rest.read(r, at, either))
			}
			if both > 0 {
				if err := t.row(row[:both*size], left.read(r, at, both), right.read(r, at, both), nil); err != nil {
					return faultAt(t.op, "fails: %s", err)
				}
			}
			if t.fills {
				fill(row[either*size:], size, t.empty)
			} else {
				row = row[:either*size]
			}
			dst := out.destination(r, at, len(row)/size)
			copy(dst, row)
			out.write(r, at, len(row)/size, dst)
		}
	}
	return nil
}

// inRow is how many elements of row r are valid; rows after the valid ones have
// none.
func (t *tile) inRow(r int) int {
	if r < t.rows {
		return t.cols
	}
	return 0
}

// tilePartArg returns the step of the form that carries an index along with
// each element. Where both tiles have one, the element that wins brings its own index;
// of equal ones the second stays, as beats is a strict relation.
func (p *planner) tilePartArg(op *ir.Op, fn *scalar.Fn, a, b, d tileOperand) step {
	o := sem.TilePairOf(op)
	ai, bi, di := p.tileOperand(op, o.Numbers[0]), p.tileOperand(op, o.Numbers[1]), p.tileOperand(op, o.DstIndex)
	if ai.l == nil || bi.l == nil || di.l == nil {
		return nil
	}
	beats := sem.Beats(fn)
	return func(fr *frame) *Fault {
		x, y, z := fr.t[a.at], fr.t[b.at], fr.t[d.at]
		for _, o := range []*tileOperand{&ai, &bi, &di} {
			if f := o.covers(op, z); f != nil {
				return f
			}
		}
		for r := range z.rows {
			for c := range z.cols {
				first, second := c < x.inRow(r), c < y.inRow(r)
				if !first && !second {
					continue
				}
				if first && second {
					first = better(beats, d.l.f, a.l.get(x, r, c), b.l.get(y, r, c))
				}
				if first {
					d.l.set(z, r, c, a.l.get(x, r, c))
					di.l.set(fr.t[di.at], r, c, ai.l.get(fr.t[ai.at], r, c))
				} else {
					d.l.set(z, r, c, b.l.get(y, r, c))
					di.l.set(fr.t[di.at], r, c, bi.l.get(fr.t[bi.at], r, c))
				}
			}
		}
		return nil
	}
}

// better reports whether a beats b; NaN beats all numbers.
func better(beats scalar.Relation, f num.Format, a, b uint64) bool {
	return !num.IsNaN(f, b) && (num.IsNaN(f, a) || beats.Holds(f, a, b))
}
