package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// tilePads is the padding that a load puts beside the elements of each row.
type tilePads struct {
	f           *function
	t           *tile
	left, right value.Value
	first       bool        // pads with the first element of the row
	fill        value.Value // without one, or if there is none
}

// paddedLoad writes a load that asks for padding. Without pad_value, the pad of
// the type is taken, or zero.
func (f *function) paddedLoad(op *ir.Op, w *view, t *tile) {
	p := &tilePads{f: f, t: t, left: f.countArg(op, "left_padding_num"), right: f.countArg(op, "right_padding_num"), fill: f.padOf(t)}
	p.first = op.Attr("pad_mode").Keyword() == "PadFirstElem"
	if v := op.Arg("pad_value"); v != nil {
		in, ok := f.inputOf(op, v, t.e.f)
		if !ok || t.e.packed {
			f.unsupported(op)
			return
		}
		p.fill = in.scalar
	}
	for _, n := range []value.Value{p.left, p.right, f.add(p.left, p.right)} {
		f.atMostOrTrap(n, t.info.Cols)
	}
	if start, _ := op.Attr("init_out_buffer").AsBool(); start {
		all := func() {
			f.loop("row", index(t.info.Rows), func(r value.Value) { p.pad(r, index(0), index(t.info.Cols), p.fill) })
		}
		if on := op.Arg("init_condition"); on != nil {
			f.when("init", f.val(on), all)
		} else {
			all()
		}
	}
	f.oriented(w, t, func(rows, cols pto.ViewAxis) { p.rows(w, rows, cols) })
}

// rows copies the rows of a view, each with its padding.
func (p *tilePads) rows(w *view, rows, cols pto.ViewAxis) {
	f, t := p.f, p.t
	rest := f.sub(f.sub(t.cols, p.left), p.right)
	n := f.atMost(f.sel(f.icmp(enum.IPredSLT, rest, index(0)), index(0), rest), f.axisLength(w, cols))
	f.loop("row", f.atMost(t.rows, f.axisLength(w, rows)), func(r value.Value) {
		gm := func(c value.Value) value.Value {
			return f.at(w.e.mem, w.base, f.add(f.axisOffset(w, rows, r), f.axisOffset(w, cols, c)))
		}
		f.loop("col", n, func(c value.Value) {
			f.store(f.load(t.e.mem, gm(c), t.e.size), f.addr(t, r, f.add(p.left, c)), t.e.size)
		})
		fill := p.fill
		if p.first {
			fill = f.choose("first", f.icmp(enum.IPredSGT, n, index(0)),
				func() value.Value { return f.loadElement(t.e, gm(index(0))) },
				func() value.Value { return p.fill })
		}
		p.pad(r, index(0), p.left, fill)
		p.pad(r, f.add(p.left, n), p.right, fill)
	})
}

// pad writes one number to n columns of a row.
func (p *tilePads) pad(row, from, n, fill value.Value) {
	p.f.loop("pad", n, func(i value.Value) { p.f.put(p.t, row, p.f.add(from, i), fill) })
}
