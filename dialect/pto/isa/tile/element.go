// This file defines accesses of single elements.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// elementFamily is the chapter of the ISA manual on access to single elements.
const elementFamily = "scalar-element-access"

// TGetVal is pto.tgetval, which returns one element of a tile as a scalar. The operand
// offset is the number of the element in the storage of the tile.
var TGetVal = Define("tgetval", func(name string) *ir.Def {
	return PlainOp(Op{
		Name: name, Group: "tile", Family: elementFamily, Page: Manual, Pipe: sem.PipeS,
		Doc:    "Returns element number offset of the storage of src.",
		Ins:    Args{In("src", ir.OneOf(TileIn(AnyElem, sem.UB), ir.AnyMemRef)), In("offset", ir.Written(ir.Index))},
		Outs:   Args{In("dst", ScalarOf("src"))},
		Sem:    sem.TileGet{},
		Access: []Access{{Arg: "src", Read: true}},
		Syntax: ir.AsmWith("custom<text>($src)", map[string]ir.Hook{"text": {ParseFn: parseGetVal, PrintFn: printGetVal}}),
		Examples: []string{
			"%x = pto.tgetval ins(%t, %i : !pto.tile_buf<vec, 16x64xf32>, index) outs : f32",
			"%x = pto.tgetval %t, %i : (!pto.tile<16x64xf32>, index) -> f32",
		},
	})
})

// parseGetVal parses tgetval, which reads one element of a tile. It accepts the syntax of
// Level 1 (tiles are values) and of Level 2 (tiles are buffers, listed in ins and outs).
func parseGetVal(p *ir.Parser, st *ir.OpParse) {
	dps := p.Accept("ins")
	if dps {
		p.Expect("(")
	}
	st.Operand("src", p.Operand())
	p.Expect(",")
	st.Operand("offset", p.Operand())
	st.AttrDict(p)
	p.Expect(":")
	wrapped := !dps && p.Accept("(")
	st.OperandType("src", p.Type())
	p.Expect(",")
	st.OperandType("offset", p.Type())
	switch {
	case dps:
		p.Expect(")")
		p.Expect("outs")
		p.Expect(":")
	default:
		if wrapped {
			p.Expect(")")
		}
		p.Expect("->")
	}
	st.ResultType("dst", p.Type())
	st.AttrDict(p)
}

// printGetVal prints tgetval in the syntax of the level to which its operand belongs.
func printGetVal(w *ir.Printer, op *ir.Op) {
	src, offset := op.Operand(0), op.Operand(1)
	ssa := ir.Is[Tile](src.Type())
	if !ssa {
		w.Token("ins")
		w.Token("(")
	}
	w.Values(src, offset)
	if ssa {
		w.AttrDict(op)
	}
	w.Token(":")
	if ssa {
		w.Token("(")
	}
	w.Types(src.Type(), offset.Type())
	w.Token(")")
	if ssa {
		w.Token("->")
		w.Type(op.Result(0).Type())
		return
	}
	w.Token("outs")
	w.Token(":")
	w.Type(op.Result(0).Type())
	w.AttrDict(op)
}

// TSetVal is pto.tsetval, which writes a scalar to one element of a tile.
var TSetVal = Define("tsetval", func(name string) *ir.Def {
	return TileOp(Op{
		Name: name, Family: elementFamily, Page: Manual, Pipe: sem.PipeS,
		Doc:   "Writes val as element number offset of the storage of dst; the others keep their values.",
		Ins:   Args{In("offset", ir.Written(ir.Index)), In("val", AnyScalar)},
		Outs:  Args{InOut("dst", TileIn(AnyElem, sem.UB))},
		Order: []string{"dst", "offset", "val"},
		Sem:   sem.TileSet{},
		Rules: []Rule{scalarMatches("val", "dst"), TileCheck{On: sem.OnAll, Args: []string{"dst"}, Check: func(op *ir.Op, t []TileInfo) string {
			if n, known := ConstantInt(op.Arg("offset")); known && (n < 0 || n >= t[0].Rows*t[0].Cols) {
				return fmt.Sprintf("\"offset\" must be between 0 and %d, but is %d", t[0].Rows*t[0].Cols-1, n)
			}
			return ""
		}}},
		Notes: []string{"At Level 1, the last operand is the old dst."},
		Examples: []string{
			"%n = pto.tsetval %i, %v, %d : (index, f32, !pto.tile<16x64xf32>) -> !pto.tile<16x64xf32>",
			"pto.tsetval ins(%i, %v : index, f32) outs(%d : !pto.tile_buf<vec, 16x64xf32>)",
		},
	})
})
