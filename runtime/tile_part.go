// This file executes partial operations, whose operands have different valid regions.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// tilePart compiles a partial operation such as pto.tpartadd into a step. The step
// applies a function, such as addition, to the elements of two tiles with different
// valid regions. At a position that is valid in only one of the tiles, the result is the
// element of this tile.
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

// tilePart executes a partial operation: an elementwise function of two tiles with
// different valid regions.
type tilePart struct {
	op        *ir.Op
	a, b, dst tileOperand
	row       rowFunc
	// empty is the result at positions where neither tile is valid.
	empty uint64
	// fills means that empty is stored at these positions. Sums and products leave dst
	// unchanged there.
	fills bool
}

// exec computes each row in three ranges of columns: valid in both tiles, valid in one
// tile, and valid in neither. It works in chunks that fit into scratch memory. It reads a
// copy of the left operand, because dst can be one of the operands, whose row must not
// change before it has been read.
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

// inRow returns the number of valid elements of row r. Rows after the last valid row have
// 0 valid elements.
func (t *tile) inRow(r int) int {
	if r < t.rows {
		return t.cols
	}
	return 0
}

// tilePartArg compiles an elementwise maximum or minimum of the tiles a and b into a
// step, a Go function that executes it. The tiles can have different sizes. For each
// element, the step also selects an index from the tiles of indices of op. If both tiles
// have a valid element at a position, the index is that of the selected element; for
// equal elements, it is the index from the first tile; for NaN, the target decides. If only one tile has a valid
// element, the step copies this element and its index.
func (p *planner) tilePartArg(op *ir.Op, fn *scalar.Fn, a, b, d tileOperand) step {
	o := sem.TilePairOf(op)
	ai, bi, di := p.tileOperand(op, o.Numbers[0]), p.tileOperand(op, o.Numbers[1]), p.tileOperand(op, o.DstIndex)
	if ai.l == nil || bi.l == nil || di.l == nil {
		return nil
	}
	beats, unordered := sem.Beats(fn), sem.UnorderedFirst(p.target)
	return func(fr *frame) *Fault {
		x, y, z := fr.t[a.at], fr.t[b.at], fr.t[d.at]
		for _, o := range []struct {
			index *tileOperand
			of    *tile
		}{{&ai, x}, {&bi, y}, {&di, z}} {
			if f := o.index.covers(op, o.of); f != nil {
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
					first = firstOfPair(beats, d.l.f, a.l.get(x, r, c), b.l.get(y, r, c), unordered)
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

// firstOfPair reports whether a partial maximum or minimum with indices selects the element
// a of the first source, and not b. It selects a if both are equal. The parameter unordered
// is the result if one of them is NaN.
func firstOfPair(beats scalar.Relation, f num.Format, a, b uint64, unordered bool) bool {
	if num.IsNaN(f, a) || num.IsNaN(f, b) {
		return unordered
	}
	return !beats.Holds(f, b, a)
}

// better reports whether element a wins against element b in a maximum or minimum on
// format f. NaN wins against all numbers. Otherwise the relation beats decides.
func better(beats scalar.Relation, f num.Format, a, b uint64) bool {
	return !num.IsNaN(f, b) && (num.IsNaN(f, a) || beats.Holds(f, a, b))
}
