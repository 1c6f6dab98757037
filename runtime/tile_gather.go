// This file compiles gathers and scatters between tiles.

package runtime

import (
	"bytes"
	"unsafe"

	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime/kernels"
)

// position returns the index that is stored in element (r, c) of an index tile. Indices
// with at least 32 bits are signed. Narrower indices are unsigned, so that they can
// address more elements.
func (o *tileOperand) position(t *tile, r, c int) int64 {
	bits := o.l.get(t, r, c)
	if o.l.f.Bits() < 32 || o.l.f == o.l.f.Unsigned() {
		return int64(num.Uint(o.l.f, bits))
	}
	return num.Int(o.l.f, bits)
}

// apart returns the tile src. If the storage of dst starts at the same address, it
// returns a copy of src. Instructions that read elements in a different order than they
// write them need this copy.
func apart(src, dst *tile) *tile {
	if unsafe.SliceData(src.data) != unsafe.SliceData(dst.data) {
		return src
	}
	t := *src
	t.data = bytes.Clone(src.data)
	return &t
}

// tileGather compiles pto.tgather into a step. The instruction has three variants: it
// selects elements by indices, by a comparison with a value, or by a mask pattern.
func (p *planner) tileGather(op *ir.Op, _ sem.TileGather) step {
	o := sem.TileSearchOf(op)
	src, dst := p.tileOperand(op, o.Src), p.tileOperand(op, o.Dst)
	if src.l == nil || dst.l == nil {
		return nil
	}
	switch {
	case o.Indices.Given():
		return p.gatherByIndex(op, o, src, dst)
	case o.Value.Given():
		return p.gatherByValue(op, o, src, dst)
	}
	pat := isatile.MarkedPlacesOf(op)
	return p.checked(op, func(fr *frame) *Fault {
		d := fr.t[dst.at]
		s := apart(fr.t[src.at], d)
		for r := range d.rows {
			for c := range d.cols {
				sr, sc := pat.Place(r, c)
				if f := window(op, &src, sr, sc, 1, 1); f != nil {
					return f
				}
				copy(dst.l.elem(d, r, c), src.l.elem(s, sr, sc))
			}
		}
		return nil
	})
}

// gatherByIndex compiles op into a step, a function that computes dst[i,j] =
// src[indices[i,j]]. An index counts the elements in the storage of src.
func (p *planner) gatherByIndex(op *ir.Op, o sem.TileSearch, src, dst tileOperand) step {
	idx := p.tileOperand(op, o.Indices)
	if idx.l == nil {
		return nil
	}
	size := dst.l.size
	if src.l.size != size {
		p.errorf(op, "gathers elements of type %s into a tile with elements of type %s, which pto-run does not support", src.l.info.Elem, dst.l.info.Elem)
		return nil
	}
	take := gathererAt(kernels.Best, size, idx.l.f)
	return p.checked(op, func(fr *frame) *Fault {
		d, x := fr.t[dst.at], fr.t[idx.at]
		if f := idx.covers(op, d); f != nil {
			return f
		}
		s, x := apart(fr.t[src.at], d), apart(x, d)
		from, out := idx.l.over(x, false, fr.core.scratch[0]), dst.l.over(d, false, fr.core.scratch[1])
		all := src.l.elements(s)
		rows, cols, longest := d.rows, d.cols, chunkBytes/8
		if from.dense(cols) && out.dense(cols) {
			rows, cols = 1, rows*cols
			longest = max(cols, 1)
		}
		for r := range rows {
			for c := 0; c < cols; c += longest {
				k := min(longest, cols-c)
				row := out.destination(r, c, k)
				if at, ok := take(row, s.data[:all*size], from.read(r, c, k)); !ok {
					_, f := src.stored(op, s, at)
					return f
				}
				out.write(r, c, k, row)
			}
		}
		return nil
	})
}

// gatherFunc copies elements of the array data to d. For each index in idx, it copies the
// element of data with this index to the next position in d. If an index is out of range,
// the function stops and returns this index and false. Otherwise ok is true.
type gatherFunc func(d, data, idx []byte) (at int64, ok bool)

