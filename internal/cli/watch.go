// This file ends a process that exceeds its limits.

package cli

import (
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"ptogo/internal/temporary"
)

// watch starts a goroutine that ends the process with an error when it exceeds its memory
// or time limit, so that the phases of a tool need no checks. Calling the returned
// function removes the time limit; the memory limit remains.
//
// watch does nothing in a process that serves several requests, as with --serve, because
// one request must not end the others. Such a process has other means: a time limit for
// each request, and a count of the memory of its arguments.
func (s *streams) watch(b budget) (inTime func()) {
	if !ownProcess {
		return func() {}
	}
	limit := limitOf(b.memory)
	debug.SetMemoryLimit(int64(limit.byteSize)) // near the limit garbage goes before the process does
	go func() {
		for range time.Tick(watchInterval) {
			if liveHeap() > uint64(limit.byteSize) {
				s.exceeded(fmt.Sprintf("the run needs more than %s of memory%s", &limit, limit.advice()))
			}
		}
	}()
	late := time.AfterFunc(b.time, func() {
		s.exceeded(fmt.Sprintf("the run did not finish within %s; --timeout raises the limit", b.time))
	})
	return func() { late.Stop() }
}

// exceeded ends the process with the error message text, after it has removed all
// temporary files.
func (s *streams) exceeded(text string) {
	temporary.RemoveAll()
	s.fail("%s", text)
	s.endDiagnostics()
	os.Exit(exitDiag)
}
