// This file emits comparisons and selections.

package cpp

import (
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// compareTiles emits tcmp and tcmps. The library counts the bits that it packs
// in the elements of the destination, which are bytes on A2/A3 and bytes or words
// on A5; a destination of other integers is named once more as one of bytes.
func (f *function) compareTiles(op *ir.Op, _ sem.TileCompare) {
	dst, _ := ends(op)
	t, _ := pto.TileOf(dst.Type())
	t = f.storage(dst, t)
	if e := elemType(t.Elem); e == "uint8_t" || e == "uint32_t" && f.opts.Target == sem.A5 {
		f.call(op)
		return
	}
	f.callWithBytes(op, dst)
}

// selectTiles emits tsel and tsels. The library takes the mask for bytes: the
// simulator eight bits out of each element, the NPU rows as many bytes apart as they
// have elements (pto-isa:include/pto/npu/a5/TSel.hpp, maskRowStride). A mask of
// wider elements is named once more as bytes.
func (f *function) selectTiles(op *ir.Op, _ sem.TileSelect) {
	mask := sem.TileEndsOf(op).Mask.Value
	if t, _ := pto.TileOf(mask.Type()); pto.ByteSize(t.Elem) > 1 {
		f.callWithBytes(op, mask)
		return
	}
	f.call(op)
}

// callWithBytes emits a call that takes one of its tiles as a tile of bytes.
func (f *function) callWithBytes(op *ir.Op, v *ir.Value) {
	t, _ := pto.TileOf(v.Type())
	t = f.storage(v, t)
	whole := f.value(v)
	size := int64(pto.ByteSize(t.Elem))
	var open []string
	if isOpen(t.VRows) {
		open = append(open, whole+".GetValidRow()")
	}
	if isOpen(t.VCols) {
		open = append(open, scaled(whole+".GetValidCol()", size))
	} else {
		t.VCols *= size
	}
	t.Elem, t.Cols = ir.TypeOf(ir.IntegerType{Width: 8, Sign: ir.Unsigned}), t.Cols*size
	name := f.unique(whole + "_bits")
	f.line(f.tileType(t), " ", name, arguments(open), ";")
	f.line("TASSIGN(", name, ", ", f.addressOfTile(v), ");")
	f.names[v] = name
	f.call(op)
	f.names[v] = whole
}

// arguments are those of a constructor, if there are any.
func arguments(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return "(" + strings.Join(args, ", ") + ")"
}
