// This file accesses single elements of tiles.

package runtime

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// get returns the bits of element (r, c) of tile t.
func (l *layout) get(t *tile, r, c int) uint64 {
	if l.half {
		return num.Nibble(t.data, l.number(t, r, c))
	}
	return num.Load(l.asStored(), l.elem(t, r, c))
}

// asStored returns the number format in which elements are loaded and stored. If an
// element packs two floats, such as FP4 numbers, the pair is loaded and stored as an
// unsigned integer.
func (l *layout) asStored() num.Format {
	if l.f.IsFloat() && l.f.Bits() != 8*l.size {
		return wordFormats[l.size]
	}
	return l.f
}

// set stores bits as element (r, c) of tile t.
func (l *layout) set(t *tile, r, c int, bits uint64) {
	if l.half {
		num.SetNibble(t.data, l.number(t, r, c), bits)
		return
	}
	num.Store(l.asStored(), l.elem(t, r, c), bits)
}

// elements returns the number of elements from the first element of tile t to the end of
// its storage. A subview includes the elements between its rows.
func (l *layout) elements(t *tile) int {
	n := l.bytes() / l.size
	if !l.boxed {
		lines, length := l.rows, l.cols
		if l.byCols {
			lines, length = length, lines
		}
		n = (lines-1)*t.pitch + length // a part of a tile has gaps
	}
	return min(n, len(t.data)/l.size)
}

// stored returns the bytes of element number n of tile t, in storage order. It returns a
// fault if n is out of range.
func (o *tileOperand) stored(op *ir.Op, t *tile, n int64) ([]byte, *Fault) {
	if all := o.l.elements(t); n < 0 || n >= int64(all) {
		return nil, faultAt(op, "accesses element %d of \"%s\", which has only %d elements", n, o.name, all)
	}
	at := int(n) * o.l.size
	return t.data[at : at+o.l.size], nil
}

// tileGet compiles op into a step, a function that reads one element of a tile.
func (p *planner) tileGet(op *ir.Op, _ sem.TileGet) step {
	o := sem.TileElementOf(op)
	src := p.tileOperand(op, o.Src)
	if src.l == nil {
		p.errorf(op, "reads an element of a tile of type %s, which pto-run does not support", o.Src.Type())
		return nil
	}
	n, d := p.slot(o.Offset.Value), p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		b, f := src.stored(op, fr.t[src.at], int64(fr.x[n]))
		if f == nil {
			fr.x[d] = num.Load(src.l.asStored(), b)
		}
		return f
	}
}

// tileSet compiles op into a step, a function that writes one element of a tile.
func (p *planner) tileSet(op *ir.Op, _ sem.TileSet) step {
	dst := p.tileOut(op)
	if dst.l == nil {
		return nil
	}
	o := sem.TileElementOf(op)
	n, x := p.slot(o.Offset.Value), p.slot(o.Value.Value)
	return func(fr *frame) *Fault {
		b, f := dst.stored(op, fr.t[dst.at], int64(fr.x[n]))
		if f == nil {
			num.Store(dst.l.asStored(), b, fr.x[x])
		}
		return f
	}
}
