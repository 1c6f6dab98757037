package vector

import (
	"ptogo/ir"
	"ptogo/passes"
)

// Passes lists the passes of this package.
var Passes = []*passes.Pass{OptimizeConversions, SimplifyMasks, PostUpdate, InferScopes, Schedule}

// rewriting returns a pass that calls the function change for each operation of a
// function. The statistic in the parameter stat counts how often this function returns
// true.
func rewriting(p passes.Pass, stat passes.Stat, change func(op *ir.Op) bool) *passes.Pass {
	p.Anchor = "func.func"
	p.Stats = []passes.Stat{stat}
	p.Run = func(c *passes.Context, f *ir.Op) error {
		var all []*ir.Op
		for op := range f.Walk() {
			all = append(all, op)
		}
		for _, op := range all {
			if change(op) {
				c.Count(stat.Name, 1)
			}
		}
		return nil
	}
	return &p
}