// gathererAt returns a gatherFunc, a function that copies the elements at given indices
// to adjacent elements. The function uses only machine instructions up to the given
// level, such as AVX2. The parameter size is the size of an element in bytes, and f is
// the format of the indices.
func gathererAt(level kernels.Level, size int, f num.Format) gatherFunc {
	rest, number := gatherer(size, f), f.Bytes()
	gathers := kernels.GathersOf(size, number, level)
	if !gathers.Exists() {
		return rest
	}
	return func(d, data, idx []byte) (int64, bool) {
		n := gathers.Run(d, data, idx)
		return rest(d[n*size:], data, idx[n*number:])
	}
}

// gatherer returns a gatherFunc in Go. The parameter size is the size of an element in
// bytes, and f is the format of the indices. Indices with at least 32 bits are signed,
// narrower ones unsigned.
func gatherer(size int, f num.Format) gatherFunc {
	signed := f.Bits() >= 32 && f != f.Unsigned()
	switch n := f.Bytes(); {
	case n == 1:
		return gathererOf[uint8](size)
	case n == 2:
		return gathererOf[uint16](size)
	case n == 4 && signed:
		return gathererOf[int32](size)
	case n == 4:
		return gathererOf[uint32](size)
	}
	return gathererOf[int64](size) // a tile is too small for an index to be mistaken for a negative number
}

// gathererOf returns a gatherFunc for indices of type I. The function is written in Go
// and is used if there is no assembly function for the processor. The parameter size is
// the size of an element in bytes.
func gathererOf[I integer](size int) gatherFunc {
	switch size {
	case 1:
		return gatherRow[uint8, I]
	case 2:
		return gatherRow[uint16, I]
	case 4:
		return gatherRow[uint32, I]
	}
	return gatherRow[uint64, I]
}

// gatherRow implements gatherFunc for elements of type T and indices of type I: d[i] =
// data[idx[i]]. If an index is out of range, it stops and returns this index and false.
// Otherwise it returns 0 and true.
func gatherRow[T word, I integer](d, data, idx []byte) (int64, bool) {
	out, in := as[T](d), as[T](data)
	numbers := as[I](idx)
	out = out[:len(numbers)]
	for i, at := range numbers {
		k := uint(at)
		if k >= uint(len(in)) {
			return int64(at), false
		}
		out[i] = in[k]
	}
	return 0, true
}

// gatherByValue compiles op into a step, a function that searches each row of src for
// elements that satisfy a comparison with a value. It stores the positions of these
// elements in dst, and their number in a second tile.
func (p *planner) gatherByValue(op *ir.Op, o sem.TileSearch, src, dst tileOperand) step {
	count := p.tileOperand(op, o.Counts)
	if count.l == nil {
		return nil
	}
	conv, at := p.scalarTo(op, o.Value.Type(), src.l.f), p.slot(o.Value.Value)
	rel := o.Compare.Relation()
	return p.checked(op, func(fr *frame) *Fault {
		s, d, n, value := fr.t[src.at], fr.t[dst.at], fr.t[count.at], conv(fr.x[at])
		down := n.rows >= s.rows // counts stand below each other
		if s.rows > dst.l.rows || !down && s.rows > count.l.cols {
			return faultAt(op, "searches %d rows and needs room for the result of each row, but \"dst\" has %dx%d elements and \"cdst\" %dx%d", s.rows, dst.l.rows, dst.l.cols, count.l.rows, count.l.cols)
		}
		for r := range s.rows {
			found, first := 0, o.Offset+int64(r*src.l.cols)
			for c := range s.cols {
				if !rel.Holds(src.l.f, src.l.get(s, r, c), value) {
					continue
				}
				if found == dst.l.cols {
					return faultAt(op, "finds more than %d matching elements in row %d, but \"dst\" has only %dx%d elements", found, r, dst.l.rows, dst.l.cols)
				}
				dst.l.set(d, r, found, uint64(first+int64(c))&dst.l.f.Mask())
				found++
			}
			if down {
				count.l.set(n, r, 0, uint64(found)&count.l.f.Mask())
			} else {
				count.l.set(n, 0, r, uint64(found)&count.l.f.Mask())
			}
		}
		return nil
	})
}

