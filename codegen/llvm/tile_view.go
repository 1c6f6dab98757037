// This file emits changes of how a tile is viewed.

package llvm

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// placeTile emits an instruction that assigns a local memory address to a tile.
func (f *function) placeTile(op *ir.Op, _ sem.PlaceTile) {
	from := sem.PlacingOf(op)
	t, ok := f.tileOperand(op, from.Source)
	if !ok {
		return
	}
	v := op.Result(0)
	info, _ := pto.TileOf(v.Type())
	at := f.offset(f.tileStart(info), f.Resize(f.val(from.Address.Value), ll.I64, false))
	f.setTile(v, at, ll.Index(info.Pitch()), t.rows, t.cols)
}

// subTile emits a tile that is a rectangular part of another tile, in the same storage.
func (f *function) subTile(op *ir.Op, _ sem.SubTile) {
	from := sem.PlacingOf(op)
	t, ok := f.tileOperand(op, from.Source)
	offsets := f.all(from.Offsets)
	if !ok || len(offsets) != 2 {
		f.unsupported(op)
		return
	}
	v := op.Result(0)
	info, _ := pto.TileOf(v.Type())
	rows, cols := f.validExtents(op, info)
	f.setTile(v, f.addr(&t, offsets[0], offsets[1]), t.pitch, rows, cols)
}

// sameStorage emits a tile of another type in the same storage as the operand. If the new
// type has a dynamic valid region, the region is that of the operand, limited to the size
// of the storage.
func (f *function) sameStorage(op *ir.Op, _ sem.SameStorage) {
	v := op.Operand(0)
	if !pto.IsTile(v.Type()) {
		f.unsupported(op)
		return
	}
	t, ok := f.tileOf(op, v)
	if !ok {
		return
	}
	info, _ := pto.TileOf(op.Result(0).Type())
	rows, cols := t.rows, t.cols
	if src, _ := pto.TileOf(v.Type()); isatile.Crosswise(src, info) {
		rows, cols = cols, rows
	}
	rows, cols = f.AtMost(rows, ll.Index(info.Rows)), f.AtMost(cols, ll.Index(info.Cols))
	if info.VRows != ir.Dynamic {
		rows = ll.Index(info.VRows)
	}
	if info.VCols != ir.Dynamic {
		cols = ll.Index(info.VCols)
	}
	f.setTile(op.Result(0), t.base, ll.Index(info.Pitch()), rows, cols)
}

// setValid emits an instruction that changes the valid region of a tile. It changes only
// the dimensions that are dynamic in the tile type.
func (f *function) setValid(op *ir.Op, _ sem.SetValid) {
	v := op.Operand(0)
	info, ok := pto.TileOf(v.Type())
	if !ok || info.StaticValid() {
		f.unsupported(op)
		return
	}
	slot := f.parts(v)[2]
	rows, cols := f.validExtents(op, info)
	f.Store(rows, slot, 8)
	f.Store(cols, f.At(ll.I64, slot, ll.Index(1)), 8)
}

// getValid emits an instruction that returns the number of valid rows or columns of a
// tile.
func (f *function) getValid(op *ir.Op, kind sem.GetValid) {
	t, ok := f.tileOf(op, op.Operand(0))
	if !ok {
		return
	}
	i := 0
	if kind.Rows {
		f.set(op.Result(i), t.rows)
		i++
	}
	if kind.Cols {
		f.set(op.Result(i), t.cols)
	}
}

// addressOfValue emits an instruction that returns the address of a tile or a view, as a
// pointer or as an integer.
func (f *function) addressOfValue(op *ir.Op, _ sem.AddressOf) {
	v := op.Operand(0)
	ts, _ := partsOf(op.Result(0).Type())
	at := f.parts(v)[0]
	if info, isTile := pto.TileOf(v.Type()); isTile && info.Exponents() { // no pointer leads there
		f.unsupported(op)
		return
	}
	if _, isInt := ts[0].(*types.IntType); isInt {
		at = f.Resize(f.addressOf(pto.SpaceOf(v.Type()), at), ts[0], false)
	}
	f.set(op.Result(0), at)
}

// viewDim emits an instruction that returns an extent or a stride of a view.
func (f *function) viewDim(op *ir.Op, kind sem.ViewDim) {
	w, ok := f.viewOf(op.Operand(0))
	if !ok {
		f.unsupported(op)
		return
	}
	from := w.size
	if kind.Stride {
		from = w.strides
	}
	dim := f.val(sem.ViewingOf(op).Dim.Value)
	if i, known := ll.ConstantInt(dim); known && i >= 0 && i < int64(len(from)) {
		f.set(op.Result(0), from[i])
		return
	}
	f.TrapIf(f.ICmp(enum.IPredUGE, dim, ll.Index(int64(len(from)))))
	all := f.Slot(types.NewArray(uint64(len(from)), ll.I64))
	for i, x := range from {
		f.Store(x, f.At(ll.I64, all, ll.Index(int64(i))), 8)
	}
	f.set(op.Result(0), f.Emit(&llir.InstLoad{ElemType: ll.I64, Src: f.At(ll.I64, all, dim), Align: 8}))
}
