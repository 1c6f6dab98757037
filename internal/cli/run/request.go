// This file runs kernels in a process that runs many of them.

package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/flags"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/report"
	"ptogo/internal/data"
	"ptogo/ir"
)

// Result is the outcome of a tool in the answer to a request: its exit code, output and
// diagnostics.
type Result struct {
	Exit        int               `json:"exit"`
	Stdout      string            `json:"stdout,omitempty"`
	Diagnostics []report.JSONDiag `json:"diagnostics,omitempty"`
}

// Request runs a tool for a request and collects its output for the answer.
type Request struct {
	host
	// args are the arguments of the launch, after RunLoaded.
	args  []*data.Arg
	out   bytes.Buffer
	found []report.JSONDiag
}

// NewRequest returns a request that ends when ctx does. It shares memory with other requests.
func NewRequest(ctx context.Context, memory *limit.Pool) *Request {
	c := &Request{}
	c.Console = files.NewConsole(bytes.NewReader(nil), &c.out, nil, "pto-run")
	c.Collect(func(d report.JSONDiag) { c.found = append(c.found, d) })
	c.Cancelled, c.Serving, c.Pool = ctx.Done(), true, memory
	return c
}

// Result runs the function in the parameter main, which executes a request. It returns
// the exit code of this function, its output and its diagnostics.
func (c *Request) Result(main func() int) Result {
	code := c.Done(c.Guarded(func([]string) int { return main() }, nil))
	return Result{code, c.out.String(), c.found}
}

// RunLoaded launches a loaded program with the options of a request, by name, and with the
// arguments that the function args decodes. It returns the exit code.
func (c *Request) RunLoaded(l *Loaded, options map[string]any, args func() ([]ArgSource, error)) int {
	err := setFlags(c.flags.define(), options)
	if err == nil {
		c.given, err = args()
	}
	if err != nil {
		return c.Usage("%v", err)
	}
	defer c.endArguments()
	if code := c.check(); code != exit.OK {
		return code
	}
	return c.launchLoaded(l)
}

// launchLoaded launches a loaded program, and returns the exit code. The program retains its
// plans (kernels prepared for execution), so that a repeated launch need not build them.
func (c *Request) launchLoaded(program *Loaded) int {
	l := &launch{host: &c.host, path: program.name, prog: program.Program, loaded: program, quiet: !program.firstRun()}
	defer func() { c.args = l.args }()
	return l.run()
}

// endArguments releases the memory of the arguments after a launch.
func (c *Request) endArguments() {
	for _, a := range c.given {
		if err := a.End(); err != nil {
			c.Fail("%v", err)
		}
	}
}

// setFlags sets the options in fs from options, the values of a JSON object by option name.
// It returns an error for an unknown option or a wrong value.
func setFlags(fs *pflag.FlagSet, options map[string]any) error {
	for name, value := range options {
		if fs.Lookup(name) == nil {
			return fmt.Errorf("unknown flag: --%s%s", name, ir.DidYouMean("--", name, flags.FlagNames(fs)))
		}
		if notForRuns[name] {
			return fmt.Errorf("--%s cannot be used in a request", name)
		}
		list, isList := value.([]any)
		if !isList {
			list = []any{value}
		}
		for _, v := range list {
			text := fmt.Sprint(v)
			if f, ok := v.(float64); ok {
				text = strconv.FormatFloat(f, 'f', -1, 64)
			}
			if err := fs.Set(name, text); err != nil {
				return errors.New(flags.Error(fs, err))
			}
		}
	}
	return nil
}
