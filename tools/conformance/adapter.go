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
	"strconv"
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
	if err := c.WriteFiles(folder); err != nil {
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
	got, err := c.ReadFiles(folder)
	if err != nil {
		return &Result{c, Failed, err.Error()}
	}
	return c.Compare(got)
}

// ReadFiles reads the buffers of the case from the files in a folder, for Compare.
func (c *Case) ReadFiles(folder string) ([][]byte, error) {
	got := make([][]byte, len(c.Args))
	for i, a := range c.Args {
		for r := range max(c.Ranks, 1) {
			if !a.isBuffer() {
				continue
			}
			data, err := os.ReadFile(filepath.Join(folder, c.bufferFile(i, strconv.Itoa(r))))
			if err != nil {
				return nil, err
			}
			got[i] = append(got[i], data...)
		}
	}
	return got, nil
}

// bufferFile returns the name of the file of argument i of a rank.
func (c *Case) bufferFile(i int, rank string) string {
	if c.Ranks == 0 {
		return fmt.Sprintf("arg%d.bin", i)
	}
	return fmt.Sprintf("arg%d.%s.bin", i, rank)
}

// WriteFiles writes the files of the case into a folder.
func (c *Case) WriteFiles(folder string) error {
	var launch strings.Builder
	fmt.Fprintf(&launch, "profile %s\n", c.Profile)
	if c.Verdict == Results {
		fmt.Fprintf(&launch, "kernel %s\nblocks %d\n", c.Kernel, c.Blocks)
	}
	if c.Ranks > 0 {
		fmt.Fprintf(&launch, "ranks %d\n", c.Ranks)
	}
	for i, a := range c.Args {
		switch {
		case a.Scalar != nil:
			fmt.Fprintf(&launch, "scalar %s 0x%x\n", a.Type, *a.Scalar)
			continue
		case a.Window > 0:
			fmt.Fprintf(&launch, "window %s %d\n", a.Type, a.Window)
			continue
		case a.Context:
			fmt.Fprintf(&launch, "context %s\n", a.Type)
			continue
		}
		fmt.Fprintf(&launch, "buffer %s %s\n", a.Type, c.bufferFile(i, "{rank}"))
		each := len(a.Before) / max(c.Ranks, 1)
		for r := range max(c.Ranks, 1) {
			if err := os.WriteFile(filepath.Join(folder, c.bufferFile(i, strconv.Itoa(r))), a.Before[r*each:(r+1)*each], 0o666); err != nil {
				return err
			}
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
