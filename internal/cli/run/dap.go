// This file implements pto-run --dap.

package run

import (
	"io"
	"strings"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/report"
	"ptogo/internal/dap"
	"ptogo/ir"
	"ptogo/kernel/debug"
)

// debugAdapter implements pto-run --dap, a debug server for editors. The editor
// supplies a kernel and its arguments, in the syntax of pto-run, and controls the
// execution.
func (t *runTool) debugAdapter(fs *pflag.FlagSet) int {
	if fs.NArg() > 0 {
		return t.Usage("with --dap, the editor supplies the kernel and its arguments: unexpected argument '%s'", fs.Arg(0))
	}
	if err := dap.Serve(t.In, report.Raw(t.Streams.Out), t.launchDebugged); err != nil {
		return t.Fail("%v", err)
	}
	return exit.OK
}

// launchDebugged runs a command line of pto-run under the debugger, and returns the exit
// code of this run. Before the kernel starts, it calls attach with the debugger and the
// module of the kernel.
func (t *runTool) launchDebugged(args []string, out io.Writer, attach func(s *debug.Stepper, module *ir.Op)) (exit int) {
	run := &runTool{Console: files.NewConsole(strings.NewReader(""), out, out, t.Tool), serve: t.serve}
	run.attach = attach
	return run.command(append([]string{"--step"}, args...))
}
