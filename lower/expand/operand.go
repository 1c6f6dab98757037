package expand

import (
	"fmt"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// operand is a tile of the instruction.
type operand struct {
	name  string
	value *ir.Value
	info  pto.TileInfo
	size  int64 // bytes of an element
	pitch int64 // elements from line to line; a line is a row, or a column if columns come first
	ptr   *ir.Value
	// row and col are where the elements start if they are a window of the tile.
	row, col *ir.Value
	window   bool
	// valid holds the valid rows and columns where info does not: values that are known
	// where the tile is allocated, or nil.
	valid [2]*ir.Value
}

// laneElems are the elements that lanes of registers can hold, each in its own.
const laneElems = (pto.B8 | pto.B16 | pto.B32) &^ pto.FP4

// tile returns the operand with the given name, or the reason why registers cannot hold
// its elements.
func (x *expander) tile(name string) (*operand, string) {
	v := x.op.Arg(name)
	if v == nil {
		return nil, fmt.Sprintf("operand \"%s\" is absent", name)
	}
	info, ok := pto.TileOf(v.Type())
	o := &operand{name: name, value: v, info: info, size: info.ElemBytes()}
	switch {
	case !ok:
		return nil, fmt.Sprintf("operand \"%s\" is not a tile", name)
	case info.Space != sem.UB:
		return nil, fmt.Sprintf("\"%s\" is in %s, which vector instructions cannot access", name, info.Space.Loc())
	case info.SLayout != pto.NoneBox:
		return nil, fmt.Sprintf("the elements of \"%s\" are in boxes", name)
	case !laneElems.Has(info.Elem):
		return nil, fmt.Sprintf("there are no vector registers of %s, the elements of \"%s\"", info.Elem, name)
	}
	o.resolveValid()
	if o.pitch, ok = pitchOf(v); !ok {
		return nil, fmt.Sprintf("it is not known where the lines of \"%s\" are", name)
	}
	if !aligned(v) {
		return nil, fmt.Sprintf("it is not known that the address of \"%s\" is a multiple of %d", name, pto.TileAlign)
	}
	if lines, _ := o.extents(); o.pitch*o.size%pto.TileAlign != 0 && lines != 1 {
		return nil, fmt.Sprintf("the lines of \"%s\" do not start at multiples of %d bytes", name, pto.TileAlign)
	}
	return o, ""
}

// resolveValid looks for the valid region where the tile is allocated, unless an
// instruction changes it later.
func (o *operand) resolveValid() {
	op := o.value.Op()
	if op == nil {
		return
	}
	if _, allocates := op.Def().Sem.(sem.AllocTile); !allocates {
		return
	}
	for u := range o.value.Uses() {
		if _, changes := u.Owner().Def().Sem.(sem.SetValid); changes {
			return
		}
	}
	placing := sem.PlacingOf(op)
	for i, e := range []struct {
		n *int64
		v sem.Operand
	}{{&o.info.VRows, placing.Rows}, {&o.info.VCols, placing.Cols}} {
		if *e.n != ir.Dynamic || !e.v.Given() {
			continue
		}
		if n, ok := arith.ConstantInt(e.v.Value); ok {
			*e.n = n
		} else {
			o.valid[i] = e.v.Value
		}
	}
}

// byCols reports whether the lines of the tile are its columns.
func (o *operand) byCols() bool { return o.info.BLayout == pto.ColMajor }

// extents returns the number of valid lines and their length, ir.Dynamic if they are
// not constant.
func (o *operand) extents() (lines, length int64) {
	if o.byCols() {
		return o.info.VCols, o.info.VRows
	}
	return o.info.VRows, o.info.VCols
}

// stored returns the number of lines of the storage and their length.
func (o *operand) stored() (lines, length int64) {
	if o.byCols() {
		return o.info.Cols, o.info.Rows
	}
	return o.info.Rows, o.info.Cols
}

// pitchOf returns the distance of the lines of a tile in elements. A part of a tile has
// the lines of the whole tile.
func pitchOf(v *ir.Value) (int64, bool) {
	info, _ := pto.TileOf(v.Type())
	if v.Op() == nil {
		return 0, false
	}
	switch v.Op().Def().Sem.(type) {
	case sem.SubTile:
		return pitchOf(v.Op().Operand(0))
	case sem.AllocTile, sem.SameStorage, sem.TileSlot, sem.PlaceTile, sem.Declare:
		return info.Pitch(), true
	}
	return 0, false
}

// aligned reports whether the address of a tile is a multiple of 32 bytes.
func aligned(v *ir.Value) bool {
	if v.Op() == nil {
		return false
	}
	op := v.Op()
	switch op.Def().Sem.(type) {
	case sem.AllocTile, sem.Declare:
		return true
	case sem.SameStorage, sem.TileSlot:
		return aligned(op.Operand(0)) && pto.StorageOf(v.Type())%pto.TileAlign == 0
	case sem.PlaceTile:
		at, ok := arith.ConstantInt(sem.PlacingOf(op).Address.Value)
		return ok && at%pto.TileAlign == 0
	case sem.SubTile:
		return aligned(op.Operand(0)) && alignedPart(op)
	}
	return false
}

// alignedPart reports whether a part of a tile starts at a multiple of 32 bytes from the
// start of the tile.
func alignedPart(op *ir.Op) bool {
	info, _ := pto.TileOf(op.Result(0).Type())
	pitch, ok := pitchOf(op.Operand(0))
	offsets := sem.PlacingOf(op).Offsets
	if !ok || info.SLayout != pto.NoneBox || len(offsets) != 2 {
		return false
	}
	line, along := offsets[0], offsets[1]
	if info.BLayout == pto.ColMajor {
		line, along = along, line
	}
	return isMultiple(line, pitch*info.ElemBytes()) && isMultiple(along, info.ElemBytes())
}

// isMultiple reports whether n times size bytes are a multiple of 32.
func isMultiple(n *ir.Value, size int64) bool {
	at, ok := arith.ConstantInt(n)
	return size%pto.TileAlign == 0 || ok && at*size%pto.TileAlign == 0
}

// pointer returns the address of the first element. A constant address does not depend
// on the tile, so that the vector function shows which bytes it accesses.
func (x *expander) pointer(o *operand) *ir.Value {
	if o.ptr != nil {
		return o.ptr
	}
	t := []ir.Type{pto.Ptr(o.info.Elem, sem.UB)}
	if b, ok := analysis.BytesOf(o.value); ok && b.Root == nil {
		o.ptr = x.top.Op(isabase.CastPtr, []*ir.Value{x.integer(ir.I64, b.From)}, t).Result(0)
	} else {
		o.ptr = x.top.Op(isabase.TileBufAddr, []*ir.Value{o.value}, t).Result(0)
	}
	if o.window {
		first := x.top.Op(arith.MulI, []*ir.Value{o.row, x.index(o.pitch)}, []ir.Type{ir.Index}).Result(0)
		first = x.top.Op(arith.AddI, []*ir.Value{first, o.col}, []ir.Type{ir.Index}).Result(0)
		o.ptr = x.top.Op(isabase.AddPtr, []*ir.Value{o.ptr, first}, t).Result(0)
	}
	return o.ptr
}
