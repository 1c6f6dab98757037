// This file implements the interactive debugger.

package run

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/data"
	"ptogo/kernel/debug"
	"ptogo/runtime"
)

// stepMode runs kernels in the debugger (--step).
type stepMode struct {
	on bool
	// script is the file with commands for the debugger.
	script string
}

// define declares --step and --step-script in fs.
func (m *stepMode) define(fs *pflag.FlagSet) {
	fs.BoolVar(&m.on, "step", false, "stop before each operation and read debugger commands from standard input. The debugger command help lists all commands")
	fs.StringVar(&m.script, "step-script", "", "like --step, but read the commands from `FILE`")
}

// used reports whether the command line requests the debugger.
func (m *stepMode) used() bool { return m.on || m.script != "" }

// execute runs kernels under the debugger. When the user steps back, it starts
// another run that stops earlier. It returns the exit code.
func (m *stepMode) execute(l *launch, o runtime.Options) int {
	in, close, err := m.commands(l)
	if err != nil {
		return l.Fail("%v", err)
	}
	defer close()
	s := debug.NewStepper(in, l.Out, l.prog.Module)
	s.Echo = m.script != ""
	if l.attach != nil {
		l.attach(s, l.prog.Module)
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
	plan, err := l.prog.Plan(o)
	if err != nil {
		return l.Failed(err)
	}
	start := data.Take(l.args, l.prog.Kernels, l.ranks)
	values := make([]any, len(l.args))
	for i, a := range l.args {
		values[i] = a.Value
	}
	for {
		err := plan.Run(values...)
		switch {
		case s.Again():
			start.Restore()
			continue
		case s.Quit():
			return exit.OK
		case err != nil:
			return l.fault(err)
		}
		return exit.OK
	}
}

// commands returns a reader for debugger commands: standard input or the file of
// --step-script. The caller calls the result close after the last command; it closes the
// file.
func (m *stepMode) commands(l *launch) (in io.Reader, close func(), err error) {
	path := m.script
	switch {
	case l.attach != nil: // commands come from another client
		return strings.NewReader(""), func() {}, nil
	case path == "":
		fmt.Fprint(l.Err, "help lists the commands\n")
		return l.In, func() {}, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	return f, func() { f.Close() }, nil
}
