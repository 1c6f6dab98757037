// This file implements --list-kernels.

package cli

import (
	"fmt"

	"ptogo/dialect/fn"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// listKernels implements --list-kernels: it prints the kernels that --kernel can
// select, and returns the exit code.
func (t *runTool) listKernels(path string) int {
	t.watchAlone()
	src, err := t.readSource(path)
	if err != nil {
		return t.fail("%v", err)
	}
	var diags ir.Diags
	module := kernel.Parse(src, ir.ParseOptions{}, &diags)
	if module == nil {
		return t.failed(diags.Err())
	}
	for _, k := range runtime.Kernels(module) {
		fmt.Fprintln(t.out, ir.Visible(fn.Name(k)))
	}
	return exitOK
}
