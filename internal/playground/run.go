// This file runs kernels.

package playground

import (
	"bytes"
	"errors"
	"fmt"

	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// runRequest holds the parameters of the request "run" of the web page.
type runRequest struct {
	Program
	// Launch describes the launch. If it has no arguments, they are generated.
	Launch Launch `json:"launch"`
	// Chip selects the timing model.
	Chip string `json:"chip"`
	// AsWritten runs the program without inserting synchronization.
	AsWritten bool `json:"as_written"`
	// Expression is a formula that the result is compared with, or "".
	Expression string `json:"expression"`
	// Other is the text of a second kernel whose results are compared, or "".
	Other string `json:"other"`
}

// RunAnswer is the response to the request "run" of the web page.
type RunAnswer struct {
	*Report
	// Launch is the launch with all arguments, including the generated ones.
	Launch Launch `json:"launch"`
	// Prepared reports that synchronization has been inserted.
	Prepared bool `json:"prepared"`
	// Ran reports whether the kernel was started.
	Ran bool `json:"ran"`
}

// maxSteps is the maximum number of operations that each block executes.
const maxSteps = 200_000_000

// run responds to the request "run" of the web page: it launches the kernel and returns
// its results, comparisons and reports.
func run(q *runRequest, in Files) (any, Files, error) {
	if len(q.Text) > MaxText || len(q.Other) > MaxText {
		return nil, nil, fmt.Errorf("the text is larger than %d MiB", MaxText>>20)
	}
	l := q.Launch
	if q.Target != "" {
		l.Target = q.Target
	}
	if l.Blocks > maxBlocks || l.Ranks > runtime.MostRanks || l.Blocks < 0 || l.Ranks < 0 {
		return nil, nil, fmt.Errorf("a launch in the playground can have at most %d blocks and %d ranks", maxBlocks, runtime.MostRanks)
	}
	src := q.source()
	a := &RunAnswer{Report: &Report{File: src.Name, Program: q.Text, Diagnostics: []Diagnostic{}, Blocks: max(l.Blocks, 1), Ranks: max(l.Ranks, 1)}}
	r, err := prepare(src, &l, q.AsWritten, in)
	a.Launch = l
	if list, ok := errors.AsType[ir.Errors](err); ok {
		a.Diagnostics = diagnostics(src, list)
		return a, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	a.Report, a.Prepared = NewReport(src, r.prog, a.Blocks, a.Ranks), r.prepared
	out := Files{}
	if err := a.execute(q, r, src, in, out); err != nil {
		return nil, nil, err
	}
	return a, out, nil
}

// execute runs the prepared kernel r with all listeners, and adds the results to the
// response a. The parameter in contains the files of the request, and the parameter out
// receives the files of the response.
func (a *RunAnswer) execute(q *runRequest, r *launched, src *ir.Source, in, out Files) error {
	c := newComparer(q, r, a, in)
	o := NewObserver()
	var printed bytes.Buffer
	u := newUnits(src.Text)
	options := runtime.Options{
		Blocks: a.Blocks, Ranks: a.Ranks, MaxSteps: maxSteps, Out: &printed, MaxOutput: maxPrinted, Listeners: append(c.listeners(), o),
		Stop: func() string {
			if o.Recorder.Items() > maxItems {
				return "the run has too many instructions for the playground; pto-run has no such limit"
			}
			return ""
		},
		Warn: func(f *runtime.Fault) {
			if !o.Checker.Warned(f) {
				d := f.Diag()
				d.Severity = ir.Warning
				a.Diagnostics = append(a.Diagnostics, diagnostic(src, u, d))
			}
		},
	}
	plan, err := r.prog.Plan(options)
	if list, ok := errors.AsType[ir.Errors](err); ok {
		a.Diagnostics = append(a.Diagnostics, diagnostics(src, list)...)
		return nil
	}
	if err != nil {
		return err
	}
	a.Ran = true
	err = plan.Run(r.values()...)
	if _, faulted := errors.AsType[*runtime.Fault](err); err != nil && !faulted {
		return err
	}
	a.Printed = printed.String()
	if err == nil {
		o.Checker.Confirm(func(c *check.Run) error {
			opts := runtime.Options{Blocks: a.Blocks, Ranks: a.Ranks, MaxSteps: maxSteps}
			c.Apply(&opts)
			return r.again(opts)
		})
	}
	a.Arrays = r.arrays(&a.Launch, out)
	if err == nil {
		c.compare(a, out)
	}
	return a.Add(src, o, r.prog, q.Chip, data.OtherArguments(r.args))
}
