package arith

import "ptogo/ir"

func init() {
	ir.Register(&ir.Dialect{
		Name: "arith",
		Doc:  "Arithmetic on integers, indices and floating-point numbers.",
		Defs: []*ir.Def{
			Constant,
			AddI, SubI, MulI, AddUIExtended, MulSIExtended, MulUIExtended,
			DivSI, DivUI, CeilDivSI, CeilDivUI, FloorDivSI, RemSI, RemUI,
			AndI, OrI, XOrI, ShLI, ShRSI, ShRUI,
			MaxSI, MaxUI, MinSI, MinUI,
			AddF, SubF, MulF, DivF, RemF, NegF, MaximumF, MinimumF, MaxNumF, MinNumF,
			CmpI, CmpF, Select,
			ExtSI, ExtUI, TruncI, ExtF, TruncF,
			SIToFP, UIToFP, FPToSI, FPToUI, IndexCast, IndexCastUI, Bitcast,
		},
		Attrs: map[string]func(*ir.Parser) ir.Attr{
			FastMath.Name: func(p *ir.Parser) ir.Attr { return p.Flags(FastMath) },
			Overflow.Name: func(p *ir.Parser) ir.Attr { return p.Flags(Overflow) },
		},
	})
}
