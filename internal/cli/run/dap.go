// This file implements pto-run --dap.

package run

import (
	"io"
	"strings"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/report"
	"ptogo/internal/dap"
	"ptogo/ir"
	"ptogo/kernel/debug"
)

// dapMode is a debug server for editors (--dap). The editor supplies a kernel and its
// arguments, in the syntax of pto-run, and controls the execution.
type dapMode struct{ on bool }

func (m *dapMode) used() bool { return m.on }

// start serves an editor and returns the exit code.
func (m *dapMode) start(h *host) int {
	if h.flags.set.NArg() > 0 {
		return h.Usage("with --dap, the editor supplies the kernel and its arguments: unexpected argument '%s'", h.flags.set.Arg(0))
	}
	if err := dap.Serve(h.In, report.Raw(h.Out), h.debug); err != nil {
		return h.Fail("%v", err)
	}
	return exit.OK
}

// debug runs a command line of pto-run under the debugger, and returns the exit code of this
// run. Before the kernel starts, it calls attach with the debugger and the module of the
// kernel.
func (h *host) debug(args []string, out io.Writer, attach func(s *debug.Stepper, module *ir.Op)) (exit int) {
	run := &host{Console: files.NewConsole(strings.NewReader(""), out, out, h.Tool), serve: h.serve, attach: attach}
	return run.command(append([]string{"--step"}, args...))
}
