// This file expands partial operations.

package expand

import (
	"fmt"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// combination is the routine that expands a TilePart instruction, which combines two
// tiles elementwise. A source tile may have a smaller valid region than the result.
type combination struct {
	x *expander
	// by is the vector instruction that combines two elements. src are the source tiles,
	// and dst is the result.
	by  Instruction
	src [2]*operand
	dst *operand
	// fills reports that result elements outside both source tiles are set to empty.
	// Otherwise these elements remain unchanged.
	fills bool
	// empty holds the bits of the element that fills uses.
	empty uint64
	// emptyLane is a register with the element empty in all lanes.
	emptyLane *ir.Value
}

// tilePart replaces op, a combination of two tiles with valid regions of different sizes
// (kind TilePart), by vector instructions. It returns "" or the reason why it cannot. The
// ends of the valid regions divide the rows into bands. The expansion has one loop nest
// for each band, in which every row of a tile has the same number of elements.
func (x *expander) tilePart(op *ir.Op, kind sem.TilePart) string {
	if kind.Arg {
		return "positions of extremes have no expansion"
	}
	pair := sem.TilePairOf(op)
	c := &combination{x: x}
	var why string
	if c.dst, why = x.tile(pair.Dst.Name); why != "" {
		return why
	}
	tiles := []*operand{c.dst}
	for i := range c.src {
		if c.src[i], why = x.tile(pair.Src[i].Name); why != "" {
			return why
		}
		tiles = append(tiles, c.src[i])
	}
	elem := c.dst.info.Elem
	for _, o := range tiles {
		switch {
		case !o.info.StaticValid():
			return fmt.Sprintf("the valid region of \"%s\" is not constant", o.name)
		case o.byCols():
			return fmt.Sprintf("columns come first in \"%s\"", o.name)
		case o.info.Elem != elem:
			return fmt.Sprintf("the elements of \"%s\" are %s, but those of the result are %s", o.name, o.info.Elem, elem)
		}
	}
	by, ok := VectorOf(kind.Fn, elem, [3]ir.Type{}, x.target)
	if !ok {
		return fmt.Sprintf("no vector instruction computes %s on %s", kind.Fn, elem)
	}
	c.by = by
	f, _ := ir.FormatOf(elem)
	switch kind.Fn {
	case scalar.Max:
		c.empty, c.fills = num.Lowest(f), true
	case scalar.Min:
		c.empty, c.fills = num.Max(f), true
	}
	n, why := x.nest(c.dst, c.src[:], []*operand{c.dst})
	if why != "" {
		return why
	}
	for _, o := range c.src { // registers with other masks are at other places
		n.bars = n.bars || waits(o, c.dst, 2, nil, nil)
	}
	c.emit(n)
	return ""
}

// emit writes one loop nest for each band of rows. A band consists of consecutive rows in
// which each tile has a fixed number of elements.
func (c *combination) emit(n *nest) {
	x, z := c.x, c.dst.info
	x.scope()
	for _, o := range n.tiles() {
		x.pointer(o)
	}
	if c.fills {
		c.emptyLane = x.fill(z.Elem, c.empty)
	}
	if whole := c.src[0].info.ValidShape() == z.ValidShape() && c.src[1].info.ValidShape() == z.ValidShape(); whole {
		n.open(c.dst)
		c.band(n, 0, z.VCols, z.VCols, z.VCols)
		return
	}
	n.flat = false
	from := int64(0)
	ends := []int64{min(c.src[0].info.VRows, c.src[1].info.VRows, z.VRows), min(max(c.src[0].info.VRows, c.src[1].info.VRows), z.VRows), z.VRows}
	for _, end := range ends {
		var cols [2]int64
		for i, o := range c.src {
			if o.info.VRows > from {
				cols[i] = min(o.info.VCols, z.VCols)
			}
		}
		if end > from {
			n.lines = extent{n: end - from}
			c.band(n, from, cols[0], cols[1], z.VCols)
		}
		from = max(from, end)
	}
}

// band emits the code for a band of rows, which have equal numbers of elements. first is
// the index of the first row. The parameter a is the number of elements of a row in the
// first source tile, and b is the number in the second source tile. The parameter all is
// the number of elements of a row of the result.
func (c *combination) band(n *nest, first, a, b, all int64) {
	// Columns are computed in segments of registers that are alike: those where both
	// tiles have all elements, and single registers for the others.
	written := max(a, b)
	if c.fills {
		written = all
	}
	n.eachLine(func(l *line) {
		if first > 0 {
			l = c.x.shifted(l, first)
		}
		if n.flat {
			n.along(l, nil, func(p *point, _ []*ir.Value) []*ir.Value { c.point(n, p, p.count, p.count); return nil })
			return
		}
		both := min(a, b) / n.lanes * n.lanes
		if both > 0 {
			c.x.segment(both, n.lanes, func(at *ir.Value) {
				c.point(n, &point{line: l, at: at, count: n.lanes, mask: c.x.maskOf(n.bits(), n.lanes)}, n.lanes, n.lanes)
			})
		}
		for at := both; at < written; at += n.lanes {
			count := min(n.lanes, written-at)
			p := &point{line: l, at: c.x.index(at), count: count, mask: c.x.maskOf(n.bits(), count)}
			c.point(n, p, max(min(a-at, count), 0), max(min(b-at, count), 0))
		}
	})
}

// point emits the code for the elements at point p, which fill one vector register. Of
// these elements, the first a are valid in the first source tile, and the first b are
// valid in the second source tile. The numbers differ if a valid region ends inside the
// register.
func (c *combination) point(n *nest, p *point, a, b int64) {
	x, elem := c.x, c.dst.info.Elem
	part := func(i int, count int64) *ir.Value {
		if count <= 0 {
			return nil
		}
		return n.loadCount(c.src[i], p, count)
	}
	u, v := part(0, a), part(1, b)
	longer := u
	if b > a {
		longer = v
	}
	n.loaded()
	result := longer
	if both := min(a, b); both > 0 {
		result = x.compute(c.by, elem, x.maskOf(n.bits(), both), [3]*ir.Value{u, v})
		if a != b {
			result = x.choose(result, longer, x.maskOf(n.bits(), both))
		}
	}
	switch either := max(a, b); {
	case either == 0:
		result = c.emptyLane
	case c.fills && either < p.count:
		result = x.choose(result, c.emptyLane, x.maskOf(n.bits(), either))
	}
	n.store(c.dst, p, result)
}
