package arith

import "ptogo/ir"

// Dialect has the operations in the order of their declarations.
var Dialect = &ir.Dialect{
	Name: "arith",
	Doc:  "Arithmetic on integers, indices and floating-point numbers.",
	Attrs: map[string]func(*ir.Parser) ir.Attr{
		FastMath.Name: func(p *ir.Parser) ir.Attr { return p.Flags(FastMath) },
		Overflow.Name: func(p *ir.Parser) ir.Attr { return p.Flags(Overflow) },
	},
}

func init() { ir.Register(Dialect) }

// define declares the operation name, without "arith.", whose definition make
// writes when a program first has it.
func define(name string, make func(name string) *ir.Def) *ir.Def { return Dialect.Later(name, make) }
