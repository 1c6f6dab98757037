// This file implements --list-kernels.

package run

import (
	"fmt"

	"ptogo/dialect/fn"
	"ptogo/internal/cli/exit"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// listKernels implements --list-kernels: it prints the kernels that --kernel can
// select, and returns the exit code.
func (t *runTool) listKernels(path string) int {
	t.watchAlone()
	src, err := t.ReadSource(path)
	if err != nil {
		return t.Fail("%v", err)
	}
	var diags ir.Diags
	module := kernel.Parse(src, ir.ParseOptions{}, &diags)
	if module == nil {
		return t.Failed(diags.Err())
	}
	for _, k := range runtime.Kernels(module) {
		fmt.Fprintln(t.Out, ir.Visible(fn.Name(k)))
	}
	return exit.OK
}
