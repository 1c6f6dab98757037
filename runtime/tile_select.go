package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Masks of tiles are bits: bit j of the storage of a row tells about column j.

// maskRow returns the storage of row r of a tile of masks.
func (o *tileOperand) maskRow(t *tile, r int) []byte {
	from := o.l.offset(t, r, 0)
	return t.data[from : from+o.l.cols*o.l.size]
}

// maskCovers checks that a tile of masks has bits for all elements of a
// region.
func (o *tileOperand) maskCovers(op *ir.Op, rows, cols int) *Fault {
	if room := 8 * o.l.cols * o.l.size; rows > o.l.rows || cols > room {
		return faultAt(op, "needs bits for %dx%d elements, but \"%s\" has room for %dx%d", rows, cols, o.name, o.l.rows, room)
	}
	return nil
}

// tileCompare plans comparing elements into bits.
func (p *planner) tileCompare(op *ir.Op, sem pto.TileCompare) step {
	names := inputNames(op)
	src, dst := p.tileArg(op, names[0]), p.tileOut(op)
	if src.l == nil || dst.l == nil {
		return nil
	}
	f := src.l.f
	pred, ok := scalar.ParsePredicate(op.Attr("cmpMode").Keyword())
	if !ok {
		p.errorf(op, "compares with %s, which cannot be executed yet", op.Attr("cmpMode"))
		return nil
	}
	rhs := op.Arg(names[1])
	isTile := pto.IsTile(rhs.Type())
	other := tileOperand{name: names[1], at: p.slot(rhs)}
	var conv func(uint64) uint64
	if isTile {
		other = p.tileValue(op, names[1], rhs)
	} else {
		conv = p.scalarTo(op, rhs.Type(), f)
	}
	rel := pred.Relation()
	stream := sem.Streams(f, p.target)
	return p.checked(op, func(fr *frame) *Fault {
		c := fr.core
		s, d := fr.t[src.at], fr.t[dst.at]
		if stream {
			if need := streamBits(s, f)(s.rows, 0); need > 8*dst.l.bytes() {
				return faultAt(op, "writes %d bits, but \"%s\" has room for %d", need, dst.name, 8*dst.l.bytes())
			}
		} else if f := dst.maskCovers(op, s.rows, s.cols); f != nil {
			return f
		}
		right := c.bytes(s.cols * src.l.size)
		var from cursor
		if isTile {
			if f := other.covers(op, s); f != nil {
				return f
			}
			from = other.l.over(fr.t[other.at], false, right)
		} else {
			fill(right, src.l.size, conv(fr.x[other.at]))
		}
		left := src.l.over(s, false, bytesOf(c.words((s.cols*src.l.size+7)/8)))
		for r := range s.rows {
			if isTile {
				right = from.read(r, 0, s.cols)
			}
			row := left.read(r, 0, s.cols)
			if stream {
				compareStream(d.data, row, right, rel, f, streamBits(s, f)(r, 0))
			} else {
				compareInto(dst.maskRow(d, r), row, right, rel, f)
			}
		}
		return nil
	})
}

// compareInto writes the bits of a comparison and zeros up to the end of the
// last byte.
func compareInto(bits, a, b []byte, rel scalar.Relation, f num.Format) {
	n := len(a) / f.Bytes()
	clear(bits[:(n+7)/8])
	for i := range n {
		if rel.Holds(f, num.Load(f, a[i*f.Bytes():]), num.Load(f, b[i*f.Bytes():])) {
			bits[i/8] |= 1 << (i % 8)
		}
	}
}

// streamBits returns the number of the bit for each element of a tile where
// bits follow each other: those of 32-bit elements without a gap, those of
// rows of narrower ones from a multiple of a register on.
func streamBits(t *tile, f num.Format) func(r, c int) int {
	pitch := t.cols
	if lanes := pto.VectorBytes / f.Bytes(); f.Bytes() < 4 {
		pitch = (t.cols + lanes - 1) / lanes * lanes
	}
	return func(r, c int) int { return r*pitch + c }
}

// compareStream writes the bits of a comparison from a bit on.
func compareStream(bits, a, b []byte, rel scalar.Relation, f num.Format, at int) {
	for i := range len(a) / f.Bytes() {
		bit, m := at+i, byte(1)<<((at+i)%8)
		bits[bit/8] &^= m
		if rel.Holds(f, num.Load(f, a[i*f.Bytes():]), num.Load(f, b[i*f.Bytes():])) {
			bits[bit/8] |= m
		}
	}
}

// tileSelect plans choosing elements by bits.
func (p *planner) tileSelect(op *ir.Op) step {
	mask, dst := p.tileArg(op, "mask"), p.tileOut(op)
	if mask.l == nil || dst.l == nil {
		return nil
	}
	var ins []mapOperand
	for _, name := range inputNames(op) {
		if name == "mask" {
			continue
		}
		in := mapOperand{tileOperand: p.tileArg(op, name)}
		if in.l == nil {
			v := op.Arg(name)
			in.at, in.scalar, in.conv = p.slot(v), true, p.scalarTo(op, v.Type(), dst.l.f)
		}
		ins = append(ins, in)
	}
	if len(ins) != 2 {
		p.errorf(op, "selects among %d operands", len(ins))
	}
	if p.failed {
		return nil
	}
	return p.checked(op, func(fr *frame) *Fault {
		d, m := fr.t[dst.at], fr.t[mask.at]
		if f := mask.maskCovers(op, d.rows, d.cols); f != nil {
			return f
		}
		for i := range ins {
			if !ins[i].scalar {
				if f := ins[i].covers(op, d); f != nil {
					return f
				}
			}
		}
		for r := range d.rows {
			bits := mask.maskRow(m, r)
			for c := range d.cols {
				in := &ins[1-bits[c/8]>>(c%8)&1]
				if in.scalar {
					dst.l.set(d, r, c, in.conv(fr.x[in.at]))
				} else {
					copy(dst.l.elem(d, r, c), in.l.elem(fr.t[in.at], r, c))
				}
			}
		}
		return nil
	})
}
