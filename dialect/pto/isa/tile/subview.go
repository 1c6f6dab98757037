// This file defines subviews of tiles.

package tile

import (
	"cmp"
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// SubView is pto.subview. It returns a rectangular region of a tile as a new tile. The
// new tile shares the storage of the original tile.
var SubView = Define("subview", func(name string) *ir.Def {
	return tileView(Op{
		Name: name, Family: configFamily, Page: configPage(name), Old: []string{"subset"},
		Doc:    "Returns the part of a tile that starts at offsets and has the given sizes, in the same storage.",
		Ins:    Args{In("source", AnyTile), Many("offsets", Index), Opt("valid_row", Index), Opt("valid_col", Index)},
		Outs:   Args{In("result", ir.OneOf(AnyTile, AnyPart))},
		Attrs:  []ir.AttrDef{{Name: "sizes", Type: ir.ArrayOf(ir.AnyIntAttr), Doc: "rows and columns"}},
		Sem:    sem.SubTile{},
		Traits: ir.Pure,
		Syntax: ir.AsmWith("$source `[` $offsets `]` custom<part>($sizes) attr-dict `:` type($source) custom<gives>($sizes)",
			map[string]ir.Hook{"part": {ParseFn: parsePart, PrintFn: printPart}, "gives": {ParseFn: parsePartType, PrintFn: printPartType}}),
		Verify: func(op *ir.Op, v *ir.Verifier) {
			if msg := checkSubView(op); msg != "" {
				v.Errorf(op, "%s", msg)
			}
		},
		Examples: []string{
			"%s = pto.subview %t[%i, %j] sizes [16, 32] : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 16x32xf32>",
			"%s = pto.subview %t[%i, %j] sizes [16, 32] valid [%r, %c] : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 16x32xf32, valid=?x?>",
		},
		Notes: []string{"The ISA page keeps the storage size of the source in the result's type; the IR operation has the size of the part."},
	})
})

// parsePart parses sizes [16, 32] and, if present, valid [%r, %c]: the shape and the
// valid region of a subview.
func parsePart(p *ir.Parser, st *ir.OpParse) {
	var sizes []ir.Attr
	p.Expect("sizes")
	p.Expect("[")
	p.List("]", func() { sizes = append(sizes, ir.IntAttr(ir.I64, p.Integer())) })
	p.Expect("]")
	st.Attr("sizes", ir.Array(sizes...))
	if p.Accept("valid") {
		p.Expect("[")
		st.Operand("valid_row", p.Operand())
		p.Expect(",")
		st.Operand("valid_col", p.Operand())
		p.Expect("]")
	}
}

// printPart prints the sizes and the valid region of a subview. It prints a space before
// each list, as in public programs.
func printPart(w *ir.Printer, op *ir.Op) {
	w.Token("sizes")
	w.Raw(" [")
	for i, n := range SubViewSizes(op) {
		if i > 0 {
			w.Token(",")
		}
		w.Number(ir.IntAttr(ir.I64, n))
	}
	w.Token("]")
	if r, c := op.Arg("valid_row"), op.Arg("valid_col"); r != nil && c != nil {
		w.Token("valid")
		w.Raw(" [")
		w.Values(r, c)
		w.Token("]")
	}
}

// parsePartType parses the arrow -> and the type of the result. In a deprecated syntax,
// both are omitted; parsePartType then derives the type from the source tile and the
// sizes, and adds a warning.
func parsePartType(p *ir.Parser, st *ir.OpParse) {
	off := p.PrevEnd()
	if p.Accept("->") {
		st.ResultType("result", p.ResultTypes()...)
		return
	}
	var sizes []int64
	a, _ := ir.AttrAs[ir.ArrayAttr](st.GetAttr("sizes"))
	for _, e := range a.Elems.All() {
		n, _ := e.AsInt()
		sizes = append(sizes, n)
	}
	src := st.OperandTypes("source")
	if len(src) != 1 || len(sizes) != 2 || !IsTile(src[0]) {
		p.Expect("->")
		return
	}
	p.Old(off, "subset without the type of its result", "-> !pto.tile_buf<...>, as big as its sizes say")
	st.ResultType("result", withExtents(src[0], sizes[0], sizes[1]))
}

// withExtents returns tile type t with the given rows and columns, all of them valid.
func withExtents(t ir.Type, rows, cols int64) ir.Type {
	info, _ := TileOf(t)
	info.Rows, info.Cols, info.VRows, info.VCols = rows, cols, rows, cols
	if ir.Is[Tile](t) {
		return ir.TypeOf(Tile{TileInfo: info})
	}
	return ir.TypeOf(TileBuf{TileInfo: info})
}

// printPartType prints -> and the type of a subview's result.
func printPartType(w *ir.Printer, op *ir.Op) {
	w.Token("->")
	w.Type(op.Result(0).Type())
}

// SubViewSizes returns the numbers of rows and columns in attribute sizes of op, a
// subview.
func SubViewSizes(op *ir.Op) []int64 {
	a, _ := ir.AttrAs[ir.ArrayAttr](op.Attr("sizes"))
	var sizes []int64
	for _, e := range a.Elems.All() {
		n, _ := e.AsInt()
		sizes = append(sizes, n)
	}
	return sizes
}

// checkSubView returns a message if the sizes, offsets or types of op, a subview, are
// inconsistent, and "" otherwise.
func checkSubView(op *ir.Op) string {
	src, _ := TileOf(op.Operand(0).Type())
	dst, ok := TileOf(op.Result(0).Type())
	sizes, offsets := SubViewSizes(op), op.Args("offsets")
	switch {
	case !ok || ir.Is[Tile](op.Operand(0).Type()) != ir.Is[Tile](op.Result(0).Type()):
		return fmt.Sprintf("returns %s, but its source is %s: the result must be a tile of the same kind", op.Result(0).Type(), op.Operand(0).Type())
	case len(sizes) != 2 || sizes[0] <= 0 || sizes[1] <= 0:
		return "needs two positive sizes"
	case len(offsets) != 2:
		return fmt.Sprintf("needs two offsets, but has %d", len(offsets))
	case (op.Arg("valid_row") == nil) != (op.Arg("valid_col") == nil):
		return "must have both valid_row and valid_col, or neither"
	case dst.Rows != sizes[0] || dst.Cols != sizes[1]:
		return fmt.Sprintf("returns a tile of %dx%d, but its sizes are %dx%d", dst.Rows, dst.Cols, sizes[0], sizes[1])
	}
	like := dst
	like.Rows, like.Cols, like.VRows, like.VCols = src.Rows, src.Cols, src.VRows, src.VCols
	if like != src {
		return "must keep element type, space and layout of its source"
	}
	return cmp.Or(
		checkPart("row", op.Arg("valid_row"), offsets[0], dst.VRows, sizes[0]),
		checkPart("col", op.Arg("valid_col"), offsets[1], dst.VCols, sizes[1]),
		checkBoxes(src, sizes, offsets),
	)
}

// checkPart returns a message if one dimension of a subview is invalid, and "" otherwise.
// The parameter what is the name of the dimension in messages. valid is the operand with
// the number of valid rows or columns, and offset is the operand with the first row or
// column. want is the valid number in the result type, and size is the number of rows or
// columns of the subview.
func checkPart(what string, valid, offset *ir.Value, want, size int64) string {
	if at, known := ConstantInt(offset); known && at < 0 {
		return fmt.Sprintf("%s offset must not be negative, but is %d", what, at)
	}
	n, known := ConstantInt(valid)
	switch {
	case known && (n < 0 || n > size):
		return fmt.Sprintf("valid_%s must be between 0 and %d, but is %d", what, size, n)
	case known && want != n:
		return fmt.Sprintf("valid_%s is %d, but in the type of the result it is %s", what, n, AppendExtent(nil, want))
	case known:
		return ""
	case valid != nil && want != ir.Dynamic:
		return fmt.Sprintf("valid_%s is not constant, but in the type of the result it is %d", what, want)
	case valid == nil && want == ir.Dynamic:
		return fmt.Sprintf("needs valid_%s, because it is dynamic in the type of the result", what)
	}
	return ""
}

// checkBoxes checks a region of the tile src, which is stored in boxes (inner blocks). It
// returns a message unless the region consists of complete boxes. sizes are the rows and
// columns of the region, and offsets the row and column at which it starts.
func checkBoxes(src TileInfo, sizes []int64, offsets []*ir.Value) string {
	rows, cols, ok := src.FullBox()
	if !ok {
		return fmt.Sprintf("cannot select a part of a tile with fractal=%d", src.Fractal)
	}
	for i, box := range []int64{rows, cols} {
		what := []string{"row", "col"}[i]
		if sizes[i]%box != 0 {
			return fmt.Sprintf("%s size must be a multiple of %d, the size of a box, but is %d", what, box, sizes[i])
		}
		if at, known := ConstantInt(offsets[i]); known && at%box != 0 {
			return fmt.Sprintf("%s offset must be a multiple of %d, the size of a box, but is %d", what, box, at)
		}
	}
	return ""
}
