package scf

import "ptogo/ir"

func init() {
	ir.Register(&ir.Dialect{
		Name: "scf",
		Doc:  "Structured control flow: loops and conditions as regions.",
		Defs: []*ir.Def{For, If, While, Condition, Yield, ExecuteRegion, IndexSwitch,
			Parallel, Reduce, ReduceReturn, Forall, InParallel},
	})
}
