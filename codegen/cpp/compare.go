// This file emits comparisons and selections.

package cpp

import (
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// compareTiles emits tcmp and tcmps, elementwise comparisons. The library packs the
// result bits into elements of the destination, which are bytes on A2/A3, and bytes or
// 32-bit words on A5. For a destination of other integers, compareTiles declares an alias
// with elements of one byte.
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

// selectTiles emits tsel and tsels, elementwise selections by a mask. The library treats
// a mask tile as rows of bytes, but derives these bytes differently from elements wider
// than a byte. The simulator uses only eight bits of each mask element. On the NPU, the
// number of elements per row is used as the distance between mask rows in bytes
// (pto-isa:include/pto/npu/a5/TSel.hpp, maskRowStride). Both are right only for elements
// of one byte. For a mask with wider elements, selectTiles therefore declares an alias
// with elements of one byte.
func (f *function) selectTiles(op *ir.Op, _ sem.TileSelect) {
	mask := sem.TileEndsOf(op).Mask.Value
	if t, _ := pto.TileOf(mask.Type()); pto.ByteSize(t.Elem) > 1 {
		f.callWithBytes(op, mask)
		return
	}
	f.call(op)
}

// callWithBytes emits the library call of op, in which the tile v is replaced by an alias
// with elements of one byte.
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

// arguments returns constructor arguments in parentheses, or "" if there are none.
func arguments(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return "(" + strings.Join(args, ", ") + ")"
}
