package lower

import (
	"fmt"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// checkApart reports instructions whose tiles share bytes and must not, as far
// as it is known where the tiles lie. It reports whether all is well.
func checkApart(f *ir.Op, diags *ir.Diags) bool {
	ok := true
	for op := range f.Walk() {
		info := pto.InfoOf(op.Def())
		if info == nil || info.Disjoint == nil || op.Form().Level != ir.DPS {
			continue
		}
		names := info.Disjoint(op)
		for i, a := range names {
			for _, b := range names[:i] {
				ok = apart(op, b, a, diags) && ok
			}
		}
	}
	return ok
}

func apart(op *ir.Op, a, b string, diags *ir.Diags) bool {
	x, known := bytesOf(op.Arg(a))
	y, both := bytesOf(op.Arg(b))
	if !known || !both || !x.meets(y) {
		return true
	}
	d := diags.Error(op.Loc(), fmt.Sprintf("'%s' op works on \"%s\" and \"%s\" side by side, but they share bytes", op.Name(), a, b))
	d.Note(op.Arg(a).Op().Loc(), fmt.Sprintf("%q takes bytes %d to %d", a, x.from, x.to-1))
	d.Note(op.Arg(b).Op().Loc(), fmt.Sprintf("%q takes bytes %d to %d", b, y.from, y.to-1))
	return false
}

// byteRange is bytes of a space, or of an allocation without an address.
type byteRange struct {
	space    sem.Space
	root     *ir.Value
	from, to int64
}

func (x byteRange) meets(y byteRange) bool {
	return x.space == y.space && x.root == y.root && x.from < y.to && y.from < x.to
}

// bytesOf returns the bytes between the first and the last of a tile, if it is
// known where they lie.
func bytesOf(v *ir.Value) (byteRange, bool) {
	if v == nil || v.Op() == nil {
		return byteRange{}, false
	}
	op := v.Op()
	switch op.Def().Sem.(type) {
	case sem.AllocTile:
		r := byteRange{space: pto.SpaceOf(v.Type()), root: v, to: storageOf(v.Type())}
		if addr := op.Arg("addr"); addr != nil {
			at, known := arith.ConstantInt(addr)
			r.root, r.from, r.to = nil, at, at+r.to
			return r, known
		}
		return r, true
	case sem.SameStorage:
		return bytesOf(op.Operand(0))
	case sem.SubTile:
		return partOf(op)
	}
	return byteRange{}, false
}

// partOf returns the bytes of a part of a plain tile.
func partOf(op *ir.Op) (byteRange, bool) {
	r, known := bytesOf(op.Arg("source"))
	whole, _ := pto.TileOf(op.Arg("source").Type())
	part, ok := pto.TileOf(op.Result(0).Type())
	offsets := op.Args("offsets")
	if !known || !ok || len(offsets) != 2 || whole.SLayout != pto.NoneBox || whole.Compact != 0 {
		return r, false
	}
	line, known1 := arith.ConstantInt(offsets[0])
	at, known2 := arith.ConstantInt(offsets[1])
	lines, length, pitch := part.Rows, part.Cols, whole.Cols
	if whole.BLayout == pto.ColMajor {
		line, at, lines, length, pitch = at, line, length, lines, whole.Rows
	}
	size := int64(pto.ByteSize(whole.Elem))
	r.from += (line*pitch + at) * size
	r.to = r.from + ((lines-1)*pitch+length)*size
	return r, known1 && known2
}
