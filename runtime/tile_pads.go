// This file executes loads that pad both sides of each row.

package runtime

import (
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// tilePads executes a load that adds padding columns before and after each row.
type tilePads struct {
	tileCopy
	// left and right return the numbers of padding columns.
	left, right func(fr *frame) int
	// first means that the first element of the row is the padding element; otherwise
	// value returns it.
	first bool
	value func(fr *frame) uint64
	// init reports whether the complete tile is filled with padding before the load.
	init func(fr *frame) bool
}

// paddedLoad compiles a load with padding into a step. The padding element is the operand
// pad_value if the instruction has this operand, or else the pad value of the tile type.
// If neither exists, it is zero.
func (p *planner) paddedLoad(op *ir.Op, d sem.TileCopy, c *tileCopy) step {
	t := &tilePads{
		tileCopy: *c, left: p.index(d.Left), right: p.index(d.Right),
		first: d.First,
	}
	bits := uint64(0)
	if c.pad != nil {
		bits = num.Load(c.l.f, c.pad)
	}
	t.value = func(*frame) uint64 { return bits }
	if d.Pad.Given() {
		at, conv := p.slot(d.Pad.Value), p.scalarTo(op, d.Pad.Type(), c.l.f)
		t.value = func(fr *frame) uint64 { return conv(fr.x[at]) }
	}
	t.init = func(*frame) bool { return d.Fill }
	if d.Fill && d.FillIf.Given() {
		at := p.slot(d.FillIf.Value)
		t.init = func(fr *frame) bool { return fr.x[at] != 0 }
	}
	p.hear(op, t.region)
	return t.exec
}

// exec loads the rows of the view and writes the padding. It returns a fault if the
// padding does not fit into the tile.
func (c *tilePads) exec(fr *frame) *Fault {
	w, t := &fr.w[c.view], fr.t[c.tile]
	left, right := c.left(fr), c.right(fr)
	ra, ca := c.axes(w, t)
	if outside := isatile.PadsOutside(int64(left), int64(right), int64(ca.length(w)), int64(t.cols)); outside != "" {
		return faultAt(c.op, "%s", outside)
	}
	if c.init(fr) {
		for r := range c.l.rows {
			c.fill(t, r, 0, c.l.cols, c.value(fr))
		}
	}
	n := min(t.cols-left-right, ca.length(w))
	for r := range min(t.rows, ra.length(w)) {
		pad := c.value(fr)
		for i := range n {
			at := ra.offset(w, r) + ca.offset(w, i)
			gm, f := c.gm.bytes(fr.core, w.addr+uint64(at*int64(c.size)), c.size)
			if f != nil {
				return f
			}
			copy(c.l.elem(t, r, left+i), gm)
			if i == 0 && c.first {
				pad = num.Load(c.l.f, gm)
			}
		}
		c.fill(t, r, 0, left, pad)
		c.fill(t, r, left+n, left+n+right, pad)
	}
	return nil
}

// fill stores bits in elements of row r of tile t. The elements start at the column with
// the number in the parameter from, and end before the column with the number in the
// parameter to.
func (c *tilePads) fill(t *tile, r, from, to int, bits uint64) {
	for col := from; col < to; col++ {
		c.l.set(t, r, col, bits)
	}
}
