package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// tileTable writes an instruction that takes rows or elements of a table in
// global memory by their numbers, or sends them there.
type tileTable struct {
	f     *function
	gm    view
	tile  tile
	index func(r, c value.Value) value.Value
	byRow value.Value // whether an index names a row
	oob   string
}

// memGather writes reading by indices.
func (f *function) memGather(op *ir.Op) {
	t, ok := f.tileTable(op, "dst", "gatherOob")
	if !ok {
		return
	}
	e := t.tile.e
	t.each(func(gm func() value.Value, inside, r, c value.Value) {
		to := f.addr(&t.tile, r, c)
		f.store(zero(e.mem), to, e.size)
		f.when("inside", inside, func() { f.copyBytes(to, gm(), index(int64(e.size))) })
	})
}

// memScatter writes writing by indices.
func (f *function) memScatter(op *ir.Op) {
	t, ok := f.tileTable(op, "src", "scatterOob")
	if !ok {
		return
	}
	e := t.tile.e
	var combine *scalar.Fn
	for _, a := range atomicFns {
		if a.name == op.Attr("scatterAtomicOp").Keyword() {
			combine = a.fn
		}
	}
	if combine != nil && !f.supports(op, combine, e) {
		return
	}
	t.each(func(gm func() value.Value, inside, r, c value.Value) {
		f.when("inside", inside, func() {
			to, x := gm(), f.get(&t.tile, r, c)
			if combine != nil {
				x = f.applyTo(op, combine, e, f.loadElement(e, to), x)
			}
			f.storeElement(e, x, to)
		})
	})
}

// tileTable prepares what both directions share.
func (f *function) tileTable(op *ir.Op, tileArg, oob string) (*tileTable, bool) {
	w, tile, ok := f.viewAndTile(op, "mem", tileArg)
	if !ok {
		return nil, false
	}
	t := &tileTable{f: f, gm: w, tile: tile, oob: op.Attr(oob).Keyword()}
	mode := op.Attr("coalesce").Keyword()
	t.byRow = constantBool(mode == "row")
	if !f.sameSize(op, &t.gm, &t.tile) {
		return nil, false
	}
	if !pto.IsTile(op.Arg("idx").Type()) {
		x, ok := f.viewOf(op.Arg("idx"))
		t.index = func(r, c value.Value) value.Value {
			n := r
			if mode != "row" {
				n = f.add(f.mul(r, tile.cols), c)
			}
			at := f.at(x.e.mem, x.base, f.axisOffset(&x, pto.WholeView, n))
			return f.resize(f.loadElement(x.e, at), i64, x.e.f.Signed())
		}
		return t, ok
	}
	x, ok := f.tileArg(op, "idx")
	if mode == "" && ok {
		other := f.or(f.icmp(enum.IPredNE, x.rows, tile.rows), f.icmp(enum.IPredNE, x.cols, tile.cols))
		t.byRow = other
	}
	t.index = func(r, c value.Value) value.Value {
		down := f.icmp(enum.IPredEQ, x.cols, index(1))
		rowOf, colOf := f.sel(down, r, index(0)), f.sel(down, index(0), r)
		r, c = f.sel(t.byRow, rowOf, r), f.sel(t.byRow, colOf, c)
		f.within(&x, r, c)
		return f.position(&x, r, c)
	}
	return t, ok
}

// each runs body for each element of the tile: with what gives its address in
// the table, and whether the index names any.
func (t *tileTable) each(body func(gm func() value.Value, inside, r, c value.Value)) {
	f := t.f
	width := f.axisLength(&t.gm, pto.MatrixCols)
	all := f.sel(t.byRow, f.axisLength(&t.gm, pto.MatrixRows), f.axisLength(&t.gm, pto.WholeView))
	f.each(&t.tile, func(r, c value.Value) {
		n, inside := t.clip(t.index(r, c), all)
		body(func() value.Value {
			f.trapIf(f.and(t.byRow, f.icmp(enum.IPredSGE, c, width)))
			n := f.sel(t.byRow, f.add(f.mul(n, width), c), n)
			return f.at(t.gm.e.mem, t.gm.base, f.axisOffset(&t.gm, pto.WholeView, n))
		}, inside, r, c)
	})
}

// clip applies what the instruction says of indices outside of the table.
func (t *tileTable) clip(n, all value.Value) (at, inside value.Value) {
	f := t.f
	inside = f.icmp(enum.IPredULT, n, all)
	if t.oob == "zero" || t.oob == "skip" {
		return n, inside
	}
	low := f.and(n, index(1<<32-1))
	switch t.oob {
	case "clamp":
		f.trapIf(f.icmp(enum.IPredEQ, all, index(0)))
		return f.sel(inside, n, f.atMost(low, f.sub(all, index(1)))), constantBool(true)
	case "wrap":
		f.trapIf(f.icmp(enum.IPredEQ, all, index(0)))
		return f.sel(inside, n, f.urem(low, all)), constantBool(true)
	}
	f.trapIf(f.not(inside))
	return n, inside
}
