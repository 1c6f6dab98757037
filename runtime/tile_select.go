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

// maskRow returns the storage of row r of a mask tile, which contains one bit per
// element.
func (o *tileOperand) maskRow(t *tile, r int) []byte {
	from := o.l.offset(t, r, 0)
	return t.data[from : from+o.l.cols*o.l.size]
}

// maskCovers returns a fault if a mask tile has fewer bits than rows x cols elements
// need.
func (o *tileOperand) maskCovers(op *ir.Op, rows, cols int) *Fault {
	if room := 8 * o.l.cols * o.l.size; rows > o.l.rows || cols > room {
		return faultAt(op, "requires a mask bit for each of %dx%d elements, but \"%s\" has room for only %dx%d bits", rows, cols, o.name, o.l.rows, room)
	}
	return nil
}

// tileCompare compiles a comparison of tile elements into a step. The result of the step
// is a mask tile with one bit per element. If an operand is a scalar, the step first
// fills a short buffer with copies of the scalar, which the loops read repeatedly. If the
// columns of a mask row end inside a byte, the remaining bits of this byte become 0.
// Later bytes of the mask row are unchanged.
func (p *planner) tileCompare(op *ir.Op, _ sem.TileCompare) step {
	names := inputNames(op)
	src, dst := p.tileArg(op, names[0]), p.tileOut(op)
	if src.l == nil || dst.l == nil {
		return nil
	}
	f := src.l.f
	pred, ok := sem.TilePredicate(op)
	if !ok {
		p.errorf(op, "uses a comparison predicate that pto-run does not support yet")
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

// comparison compares elements of format f with the relation rel. The field vector is the
// vectorized loop for this comparison, if package kernels has one.
type comparison struct {
	rel    scalar.Relation
	f      num.Format
	vector kernels.Comparison
}

// newComparison returns the comparison of elements of format f with the relation rel,
// with a vectorized loop if possible.
func newComparison(rel scalar.Relation, f num.Format) comparison {
	read := rel.Sign.Reading(f)
	if read.Signed() { // as signless integers are
		read = read.AsSigned()
	}
	return comparison{rel, f, kernels.ComparisonOf(read, rel.On, kernels.Best)}
}

// write compares element i of a with element i of b, and stores the result in bit i of
// the slice bits. It leaves all other bits unchanged. The slice b can instead contain
// copies of a single element in kernels.HeldBytes bytes, with which all elements of a are
// compared.
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

// tileSelect executes a selection between two operands by a mask. Vectorized code reads
// several elements before it writes them. It is used only if dst does not overlap the
// mask, and each operand either does not overlap dst or is exactly dst. Otherwise
// elements are selected one by one.
type tileSelect struct {
	op        *ir.Op
	mask, dst tileOperand
	// ins are the operand that is selected by set bits, and the operand that is selected
	// by clear bits.
	ins []mapOperand
}

// tileSelect compiles op into a step, a function that selects elements of two operands by
// a mask tile.
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
		p.errorf(op, "requires two operands to select from, but has %d", len(s.ins))
	}
	if p.failed {
		return nil
	}
	return p.checked(op, s.exec)
}

// exec computes the elements of dst in its valid region. An element of dst is the
// element of the first source if its mask bit is set, and the element of the second
// source otherwise. exec returns a fault if the mask or a source is too small.
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

// choose selects elements of two operands by the bit mask in the parameter bits, from the
// element with index i on. It copies element k of a to d if bit k is set, and element k
// of b if bit k is clear. The parameter size is the size of an element in bytes.
func choose(d, bits, a, b []byte, size, i int) {
	for ; i < len(d)/size; i++ {
		from := b
		if bits[i/8]>>(i%8)&1 != 0 {
			from = a
		}
		copy(d[i*size:(i+1)*size], from[i*size:])
	}
}
