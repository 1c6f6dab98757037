// This file emits loads that pad both sides of each row.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// tilePads describes the padding that a load adds at the left and right end of each row
// of a tile.
type tilePads struct {
	f *function
	t *tile
	// left and right are the numbers of padding elements at the left and at the right end
	// of each row.
	left, right value.Value
	// first means that the padding element is the first element of the row.
	first bool
	// fill is the padding element if first is not set or if the row is empty.
	fill value.Value
}

// paddedLoad emits a load of the view w into the tile t with padding. The padding element
// is the operand pad_value, or the pad value of the tile type, or zero.
func (f *function) paddedLoad(op *ir.Op, o sem.TileCopy, w *view, t *tile) {
	p := &tilePads{f: f, t: t, left: f.number(o.Left), right: f.number(o.Right), first: o.First, fill: f.padOf(t)}
	if o.Pad.Given() {
		in, ok := f.inputOf(op, o.Pad.Value, t.e.f)
		if !ok || t.e.packed {
			f.unsupported(op)
			return
		}
		p.fill = in.scalar
	}
	for _, n := range []value.Value{p.left, p.right} {
		f.AtMostOrTrap(n, t.info.Cols) // so that sums of them are small
	}
	f.oriented(w, t, func(_, cols pto.ViewAxis) { p.insideOrTrap(f.axisLength(w, cols)) })
	if o.Fill {
		all := func() {
			f.Loop("row", ll.Index(t.info.Rows), func(r value.Value) { p.pad(r, ll.Index(0), ll.Index(t.info.Cols), p.fill) })
		}
		if o.FillIf.Given() {
			f.When("init", f.val(o.FillIf.Value), all)
		} else {
			all()
		}
	}
	f.oriented(w, t, func(rows, cols pto.ViewAxis) { p.rows(w, rows, cols) })
}

// insideOrTrap emits two checks against the number of valid columns of the tile. The
// emitted code traps if the left and right padding together have more columns than the
// tile. It traps, too, if there is padding and the sum of the padding and the parameter
// cols exceeds the columns of the tile.
func (p *tilePads) insideOrTrap(cols value.Value) {
	f := p.f
	pads := f.Add(p.left, p.right)
	rest := f.Sub(p.t.cols, pads)
	f.TrapIf(f.ICmp(enum.IPredSLT, rest, ll.Index(0)))
	f.TrapIf(f.And(f.ICmp(enum.IPredSGT, pads, ll.Index(0)), f.ICmp(enum.IPredSGT, cols, rest)))
}

// rows emits a loop over rows. For each row, it copies the elements of one row of the
// view w into the tile, and stores the padding at both ends of the tile row. The
// parameter rows contains the dimensions of the view that correspond to the rows of the
// tile, and the parameter cols those that correspond to its columns.
func (p *tilePads) rows(w *view, rows, cols pto.ViewAxis) {
	f, t := p.f, p.t
	n := f.AtMost(f.Sub(f.Sub(t.cols, p.left), p.right), f.axisLength(w, cols))
	f.Loop("row", f.AtMost(t.rows, f.axisLength(w, rows)), func(r value.Value) {
		gm := func(c value.Value) value.Value {
			return f.At(w.e.mem, w.base, f.Add(f.axisOffset(w, rows, r), f.axisOffset(w, cols, c)))
		}
		f.Loop("col", n, func(c value.Value) {
			f.Store(f.Load(t.e.mem, gm(c), t.e.size), f.addr(t, r, f.Add(p.left, c)), t.e.size)
		})
		fill := p.fill
		if p.first {
			fill = f.Choose("first", f.ICmp(enum.IPredSGT, n, ll.Index(0)),
				func() value.Value { return f.loadElement(t.e, gm(ll.Index(0))) },
				func() value.Value { return p.fill })
		}
		p.pad(r, ll.Index(0), p.left, fill)
		p.pad(r, f.Add(p.left, n), p.right, fill)
	})
}

// pad emits stores of the element fill to n adjacent columns of a row of the tile. The
// parameter from is the number of the first of these columns.
func (p *tilePads) pad(row, from, n, fill value.Value) {
	p.f.Loop("pad", n, func(i value.Value) { p.f.put(p.t, row, p.f.Add(from, i), fill) })
}
