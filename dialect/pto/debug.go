package pto

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Instructions for finding faults.
var (
	PrintOp = plain(Op{
		Name: "print", Group: "other", Family: "debug", Page: manual, Pipe: sem.PipeS,
		Doc:      "Prints a scalar in a format.",
		Ins:      Args{in("scalar", ir.TypeIf("index, an integer or f32", isPrintable))},
		Attrs:    []ir.AttrDef{{Name: "format", Type: ir.AnyString, Doc: "as of printf in C, with one conversion or none"}},
		Sem:      sem.Print{},
		Rules:    []Rule{printPlaces},
		Syntax:   ir.Asm("`ins` `(` $format `,` $scalar `:` type($scalar) `)` attr-dict"),
		Examples: []string{`pto.print ins("%d", %n : i32)`},
	})
	TPrint = plain(Op{
		Name: "tprint", Group: "other", Family: "debug", Page: "pto-isa:docs/isa/tile/ops/irregular-and-complex/tprint.md", Pipe: sem.PipeV,
		Doc:    "Prints the elements of a tile or view.",
		Ins:    Args{in("src", tileOrView), opt("tmp", tileOrView)},
		Attrs:  []ir.AttrDef{{Name: "printFormat", Type: PrintFormatEnum, Optional: true}},
		Sem:    sem.Print{},
		Cpp:    calls("TPRINT<[pto::PrintFormat::{printFormat%}]>({src}[, {tmp}])"),
		Syntax: ir.Asm("`ins` `(` $src (`,` $tmp^)? `:` type($src) (`,` type($tmp)^)? `)` attr-dict"),
		Rules: []Rule{Check(func(op *ir.Op, _ ir.Target) string {
			switch src := op.Arg("src").Type(); {
			case op.Arg("tmp") != nil && !IsTile(src):
				return "takes operand \"tmp\" for a tile only"
			case (I4 | FP4).Has(ir.ElementType(src)):
				return "prints no 4-bit numbers; 'pto.treshape' makes them bytes"
			}
			return ""
		})},
		Examples: []string{
			"pto.tprint ins(%t : !pto.tile_buf<vec, 16x16xf32>)",
			"pto.tprint ins(%t : !pto.tile<16x16xf32>)",
			"pto.tprint ins(%t, %v : !pto.tile_buf<vec, 16x16xf32>, !pto.partition_tensor_view<16x16xf32>) {printFormat = #pto<print_format width8_precision2>}",
		},
	})
	Trap = plain(Op{
		Name: "trap", Group: "other", Family: "debug", Page: manual, Pipe: sem.PipeS,
		Doc:      "Stops the kernel.",
		Sem:      sem.Stop{},
		Syntax:   ir.Asm("attr-dict"),
		Examples: []string{"pto.trap"},
	})
)

func isPrintable(t ir.Type) bool { return t == ir.Index || ir.Is[ir.IntegerType](t) || t == ir.F32 }
