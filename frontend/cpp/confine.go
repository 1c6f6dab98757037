// This file runs clang and opt within limits.

package cpp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"time"

	"ptogo/internal/temporary"
)

// Limits of one run of clang or opt. A file that makes the compiler exceed them cannot be
// read: templates that expand without end, or a device that is included as a file.
const (
	compileSeconds = 60 // processor time
	compileLimit   = 2 * time.Minute
	compileKiB     = 4 << 20 // address space
	compileBlocks  = 2 << 20 // 512 bytes each, of a written file
	compileOutput  = 4 << 20 // bytes of messages
)

// run runs a program within the limits and returns what it printed. The error contains the
// output.
func run(path string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), compileLimit)
	defer cancel()
	b := &limitedBuffer{}
	c, err := runConfined(ctx, b, path, args)
	switch state := c.ProcessState; {
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // with success, although its pipe for messages is still open
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("%s did not end within %s", filepath.Base(path), compileLimit)
	case state != nil && state.UserTime()+state.SystemTime() >= compileSeconds*time.Second:
		return fmt.Errorf("%s needs more than %d s of processor time for this file", filepath.Base(path), compileSeconds)
	case b.kept.Len() == 0:
		return fmt.Errorf("%s ended without a message (%w); it may use at most %d GiB of memory", filepath.Base(path), err, compileKiB>>20)
	}
	return &compileError{b.kept.String()}
}

// runConfined runs a program without network, if the system permits that.
func runConfined(ctx context.Context, out *limitedBuffer, path string, args []string) (*exec.Cmd, error) {
	c := limited(ctx, path, args)
	c.Stdout, c.Stderr = out, out
	confine(c)
	err := temporary.Run(c)
	if confined(c) && c.ProcessState == nil && ctx.Err() == nil { // the system has no namespaces for users
		c = limited(ctx, path, args)
		c.Stdout, c.Stderr = out, out
		err = temporary.Run(c)
	}
	return c, err
}

// limited returns the command that runs a program with the limits of the shell.
func limited(ctx context.Context, path string, args []string) *exec.Cmd {
	var c *exec.Cmd
	if sh, err := exec.LookPath("sh"); err == nil {
		line := fmt.Sprintf(`ulimit -t %d; ulimit -v %d; ulimit -f %d; ulimit -c 0; exec "$0" "$@"`, compileSeconds, compileKiB, compileBlocks)
		c = exec.CommandContext(ctx, sh, append([]string{"-c", line, path}, args...)...)
	} else {
		c = exec.CommandContext(ctx, path, args...)
	}
	c.WaitDelay = time.Second
	return c
}

// limitedBuffer keeps the first compileOutput bytes. It does not embed its buffer, whose
// ReadFrom would pass by the limit.
type limitedBuffer struct{ kept bytes.Buffer }

var errOutput = errors.New("too many messages")

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if b.kept.Len()+len(p) > compileOutput {
		return 0, errOutput
	}
	return b.kept.Write(p)
}
