// This file implements --emit=llvm.

package cli

import (
	"io"

	"ptogo/codegen/llvm"
	"ptogo/ir"
	"ptogo/kernel"
)

// writeLLVM writes the program as LLVM IR; tiles of Level 1 get buffers first.
func writeLLVM(w io.Writer, module *ir.Op, target ir.Target, features ir.Features, diags *ir.Diags) bool {
	return kernel.Lower(module, target, features, diags) &&
		llvm.Emit(w, module, llvm.Options{Target: target, Features: features}, diags)
}
