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
	runTool
	out   bytes.Buffer
	found []report.JSONDiag
}

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
	err := setFlags(c.define(), options)
	if err == nil {
		c.given, err = args()
	}
	if err != nil {
		return c.Usage("%v", err)
	}
	defer c.endArguments()
	expect, code := c.checkFlags()
	if code != exit.OK {
		return code
	}
	return c.launchLoaded(l, expect)
}

// endArguments releases the memory of the arguments after a launch.
func (c *Request) endArguments() {
	for _, a := range c.given {
		if err := a.End(); err != nil {
			c.Fail("%v", err)
		}
	}
}

// notForRuns are options that a request to launch must not set. Such an option belongs to
// loading a program, or to the command line.
var notForRuns = map[string]bool{
	"kernel": true, "pto-arch": true, "enable-soft-lib": true, "strict": true, "read-ptoas-ir": true, "fix": true, "fix-dry-run": true, "arg": true, "graph": true, "serve": true, "dap": true, "batch": true, "tune": true, "tune-json": true, "tune-plot": true, "advise": true, "advise-json": true, "advise-tries": true, "output": true, "shard": true, "results": true, "jobs": true,
	"diagnostics": true, "color": true, "completion": true, "version": true, "help": true,
}

// setFlags sets the options in fs from options, the values of a JSON object by option name.
// It returns an error for an unknown option or a wrong value.
func setFlags(fs *pflag.FlagSet, options map[string]any) error {
	for name, value := range options {
		if fs.Lookup(name) == nil {
			return fmt.Errorf("unknown flag: --%s%s", name, flags.DidYouMean("--", name, flags.FlagNames(fs)))
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
