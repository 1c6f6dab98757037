package mlirtest

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"ptogo/tools/outside"
)

// Rejections collects illegal programs. At the end of the test, mlir-opt judges all of
// them in one run, because starting it is slow. Without mlir-opt, this step is skipped.
type Rejections struct{ texts []string }

// NewRejections returns an empty list of programs. When the test t ends, the list checks
// that mlir-opt rejects each program that was added to it. If mlir-opt accepts one, the
// test fails. If mlir-opt is not installed, nothing is checked.
func NewRejections(t *testing.T) *Rejections {
	r := &Rejections{}
	t.Cleanup(func() { r.judge(t) })
	return r
}

// Add checks that our verifier rejects a program with an error that contains want, and
// adds the program to the list for mlir-opt.
func (r *Rejections) Add(t *testing.T, text, want string) {
	t.Helper()
	RejectsAlone(t, text, want)
	r.texts = append(r.texts, text)
}

// Rejects checks that our verifier rejects the program text, and that mlir-opt rejects
// the program too. The error of our verifier must contain the text in the parameter want.
func Rejects(t *testing.T, text, want string) {
	t.Helper()
	NewRejections(t).Add(t, text, want)
}

// judge reports a test error for each program that mlir-opt accepts. If mlir-opt crashes
// on a program, this program counts as rejected, and judge runs mlir-opt again on the
// programs that follow it.
func (r *Rejections) judge(t *testing.T) {
	path, err := exec.LookPath(Tool)
	if err != nil {
		return
	}
	for rest := r.texts; len(rest) > 0; {
		refused, crashed := refusals(t, path, rest)
		n := len(rest)
		if crashed {
			n = min(slices.Index(append(refused, false), false)+1, n)
		}
		for i, text := range rest[:n] {
			if !refused[i] && !(crashed && i == n-1) {
				t.Errorf("%s accepts a program that our verifier rejects:\n%s", Tool, text)
			}
		}
		rest = rest[n:]
	}
}

// refusals runs mlir-opt, whose path is given, and reports for each program in texts
// whether mlir-opt rejects it. It runs mlir-opt once on all programs, divided by
// separator lines. The line number of an error then identifies the program. The result
// crashed reports whether mlir-opt crashed.
func refusals(t *testing.T, path string, texts []string) (refused []bool, crashed bool) {
	var in strings.Builder
	line := 0
	lines := make([]int, len(texts))
	for i, text := range texts {
		in.WriteString("\n// -----\n")
		lines[i] = line + 2
		in.WriteString(text)
		line = lines[i] + strings.Count(text, "\n")
	}
	a, err := outside.Ask(outside.Question{Tool: path, Args: []string{"--allow-unregistered-dialect", "--split-input-file"}, Stdin: in.String()})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		refused = append(refused, strings.Contains(a.Stderr, fmt.Sprintf("within split at <stdin>:%d offset ", line)))
	}
	return refused, a.Status != 0 && a.Status != 1
}
