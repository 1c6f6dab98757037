// This file proposes other types for the values of an operation.

package repair

import (
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/pattern"
	"ptogo/ir"
)

// causes returns the attempts that change one thing in the program of a, which the error e is
// about.
func causes(a *attempt, e *ir.Diag) []*attempt {
	all := mismatch(a, e, costType)
	_, off := e.Loc.Source()
	if e.Op != nil {
		all = append(all, scalarTypes(a, e.Op, off)...)
		all = append(all, tileTypes(a, e, off)...)
		all = append(all, copies(a, e.Op, off)...)
	}
	all = append(all, renamed(a, e, off)...)
	all = append(all, tokens(a, e, off)...)
	all = append(all, numbers(a, e, off)...)
	all = append(all, missing(a, e, off)...)
	all = append(all, loops(a, e, off)...)
	return append(all, events(a, e, off)...)
}

// consequences returns the attempts that follow from a, after which the error e has come.
func consequences(a *attempt, e *ir.Diag) []*attempt {
	all := mismatch(a, e, costConsequence)
	if e.Op == nil {
		return all
	}
	_, off := e.Loc.Source()
	r := newReader(a.text)
	for _, s := range a.untouched(types(a.text, extent(a.text, off))) {
		was := r.typeOf(a.text[s.off:s.end])
		for _, t := range a.carried {
			if like := following(was, t); !like.IsZero() && like != was {
				all = append(all, a.edit(s, like.String(), costConsequence+1))
			}
		}
	}
	return all
}

// following returns the type of a value whose type was was, after another value of its
// operation has got the type t: t itself, as a tile of the same kind. The result is the zero
// Type if the two types have nothing in common.
func following(was, t ir.Type) ir.Type {
	w, ok := pto.TileOf(was)
	x, ok2 := pto.TileOf(t)
	if ok != ok2 {
		return ir.Type{}
	}
	if !ok {
		return t
	}
	x.Space = w.Space
	if vector(w) && !vector(x) || w.Elem != x.Elem && (w.Rows != x.Rows || w.Cols != x.Cols) {
		return ir.Type{}
	}
	return withInfo(was, x)
}

// withInfo returns the tile type t with another description.
func withInfo(t ir.Type, info pto.TileInfo) ir.Type {
	switch t.Data().(type) {
	case pto.Tile:
		return ir.TypeOf(pto.Tile{TileInfo: info})
	case pto.TileBuf:
		return ir.TypeOf(pto.TileBuf{TileInfo: info})
	}
	return ir.Type{}
}

// tileTypes returns the attempts in which a tile of the operation of e, which the text names
// at off, has another type: with a layout, an extent or elements that occur in the operation
// or that are usual in its memory. Tiles that e does not mention come later.
func tileTypes(a *attempt, e *ir.Diag, off int) []*attempt {
	op := e.Op
	mentioned := mentionedTiles(e)
	r := newReader(a.text)
	s := extent(a.text, off)
	var tiles []pto.TileInfo
	for _, v := range values(op) {
		if info, ok := pto.TileOf(v.Type()); ok {
			tiles = append(tiles, info)
		}
	}
	var all []*attempt
	for _, place := range types(a.text, s) {
		text := a.text[place.off:place.end]
		was := r.typeOf(text)
		info, ok := pto.TileOf(was)
		if was.IsZero() || !ok {
			continue
		}
		cost := costType
		if len(mentioned) > 0 && !slices.Contains(mentioned, info) {
			cost += costUnmentioned
		}
		alias, isAlias := r.aliases[text]
		for _, t := range variations(info, tiles) {
			to := withInfo(was, t)
			what := "with " + to.String() + " instead of " + was.String()
			all = append(all, a.edit(place, r.written(to), cost).carrying(to).called(what))
			if isAlias {
				all = append(all, a.edit(alias, to.String(), cost).carrying(to).called(what))
			}
		}
	}
	return all
}

// quoted matches the name of an operand or result in a message.
var quoted = pattern.Of(`"(\w+)"`)

// mentionedTiles returns the tiles that the message of e names before it compares them with
// others.
func mentionedTiles(e *ir.Diag) []pto.TileInfo {
	text, _, _ := strings.Cut(e.Text, ", as ")
	var all []pto.TileInfo
	for _, m := range quoted().FindAllStringSubmatch(text, -1) {
		if info, ok := pto.TileArg(e.Op, m[1]); ok {
			all = append(all, info)
		}
	}
	return all
}

// values returns the operands and results of op.
func values(op *ir.Op) []*ir.Value {
	return append(slices.Clone(op.Operands()), op.Results()...)
}

// spaces are the memories of tiles.
var spaces = []sem.Space{sem.UB, sem.L1, sem.L0A, sem.L0B, sem.L0C}

