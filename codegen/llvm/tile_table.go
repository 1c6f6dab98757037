// This file emits gathers from and scatters to tables in global memory.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// tileTable emits an instruction that reads or writes a table in global memory. A tile of
// indices selects the rows or the elements of the table.
type tileTable struct {
	f    *function
	gm   view
	tile tile
	// index emits the table index for element (r, c) of the tile.
	index func(r, c value.Value) value.Value
	// byRow is an i1 that is true if an index selects a complete row of the table.
	byRow value.Value
	// outside specifies how an index out of range is handled.
	outside sem.OutOfBounds
	// atomic, if not nil, combines written elements with the contents of memory.
	atomic *scalar.Fn
}

// memGather emits pto.mgather: it reads rows or elements of a table in global memory into
// a tile.
func (f *function) memGather(op *ir.Op, _ sem.MemGather) {
	t, ok := f.tileTable(op)
	if !ok {
		return
	}
	e := t.tile.e
	t.each(func(gm func() value.Value, inside, r, c value.Value) {
		to := f.addr(&t.tile, r, c)
		f.Store(ll.Zero(e.mem), to, e.size)
		f.When("inside", inside, func() { f.copyBytes(to, gm(), ll.Index(int64(e.size))) })
	})
}

// memScatter emits pto.mscatter: it writes rows or elements of a tile to a table in
// global memory.
func (f *function) memScatter(op *ir.Op, _ sem.MemScatter) {
	t, ok := f.tileTable(op)
	if !ok {
		return
	}
	e, combine := t.tile.e, t.atomic
	if combine != nil && !f.supports(op, combine, e) {
		return
	}
	t.each(func(gm func() value.Value, inside, r, c value.Value) {
		f.When("inside", inside, func() {
			to, x := gm(), f.get(&t.tile, r, c)
			if combine != nil {
				x = f.applyTo(op, combine, e, f.loadElement(e, to), x)
			}
			f.storeElement(e, x, to)
		})
	})
}

// tileTable returns the description with which the emitter translates op, an access to a
// table in global memory: mgather, which reads rows or elements of the table, or
// mscatter, which writes them. The second result is false after an error.
func (f *function) tileTable(op *ir.Op) (*tileTable, bool) {
	o := sem.TableOf(op)
	w, tile, ok := f.viewAndTile(op, o.Mem, o.Tile)
	if !ok {
		return nil, false
	}
	t := &tileTable{f: f, gm: w, tile: tile, outside: o.Outside, atomic: o.Atomic}
	t.byRow = ll.ConstantBool(o.By == sem.IndexRows)
	if !f.sameSize(op, &t.gm, &t.tile) {
		return nil, false
	}
	if !pto.IsTile(o.Index.Type()) {
		x, ok := f.viewOf(o.Index.Value)
		t.index = func(r, c value.Value) value.Value {
			n := f.axisOffset(&x, pto.WholeView, r)
			if o.By != sem.IndexRows {
				// A view with a single row contains the indices of all rows of the tile.
				own := f.Add(f.axisOffset(&x, pto.MatrixRows, r), f.axisOffset(&x, pto.MatrixCols, c))
				flat := f.axisOffset(&x, pto.WholeView, f.Add(f.Mul(r, tile.cols), c))
				n = f.Select(f.ICmp(enum.IPredSGT, f.axisLength(&x, pto.MatrixRows), ll.Index(1)), own, flat)
			}
			at := f.At(x.e.mem, x.base, n)
			return f.Resize(f.loadElement(x.e, at), ll.I64, x.e.f.Signed())
		}
		return t, ok
	}
	x, ok := f.tileOperand(op, o.Index)
	if o.By == sem.IndexByShape && ok {
		other := f.Or(f.ICmp(enum.IPredNE, x.rows, tile.rows), f.ICmp(enum.IPredNE, x.cols, tile.cols))
		t.byRow = other
	}
	t.index = func(r, c value.Value) value.Value {
		down := f.ICmp(enum.IPredEQ, x.cols, ll.Index(1))
		rowOf, colOf := f.Select(down, r, ll.Index(0)), f.Select(down, ll.Index(0), r)
		r, c = f.Select(t.byRow, rowOf, r), f.Select(t.byRow, colOf, c)
		f.within(&x, r, c)
		return f.position(&x, r, c)
	}
	return t, ok
}

// each emits a loop over the elements of the tile. It calls body once, to emit the code
// for one element. The arguments r and c of body are the row and the column of the
// element. The argument inside is an i1 that is true if the index for this element is in
// range. The argument gm is a function that emits the address of the table element with
// this index.
func (t *tileTable) each(body func(gm func() value.Value, inside, r, c value.Value)) {
	f := t.f
	rows, cols, boxes := pto.TableAxes(t.tile.info)
	width := f.axisLength(&t.gm, cols)
	all := f.Select(t.byRow, f.axisLength(&t.gm, rows), f.axisLength(&t.gm, pto.WholeView))
	f.each(&t.tile, func(r, c value.Value) {
		n, inside := t.clip(t.index(r, c), all)
		body(func() value.Value {
			f.TrapIf(f.And(t.byRow, f.ICmp(enum.IPredSGE, c, width)))
			if boxes {
				r, c := f.Select(t.byRow, n, f.UDiv(n, width)), f.Select(t.byRow, c, f.URem(n, width))
				return f.At(t.gm.e.mem, t.gm.base, f.Add(f.axisOffset(&t.gm, rows, r), f.axisOffset(&t.gm, cols, c)))
			}
			row := f.axisOffset(&t.gm, pto.WholeView, f.Add(f.Mul(n, width), c))
			return f.At(t.gm.e.mem, t.gm.base, f.Select(t.byRow, row, n))
		}, inside, r, c)
	})
}

// clip emits the code for an index n into a table with the given number of entries (the
// parameter all). If n is out of range, the instruction determines what happens: it skips
// the access, or uses another index, such as the last one. The result at is the index to
// use. The result inside is an i1 that is false if the access must be skipped.
func (t *tileTable) clip(n, all value.Value) (at, inside value.Value) {
	f := t.f
	inside = f.ICmp(enum.IPredULT, n, all)
	if t.outside == sem.OutSkips {
		return n, inside
	}
	low := f.And(n, ll.Index(1<<32-1))
	switch t.outside {
	case sem.OutClamps:
		f.TrapIf(f.ICmp(enum.IPredEQ, all, ll.Index(0)))
		return f.Select(inside, n, f.AtMost(low, f.Sub(all, ll.Index(1)))), ll.ConstantBool(true)
	case sem.OutWraps:
		f.TrapIf(f.ICmp(enum.IPredEQ, all, ll.Index(0)))
		return f.Select(inside, n, f.URem(low, all)), ll.ConstantBool(true)
	}
	f.TrapIf(f.Not(inside))
	return n, inside
}