// tileGatherBlocks compiles op into a step, a function that copies blocks of 32 bytes,
// whose byte offsets are in a tile, to consecutive blocks of dst.
func (p *planner) tileGatherBlocks(op *ir.Op, _ sem.TileGatherBlocks) step {
	o := sem.TilePlacesOf(op)
	src, offsets, dst := p.tileOperand(op, o.Src), p.tileOperand(op, o.Places), p.tileOut(op)
	if src.l == nil || offsets.l == nil || dst.l == nil {
		return nil
	}
	return p.checked(op, func(fr *frame) *Fault {
		d, x := fr.t[dst.at], fr.t[offsets.at]
		s := apart(fr.t[src.at], d)
		per := blockBytes / dst.l.size     // elements of a block
		blocks := (d.cols + per - 1) / per // of a row
		room := src.l.elements(s) * src.l.size
		if f := window(op, &offsets, 0, 0, d.rows, blocks); f != nil {
			return f
		}
		for r := range d.rows {
			for b := range blocks {
				n := min(per, d.cols-b*per)
				at := int64(uint32(offsets.l.get(x, r, b)))
				if at+int64(n*dst.l.size) > int64(room) {
					return faultAt(op, "reads the 32-byte block at byte %d of \"src\", but \"src\" has only %d bytes", at, room)
				}
				for i := range n {
					copy(dst.l.elem(d, r, b*per+i), s.data[int(at)+i*dst.l.size:])
				}
			}
		}
		return nil
	})
}

// tileScatter compiles pto.tscatter into a step. There are two variants. In the first
// one, an index tile contains the element offsets in the result at which the step stores
// the elements of src. In the second one, the step stores the elements of src at the
// positions of a mask pattern, and zeros at all other positions.
func (p *planner) tileScatter(op *ir.Op, _ sem.TileScatter) step {
	o := sem.TilePlacesOf(op)
	src, idx, dst := p.tileOperand(op, o.Src), p.tileOperand(op, o.Places), p.tileOut(op)
	if src.l == nil || dst.l == nil {
		return nil
	}
	if idx.l == nil {
		return p.scatterByPattern(op, src, dst)
	}
	return p.checked(op, func(fr *frame) *Fault {
		d := fr.t[dst.at]
		s, x := apart(fr.t[src.at], d), apart(fr.t[idx.at], d)
		if f := src.covers(op, x); f != nil {
			return f
		}
		dst.clear(d)
		for r := range x.rows {
			for c := range x.cols {
				to, f := dst.stored(op, d, idx.position(x, r, c))
				if f != nil {
					return f
				}
				copy(to, src.l.elem(s, r, c))
			}
		}
		return nil
	})
}

// clear sets all elements of tile t to zero, including those outside the valid region.
func (o *tileOperand) clear(t *tile) {
	for r := range o.l.rows {
		for c := range o.l.cols {
			clear(o.l.elem(t, r, c))
		}
	}
}

// scatterByPattern compiles op into a step, a function that stores the elements of src in
// the tile dst. A mask pattern selects the positions in dst, for example every second
// column.
func (p *planner) scatterByPattern(op *ir.Op, src, dst tileOperand) step {
	pat := isatile.MarkedPlacesOf(op)
	return p.checked(op, func(fr *frame) *Fault {
		d := fr.t[dst.at]
		s := apart(fr.t[src.at], d)
		if pat.Leaves() {
			dst.clear(d)
		}
		for r := range s.rows {
			for c := range s.cols {
				dr, dc := pat.Place(r, c)
				if f := window(op, &dst, dr, dc, 1, 1); f != nil {
					return f
				}
				copy(dst.l.elem(d, dr, dc), src.l.elem(s, r, c))
			}
		}
		return nil
	})
}
