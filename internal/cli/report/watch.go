// This file ends a process that exceeds its limits.

package report

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/limit"
	"ptogo/internal/temporary"
)

// Watch starts a goroutine that ends the process with an error when it exceeds its memory
// or time limit, so that the phases of a tool need no checks. Calling the returned
// function removes the time limit; the memory limit remains.
//
// Watch does nothing in a process that serves several requests, as with --serve, because
// one request must not end the others. Such a process has other means: a time limit for
// each request, and a count of the memory of its arguments.
func (s *Streams) Watch(b limit.Budget) (inTime func()) {
	if !limit.OwnProcess {
		return func() {}
	}
	most := limit.MemoryOf(b.Memory)
	debug.SetMemoryLimit(int64(most.Bytes)) // near the limit garbage goes before the process does
	go func() {
		for range time.Tick(limit.WatchInterval) {
			if limit.LiveHeap() > uint64(most.Bytes) {
				s.exceeded(fmt.Sprintf("the run needs more than %s of memory%s", &most, most.Advice()))
			}
		}
	}()
	late := time.AfterFunc(b.Time, func() {
		s.exceeded(fmt.Sprintf("the run did not finish within %s; --timeout raises the limit", b.Time))
	})
	return func() { late.Stop() }
}

// exceeded ends the process with the error message text, after it has removed all
// temporary files.
func (s *Streams) exceeded(text string) {
	temporary.RemoveAll()
	s.Fail("%s", text)
	s.endDiagnostics()
	os.Exit(exit.Diag)
}
