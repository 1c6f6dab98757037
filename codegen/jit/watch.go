// This file ends tools and kernels that run too long.

package jit

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// TimeoutError is the error of a tool that was ended because it took too long.
type TimeoutError struct {
	What  string
	Limit time.Duration
}

// Error implements error.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s did not finish within %s", e.What, e.Limit)
}

// watch runs tools that may take a common time of a processor. By the clock they
// get ten times as much: on a busy machine they wait for others, and what waits
// for ever must end too.
type watch struct {
	limit time.Duration
	until time.Time
	used  *time.Duration  // by the tools that have ended
	stop  <-chan struct{} // ends them when it closes
}

// ErrStopped is the error of tools that somebody has stopped.
var ErrStopped = errors.New("compiling was interrupted")

// patience is how much longer than its limit a tool may take by the clock.
const patience = 10

func newWatch(limit time.Duration, stop <-chan struct{}) watch {
	return watch{limit, time.Now().Add(patience * limit), new(time.Duration), stop}
}

// stopped reports whether somebody wants the tools to end.
func (w watch) stopped() bool {
	select {
	case <-w.stop:
		return true
	default:
		return false
	}
}

// output runs a tool and returns what it writes.
func (w watch) output(name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithDeadline(context.Background(), w.until)
	defer cancel()
	go func() {
		select {
		case <-w.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	left := w.limit - *w.used
	cmd := limited(ctx, left, name, args)
	tie(cmd)
	cmd.WaitDelay = time.Second // what it started may keep its output open
	var out boundedText
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	spent := time.Duration(0)
	if cmd.ProcessState != nil {
		spent = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		*w.used += spent
	}
	// What the system counts when it stops a tool is more than what it reports
	// afterwards, by much on a busy virtual machine.
	switch {
	case err != nil && w.stopped():
		err = ErrStopped
	case err != nil && (spent >= left/2 || errors.Is(ctx.Err(), context.DeadlineExceeded)):
		err = &TimeoutError{filepath.Base(name), w.limit}
	}
	return out.kept.Bytes(), err
}

// limited is a command that the system ends when it has used so much of a
// processor. The shell counts in whole seconds.
func limited(ctx context.Context, limit time.Duration, name string, args []string) *exec.Cmd {
	const sh = "/bin/sh"
	if _, err := os.Stat(sh); err != nil {
		return exec.CommandContext(ctx, name, args...)
	}
	seconds := max(1, int64((limit+time.Second-1)/time.Second))
	line := fmt.Sprintf(`ulimit -t %d && exec "$0" "$@"`, seconds)
	return exec.CommandContext(ctx, sh, append([]string{"-c", line, name}, args...)...)
}

// run runs a tool; what it writes reports why it failed.
func (w watch) run(name string, args ...string) error {
	msg, err := w.output(name, args...)
	if err == nil || w.over(err) {
		return err
	}
	lines := strings.SplitAfterN(string(msg), "\n", mostLines+1)
	return fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, strings.Join(lines[:min(len(lines), mostLines)], ""))
}

// over reports whether other tools need not be tried after an error.
func (w watch) over(err error) bool {
	_, late := errors.AsType[*TimeoutError](err)
	return late || errors.Is(err, ErrStopped)
}

// mostLines limits how many lines of a tool's output an error shows, because LLVM
// prints its whole stack when it fails.
const mostLines = 5
