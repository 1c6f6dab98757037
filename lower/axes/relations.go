// This file determines which tiles must be divided together.

package axes

import (
	"fmt"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/passes"
)

// Division states along which axis a tile is divided.
type Division uint8

const (
	// Complete means that the tile is not divided.
	Complete Division = iota
	// ByRows means that each part has some of the rows.
	ByRows
	// ByCols means that each part has some of the columns.
	ByCols
)

// Flipped returns the division of a tile after rows and columns are exchanged.
func (d Division) Flipped() Division {
	switch d {
	case ByRows:
		return ByCols
	case ByCols:
		return ByRows
	}
	return Complete
}

// Lines returns what a division divides: rows or columns.
func (d Division) Lines() string {
	if d == ByCols {
		return "columns"
	}
	return "rows"
}

// Extent is the size of a tile along one axis, and the size of its valid region, which is
// ir.Dynamic if it is known at run time only.
type Extent struct{ Size, Valid int64 }

// ExtentOf returns the extent of a tile of type t along the axis that d divides.
func ExtentOf(t ir.Type, d Division) Extent {
	tile, _ := pto.TileOf(t)
	if d == ByCols {
		return Extent{tile.Cols, tile.VCols}
	}
	return Extent{tile.Rows, tile.VRows}
}

// Resized returns the tile type t with another extent along the axis that d divides.
func Resized(t ir.Type, d Division, e Extent) ir.Type {
	tile, _ := ir.As[pto.Tile](t)
	switch d {
	case ByRows:
		tile.Rows, tile.VRows = e.Size, e.Valid
	case ByCols:
		tile.Cols, tile.VCols = e.Size, e.Valid
	}
	return ir.TypeOf(tile)
}

// Refusal is the reason why tiles cannot be divided, with the operation that causes it.
type Refusal struct {
	Op  *ir.Op
	Why string
}

// relation states that a tile must be divided together with another one. It applies to
// divisions of the other tile along the axis on, or along both axes if on is Complete. If
// flip is set, rows of one tile correspond to columns of the other. The operation op
// requires the relation.
type relation struct {
	to   *ir.Value
	on   Division
	flip bool
	op   *ir.Op
}

// Relations determines how tiles are divided.
type Relations struct {
	// Of are the divided tiles.
	Of map[*ir.Value]Division
	// Terms relates the columns of the left operand of a matrix product to the rows of its
	// right operand, which are the terms of its sums. The other extents of products then
	// stay as they are. Terms must be set before the first call of Relate.
	Terms bool
	// Reduced means that the caller allows sums, products and extremes of the lines of a
	// part instead of those of all lines, also the sums of matrix products. Reduced must be
	// set before the first call of Relate.
	Reduced bool
	// Indexed means that the caller changes instructions whose results depend on the index
	// of a line (sem.IndexedLine), so that their tiles can be divided.
	Indexed bool
	// counts reports whether a value of a type is one of the tiles.
	counts func(t ir.Type) bool
	// part describes in messages what a part of a tile is.
	part  string
	edges map[*ir.Value][]relation
	// complete are tiles that cannot be divided along an axis, with the operation that
	// requires it.
	complete [2]map[*ir.Value]*ir.Op
}

// New returns relations between the values for whose types counts returns true. The text
// part completes the message "needs all rows of a tile, of which ...".
func New(counts func(t ir.Type) bool, part string) *Relations {
	r := &Relations{Of: map[*ir.Value]Division{}, counts: counts, part: part, edges: map[*ir.Value][]relation{}}
	for i := range r.complete {
		r.complete[i] = map[*ir.Value]*ir.Op{}
	}
	return r
}

// Tiles returns those of the values that are tiles.
func (r *Relations) Tiles(vs ...*ir.Value) []*ir.Value {
	var ts []*ir.Value
	for _, v := range vs {
		if v != nil && r.counts(v.Type()) {
			ts = append(ts, v)
		}
	}
	return ts
}

// NeedComplete records that op needs the tiles ts completely.
func (r *Relations) NeedComplete(op *ir.Op, ts []*ir.Value) {
	r.need(op, ByRows, ts)
	r.need(op, ByCols, ts)
}

// need records that op prevents a division of the tiles ts along the axis d.
func (r *Relations) need(op *ir.Op, d Division, ts []*ir.Value) {
	for _, v := range ts {
		r.complete[d-ByRows][v] = op
	}
}

// edge records that a division of one of the tiles a and b determines that of the other.
func (r *Relations) edge(a, b *ir.Value, on Division, flip bool, op *ir.Op) {
	if a != b {
		back := on
		if flip {
			back = on.Flipped()
		}
		r.edges[a] = append(r.edges[a], relation{b, on, flip, op})
		r.edges[b] = append(r.edges[b], relation{a, back, flip, op})
	}
}

// alike records that op requires the same division of all tiles in ts.
func (r *Relations) alike(op *ir.Op, on Division, ts []*ir.Value) {
	for i := 1; i < len(ts); i++ {
		r.edge(ts[0], ts[i], on, false, op)
	}
}

