// This file determines the bytes of a tile that a load or store accesses, for events.

package runtime

import "ptogo/ir"

// hear sets the rule that computes which bytes of its tile operand the instruction op
// accesses. Copies between tiles and views need such a rule: the size of the view
// determines the bytes, not the valid region of the tile. If the launch has no listeners
// for events, hear does nothing.
func (p *planner) hear(op *ir.Op, rule regionRule) {
	if !p.listening() {
		return
	}
	if p.copied == nil {
		p.copied = map[*ir.Op]regionRule{}
	}
	p.copied[op] = rule
}

// hearCopy prepares the events of op, a copy between a tile and a view that the parameter
// c describes. Each event then lists exactly the bytes of the tile that the copy reads or
// writes.
func (p *planner) hearCopy(op *ir.Op, c *tileCopy) {
	p.hear(op, func(fr *frame, u *tileUse, t *tile, list *runList) {
		if c.describe != nil {
			c.describe(fr)
		}
		w := &fr.w[c.view]
		if c.load && c.l.scales() {
			v := c.scaleView(w, t)
			rows, cols := roundUp(v.rows, c.l.boxRows), roundUp(v.cols, c.l.boxCols)
			switch {
			case v.whole:
			case c.l.byCols:
				cols = v.cols
			default:
				rows = v.rows
			}
			u.window(list, t, rows, cols)
			return
		}
		ra, ca := c.axes(w, t)
		u.window(list, t, min(t.rows, ra.length(w)), min(t.cols, ca.length(w)))
		if c.load && c.pad != nil {
			c.filled(t, list)
		}
	})
}

// filled determines which bytes of the tile t a load from a view fills with padding, and
// adds the ranges of these bytes to the parameter list. These are the elements after the
// loaded ones in each row, or in each column if the tile is stored by columns. For tiles
// that consist of fractals, filled adds no range.
func (c *tileCopy) filled(t *tile, list *runList) {
	if c.l.boxed {
		return
	}
	lines, n, end := c.fillEnd(t)
	for line := range lines {
		if n < end {
			at := c.l.lineOffset(t, c.l.byCols, line, n)
			list.add(int64(t.addr)+int64(at), int64((end-n)*c.size))
		}
	}
}

// region adds to list the bytes of tile t that a load with padding writes. These are the
// elements from the view, and the padding elements before and after them. u is the
// description of this tile as an operand of the instruction.
func (c *tilePads) region(fr *frame, u *tileUse, t *tile, list *runList) {
	if c.describe != nil {
		c.describe(fr)
	}
	if c.init(fr) {
		u.window(list, t, c.l.rows, c.l.cols)
		return
	}
	w, pads := &fr.w[c.view], c.left(fr)+c.right(fr)
	ra, ca := c.axes(w, t)
	n := min(t.cols-pads, ca.length(w))
	u.window(list, t, min(t.rows, ra.length(w)), n+pads)
}
