// This file defines instructions for debugging.

package base

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Definitions of instructions for debugging.
var (
	PrintOp = Define("print", func(name string) *ir.Def {
		return PlainOp(Op{
			Name: name, Group: "other", Family: "debug", Page: Manual, Pipe: sem.PipeS,
			Doc:      "Prints a scalar in a format.",
			Ins:      Args{In("scalar", ir.TypeIf("index, an integer or f32", isPrintable))},
			Attrs:    []ir.AttrDef{{Name: "format", Type: ir.AnyString, Doc: "as of printf in C, with one conversion or none"}},
			Sem:      sem.Print{},
			Rules:    []Rule{PrintPlaces},
			Syntax:   ir.Asm("`ins` `(` $format `,` $scalar `:` type($scalar) `)` attr-dict"),
			Examples: []string{`pto.print ins("%d", %n : i32)`},
		})
	})
	Trap = Define("trap", func(name string) *ir.Def {
		return PlainOp(Op{
			Name: name, Group: "other", Family: "debug", Page: Manual, Pipe: sem.PipeS,
			Doc:      "Stops the kernel.",
			Sem:      sem.Stop{},
			Syntax:   ir.Asm("attr-dict"),
			Examples: []string{"pto.trap"},
		})
	})
)

// isPrintable reports whether a scalar of type t can be printed.
func isPrintable(t ir.Type) bool { return t == ir.Index || ir.Is[ir.IntegerType](t) || t == ir.F32 }
