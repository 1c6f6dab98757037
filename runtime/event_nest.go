// This file derives which bytes a tile instruction reads and writes from its description
// in package nest.

package runtime

import (
	"ptogo/dialect/pto/nest"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// A description is executed once when the kernel is planned. Its loops call their bodies
// once, with the range of all indices, so each access of an element becomes an access of a
// rectangle. The extents of a rectangle are functions that read the valid regions at run
// time.

// count is a number of rows or columns, determined at run time.
type count func(fr *frame) int

// least returns the smaller of two numbers of rows or columns.
func least(a, b count) count { return func(fr *frame) int { return min(a(fr), b(fr)) } }

// fixed returns n as a number of rows or columns.
func fixed(n int) count { return func(*frame) int { return n } }

// nestTile is a tile in a description: the operand v, with the extents of its valid region
// or of another area that starts at its first element.
type nestTile struct {
	v          *ir.Value
	l          *layout
	rows, cols count
	// tile returns the tile at run time.
	tile func(fr *frame) *tile
}

// nestArea is a part of a tile that an instruction reads or writes: the first rows and
// columns, or bits for them. It is accessed if the function when, if not nil, returns true.
type nestArea struct {
	v          *ir.Value
	write      bool
	bits       bool
	rows, cols count
	when       func(fr *frame) bool
}

// nestRegions is the machine (nest.Machine) that collects the accessed areas. An index is
// the number of indices of a loop, which start at 0. Elements have no value.
type nestRegions struct {
	p     *planner
	op    *ir.Op
	areas []nestArea
	// when is the condition of the accesses, or nil.
	when func(fr *frame) bool
}

type noElement struct{}

var regionDescriptions = nest.Descriptions[*nestTile, count, noElement]()

// describedRegions returns the areas that op accesses, as package nest describes it. The
// bool result is false if package nest does not describe op.
func (p *planner) describedRegions(op *ir.Op) ([]nestArea, bool) {
	m := &nestRegions{p: p, op: op}
	ok := regionDescriptions.Run(m, op)
	return m.areas, ok
}

// areaRule returns the region rule of the operand v: the areas in which op reads or writes
// it.
func areaRule(areas []nestArea, v *ir.Value, writes bool) regionRule {
	var own []nestArea
	for _, a := range areas {
		if a.v == v && a.write == writes {
			own = append(own, a)
		}
	}
	return func(fr *frame, u *tileUse, t *tile, list *runList) {
		for i := range own {
			switch a := &own[i]; {
			case a.when != nil && !a.when(fr):
			case a.bits:
				u.rowBytes(list, t, a.rows(fr), (a.cols(fr)+7)/8)
			default:
				u.window(list, t, a.rows(fr), a.cols(fr))
			}
		}
	}
}

// access records an access of the first rows and columns of t.
func (m *nestRegions) access(t *nestTile, rows, cols count, write, bits bool) {
	m.areas = append(m.areas, nestArea{t.v, write, bits, rows, cols, m.when})
}

// under executes body; its accesses have the condition when.
func (m *nestRegions) under(when func(fr *frame) bool, body func()) {
	before := m.when
	m.when = when
	body()
	m.when = before
}

func (m *nestRegions) Target() ir.Target { return m.p.target }

func (m *nestRegions) Tile(o sem.Operand) *nestTile {
	at := m.p.tileOperand(m.op, o)
	if at.l == nil {
		nest.End()
	}
	tile := func(fr *frame) *tile { return fr.t[at.at] }
	return &nestTile{
		v: o.Value, l: at.l, tile: tile,
		rows: func(fr *frame) int { return tile(fr).rows },
		cols: func(fr *frame) int { return tile(fr).cols },
	}
}

func (m *nestRegions) Input(v *ir.Value, _ *nestTile) nest.Input[*nestTile, count, noElement] {
	if m.p.classOf(v.Type()) != tileClass {
		return nest.Input[*nestTile, count, noElement]{Scalar: true, At: func(_, _ count) noElement { return noElement{} }}
	}
	t := m.Tile(sem.Operand{Value: v})
	return nest.Input[*nestTile, count, noElement]{Tile: t, At: func(r, c count) noElement { return m.Get(t, r, c) }}
}

func (m *nestRegions) Whole(t *nestTile) *nestTile {
	all := *t
	all.rows, all.cols = fixed(t.l.rows), fixed(t.l.cols)
	return &all
}

func (m *nestRegions) Fn(*scalar.Fn, *nestTile) func(xs ...noElement) noElement {
	return func(...noElement) noElement { return noElement{} }
}

func (m *nestRegions) Conversion(_, _ *nestTile, _ nest.Conversion) func(noElement) noElement {
	return func(noElement) noElement { return noElement{} }
}

func (m *nestRegions) Holds(scalar.Relation, *nestTile) func(_, _ noElement) noElement {
	return func(_, _ noElement) noElement { return noElement{} }
}

func (m *nestRegions) Reduction(src, _ *nestTile, _ nest.Reduction) func(count) noElement {
	return func(count) noElement { return m.Get(src, src.rows, src.cols) }
}

func (m *nestRegions) FirstWins(*scalar.Fn, *nestTile) func(_, _ noElement) noElement {
	return func(_, _ noElement) noElement { return noElement{} }
}

func (m *nestRegions) Constant(uint64, *nestTile) noElement { return noElement{} }

func (m *nestRegions) Covers(_, _ *nestTile) {}

func (m *nestRegions) Each(t *nestTile, body func(r, c count)) { body(t.rows, t.cols) }

func (m *nestRegions) EachBit(src, dst *nestTile, bit func(r, c count) noElement) {
	bit(src.rows, src.cols)
	m.access(dst, src.rows, src.cols, true, true)
}

func (m *nestRegions) Lines(t *nestTile, axis sem.Axis, body func(line count)) {
	body(func(fr *frame) int {
		lines, n := t.tile(fr).lines(axis == sem.AlongCol)
		if n == 0 {
			return 0
		}
		return lines
	})
}

func (m *nestRegions) Broadcast(dst, v *nestTile, axis sem.Axis, cyclic bool, body func(x noElement, r, c count)) {
	rows, cols := dst.rows, fixed(1)
	switch {
	case axis == sem.AlongCol:
		rows, cols = fixed(1), dst.cols
	case cyclic && !v.l.byCols:
		cols = v.cols
	}
	body(m.Get(v, rows, cols), dst.rows, dst.cols)
}

func (m *nestRegions) Vector(dst *nestTile, src [2]*nestTile, combine func(vector int)) {
	first := func(fr *frame) bool {
		d := dst.tile(fr).extent()
		return src[1].tile(fr).extent() == d && src[0].tile(fr).extent() != d
	}
	m.under(first, func() { combine(0) })
	m.under(func(fr *frame) bool { return !first(fr) }, func() { combine(1) })
}

// Among calls both with the area that the sources a and b share. It calls first with the
// area of a, second with that of b, and none with all of (r, c), although these functions
// apply to a part of their area only: together, the four access these areas.
func (m *nestRegions) Among(a, b *nestTile, r, c count, both, first, second, none func(r, c count)) {
	ra, ca, rb, cb := least(r, a.rows), least(c, a.cols), least(r, b.rows), least(c, b.cols)
	both(least(ra, rb), least(ca, cb))
	first(ra, ca)
	second(rb, cb)
	if none != nil {
		none(r, c)
	}
}

func (m *nestRegions) Get(t *nestTile, r, c count) noElement {
	m.access(t, r, c, false, false)
	return noElement{}
}

func (m *nestRegions) Put(t *nestTile, r, c count, _ noElement) { m.access(t, r, c, true, false) }

func (m *nestRegions) Bit(mask *nestTile, r, c count) noElement {
	m.access(mask, r, c, false, true)
	return noElement{}
}

func (m *nestRegions) Choose(_, _, _ noElement) noElement { return noElement{} }

func (m *nestRegions) Number(n int64) count { return fixed(int(n) + 1) }
