// This file defines pto-fusion-region-gen and pto-flatten-fusion-region.

package fusion

import (
	"slices"

	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// FormRegions is the pass pto-fusion-region-gen. A fusion group is a set of tile
// instructions that an earlier pass has chosen for execution in one loop. FormRegions
// moves the adjacent instructions of each group into a region.
var FormRegions = &passes.Pass{
	Name:   "pto-fusion-region-gen",
	Title:  "PTOFusionRegionGen",
	Doc:    "Moves the adjacent tile instructions of each fusion group into a pto.fusion_region, together with the tiles that only these instructions use. The region returns the tiles that other instructions use later.",
	Anchor: "func.func",
	Stats:  []passes.Stat{{Name: "num-regions", Doc: "regions created"}},
	Run: func(c *passes.Context, f *ir.Op) error {
		for _, span := range spans(f) {
			if len(span) > 1 && span[0].Parent().Def() != isabase.FusionRegion {
				formRegion(span)
				c.Count("num-regions", 1)
			}
		}
		return nil
	},
}

// formRegion moves the instructions of span, which are adjacent, into the body of a new
// fusion region. It inserts this operation at the position of the instructions.
func formRegion(span []*ir.Op) {
	group := span[0].Attr(groupAttr)
	body := ir.NewBlock()
	own := ownTiles(span)
	var yields []*ir.Value
	var types []ir.Type
	for _, t := range own {
		if t.escapes {
			yields, types = append(yields, t.v), append(types, t.v.Type())
		}
	}
	inside := map[*ir.Op]bool{}
	for _, op := range span {
		inside[op] = true
	}
	region := ir.Before(span[0]).Create(ir.State{
		Def: isabase.FusionRegion, Results: types, Regions: []*ir.Region{ir.NewRegion(body)}, Attrs: []ir.NamedAttr{{Name: groupAttr, Attr: group}},
	})
	results := region.Results()
	for _, t := range own {
		switch {
		case t.escapes:
			redirect(t.v, results[0], func(user *ir.Op) bool { return !inside[user] })
			results = results[1:]
		case t.split:
			alloc := t.v.Op().Clone(map[*ir.Value]*ir.Value{})
			body.Append(alloc)
			redirect(t.v, alloc.Result(0), func(user *ir.Op) bool { return inside[user] })
			continue
		}
		alloc := t.v.Op()
		alloc.Remove()
		body.Append(alloc)
	}
	for _, op := range span {
		op.Remove()
		clearGroup(op)
		body.Append(op)
	}
	ir.AtEnd(body, region.Loc()).Create(ir.State{Def: isabase.Yield, Operands: yields})
}

// redirect replaces v by the value to in some of the operations that use v: those for
// which the function of returns true.
func redirect(v, to *ir.Value, of func(user *ir.Op) bool) {
	for _, u := range slices.Collect(v.Uses()) {
		if of(u.Owner()) {
			u.Set(to)
		}
	}
}

// ownTile is a tile that a region can allocate, because its instructions write the tile
// before they or other instructions read it.
type ownTile struct {
	v *ir.Value
	// escapes states that later instructions use the tile.
	escapes bool
	// split states that the next instruction after the region overwrites the tile. The
	// region then has a tile of its own.
	split bool
}

// ownTiles returns the tiles that a region with the instructions of span can allocate, in
// the order of their allocations. The slice span contains consecutive instructions of one
// block.
func ownTiles(span []*ir.Op) []ownTile {
	// The candidates are the tiles that instructions of span use and that the block
	// allocates before span, with the first instruction that uses each of them.
	block := span[0].Block()
	first := map[*ir.Value]*ir.Op{}
	var candidates []*ir.Value
	for _, op := range span {
		for _, v := range op.Operands() {
			alloc := v.Op()
			if first[v] != nil || alloc == nil || alloc.Block() != block || !alloc.Before(span[0]) || !means[sem.AllocTile](alloc) {
				continue
			}
			first[v], candidates = op, append(candidates, v)
		}
	}
	slices.SortFunc(candidates, func(v, w *ir.Value) int {
		if v.Op().Before(w.Op()) {
			return -1
		}
		return 1
	})
	var own []ownTile
	for _, v := range candidates {
		if !writtenFirst(first[v], v) {
			continue
		}
		t := ownTile{v: v}
		next, before := outside(span, t.v)
		switch {
		case before:
			continue
		case next == nil:
		case overwrites(next, t.v):
			t.split = true
		default:
			t.escapes = true
		}
		own = append(own, t)
	}
	return own
}

// writtenFirst reports whether op, the first instruction of a region that has the tile v
// as an operand, writes v without reading it.
func writtenFirst(op *ir.Op, v *ir.Value) bool {
	return written(op) == v && !slices.ContainsFunc(accesses(op), func(a access) bool { return a.v == v && (a.reads || a.scratch) })
}

// outside searches the block of the instructions in span for other uses of the tile v. An
// operation counts as a use if it, or an operation in its regions, has v as an operand.
// The result next is the first of these operations after span, or nil. The result before
// is true if one of them precedes span.
func outside(span []*ir.Op, v *ir.Value) (next *ir.Op, before bool) {
	block := span[0].Block()
	for u := range v.Uses() {
		op := u.Owner()
		for op.Block() != block {
			op = op.Parent()
		}
		switch {
		case op.Before(span[0]):
			before = true
		case op == span[0] || !span[len(span)-1].Before(op):
		case next == nil || op.Before(next):
			next = op
		}
	}
	return next, before
}

// overwrites reports whether op writes all elements of the tile v without reading it.
func overwrites(op *ir.Op, v *ir.Value) bool {
	info, ok := tileInfo(v)
	whole := ok && info.VRows == info.Rows && info.VCols == info.Cols
	reads := func(a access) bool { return a.v == v && (a.reads || a.scratch) }
	return whole && onTiles(op) && elementwise(op) && written(op) == v && !slices.ContainsFunc(accesses(op), reads)
}

// tileInfo returns the layout of v, if v is a tile.
func tileInfo(v *ir.Value) (pto.TileInfo, bool) { return pto.TileOf(v.Type()) }

// Flatten is the pass pto-flatten-fusion-region. It replaces each pto.fusion_region by
// the instructions in it.
var Flatten = &passes.Pass{
	Name:   "pto-flatten-fusion-region",
	Title:  "PTOFlattenFusionRegion",
	Doc:    "Replaces each pto.fusion_region by the instructions that it contains.",
	Anchor: "func.func",
	Stats:  []passes.Stat{{Name: "num-flattened", Doc: "regions replaced"}},
	Run: func(c *passes.Context, f *ir.Op) error {
		var regions []*ir.Op
		for op := range f.Walk() {
			if op.Is(isabase.FusionRegion) {
				regions = append(regions, op)
			}
		}
		for _, op := range slices.Backward(regions) { // inner ones first
			flatten(op)
		}
		c.Count("num-flattened", len(regions))
		return nil
	},
}

// flatten replaces the region of op by its contents.
func flatten(op *ir.Op) {
	body := op.Region(0).Entry()
	yield := body.Terminator()
	for i, v := range yield.Operands() {
		op.Result(i).ReplaceAllUses(v)
	}
	yield.Erase()
	for o := body.First(); o != nil; o = body.First() {
		o.Remove()
		op.Block().InsertBefore(o, op)
	}
	op.Erase()
}
