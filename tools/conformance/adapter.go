package conformance

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Adapter is a command that runs one case on an implementation. The page
// conformance/README.md describes its arguments, its files and its exit codes.
type Adapter struct {
	// Command is the command with its first arguments.
	Command []string
	// Timeout is the time limit of a case.
	Timeout time.Duration
}

// Exit codes of an adapter.
const (
	exitOK           = 0
	exitRejected     = 1
	exitNotSupported = 77
)

// programFile and launchFile are the names of the files that an adapter reads.
const (
	programFile = "program.pto"
	launchFile  = "launch.txt"
)

// Run runs the case in a temporary folder below the folder in.
func (a *Adapter) Run(c *Case, in string) *Result {
	folder, err := os.MkdirTemp(in, "case")
	if err != nil {
		return &Result{c, Failed, err.Error()}
	}
	defer os.RemoveAll(folder)
	if err := c.writeFiles(folder); err != nil {
		return &Result{c, Failed, err.Error()}
	}
	code, said, err := a.start(c, folder)
	switch {
	case err != nil:
		return &Result{c, Failed, err.Error()}
	case code == exitNotSupported:
		return &Result{c, NotSupported, said}
	case code == exitRejected && (c.Verdict == Rejected || c.Verdict == Hazard):
		return &Result{c, Passed, ""}
	case code == exitRejected:
		return &Result{c, Wrong, "rejected: " + said}
	case code != exitOK:
		return &Result{c, Failed, fmt.Sprintf("exit code %d: %s", code, said)}
	case c.Verdict == Rejected || c.Verdict == Hazard:
		return &Result{c, Wrong, "accepted"}
	case c.Verdict == Synchronized:
		return &Result{c, Passed, ""}
	}
	got := make([][]byte, len(c.Args))
	for i, arg := range c.Args {
		if arg.Scalar == nil {
			if got[i], err = os.ReadFile(filepath.Join(folder, bufferFile(i))); err != nil {
				return &Result{c, Failed, err.Error()}
			}
		}
	}
	return c.Compare(got)
}

// bufferFile returns the name of the file of argument i.
func bufferFile(i int) string { return fmt.Sprintf("arg%d.bin", i) }

// writeFiles writes the files of the case into a folder.
func (c *Case) writeFiles(folder string) error {
	var launch strings.Builder
	fmt.Fprintf(&launch, "profile %s\n", c.Profile)
	if c.Verdict == Results {
		fmt.Fprintf(&launch, "kernel %s\nblocks %d\n", c.Kernel, c.Blocks)
	}
	for i, a := range c.Args {
		if a.Scalar != nil {
			fmt.Fprintf(&launch, "scalar %s 0x%x\n", a.Type, *a.Scalar)
			continue
		}
		fmt.Fprintf(&launch, "buffer %s %s\n", a.Type, bufferFile(i))
		if err := os.WriteFile(filepath.Join(folder, bufferFile(i)), a.Before, 0o666); err != nil {
			return err
		}
	}
	return errors.Join(
		os.WriteFile(filepath.Join(folder, programFile), []byte(c.Program), 0o666),
		os.WriteFile(filepath.Join(folder, launchFile), []byte(launch.String()), 0o666))
}

// start runs the command and returns its exit code and the first line of its messages.
func (a *Adapter) start(c *Case, folder string) (code int, said string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), a.Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, a.Command[0], append(a.Command[1:len(a.Command):len(a.Command)], verdicts[c.Verdict], folder)...)
	var messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &messages, &messages
	err = cmd.Run()
	said, _, _ = strings.Cut(strings.ReplaceAll(strings.TrimSpace(messages.String()), folder+string(filepath.Separator), ""), "\n")
	if ended, ok := errors.AsType[*exec.ExitError](err); ok && ctx.Err() == nil {
		return ended.ExitCode(), said, nil
	}
	if ctx.Err() != nil {
		return 0, said, fmt.Errorf("not finished after %v", a.Timeout)
	}
	return 0, said, err
}

// RunAll runs all cases, several at once, and returns the results in their order.
func (a *Adapter) RunAll(cases []*Case) ([]*Result, error) {
	folder, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	results := make([]*Result, len(cases))
	var next atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(cases); i = int(next.Add(1)) - 1 {
				results[i] = a.Run(cases[i], folder)
			}
		})
	}
	wg.Wait()
	return results, nil
}
