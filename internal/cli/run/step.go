// This file implements the interactive debugger.

package run

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/data"
	"ptogo/kernel"
	"ptogo/kernel/debug"
	"ptogo/runtime"
)

// executeStepped runs kernels under the debugger. When the user steps back, it starts
// another run that stops earlier. It returns the exit code.
func (t *runTool) executeStepped(prog *kernel.Program, args []*data.Arg, o runtime.Options) int {
	in, close, err := t.stepCommands()
	if err != nil {
		return t.Fail("%v", err)
	}
	defer close()
	s := debug.NewStepper(in, t.Out, prog.Module)
	s.Echo = t.flags.observe.script != ""
	if t.attach != nil {
		t.attach(s, prog.Module)
	}
	o.Listeners = append(o.Listeners, s)
	o.Stop = nil // who thinks is not late
	out := o.Out
	o.Out = files.WriterFunc(func(b []byte) (int, error) {
		if s.Replaying() {
			return len(b), nil
		}
		return out.Write(b)
	})
	plan, err := prog.Plan(o)
	if err != nil {
		return t.Failed(err)
	}
	start := make([][]byte, len(args))
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Value
		if a.Value.Buf != nil {
			start[i] = bytes.Clone(a.Value.Buf.Data)
		}
	}
	for {
		err := plan.Run(values...)
		switch {
		case s.Again():
			for i, a := range args {
				if a.Value.Buf != nil {
					copy(a.Value.Buf.Data, start[i])
				}
			}
			continue
		case s.Quit():
			return exit.OK
		case err != nil:
			return t.fault(err)
		}
		return exit.OK
	}
}

// stepCommands returns a reader for debugger commands: standard input or the file of
// --step-script. The caller calls the result close after the last command; it closes the
// file.
func (t *runTool) stepCommands() (in io.Reader, close func(), err error) {
	path := t.flags.observe.script
	switch {
	case t.attach != nil: // commands come from another client
		return strings.NewReader(""), func() {}, nil
	case path == "":
		fmt.Fprint(t.Err, "help lists the commands\n")
		return t.In, func() {}, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	return f, func() { f.Close() }, nil
}
