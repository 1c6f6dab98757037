package jit

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// TimeoutError is the error of a tool, or of a kernel, that was ended because
// it took too long.
type TimeoutError struct {
	What  string
	Limit time.Duration
}

// Error implements error.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s did not finish within %s", e.What, e.Limit)
}

// watch runs tools that have a common time to be done.
type watch struct {
	until time.Time
	limit time.Duration
}

func newWatch(limit time.Duration) watch { return watch{time.Now().Add(limit), limit} }

// output runs a tool and returns what it writes.
func (w watch) output(name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithDeadline(context.Background(), w.until)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = time.Second // what it started may keep its output open
	out, err := cmd.CombinedOutput()
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = &TimeoutError{filepath.Base(name), w.limit}
	}
	return out, err
}

// run runs a tool; what it writes tells why it failed.
func (w watch) run(name string, args ...string) error {
	msg, err := w.output(name, args...)
	if _, late := errors.AsType[*TimeoutError](err); err == nil || late {
		return err
	}
	lines := strings.SplitAfterN(string(msg), "\n", mostLines+1)
	return fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, strings.Join(lines[:min(len(lines), mostLines)], ""))
}

// mostLines is how much is told of what a tool says: LLVM shows its whole stack
// when it fails.
const mostLines = 5
