// This file emits reordering of MX exponents into boxes.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"
	"ptogo/dialect/pto/sem"

	"ptogo/codegen/ll"
	"ptogo/ir"
)

// The cube unit reads scale exponents in boxes of 16x2. The boxes, and the elements of
// each box, are in row-major order.
const (
	zzRows = 16
	zzCols = 2
)

// zzOfRows emits stores of MX scale exponents to the tile zz in boxes of 16x2. The
// exponents form a matrix of rows x cols: each row of the quantized tile consists of cols
// groups of elements, and each group has one exponent. If rows is not a multiple of 16,
// zeros fill the rest of the last boxes. The function get returns the exponent of group c
// in row r.
func (f *function) zzOfRows(zz *tile, rows, cols value.Value, get func(r, c value.Value) value.Value) {
	padded := f.RoundUpTo(rows, zzRows)
	f.Loop("row", padded, func(r value.Value) {
		f.Loop("group", cols, func(c value.Value) {
			x := f.Choose("given", f.ICmp(enum.IPredSLT, r, rows), func() value.Value { return get(r, c) },
				func() value.Value { return ll.Zero(zz.e.t) })
			box := f.Add(f.Mul(f.Quo(r, zzRows), f.Quo(cols, zzCols)), f.Quo(c, zzCols))
			f.putZZ(zz, box, f.Rem(r, zzRows), f.Rem(c, zzCols), x)
		})
	})
}

// zzOfColumns emits stores of MX scale exponents to the tile zz in boxes of 16x2. A group
// of elements with a common exponent runs along a column. The parameter cols is the
// number of columns, and the parameter rows is the number of groups in each column. A box
// contains the exponents of two groups for each of 16 columns. The function get returns
// the exponent of group r of column c.
func (f *function) zzOfColumns(zz *tile, rows, cols value.Value, get func(r, c value.Value) value.Value) {
	f.Loop("group", rows, func(r value.Value) {
		f.Loop("col", cols, func(c value.Value) {
			box := f.Add(f.Mul(f.Quo(c, zzRows), f.Quo(rows, zzCols)), f.Quo(r, zzCols))
			f.putZZ(zz, box, f.Rem(c, zzRows), f.Rem(r, zzCols), get(r, c))
		})
	})
}

// putZZ emits a store of the exponent x to the tile zz, which is stored in boxes. The
// position of the exponent is row r and column c of the box with the index in the
// parameter box.
func (f *function) putZZ(zz *tile, box, r, c, x value.Value) {
	at := f.Add(f.Mul(f.Add(f.Mul(box, ll.Index(zzRows)), r), ll.Index(zzCols)), c)
	f.storeElement(zz.e, x, f.stored(zz, at))
}

// zzMove emits an instruction that reorders the exponents of an MX operand into boxes of
// 16 x 2. The source may contain the exponents of all rows in a single row.
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
	if sem.GroupsByColumns(op) {
		f.zzOfColumns(&dst, src.rows, src.cols, func(r, c value.Value) value.Value { return f.get(&src, r, c) })
		return
	}
	f.TrapIf(f.ICmp(enum.IPredSGT, f.Mul(dst.rows, dst.cols), f.Mul(src.rows, src.cols)))
	f.zzOfRows(&dst, dst.rows, dst.cols, func(r, c value.Value) value.Value {
		n := f.Add(f.Mul(r, dst.cols), c)
		return f.get(&src, f.UDiv(n, src.cols), f.URem(n, src.cols))
	})
}
