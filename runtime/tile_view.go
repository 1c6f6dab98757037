// This file compiles instructions that create tiles for existing storage: at an address,
// as a subview of another tile, or as another type. It also compiles queries of run-time
// properties. These instructions copy no elements.

package runtime

import (
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// newTile reserves an element for a tile in the storage of a call and returns its index.
// An instruction that creates a tile stores its address and extents in this element, so
// execution needs no memory allocation.
func (p *planner) newTile() int {
	p.cur.tiles++
	return p.cur.tiles - 1
}

// placeTile compiles op into a step, a function that sets the address of a tile.
func (p *planner) placeTile(op *ir.Op, _ sem.PlaceTile) step {
	from := sem.PlacingOf(op)
	src, l := p.tileOperand(op, from.Source), p.layoutOf(op, op.Result(0).Type())
	if src.l == nil || l == nil {
		return nil
	}
	number, d, addr := p.newTile(), p.slot(op.Result(0)), p.slot(from.Address.Value)
	at := pointee{op: op, name: "result", how: occupies, space: l.memory()}
	return func(fr *frame) *Fault {
		if a := fr.x[addr]; a%tileAlign != 0 {
			return at.misaligned(a, tileAlign)
		}
		data, f := at.bytes(fr.core, fr.x[addr], l.bytes())
		if f != nil {
			return f
		}
		t := &fr.tiles[number]
		*t = *fr.t[src.at]
		t.data, t.addr, t.pitch, t.declared = data, fr.x[addr], l.pitch(), nil
		fr.t[d] = t
		return nil
	}
}

// subTile compiles op into a step, a function that creates a subview of a tile in the
// same storage. The subview has the same distance between rows as the source.
func (p *planner) subTile(op *ir.Op, _ sem.SubTile) step {
	from := sem.PlacingOf(op)
	src, l := p.tileOperand(op, from.Source), p.layoutOf(op, op.Result(0).Type())
	offsets := p.slotsOf(from.Offsets)
	if src.l == nil || l == nil || len(offsets) != 2 {
		return nil
	}
	number, d := p.newTile(), p.slot(op.Result(0))
	rows, cols := p.validExtents(op, l)
	return func(fr *frame) *Fault {
		s := fr.t[src.at]
		r, c := int(int64(fr.x[offsets[0]])), int(int64(fr.x[offsets[1]]))
		t := &fr.tiles[number]
		var f *Fault
		if t.rows, f = rows(fr); f != nil {
			return f
		}
		if t.cols, f = cols(fr); f != nil {
			return f
		}
		// Instructions never access storage outside that of the source.
		if f := window(op, &src, r, c, t.rows, t.cols); f != nil {
			return f
		}
		at := min(src.l.offset(s, r, c), len(s.data))
		*t = tile{rows: t.rows, cols: t.cols, data: s.data[at:], addr: s.addr + uint64(at), pitch: s.pitch, declared: s.declared}
		fr.t[d] = t
		return nil
	}
}

// sameStorage compiles op into a step, a function that reinterprets the storage of a tile
// as another tile type. A dynamic valid region is copied from the source, limited to the
// extents of the new type. If one type is the transpose of the other, rows and columns
// are exchanged.
func (p *planner) sameStorage(op *ir.Op, _ sem.SameStorage) step {
	src, l := p.tileValue(op, "src", op.Operand(0)), p.layoutOf(op, op.Result(0).Type())
	if src.l == nil || l == nil {
		return nil
	}
	number, d := p.newTile(), p.slot(op.Result(0))
	rows, cols := int(l.info.VRows), int(l.info.VCols)
	crosswise := isatile.Crosswise(src.l.info, l.info)
	return func(fr *frame) *Fault {
		s := fr.t[src.at]
		if l.bytes() > len(s.data) {
			return faultAt(op, "returns a tile of %d bytes, but \"%s\" has only %d bytes", l.bytes(), src.name, len(s.data))
		}
		t := &fr.tiles[number]
		*t = tile{data: s.data, addr: s.addr, rows: rows, cols: cols, pitch: l.pitch(), declared: s.declared}
		down, across := s.rows, s.cols
		if crosswise {
			down, across = across, down
		}
		if l.info.VRows == ir.Dynamic {
			t.rows = min(down, l.rows)
		}
		if l.info.VCols == ir.Dynamic {
			t.cols = min(across, l.cols)
		}
		fr.t[d] = t
		return nil
	}
}

// addressOf compiles op into a step, a function that returns the address of a tile or
// view.
func (p *planner) addressOf(op *ir.Op, _ sem.AddressOf) step {
	v, d := op.Operand(0), p.slot(op.Result(0))
	at := p.slot(v)
	switch p.classOf(v.Type()) {
	case tileClass:
		return func(fr *frame) *Fault { fr.x[d] = fr.t[at].addr; return nil }
	case viewClass:
		return func(fr *frame) *Fault { fr.x[d] = fr.w[at].addr; return nil }
	case scalarClass: // a memref
		return func(fr *frame) *Fault { fr.x[d] = fr.x[at]; return nil }
	}
	p.errorf(op, "requests the address of a value of type %s, which pto-run does not support", v.Type())
	return nil
}

// setValid compiles op into a step, a function that changes the valid region of a tile.
func (p *planner) setValid(op *ir.Op, _ sem.SetValid) step {
	src := p.tileValue(op, "source", op.Operand(0))
	if src.l == nil {
		return nil
	}
	to := sem.PlacingOf(op)
	rows, cols := p.extent(op, to.Rows, 0, src.l.rows), p.extent(op, to.Cols, 0, src.l.cols)
	return func(fr *frame) *Fault {
		t := fr.t[src.at]
		r, f := rows(fr)
		if f != nil {
			return f
		}
		c, f := cols(fr)
		t.rows, t.cols = r, c
		return f
	}
}

// getValid compiles op into a step, a function that returns the extents of a tile's
// valid region.
func (p *planner) getValid(op *ir.Op, kind sem.GetValid) step {
	at := p.slot(op.Operand(0))
	d := p.homes(op.Results())
	return func(fr *frame) *Fault {
		t, i := fr.t[at], 0
		if kind.Rows {
			fr.x[d[i].at] = uint64(t.rows)
			i++
		}
		if kind.Cols {
			fr.x[d[i].at] = uint64(t.cols)
		}
		return nil
	}
}

// viewDim compiles op into a step, a function that returns an extent or a stride of a
// view.
func (p *planner) viewDim(op *ir.Op, kind sem.ViewDim) step {
	rank, _ := p.viewShape(op, op.Operand(0).Type())
	at, dim, d := p.slot(op.Operand(0)), p.slot(sem.ViewingOf(op).Dim.Value), p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		w, i := &fr.w[at], int64(fr.x[dim])
		if i < 0 || i >= int64(rank) {
			return faultAt(op, "requests dimension %d, but its view only has %d dimensions, numbered from 0", i, rank)
		}
		k := maxRank - rank + int(i)
		if fr.x[d] = uint64(w.size[k]); kind.Stride {
			fr.x[d] = uint64(w.stride[k])
		}
		return nil
	}
}
