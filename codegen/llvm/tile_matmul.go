// This file emits matrix products of tiles.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// tileMatmul emits a matrix product of tiles.
func (f *function) tileMatmul(op *ir.Op, kind sem.TileMatmul) {
	m := &matmul{c: f.code, bias: kind.Bias}
	ok := true
	operand := func(name string) *tile {
		if !ok {
			return nil
		}
		var t tile
		t, ok = f.tileArg(op, name)
		return &t
	}
	m.lhs, m.rhs = operand(kind.Lhs), operand(kind.Rhs)
	if kind.Acc || kind.Bias {
		m.in = operand(kind.In)
	}
	if kind.Scaled {
		m.lscale, m.rscale = operand(kind.LhsScale), operand(kind.RhsScale)
	}
	dst, ok2 := f.destinationTile(op)
	if !ok || !ok2 {
		return
	}
	if kind.Scaled {
		f.scalesBeside(op, kind, m)
	}
	if m.lhs.e.packed || m.rhs.e.packed || dst.e.packed {
		f.unsupported(op)
		return
	}
	m.dst = &dst
	high, wide := dst.info.Packed()
	f.fitsInto(m.lhs.rows, m.lhs.info.VRows, m.lhs.info.Rows, high)
	f.fitsInto(m.rhs.cols, m.rhs.info.VCols, m.rhs.info.Cols, wide)
	if f.operandRounding && m.lhs.e.f == num.F32 && m.rhs.e.f == num.F32 {
		m.roundings = f.roundings()
	}
	left, right := m.lhs.info, m.rhs.info
	m.panel, m.depth = ll.Index(left.Cols), ll.Index(right.Rows)
	m.work(roundUp(left.Rows, blockRows)*left.Cols, right.Rows*roundUp(right.Cols, blockCols))
	m.write()
}

// fitsInto emits a trap for the case that an extent of an operand exceeds the
// corresponding extent of the result. The parameter extent is the valid extent of the
// operand at run time, and the parameter room is the extent of the result. The parameter
// valid is the valid extent in the type of the operand, or Dynamic. The parameter storage
// is the extent of the operand's storage, which the valid extent cannot exceed. fitsInto
// emits no code if valid is constant, or if storage is not larger than room.
func (f *function) fitsInto(extent value.Value, valid, storage, room int64) {
	if valid == ir.Dynamic && storage > room {
		f.TrapIf(f.ICmp(enum.IPredSGT, extent, ll.Index(room)))
	}
}

// scalesBeside sets the MX scales of the product m, one factor for each group of 32
// elements. It handles scales that are not operands of op: earlier instructions have
// loaded them into the scale memories of the matrix operands.
func (f *function) scalesBeside(op *ir.Op, kind sem.TileMatmul, m *matmul) {
	groups := f.CeilQuo(f.AtMost(m.lhs.cols, m.rhs.rows), scaleGroup)
	if analysis.ScalesBeside(op, op.Arg(kind.LhsScale)) {
		m.lscale = f.scalesOf(sem.L0A, m.lhs.base, m.lhs.rows, groups)
		if kind.Vector {
			m.lscale = line(m.lscale.e, m.lscale.base, groups)
		}
	}
	if analysis.ScalesBeside(op, op.Arg(kind.RhsScale)) {
		m.rscale = f.scalesOf(sem.L0B, m.rhs.base, m.rhs.cols, groups).transposed()
	}
}
