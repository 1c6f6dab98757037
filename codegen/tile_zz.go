package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir"
)

// Exponents for the cube unit stand in boxes of 16x2, row after row of boxes,
// of which each is stored row after row.
const (
	zzRows = 16
	zzCols = 2
)

// zzOfRows stores the exponents of groups along rows in boxes, padded to whole
// ones with zeros.
func (f *function) zzOfRows(zz *tile, rows, cols value.Value, get func(r, c value.Value) value.Value) {
	padded := f.roundUpTo(rows, zzRows)
	f.loop("row", padded, func(r value.Value) {
		f.loop("group", cols, func(c value.Value) {
			x := f.choose("given", f.icmp(enum.IPredSLT, r, rows), func() value.Value { return get(r, c) },
				func() value.Value { return zero(zz.e.t) })
			box := f.add(f.mul(f.quo(r, zzRows), f.quo(cols, zzCols)), f.quo(c, zzCols))
			f.putZZ(zz, box, f.rest(r, zzRows), f.rest(c, zzCols), x)
		})
	})
}

// zzOfColumns stores the exponents of groups along columns: those of two
// groups take turns, for 16 columns at a time.
func (f *function) zzOfColumns(zz *tile, rows, cols value.Value, get func(r, c value.Value) value.Value) {
	f.loop("group", rows, func(r value.Value) {
		f.loop("col", cols, func(c value.Value) {
			box := f.add(f.mul(f.quo(c, zzRows), f.quo(rows, zzCols)), f.quo(r, zzCols))
			f.putZZ(zz, box, f.rest(c, zzRows), f.rest(r, zzCols), get(r, c))
		})
	})
}

// putZZ stores an exponent at (r, c) of a box.
func (f *function) putZZ(zz *tile, box, r, c, x value.Value) {
	at := f.add(f.mul(f.add(f.mul(box, index(zzRows)), r), index(zzCols)), c)
	f.storeElement(zz.e, x, f.stored(zz, at))
}

// zzMove writes reordering exponents into boxes. The rows of the source may
// follow each other in one.
func (f *function) zzMove(op *ir.Op) {
	src, dst, ok := f.sourceAndDestination(op)
	if !ok {
		return
	}
	if src.e.size != 1 || dst.e.size != 1 {
		f.unsupported(op)
		return
	}
	f.apart(&dst, &src)
	if op.Attr("grpAxis").Keyword() == "axis0" {
		f.zzOfColumns(&dst, src.rows, src.cols, func(r, c value.Value) value.Value { return f.get(&src, r, c) })
		return
	}
	f.trapIf(f.icmp(enum.IPredSGT, f.mul(dst.rows, dst.cols), f.mul(src.rows, src.cols)))
	f.zzOfRows(&dst, dst.rows, dst.cols, func(r, c value.Value) value.Value {
		n := f.add(f.mul(r, dst.cols), c)
		return f.get(&src, f.udiv(n, src.cols), f.urem(n, src.cols))
	})
}
