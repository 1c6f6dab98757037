package diff

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli"
	"ptogo/internal/reduce"
)

// smallest reduces a kernel on which the two engines disagree, and returns the smallest
// program found that still shows the difference. input is the kernel's input, and out the
// size of its output in bytes. The callback same returns an error if two outputs differ.
func smallest(t *testing.T, text string, input []byte, out int, same func(got, want []byte) error) string {
	return reduce.Failing(inModule("a5", text), disagreement(t, input, out, same))
}

// disagreement returns a function that runs a program on both engines. The function
// returns a description of the difference between their outputs, or "".
func disagreement(t *testing.T, input []byte, out int, same func(got, want []byte) error) func(text string) string {
	dir := t.TempDir()
	in, file := filepath.Join(dir, "in"), filepath.Join(dir, "k.pto")
	if err := os.WriteFile(in, input, 0o600); err != nil {
		t.Fatal(err)
	}
	return func(text string) string {
		if os.WriteFile(file, []byte(text), 0o600) != nil {
			return ""
		}
		var outs [2][]byte
		for i, engine := range []string{"go", "llvm"} {
			to := filepath.Join(dir, engine)
			args := []string{file, "--pto-arch=a5", "--engine=" + engine, "--arg", "in=" + in, "--arg", fmt.Sprintf("out=%s:%d", to, out)}
			if cli.Run(args, strings.NewReader(""), io.Discard, io.Discard) != 0 {
				return ""
			}
			outs[i], _ = os.ReadFile(to)
		}
		if same(outs[1], outs[0]) != nil {
			return "the engines disagree"
		}
		return ""
	}
}

// TestDisagreement runs a program on which the engines agree. It also checks the report
// that a difference would cause.
func TestDisagreement(t *testing.T) {
	k := newVectorMaker(1, false).kernel("k0")
	text := inModule("a5", k.text)
	if how := disagreement(t, k.input, outBytes, k.same)(text); how != "" {
		t.Errorf("%s on\n%s", how, text)
	}
	written := func(got, _ []byte) error {
		if strings.Trim(string(got), "\x00") != "" {
			return errors.New("something was written")
		}
		return nil
	}
	if disagreement(t, k.input, outBytes, written)(text) == "" {
		t.Errorf("nothing is written by\n%s", text)
	}
	if how := disagreement(t, k.input, outBytes, written)(strings.Replace(text, "%in", "%other", 1)); how != "" {
		t.Errorf("a program that cannot be read: %s", how)
	}
}
