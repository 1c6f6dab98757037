// This file lowers programs to the level that engines need.

package kernel

import (
	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
	"ptogo/lower/bufferize"
	"ptogo/lower/plan"
	"ptogo/passes"
)

// Lower lowers a program to the level that the runtime and the LLVM backend require:
// tiles become buffers. If memory is too small for separate buffers of all tiles, Lower
// assigns addresses so that buffers can share memory. It returns false after an error,
// which is in diags.
func Lower(module *ir.Op, target ir.Target, features ir.Features, diags *ir.Diags) bool {
	opts := passes.RunOptions{Target: target, Features: features, Diags: diags}
	if analysis.Unbuffered(module) != nil && !runPass(module, bufferize.Bufferize, "moves=true", opts) {
		return false
	}
	if plan.Crowded(module, target) {
		// A failure is not reported here: another kernel of the file may be the one
		// that does not fit.
		opts.Diags = &ir.Diags{}
		runPass(module, plan.PlanMemory, "", opts)
	}
	return true
}

// runPass runs one compiler pass on the module. options is the text with the options of
// the pass. It returns false if the options are invalid or if the pass fails.
func runPass(module *ir.Op, pass *passes.Pass, options string, opts passes.RunOptions) bool {
	p := passes.NewPipeline()
	return p.Add(pass, options, opts.Diags) && p.Run(module, opts)
}
