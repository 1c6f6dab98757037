// This file implements --emit=llvm.

package opt

import (
	"ptogo/codegen/llvm"
	"ptogo/ir"
	"ptogo/kernel"
)

// writeLLVM lowers the program and writes it as LLVM IR. The lowering assigns tiles that
// are values (Level 1) to buffers. writeLLVM returns false if the lowering or the writing
// has reported an error.
func (t *optTool) writeLLVM(module *ir.Op, diags *ir.Diags) bool {
	o := llvm.Options{Target: t.target(module), Features: t.features(module), MostInstructions: t.MostInstructions()}
	return kernel.Lower(module, o.Target, o.Features, diags) && llvm.Emit(t.out, module, o, diags)
}
