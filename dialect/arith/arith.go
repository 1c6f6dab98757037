// This file registers the dialect.

package arith

import "ptogo/ir"

// Dialect is the arith dialect. Its operations are declared with Later, because
// most programs use only a few of them.
var Dialect = &ir.Dialect{
	Name: "arith",
	Doc:  "Arithmetic on integers, indices and floating-point numbers.",
	Attrs: map[string]func(*ir.Parser) ir.Attr{
		FastMath.Name: func(p *ir.Parser) ir.Attr { return p.Flags(FastMath) },
		Overflow.Name: func(p *ir.Parser) ir.Attr { return p.Flags(Overflow) },
	},
}

func init() { ir.Register(Dialect) }

// define declares an operation of the dialect; the parameter name is its name without
// "arith.". The function make builds the definition when a program first uses the
// operation.
func define(name string, make func(name string) *ir.Def) *ir.Def { return Dialect.Later(name, make) }
