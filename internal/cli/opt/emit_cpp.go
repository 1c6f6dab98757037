// This file implements --emit=cpp.

package opt

import (
	"io"

	"ptogo/codegen/cpp"
	"ptogo/ir"
)

// writeCpp writes the program as C++ that calls the public tile library. It reports
// whether this succeeded.
func (t *optTool) writeCpp(w io.Writer, module *ir.Op, diags *ir.Diags) bool {
	_, inserted := t.flags.sync.modes()
	return cpp.Emit(w, module, cpp.Options{Target: t.target(module), Launch: t.flags.cppLaunch, EndBarrier: inserted != ""}, diags)
}
