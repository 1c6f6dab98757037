// This file converts kernels that leave the addresses of their tiles to the compiler, as
// in the automatic mode of the library. The text then has tiles without addresses, which
// the passes of pto-opt place as they place those of any program of Level 2.

package cpp

import (
	"slices"
	"strings"

	"ptogo/frontend/llir"
)

// notPlaced reports that the C++ gives no address to the tile whose address is v, in code
// that is compiled without PTOGO_AUTO.
func (f *function) notPlaced(v *llir.Value) bool { return v.Op == "undef" || f.unset[v] }

// isPlace reports whether v is the call with which the header, compiled with PTOGO_AUTO,
// marks the declaration of a tile.
func isPlace(v *llir.Value) bool { return v.Op == "call" && v.Pred == "ptogo_place" }

// noteUnplaced records tiles to which the C++ gives no address among the operands of an
// instruction.
func (f *function) noteUnplaced(b *bound) {
	for _, list := range b.operands {
		for _, a := range list {
			if a.kind == tileArgument && a.from != nil && f.notPlaced(a.from.Args[11]) {
				f.unplaced = a.from
			}
		}
	}
}

// place converts the declaration of a tile without an address. The tile has the type that
// its first use describes. If uses differ in the valid extents, these are dynamic.
func (f *function) place(v *llir.Value) {
	var t shapeOfTile
	var first *llir.Value
	for _, b := range f.f.Blocks {
		for _, u := range b.Insts {
			switch {
			case u.Op == "call" && u.Pred == "ptogo_tile" && len(u.Args) == 14 && u.Args[11] == v:
				n := f.described(u)
				if isPair(n.elem) {
					f.failf(u, "a tile of 4-bit numbers without an address is not supported; assign an address by TASSIGN")
				}
				n, _ = f.withExtents(u, n)
				if first == nil {
					first, t = u, n
				}
				if rows, cols := n.validRows, n.validCols; n.alike(t) && (rows != t.validRows || cols != t.validCols) {
					t.validRows, t.validCols = -1, -1
				}
			case u.Op == "store" && u.Args[0] == v, u.Op == "phi" && slices.Contains(u.Args, v), u.Op == "select" && slices.Contains(u.Args, v):
				f.failf(v, "a tile without an address is an element of an array, or is chosen on several paths, which is not supported; assign an address by TASSIGN to each tile")
			}
		}
	}
	if first == nil {
		return
	}
	if t.validRows < 0 || t.validCols < 0 { // set_validshape needs both to be dynamic
		t.validRows, t.validCols = -1, -1
	}
	a := argument{kind: tileArgument, name: f.fresh("tile"), typ: f.tileType(first, t), elem: t.elem, tile: &t}
	text := "pto.alloc_tile"
	if t.validRows < 0 {
		text += " valid_row = " + f.intConst(t.rows, "index") + " valid_col = " + f.intConst(t.cols, "index")
	}
	f.line(v, "%s = %s : %s", a.name, text, a.typ)
	f.tiles[v] = a
}

// alike reports whether two types differ at most in their valid extents.
func (t shapeOfTile) alike(o shapeOfTile) bool {
	o.validRows, o.validCols = t.validRows, t.validCols
	return t == o
}

// planned returns the tile of type t, without an address, that v describes, a call of
// ptogo_tile.
func (f *function) planned(v *llir.Value, t shapeOfTile) argument {
	base, start := f.tiles[v.Args[11]], len(f.out)
	if base.name == "" {
		f.failf(v, "a tile without an address is used where its declaration is not known")
	}
	if t.validRows < 0 || t.validCols < 0 {
		t.validRows, t.validCols = -1, -1
	} else if base.tile.validRows < 0 && t.alike(*base.tile) {
		t = *base.tile
	}
	name, typ := base.name, f.tileType(v, t)
	if typ != base.typ {
		name = f.fresh("tile")
		f.line(v, "%s = pto.treshape %s : %s -> %s", name, base.name, base.typ, typ)
	}
	if strings.Contains(typ, "?") {
		f.line(v, "pto.set_validshape %s, %s, %s : %s", name, f.index(v, v.Args[12], false), f.index(v, v.Args[13], false), typ)
	}
	return argument{kind: tileArgument, name: name, typ: typ, elem: t.elem, tile: &t, from: v, first: start, last: len(f.out)}
}
