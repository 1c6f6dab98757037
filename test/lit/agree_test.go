package lit_test

import (
	"bytes"
	"io"
	"os/exec"
	"testing"

	"ptogo/internal/filecheck"
	"ptogo/internal/lit"
)

// agreeing runs our FileCheck and LLVM's on the same input and wants the same
// exit status.
func agreeing(t *testing.T, llvm string, args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
	input, err := io.ReadAll(stdin)
	if err != nil {
		t.Errorf("reading the input of FileCheck: %v", err)
	}
	dir := lit.Getenv(env, "PWD")
	status := filecheck.RunIn(dir, args, bytes.NewReader(input), stdout, stderr)

	cmd := exec.Command(llvm, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, env, bytes.NewReader(input)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Errorf("running LLVM's FileCheck: %v", err)
	} else if theirs := cmd.ProcessState.ExitCode(); theirs != status {
		t.Errorf("FileCheck %q: our status is %d, LLVM's %d\n%s", args, status, theirs, out)
	}
	return status
}
