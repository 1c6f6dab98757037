// This file compares tiles, and selects elements by the results.
//
// The mask in a tile is an array of bits: bit j of the storage of a row belongs to
// column j. The element type of a mask tile only determines how long its rows are.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/kernels"
)

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

// tileCompare returns the step that compares elements into bits. A scalar is filled
// into a short piece of memory once: the loops read it again and again. Bits after the
// last column become 0 up to the end of its byte, further ones stay.
func (p *planner) tileCompare(op *ir.Op, _ sem.TileCompare) step {
	names := inputNames(op)
	src, dst := p.tileArg(op, names[0]), p.tileOut(op)
	if src.l == nil || dst.l == nil {
		return nil
	}
	f := src.l.f
	pred, ok := sem.TilePredicate(op)
	if !ok {
		p.errorf(op, "compares in a way that cannot be executed yet")
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
	compare := newComparison(pred.Relation(), f)
	return p.checked(op, func(fr *frame) *Fault {
		c := fr.core
		s, d := fr.t[src.at], fr.t[dst.at]
		if f := dst.maskCovers(op, s.rows, s.cols); f != nil {
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
			right = right[:min(len(right), kernels.HeldBytes)]
			fill(right, src.l.size, conv(fr.x[other.at]))
		}
		left := src.l.over(s, false, bytesOf(c.words((s.cols*src.l.size+7)/8)))
		for r := range s.rows {
			if isTile {
				right = from.read(r, 0, s.cols)
			}
			row := left.read(r, 0, s.cols)
			bits := dst.maskRow(d, r)
			if s.cols%8 != 0 {
				bits[s.cols/8] = 0 // up to the end of the last byte
			}
			compare.write(bits, row, right)
		}
		return nil
	})
}

// comparison compares elements of a format.
type comparison struct {
	rel    scalar.Relation
	f      num.Format
	vector kernels.Comparison
}

func newComparison(rel scalar.Relation, f num.Format) comparison {
	read := rel.Sign.Reading(f)
	if read.Signed() { // as signless integers are
		read = read.AsSigned()
	}
	return comparison{rel, f, kernels.ComparisonOf(read, rel.On, kernels.Best)}
}

// write writes the bits of a comparison and leaves those after them as they
// are. b may have kernels.HeldBytes of one element.
func (c *comparison) write(bits, a, b []byte) {
	size := c.f.Bytes()
	for i := c.vector.Run(bits, a, b); i < len(a)/size; i++ {
		m := byte(1) << (i % 8)
		bits[i/8] &^= m
		if c.rel.Holds(c.f, num.Load(c.f, a[i*size:]), num.Load(c.f, b[i*size%len(b):])) {
			bits[i/8] |= m
		}
	}
}

// tileSelect executes choosing elements by bits. Vector code reads several elements
// before it writes them, so it may be used only if dst lies apart from the mask and
// from operands, or exactly on them; else elements go one by one.
type tileSelect struct {
	op        *ir.Op
	mask, dst tileOperand
	ins       []mapOperand // where the bit is set, and where it is not
}

// tileSelect returns the step that chooses elements by bits.
func (p *planner) tileSelect(op *ir.Op, _ sem.TileSelect) step {
	s := &tileSelect{op: op, mask: p.tileOperand(op, sem.TileEndsOf(op).Mask), dst: p.tileOut(op)}
	if s.mask.l == nil || s.dst.l == nil {
		return nil
	}
	for _, name := range inputNames(op) {
		if name == "mask" {
			continue
		}
		in := mapOperand{tileOperand: p.tileArg(op, name)}
		if in.l == nil {
			v := op.Arg(name)
			in.at, in.scalar, in.conv = p.slot(v), true, p.scalarTo(op, v.Type(), s.dst.l.f)
		}
		s.ins = append(s.ins, in)
	}
	if len(s.ins) != 2 {
		p.errorf(op, "selects among %d operands", len(s.ins))
	}
	if p.failed {
		return nil
	}
	return p.checked(op, s.exec)
}

func (s *tileSelect) exec(fr *frame) *Fault {
	d, m, size := fr.t[s.dst.at], fr.t[s.mask.at], s.dst.l.size
	if f := s.mask.maskCovers(s.op, d.rows, d.cols); f != nil {
		return f
	}
	out := s.dst.l.over(d, false, fr.core.scratch[2])
	longest := chunkBytes / size // elements, a multiple of 8
	apart := !overlap(d.data, m.data)
	var rows [2]cursor
	var in [2][]byte
	for i := range s.ins {
		x := &s.ins[i]
		if x.scalar {
			in[i] = fr.core.scratch[i][:min(longest, d.cols)*size]
			fill(in[i], size, x.conv(fr.x[x.at]))
			continue
		}
		if f := x.covers(s.op, d); f != nil {
			return f
		}
		t := fr.t[x.at]
		rows[i] = x.l.over(t, false, fr.core.scratch[i])
		apart = apart && (t.addr == d.addr && t.pitch == d.pitch || !overlap(d.data, t.data))
	}
	for r := range d.rows {
		bits := s.mask.maskRow(m, r)
		for c := 0; c < d.cols; c += longest {
			k := min(longest, d.cols-c)
			for i := range s.ins {
				if !s.ins[i].scalar {
					in[i] = rows[i].read(r, c, k)
				}
			}
			row, done := out.destination(r, c, k), 0
			if apart {
				done = kernels.Select(kernels.Best, size, row, bits[c/8:], in[0], in[1])
			}
			choose(row, bits[c/8:], in[0], in[1], size, done)
			out.write(r, c, k, row)
		}
	}
	return nil
}

// choose takes elements of a where bits are set, and of b elsewhere, from
// element i on.
func choose(d, bits, a, b []byte, size, i int) {
	for ; i < len(d)/size; i++ {
		from := b
		if bits[i/8]>>(i%8)&1 != 0 {
			from = a
		}
		copy(d[i*size:(i+1)*size], from[i*size:])
	}
}
