// This file defines comparisons and selections.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// The supported element types of comparisons and selections, for each target.
var (
	cmpElems = On{A2A3: I32 | F16 | F32, A5: Ints | Ints64 | Floats}
	selElems = On{A2A3: Ints16 | Ints32 | Floats, A5: Ints | Ints64 | Floats}
)

// TCmp is pto.tcmp, which compares two tiles and returns a mask with one bit per element.
var TCmp = Define("tcmp", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TCMP"), Family: elementwise, Pipe: sem.PipeV,
		DPS:   ir.DPSInside(Always),
		Doc:   "Compares src0 with src1 element by element; bit j of a row of dst is the result for column j.",
		Ins:   Args{In("src0", VecTile(cmpElems)), In("src1", LikeTile("src0"))},
		Outs:  Args{Out("dst", VecTile(Both(Ints)))},
		Attrs: []ir.AttrDef{{Name: "cmpMode", Type: CmpModeEnum, Optional: true, Doc: "eq if left out"}},
		Sem:   sem.TileCompare{},
		Cpp:   Calls("TCMP({dst}, {src0}, {src1}, CmpMode::{cmpMode^|EQ})"),
		Rules: append(Lax(SameValid(sem.OnA2A3, "src1", "src0")), SameValidRows(sem.OnA2A3, "src0", "dst"), maskRows("dst"), comparedForEquality("src0"), wideRows("src0")),
		Notes: []string{
			"dst: the IR manual has i8 on A2/A3, the ISA page ui8 there and ui32 on A5; any integer is accepted, since bits are packed.",
			"The ISA page lets A2/A3 compare i32 for equality only, and the headers do; the mode is followed here, with a warning.",
		},
		Examples: []string{"%d = pto.tcmp %a, %b {cmpMode = #pto<cmp lt>} : (!pto.tile<16x64xf32>, !pto.tile<16x64xf32>) -> !pto.tile<16x32xui8>"},
	})
})

// maskRows returns a rule that requires a mask operand, the one with the given name, to
// store the bits of each row contiguously. Manual pages that mention the layout require
// row_major. A mask with a single row or column has the same storage in both layouts, so
// the rule accepts it.
func maskRows(name string) Rule {
	return TileCheck{On: sem.OnAll, Args: []string{name}, Check: func(_ *ir.Op, t []TileInfo) string {
		switch m := t[0]; {
		case m.SLayout != NoneBox:
			return fmt.Sprintf("\"%s\" holds masks, so it must have slayout=none_box, but has %s", name, m.SLayout)
		case m.BLayout != RowMajor && m.Rows > 1 && m.Cols > 1:
			return fmt.Sprintf("\"%s\" holds masks, so it must be row_major, but is %s", name, m.BLayout)
		}
		return ""
	}}
}

// maskNumbers is a rule that warns about a mask of floats. The instruction uses the bits of
// the elements, so numbers such as 0.0 and 1.0 select wrong elements without a message.
type maskNumbers struct{}

// Verify implements Rule.
func (maskNumbers) Verify(op *ir.Op, v *ir.Verifier) {
	if mask, ok := TileArg(op, "mask"); ok && ElemOf(mask.Elem)&Floats != 0 {
		v.Warnf(op, "selects by the bits of \"mask\", but its elements are numbers of type %s", mask.Elem).
			Note(ir.Loc{}, "'pto.tcmps' makes a mask of numbers: compare them with 0")
	}
}

// TSel is pto.tsel, which computes each element by a choice between two tiles. It copies
// the element of src0 if the mask bit of the element is set, and the element of src1
// otherwise.
var TSel = Define("tsel", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Page: IsaPage("TSEL"), Family: elementwise, Pipe: sem.PipeV,
		Doc: "Selects the element of src0 where the mask bit is set, and that of src1 elsewhere.",
		Ins: Args{
			In("mask", VecTile(Both(Ints))),
			In("src0", RowMajorTile(selElems, sem.OnAll)),
			In("src1", LikeTile("src0").RowMajor(sem.OnAll)),
			ScratchArg("tmp", anyTmp),
		},
		Outs:        Args{Out("dst", LikeTile("src0").RowMajor(sem.OnAll))},
		Sem:         sem.TileSelect{},
		Cpp:         Calls("TSEL({dst}, {mask}, {src0=dst}, {src1=dst}, {tmp})"),
		ScratchTile: func(*ir.Op, ir.Target) (TileInfo, bool) { return PlainTile(ir.I32, 1, 16), true },
		Rules:       append(LikeDst(false, "src0", "src1"), maskRows("mask"), selTmp, wideRows("dst")),
		Examples:    []string{"%d = pto.tsel %m, %a, %b : (!pto.tile<16x32xui8>, !pto.tile<16x64xf32>, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>"},
	})
})

// selTmp is the rule that tsel has a scratch tile with elements of 4 bytes, into which
// the library copies the mask. The size of the scratch tile must be at least 16 bytes if
// dst has elements of 2 bytes, and at least 8 bytes otherwise.
var selTmp = ScratchCheck(sem.OnA2A3, []string{"dst"}, func(_ *ir.Op, t []TileInfo) string {
	tmp, need := t[0], int64(8)
	if ByteSize(t[1].Elem) == 2 {
		need = 16
	}
	switch {
	case ByteSize(tmp.Elem) != 4:
		return "\"tmp\" must have elements of 4 bytes, but has " + tmp.Elem.String()
	case tmp.Bytes() < need:
		return fmt.Sprintf("\"tmp\" must hold %d bytes, but holds %d", need, tmp.Bytes())
	}
	return ""
})
