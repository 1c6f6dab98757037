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

// TimeoutError is the error of a tool that exceeded its time limit. What names the tool.
type TimeoutError struct {
	What  string
	Limit time.Duration
}

// Error implements error.
func (e *TimeoutError) Error() string {
	return fmt.Sprintf("%s did not finish within %s", e.What, e.Limit)
}

// watch runs tools that share a limit of processor time. It also limits the wall-clock
// time, to ten times the limit of processor time. This second limit ends a tool that
// waits forever and uses no processor time. It is larger, because on a busy machine a
// tool spends most of its time waiting for a processor.
type watch struct {
	limit time.Duration
	until time.Time
	// used is the processor time of the tools that have ended.
	used *time.Duration
	// stop ends the tools when it is closed.
	stop <-chan struct{}
}

// ErrStopped is the error of Build if Options.Stop was closed.
var ErrStopped = errors.New("compiling was interrupted")

// patience is a factor: the limit of wall-clock time for a compilation is this number of
// times the limit of processor time.
const patience = 10

// newWatch returns a watch that starts now. limit is the limit of processor time, and the
// channel stop interrupts the tools when it is closed.
func newWatch(limit time.Duration, stop <-chan struct{}) watch {
	return watch{limit, time.Now().Add(patience * limit), new(time.Duration), stop}
}

// stopped reports whether the channel w.stop is closed, which means that the user has
// interrupted the compilation.
func (w watch) stopped() bool {
	select {
	case <-w.stop:
		return true
	default:
		return false
	}
}

// output runs the tool with the given name and arguments, and returns its standard
// output.
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

// limited returns a command that runs an external tool with a limit on its processor
// time. The system ends the tool when it has used the limit. The command uses the shell's
// ulimit, which counts whole seconds.
func limited(ctx context.Context, limit time.Duration, path string, args []string) *exec.Cmd {
	const sh = "/bin/sh"
	if _, err := os.Stat(sh); err != nil {
		return exec.CommandContext(ctx, path, args...)
	}
	seconds := max(1, int64((limit+time.Second-1)/time.Second))
	line := fmt.Sprintf(`ulimit -t %d && exec "$0" "$@"`, seconds)
	return exec.CommandContext(ctx, sh, append([]string{"-c", line, path}, args...)...)
}

// run runs an external tool and waits until it ends. name is the path of the tool, and
// args are its arguments. If the tool fails, the error contains the first lines of its
// output.
func (w watch) run(name string, args ...string) error {
	msg, err := w.output(name, args...)
	if err == nil || w.over(err) {
		return err
	}
	lines := strings.SplitAfterN(string(msg), "\n", mostLines+1)
	return fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, strings.Join(lines[:min(len(lines), mostLines)], ""))
}

// over reports whether err is a timeout or an interruption. After such an error, the
// caller must stop. After any other error of a tool, it can try the next tool in its
// list.
func (w watch) over(err error) bool {
	_, late := errors.AsType[*TimeoutError](err)
	return late || errors.Is(err, ErrStopped)
}

// mostLines limits the number of lines of a tool's output that an error contains, because
// LLVM prints its whole stack when it fails.
const mostLines = 5