// variations returns other types for a tile: of the same extents in other layouts, and with
// the extents, elements or valid region of the other tiles of its operation.
func variations(t pto.TileInfo, others []pto.TileInfo) []pto.TileInfo {
	all := []pto.TileInfo{t}
	add := func(change func(x *pto.TileInfo)) {
		x := t
		change(&x)
		if vector(t) && !vector(x) {
			return // it may be meant for an instruction that repeats it
		}
		if !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	add(func(x *pto.TileInfo) { *x = usual(t, t.Space) })
	add(func(x *pto.TileInfo) { x.Rows, x.Cols, x.VRows, x.VCols = t.Cols, t.Rows, t.VCols, t.VRows })
	for _, o := range others {
		add(func(x *pto.TileInfo) { x.Rows, x.Cols, x.VRows, x.VCols = o.Rows, o.Cols, o.VRows, o.VCols })
		add(func(x *pto.TileInfo) { x.BLayout, x.SLayout, x.Fractal = o.BLayout, o.SLayout, o.Fractal })
	}
	for _, b := range []pto.Layout{pto.RowMajor, pto.ColMajor} {
		for _, inner := range []pto.Layout{pto.NoneBox, pto.RowMajor, pto.ColMajor} {
			for _, fractal := range []int32{pto.DefaultFractal, 1024, 32} {
				add(func(x *pto.TileInfo) { x.BLayout, x.SLayout, x.Fractal = b, inner, fractal })
			}
		}
	}
	for _, space := range spaces {
		add(func(x *pto.TileInfo) { x.Space = space })
		add(func(x *pto.TileInfo) { *x = usual(t, space) })
	}
	for _, o := range others {
		add(func(x *pto.TileInfo) { x.Rows, x.VRows = o.Rows, o.VRows })
		add(func(x *pto.TileInfo) { x.Cols, x.VCols = o.Cols, o.VCols })
		add(func(x *pto.TileInfo) { x.VRows, x.VCols = o.VRows, o.VCols })
		add(func(x *pto.TileInfo) { x.Elem = o.Elem })
		add(func(x *pto.TileInfo) { x.Rows, x.VRows = o.Cols, o.VCols })
		add(func(x *pto.TileInfo) { x.Cols, x.VCols = o.Rows, o.VRows })
		add(func(x *pto.TileInfo) { x.Pad, x.Compact = o.Pad, o.Compact })
	}
	for _, e := range []ir.Type{ir.F32, ir.F16, ir.I32} {
		add(func(x *pto.TileInfo) { x.Elem = e })
	}
	add(func(x *pto.TileInfo) { x.Rows, x.VRows = 1, 1 })
	add(func(x *pto.TileInfo) { x.Cols, x.VCols = 1, 1 })
	add(func(x *pto.TileInfo) { x.Cols, x.VCols, x.BLayout = 1, 1, pto.ColMajor })
	add(func(x *pto.TileInfo) { x.VRows, x.VCols = t.Rows, t.Cols })
	return all[1:]
}

// vector reports whether the valid region of t is one row or one column.
func vector(t pto.TileInfo) bool { return t.VRows == 1 || t.VCols == 1 }

// usual returns the tile t in another memory, in the layout that instructions there use.
func usual(t pto.TileInfo, space sem.Space) pto.TileInfo {
	t.Space = space
	t.BLayout, t.SLayout, t.Fractal = pto.RowMajor, pto.NoneBox, pto.DefaultFractal
	switch space {
	case sem.L1:
		t.BLayout, t.SLayout = pto.ColMajor, pto.RowMajor
	case sem.L0A:
		t.BLayout, t.SLayout = pto.ColMajor, pto.RowMajor
	case sem.L0B:
		t.BLayout, t.SLayout = pto.RowMajor, pto.ColMajor
	case sem.L0C:
		t.BLayout, t.SLayout, t.Fractal = pto.ColMajor, pto.RowMajor, 1024
	}
	return t
}

// scalarTypes returns the attempts in which a scalar operand of op has the type of another
// value of op, of the elements of a tile, or index.
func scalarTypes(a *attempt, op *ir.Op, off int) []*attempt {
	r := newReader(a.text)
	wanted := []ir.Type{ir.Index, ir.I32, ir.I64}
	for _, v := range values(op) {
		t := v.Type()
		if e := ir.ElementType(t); !e.IsZero() {
			t = e
		}
		if !slices.Contains(wanted, t) {
			wanted = append(wanted, t)
		}
	}
	var all []*attempt
	s := extent(a.text, off)
	for _, v := range op.Operands() {
		if pto.IsTile(v.Type()) || !scalar(v.Type()) {
			continue
		}
		for _, t := range wanted {
			if !scalar(t) || t == v.Type() {
				continue
			}
			what := "with the type " + t.String() + " instead of " + v.Type().String()
			for _, place := range r.named(a.text, types(a.text, s), v.Type().String()) {
				all = append(all, a.edit(place, t.String(), costType).carrying(t).called(what))
			}
			if def := v.Op(); def != nil {
				at, defOff := def.Loc().Source()
				if at == nil {
					continue
				}
				for _, place := range r.named(a.text, types(a.text, extent(a.text, defOff)), v.Type().String()) {
					all = append(all, a.edit(place, t.String(), costType).carrying(t).called(what))
				}
			}
		}
	}
	return all
}

// scalar reports whether t is a number type.
func scalar(t ir.Type) bool {
	return t == ir.Index || ir.Is[ir.IntegerType](t) || ir.Is[ir.FloatType](t)
}