// Relate records how the tiles of op may be divided. A division of one tile can determine
// that of another: an elementwise instruction requires that all its tiles are divided in
// the same way. Relate does not restrict a load or store of a tile, whose view determines
// how the tile can be divided.
func (r *Relations) Relate(op *ir.Op) {
	if flows, known := passes.Flows(op); known && len(op.Regions()) > 0 {
		for _, f := range flows {
			for i, v := range f.To {
				if r.counts(v.Type()) {
					r.edge(f.From.Operand(f.First+i), v, Complete, false, op)
				}
			}
		}
		return
	}
	ts := r.Tiles(append(op.Operands(), op.Results()...)...)
	if len(ts) == 0 || op.Is(scf.Yield) || ViewOf(op) != nil {
		return
	}
	if op.NumResults() == 0 { // it writes a buffer, or has another effect
		r.NeedComplete(op, ts)
		return
	}
	if sem.LineUseOf(op, false) == sem.Reshaped {
		r.reshape(op)
		return
	}
	if left, right := sem.LinesOfProduct(op, false); r.Terms && sem.LineUseOf(op, false) == sem.ProductLine {
		r.edge(left[0], right[0], ByCols, true, op)
		r.need(op, ByRows, left[:1])
		r.need(op, ByCols, right[:1])
		r.NeedComplete(op, r.Tiles(append(append(left[1:], right[1:]...), op.Results()...)...))
		return
	}
	for _, d := range []Division{ByRows, ByCols} {
		switch sem.LineUseOf(op, d == ByCols) {
		case sem.SameLine:
			r.alike(op, d, ts)
		case sem.IndexedLine:
			r.need(op, d, r.Tiles(op.Operands()...))
			if !r.Indexed {
				r.need(op, d, r.Tiles(op.Results()...))
			}
		case sem.SharedLine:
			r.sharedLine(op, d, ts)
		case sem.ProductLine:
			own, complete := sem.LinesOfProduct(op, d == ByCols)
			r.alike(op, d, r.Tiles(append(own, op.Results()...)...))
			switch {
			case !r.Reduced || !hasTerms(op):
				r.need(op, d, r.Tiles(complete...))
			case d == ByCols:
				r.edge(complete[0], own[0], ByCols, true, op)
			}
		default:
			if !r.Reduced || !sem.ReducesLines(op, d == ByCols) {
				r.need(op, d, ts)
			}
		}
	}
}

// hasTerms reports whether op is a matrix product of which each element is a sum with a term
// for each column of the left operand and row of the right operand, and perhaps with the
// element of an accumulator.
func hasTerms(op *ir.Op) bool {
	_, complete := sem.LinesOfProduct(op, false)
	return sem.LineUseOf(op, false) == sem.ProductLine && len(complete) == 1
}

// sharedLine handles op, a broadcast in which a line is combined with each line of a tile.
// The line is necessary completely, and the other tiles are divided in the same way. If
// the result has only one line, the last operand is the line for the broadcast.
func (r *Relations) sharedLine(op *ir.Op, d Division, ts []*ir.Value) {
	result := ExtentOf(op.Result(0).Type(), d).Size
	sources := r.Tiles(op.Operands()...)
	var others []*ir.Value
	for _, v := range ts {
		last := len(sources) > 0 && v == sources[len(sources)-1]
		if n := ExtentOf(v.Type(), d).Size; n == 1 && (result > 1 || last) {
			r.need(op, d, []*ir.Value{v})
			continue
		}
		others = append(others, v)
	}
	r.alike(op, d, others)
}

// reshape handles op, whose result is the operand tile with another shape or element type
// in the same storage. It records whether both tiles are divided in the same way, whether
// rows and columns are exchanged, or that the tiles cannot be divided.
func (r *Relations) reshape(op *ir.Op) {
	a, b := op.Operand(0), op.Result(0)
	from, _ := pto.TileOf(a.Type())
	to, _ := pto.TileOf(b.Type())
	switch {
	case from.Elem != to.Elem && pto.ByteSize(from.Elem) != pto.ByteSize(to.Elem):
		r.NeedComplete(op, []*ir.Value{a, b})
	case from.Rows == to.Rows && from.Cols == to.Cols && from.BLayout == to.BLayout:
		r.edge(a, b, Complete, false, op)
	case from.Cols == 1 && to.Rows == 1 && from.Rows == to.Cols, from.Rows == 1 && to.Cols == 1 && from.Cols == to.Rows:
		r.edge(a, b, Complete, true, op)
	default:
		r.NeedComplete(op, []*ir.Value{a, b})
	}
}

// Spread divides the tile v along the axis d, and all tiles that must be divided together
// with v. The operation op requires it. If one of the tiles already has another division,
// or cannot be divided, Spread returns the reason; a nil result means success.
func (r *Relations) Spread(v *ir.Value, d Division, op *ir.Op) *Refusal {
	if had, ok := r.Of[v]; ok {
		if had != d {
			return &Refusal{op, "splits a tile by rows that other operations split by columns"}
		}
		return nil
	}
	if at := r.complete[d-ByRows][v]; at != nil {
		return &Refusal{at, fmt.Sprintf("needs all %s of a tile, of which %s", d.Lines(), r.part)}
	}
	r.Of[v] = d
	for _, e := range r.edges[v] {
		if e.on != Complete && e.on != d {
			continue
		}
		next := d
		if e.flip {
			next = d.Flipped()
		}
		if a, b := ExtentOf(v.Type(), d).Size, ExtentOf(e.to.Type(), next).Size; a != b {
			return &Refusal{e.op, fmt.Sprintf("works on tiles of %d and %d %s, whose parts would have different %s; make both as large, with a valid region", a, b, d.Lines(), d.Lines())}
		}
		if why := r.Spread(e.to, next, e.op); why != nil {
			return why
		}
	}
	return nil
}
