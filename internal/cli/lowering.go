package cli

import (
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/lower"
	"ptogo/passes"
)

// lowered takes a program to the level that runs and is written as LLVM IR:
// tiles get buffers. It reports whether all went well.
func lowered(module *ir.Op, target ir.Target, features ir.Features, diags *ir.Diags) bool {
	if !hasTiles(module) {
		return true
	}
	p := passes.NewPipeline()
	if !p.Add(lower.Bufferize, "", diags) {
		return false
	}
	return p.Run(module, passes.RunOptions{Target: target, Features: features, Diags: diags})
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
