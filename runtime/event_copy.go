// This file determines the bytes of a tile that a load or store accesses, for events.

package runtime

import "ptogo/ir"

// hear sets the function that determines which bytes of its tile operand op accesses. It
// is used for copies between tiles and views: the valid region of the tile does not
// determine these bytes, the size of the view does. Without listeners it does nothing.
func (p *planner) hear(op *ir.Op, rule regionRule) {
	if !p.listening() {
		return
	}
	if p.copied == nil {
		p.copied = map[*ir.Op]regionRule{}
	}
	p.copied[op] = rule
}

// hearCopy makes the events of the copy op list exactly the bytes of the tile that it
// reads or writes.
func (p *planner) hearCopy(op *ir.Op, c *tileCopy) {
	p.hear(op, func(fr *frame, u *tileUse, t *tile, list *runList) {
		if c.describe != nil {
			c.describe(fr)
		}
		w := &fr.w[c.view]
		if c.load && c.l.scales() {
			rows, cols, _ := c.scaleBoxes(w, t)
			u.window(list, t, roundUp(rows, c.l.boxRows), roundUp(cols, c.l.boxCols))
			return
		}
		ra, ca := c.axes(w, t)
		u.window(list, t, min(t.rows, ra.length(w)), min(t.cols, ca.length(w)))
		if c.load && c.pad != nil {
			c.filled(t, list)
		}
	})
}

// filled determines which bytes of tile t a load fills with padding, and adds these bytes
// to list.
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

// region adds to list the bytes of tile t that a load with padding writes: the copied
// elements and the padding.
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
