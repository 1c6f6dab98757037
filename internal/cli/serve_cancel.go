// This file cancels requests.

package cli

import (
	"context"
	"fmt"
	"time"
)

// patienceWithWork is how long work may continue after its request was cancelled.
const patienceWithWork = time.Second

// unlessCancelled returns the result of work for a tool. If the request is cancelled
// and the work does not end soon, the result reports the cancellation and the later
// result of the work is discarded. The work must therefore not write to memory that
// others read.
func unlessCancelled(ctx context.Context, tool string, work func() result) result {
	given := make(chan result, 1)
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

// textNotFinished is the error of a tool that was not left to end.
const textNotFinished = "the request was interrupted"

// failed returns the result of a tool that consists of a single error.
func failed(tool, text string) result {
	r := result{Exit: exitDiag}
	collect := &machineTeller{tool: tool, found: func(d jsonDiag) { r.Diagnostics = append(r.Diagnostics, d) }}
	fmt.Fprintf(collect, "%s: error: %s\n", tool, text)
	return r
}
