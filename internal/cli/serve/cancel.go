// This file cancels requests.

package serve

import (
	"context"
	"fmt"
	"time"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/report"
	"ptogo/internal/cli/run"
)

// patienceWithWork is a time limit after the cancellation of a request. If the work for
// the request has not ended by then, the process answers the request without a result.
const patienceWithWork = time.Second

// unlessCancelled calls the function work and returns its result. If the request is
// cancelled and the function does not return soon, unlessCancelled returns an error
// result about the tool with the given name. The result that the function returns later
// is discarded. Therefore, the function must not write to memory that other goroutines
// read.
func unlessCancelled(ctx context.Context, tool string, work func() run.Result) run.Result {
	given := make(chan run.Result, 1)
	go func() {
		defer func() {
			if x := recover(); x != nil {
				given <- failed(tool, fmt.Sprintf("this is a bug in the server, please report it: %v", x))
			}
		}()
		given <- work()
	}()
	select {
	case r := <-given:
		return r
	case <-ctx.Done():
	}
	select {
	case r := <-given:
		return r
	case <-time.After(patienceWithWork):
		return failed(tool, textNotFinished)
	}
}

// textNotFinished is the error of a tool whose request was cancelled before it ended.
const textNotFinished = "the request was interrupted"

// failed returns the result of a tool that has only reported one error. The parameter
// tool is the name of the tool, and the parameter text is the error.
func failed(tool, text string) run.Result {
	r := run.Result{Exit: exit.Diag}
	collect := report.NewMachine(tool, func(d report.JSONDiag) { r.Diagnostics = append(r.Diagnostics, d) })
	fmt.Fprintf(collect, "%s: error: %s\n", tool, text)
	return r
}
