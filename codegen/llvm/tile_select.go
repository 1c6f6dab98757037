// This file emits comparisons, selections and conversions of tiles.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// The mask in a tile is an array of bits: bit j of the storage of a row belongs to
// column j.

// maskByte emits the address of byte i of row r of a mask tile, which contains one bit
// per element.
func (f *function) maskByte(t *tile, r, i value.Value) value.Value {
	return f.offset(f.addr(t, r, ll.Index(0)), i)
}

// compareRows emits code that compares elements and stores the results in the mask tile
// dst. The function holds emits the comparison for element (r, c) of src. For each row of
// src, a row of dst receives one bit per element; the code stores eight bits at a time.
// The bits after the last column, up to the end of the byte, become zero.
func (f *function) compareRows(src, dst *tile, holds func(r, c value.Value) value.Value) {
	bytes := f.CeilQuo(src.cols, 8)
	f.Loop("row", src.rows, func(r value.Value) {
		f.Loop("byte", bytes, func(i value.Value) {
			first := f.Mul(i, ll.Index(8))
			n := f.AtMost(f.Sub(src.cols, first), ll.Index(8))
			bits := f.Reduce("bit", n, []value.Value{ll.Integer(ll.I8, 0)}, func(k value.Value, acc []value.Value) []value.Value {
				return []value.Value{f.Or(acc[0], f.Shl(holds(r, f.Add(first, k)), f.Trunc(k, ll.I8)))}
			})[0]
			f.Store(bits, f.maskByte(dst, r, i), 1)
		})
	})
}

// tileConvert emits a conversion of the elements of a tile to another format. Package nest
// does not describe the conversions from or to 4-bit numbers.
func (f *function) tileConvert(op *ir.Op, _ sem.TileConvert) {
	if f.described(op) {
		return
	}
	o := sem.TileEndsOf(op)
	src, ok := f.tileOperand(op, o.Src)
	dst, ok2 := f.tileOperand(op, o.Dst)
	if ok && ok2 {
		f.convertNibbles(&src, &dst, isatile.ConvertRounding(op), isatile.ConvertSaturates(op))
	}
}

// convertNibbles emits a conversion from or to 4-bit numbers, rounded in mode r. If sat
// is set, a value out of range becomes the nearest finite number of the destination
// format. A byte contains two 4-bit numbers, the first one in its lower half.
func (f *function) convertNibbles(src, dst *tile, r num.Rounding, sat bool) {
	wide, narrow := src, dst
	widening := src.e.f.Bits() == 4
	if widening {
		wide, narrow = dst, src
	}
	area := *wide
	area.rows = f.AtMost(wide.rows, narrow.rows)
	per := isatile.Packs(narrow.info.Elem)
	area.cols = f.AtMost(wide.cols, f.Mul(narrow.cols, ll.Index(per)))
	if !widening { // complete pairs only
		area.cols = f.Sub(area.cols, f.URem(area.cols, ll.Index(per)))
	}
	f.over(&area, func(row, c value.Value) {
		pair := f.LShr(c, ll.Index(1))
		shift := f.Shl(f.Trunc(f.And(c, ll.Index(1)), ll.I8), ll.Integer(ll.I8, 2))
		if widening {
			x := f.Trunc(f.LShr(f.get(src, row, pair), shift), ll.IntType(4))
			f.put(dst, row, c, f.Convert(src.e.f, dst.e.f, x, r, sat))
			return
		}
		x := f.ZExt(f.Convert(src.e.f, dst.e.f, f.get(src, row, c), r, sat), ll.I8)
		other := f.And(f.get(dst, row, pair), f.Not(f.Shl(ll.Integer(ll.I8, 15), shift)))
		f.put(dst, row, pair, f.Or(other, f.Shl(x, shift)))
	})
}

// isNaNOf emits an i1 that is true if x, an element of type e, is NaN.
func (f *function) isNaNOf(e element, x value.Value) value.Value {
	if !e.f.IsFloat() {
		return f.ICmp(enum.IPredNE, ll.Index(0), ll.Index(0))
	}
	return f.IsNaN(f.Decode(e.f, x))
}
