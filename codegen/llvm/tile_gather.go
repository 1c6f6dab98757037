// This file emits gathers and scatters between tiles.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"

	"ptogo/codegen/ll"
	"ptogo/ir"
)

// position emits element (r, c) of t as an index. Indices of at least 32 bits are signed,
// unless their type is unsigned; narrower ones are unsigned.
func (f *function) position(t *tile, r, c value.Value) value.Value {
	signed := t.e.f.Bits() >= 32 && t.e.f != t.e.f.Unsigned()
	return f.Resize(f.get(t, r, c), ll.I64, signed)
}

// within emits a trap unless the storage of t contains the position (r, c).
func (f *function) within(t *tile, r, c value.Value) {
	f.BelowOrTrap(r, t.info.Rows)
	f.BelowOrTrap(c, t.info.Cols)
}

// covers emits a trap unless the storage of the tile t is at least as large as the valid
// region of the tile other.
func (f *function) covers(t, other *tile) {
	f.BelowOrTrap(other.rows, t.info.Rows+1)
	f.BelowOrTrap(other.cols, t.info.Cols+1)
}

// tileGather emits pto.tgather in one of its three variants: by index, by mask pattern,
// or by comparison.
func (f *function) tileGather(op *ir.Op, _ sem.TileGather) {
	o := sem.TileSearchOf(op)
	src, ok := f.tileOperand(op, o.Src)
	dst, ok2 := f.tileOperand(op, o.Dst)
	switch {
	case !ok || !ok2:
	case o.Value.Given():
		f.gatherByValue(op, o, &src, &dst)
	case src.e.size != dst.e.size:
		f.unsupported(op)
	case o.Indices.Given():
		f.gatherByIndex(op, o, &src, &dst)
	default:
		f.gatherByPattern(op, &src, &dst)
	}
}

// gatherByIndex emits dst[i,j] = src[indices[i,j]]. An index counts the elements of src
// in storage order.
func (f *function) gatherByIndex(op *ir.Op, o sem.TileSearch, src, dst *tile) {
	idx, ok := f.tileOperand(op, o.Indices)
	if !ok {
		return
	}
	f.covers(&idx, dst)
	f.apart(dst, src, &idx)
	f.over(dst, func(r, c value.Value) {
		from := f.stored(src, f.position(&idx, r, c))
		f.copyBytes(f.addr(dst, r, c), from, ll.Index(int64(src.e.size)))
	})
}

// gatherByPattern emits a gather of elements of src to dst. A bit pattern, repeated over
// src, marks the positions of these elements.
func (f *function) gatherByPattern(op *ir.Op, src, dst *tile) {
	pat := isatile.MarkedPlacesOf(op)
	f.apart(dst, src)
	f.over(dst, func(r, c value.Value) {
		sr, sc := f.markedPlace(pat, r, c)
		f.within(src, sr, sc)
		f.copyBytes(f.addr(dst, r, c), f.addr(src, sr, sc), ll.Index(int64(src.e.size)))
	})
}

// gatherByValue emits a search in each row of the tile src. It stores the positions of
// the elements that satisfy a comparison with a value in dst, and the number of these
// elements in another tile.
func (f *function) gatherByValue(op *ir.Op, o sem.TileSearch, src, dst *tile) {
	count, ok := f.tileOperand(op, o.Counts)
	k, ok2 := f.inputOf(op, o.Value.Value, src.e.f)
	if !ok || !ok2 {
		return
	}
	if src.e.packed || !dst.e.f.IsInt() || !count.e.f.IsInt() {
		f.unsupported(op)
		return
	}
	down := f.ICmp(enum.IPredSGE, count.rows, src.rows)
	f.TrapIf(f.ICmp(enum.IPredSGT, src.rows, ll.Index(dst.info.Rows)))
	f.Loop("row", src.rows, func(r value.Value) {
		first := f.Add(f.Mul(r, ll.Index(src.info.Cols)), ll.Index(o.Offset))
		found := f.Reduce("col", src.cols, []value.Value{ll.Index(0)}, func(c value.Value, acc []value.Value) []value.Value {
			holds := f.Relation(o.Compare.Relation(), src.e.f, f.get(src, r, c), f.inputAt(&k, src.e.f, r, c))
			f.When("found", holds, func() {
				f.within(dst, r, acc[0])
				f.put(dst, r, acc[0], f.Resize(f.Add(first, c), dst.e.t, false))
			})
			return []value.Value{f.Add(acc[0], f.ZExt(holds, ll.I64))}
		})[0]
		at := f.Select(down, r, ll.Index(0))
		of := f.Select(down, ll.Index(0), r)
		f.within(&count, at, of)
		f.put(&count, at, of, f.Resize(found, count.e.t, false))
	})
}

