// This file defines pto.tprint.

package base

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// TPrint is pto.tprint, which prints elements of a tile, view, register, mask or
// memory. Public sources define it for whole tiles and views without a label; the other
// forms are extensions for debugging.
var TPrint = Define("tprint", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "other", Family: "debug", Page: "pto-isa:docs/isa/tile/ops/irregular-and-complex/tprint.md", Pipe: sem.PipeV,
		Doc: "Prints the elements of a tile or view, row by row; also the lanes of a vector register or mask, and elements at a pointer.",
		Ins: Args{In("src", printed), Opt("tmp", TileOrView)},
		Attrs: []ir.AttrDef{
			{Name: "printFormat", Type: PrintFormatEnum, Optional: true},
			{Name: "label", Type: ir.AnyString, Optional: true, Doc: "prints a line in front: this text, the line of the source, the block, the core and the loop variables"},
			{Name: "rows", Type: ir.AnyInts, Optional: true, Doc: "the first row to print, and the one after the last"},
			{Name: "cols", Type: ir.AnyInts, Optional: true, Doc: "the first column (lane, element at a pointer) to print, and the one after the last"},
		},
		Access: []Access{{Arg: "src", Read: true}},
		Sem:    sem.Print{},
		Cpp:    Calls("TPRINT<[pto::PrintFormat::{printFormat%}]>({src}[, {tmp}])"),
		Syntax: ir.Asm("`ins` `(` $src (`,` $tmp^)? `:` type($src) (`,` type($tmp)^)? `)` attr-dict"),
		Rules:  []Rule{printedParts},
		Examples: []string{
			"pto.tprint ins(%t : !pto.tile_buf<vec, 16x16xf32>)",
			"pto.tprint ins(%t : !pto.tile<16x16xf32>)",
			"pto.tprint ins(%t, %v : !pto.tile_buf<vec, 16x16xf32>, !pto.partition_tensor_view<16x16xf32>) {printFormat = #pto<print_format width8_precision2>}",
			"pto.tprint ins(%t : !pto.tile_buf<vec, 16x16xf32>) {label = \"sum\", rows = array<i64: 0, 2>, cols = array<i64: 8, 16>}",
			"pto.tprint ins(%v : !pto.vreg<64xf32>)",
			"pto.tprint ins(%p : !pto.ptr<f32, ub>) {cols = array<i64: 0, 8>}",
		},
	})
})

// printed accepts the types of operands that pto.tprint prints.
var printed = ir.TypeIf("a tile, view, register, mask or pointer", func(t ir.Type) bool {
	switch t.Data().(type) {
	case VReg, Mask, VMIVReg, VMIMask, PtrType:
		return true
	}
	return TileOrView.Check(t, nil)
})

// printedParts is the rule that the ranges of rows and columns in a pto.tprint exist in
// its operand.
var printedParts = Check(func(op *ir.Op, _ ir.Target) string {
	src, p := op.Arg("src").Type(), sem.PrintedOf(op)
	_, pointer := ir.As[PtrType](src)
	matrix := TileOrView.Check(src, nil)
	switch {
	case op.Arg("tmp") != nil && !IsTile(src):
		return "accepts operand \"tmp\" only for a tile"
	case (I4 | FP4).Has(ir.ElementType(src)):
		return "cannot print 4-bit numbers; 'pto.treshape' reinterprets them as bytes"
	case pointer && ByteSize(ir.ElementType(src)) == 0:
		return fmt.Sprintf("cannot print %s", ir.ElementType(src))
	case pointer && !op.HasAttr("cols"):
		return "requires attribute \"cols\", the range of elements to print, such as array<i64: 0, 8>"
	case !matrix && op.HasAttr("rows"):
		return "must not have attribute \"rows\", because it prints a single row"
	}
	rows, cols := int64(-1), int64(-1)
	if t, ok := TileOf(src); ok {
		rows, cols = int64(t.Rows), int64(t.Cols)
	}
	if msg := partFits(op, "rows", p.Rows, rows); msg != "" {
		return msg
	}
	return partFits(op, "cols", p.Cols, cols)
})

// partFits checks p, a range of rows or columns to print. It returns a message unless the
// range is within the n rows or columns of the printed operand. If n is negative, the
// range can have any end. name is the name of the attribute that holds the range.
func partFits(op *ir.Op, name string, p sem.Part, n int64) string {
	a, _ := ir.AttrAs[ir.DenseArrayAttr](op.Attr(name))
	switch {
	case !op.HasAttr(name):
		return ""
	case a.Len() != 2:
		return fmt.Sprintf("attribute %q must have two numbers, the start and the end (exclusive) of a range, but has %d", name, a.Len())
	case p.From < 0 || p.To <= p.From || p.To > 1<<30:
		return fmt.Sprintf("attribute %q must start below its end, but is the range %d to %d", name, p.From, p.To)
	case n >= 0 && p.To > n:
		return fmt.Sprintf("attribute %q ends at %d, but the tile has %d", name, p.To, n)
	}
	return ""
}
