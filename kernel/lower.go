package kernel

import (
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/lower/bufferize"
	"ptogo/lower/plan"
	"ptogo/passes"
)

// Lower takes a program to the level that runs and is written as LLVM IR: tiles
// get buffers, and addresses if they do not fit one behind the other. It reports
// whether all went well; what did not is in diags.
func Lower(module *ir.Op, target ir.Target, features ir.Features, diags *ir.Diags) bool {
	opts := passes.RunOptions{Target: target, Features: features, Diags: diags}
	if hasTiles(module) && !runPass(module, bufferize.Bufferize, opts) {
		return false
	}
	if plan.Crowded(module, target) {
		// Another kernel of the file may be the one that does not fit.
		opts.Diags = &ir.Diags{}
		runPass(module, plan.PlanMemory, opts)
	}
	return true
}

func runPass(module *ir.Op, pass *passes.Pass, opts passes.RunOptions) bool {
	p := passes.NewPipeline()
	return p.Add(pass, "", opts.Diags) && p.Run(module, opts)
}

// hasTiles reports whether any value is a tile of Level 1.
func hasTiles(module *ir.Op) bool {
	isTile := func(v *ir.Value) bool { return ir.Is[pto.Tile](v.Type()) }
	for op := range module.Walk() {
		for _, v := range op.Results() {
			if isTile(v) {
				return true
			}
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for _, v := range b.Args() {
					if isTile(v) {
						return true
					}
				}
			}
		}
	}
	return false
}