// markedPlace emits the row and the column of a source element in a gather by a bit
// pattern. The gather copies this element to element (r, c) of its result. The parameter
// p contains the positions that the pattern selects.
func (f *function) markedPlace(p isatile.MarkedPlaces, r, c value.Value) (value.Value, value.Value) {
	place := func(i value.Value) value.Value {
		n := int64(len(p.Marks))
		nth, at := f.Rem(i, n), value.Value(ll.Index(int64(p.Marks[0])))
		for k := int64(1); k < n; k++ {
			at = f.Select(f.ICmp(enum.IPredEQ, nth, ll.Index(k)), ll.Index(int64(p.Marks[k])), at)
		}
		return f.Add(f.Mul(f.Quo(i, n), ll.Index(int64(p.Size))), at)
	}
	if p.ByRows {
		return place(r), c
	}
	return r, place(c)
}

// tileGatherBlocks emits a gather of blocks of 32 bytes whose positions are byte offsets
// in a tile.
func (f *function) tileGatherBlocks(op *ir.Op, _ sem.TileGatherBlocks) {
	o := sem.TilePlacesOf(op)
	src, ok := f.tileOperand(op, o.Src)
	offsets, ok2 := f.tileOperand(op, o.Places)
	dst, ok3 := f.destinationTile(op)
	if !ok || !ok2 || !ok3 {
		return
	}
	f.apart(&dst, &src)
	per, size := int64(blockBytes/dst.e.size), int64(dst.e.size)
	room := f.Mul(f.elements(&src), ll.Index(int64(src.e.size)))
	f.Loop("row", dst.rows, func(r value.Value) {
		f.Loop("block", f.CeilQuo(dst.cols, per), func(b value.Value) {
			first := f.Mul(b, ll.Index(per))
			n := f.AtMost(f.Sub(dst.cols, first), ll.Index(per))
			f.within(&offsets, r, b)
			at := f.ZExt(f.Resize(f.get(&offsets, r, b), ll.I32, false), ll.I64)
			f.TrapIf(f.ICmp(enum.IPredUGT, f.Add(at, f.Mul(n, ll.Index(size))), room))
			f.Loop("element", n, func(i value.Value) {
				from := f.offset(src.base, f.Add(at, f.Mul(i, ll.Index(size))))
				f.copyBytes(f.addr(&dst, r, f.Add(first, i)), from, ll.Index(size))
			})
		})
	})
}

// tileScatter emits pto.tscatter in one of two variants: to the offsets in a tile, or to
// the positions that a bit pattern marks, with zeros in between.
func (f *function) tileScatter(op *ir.Op, _ sem.TileScatter) {
	src, dst, ok := f.sourceAndDestination(op)
	switch {
	case !ok:
	case src.e.size != dst.e.size:
		f.unsupported(op)
	case !sem.TilePlacesOf(op).Places.Given():
		f.scatterByPattern(op, &src, &dst)
	default:
		f.scatterByIndex(op, &src, &dst)
	}
}

// scatterByIndex emits a scatter of the elements of src to the offsets that a tile of
// indices contains.
func (f *function) scatterByIndex(op *ir.Op, src, dst *tile) {
	idx, ok := f.tileOperand(op, sem.TilePlacesOf(op).Places)
	if !ok {
		return
	}
	f.covers(src, &idx)
	f.apart(dst, src, &idx)
	f.clear(dst)
	f.each(&idx, func(r, c value.Value) {
		to := f.stored(dst, f.position(&idx, r, c))
		f.copyBytes(to, f.addr(src, r, c), ll.Index(int64(src.e.size)))
	})
}

// clear emits stores of zero to all elements of a tile, including those outside the valid
// region.
func (f *function) clear(t *tile) {
	all := *t
	all.rows, all.cols = ll.Index(t.info.Rows), ll.Index(t.info.Cols)
	f.over(&all, func(r, c value.Value) { f.Store(ll.Zero(t.e.mem), f.addr(t, r, c), t.e.size) })
}

// scatterByPattern emits a scatter of the elements of src to dst. A bit pattern, repeated
// over dst, marks the positions that receive an element. All other elements of dst become
// zero.
func (f *function) scatterByPattern(op *ir.Op, src, dst *tile) {
	pat := isatile.MarkedPlacesOf(op)
	f.apart(dst, src)
	if pat.Leaves() {
		f.clear(dst)
	}
	f.each(src, func(r, c value.Value) {
		dr, dc := f.markedPlace(pat, r, c)
		f.within(dst, dr, dc)
		f.copyBytes(f.addr(dst, dr, dc), f.addr(src, r, c), ll.Index(int64(src.e.size)))
	})
}
