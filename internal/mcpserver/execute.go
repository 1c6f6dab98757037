package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"ptogo/internal/cli"
	"ptogo/internal/temporary"
)

// toolFlag is the first argument with which this program executes a tool, whose name and
// arguments follow.
const toolFlag = "--tool"

// tools are the tools that requests execute.
var tools = map[string]func(args []string, stdin io.Reader, stdout, stderr io.Writer) int{"pto-opt": cli.Opt, "pto-run": cli.Run}

const (
	// mostText is the length of the text of an answer in bytes. A model reads all of it.
	mostText = 16 << 10
	// mostTime limits each request. The limits of the tools are below it.
	mostTime = 2 * time.Minute
)

// verdicts are the exit codes of the tools in words.
var verdicts = map[int]string{
	0: "done, no errors", 1: "the program is wrong", 2: "the request is wrong", 3: "results differ", 4: "the kernel faulted", 5: "a checker or the proof has a report",
}

// execute runs a tool in a process of its own, in the given folder. stdin is its standard
// input.
func execute(ctx context.Context, dir, stdin, tool string, args []string) (Answer, error) {
	self, err := os.Executable()
	if err != nil {
		return Answer{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, mostTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, self, append([]string{toolFlag, tool}, args...)...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &out
	cmd.WaitDelay = time.Second
	err = temporary.Run(cmd)
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return Answer{}, fmt.Errorf("the request needs more than %v", mostTime)
	case err != nil && !errors.As(err, &ended):
		return Answer{}, err
	}
	a := Answer{Exit: cmd.ProcessState.ExitCode(), Text: out.String()}
	a.OK = a.Exit == 0
	if a.Verdict = verdicts[a.Exit]; a.Verdict == "" {
		a.Verdict = fmt.Sprintf("the tool ended with exit code %d", a.Exit)
	}
	if len(a.Text) > mostText {
		a.Cut = true
		cut := strings.LastIndexByte(a.Text[:mostText], '\n') + 1
		a.Text = fmt.Sprintf("%s[%d more bytes are not in this answer]\n", a.Text[:cut], len(a.Text)-cut)
	}
	return a, nil
}
