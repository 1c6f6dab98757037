//go:build unix

package run

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/opt"
)

// synchronization matches lines that order pipes.
var synchronization = regexp.MustCompile(`(?m)^ *pto\.(set_flag|wait_flag|barrier)\b.*\n`)

// unsynchronized writes an example on buffers with addresses and without flags.
func unsynchronized(t *testing.T, example string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := opt.Main([]string{filepath.Join("../../../examples", example), "--pto-bufferize", "--pto-plan-memory"}, strings.NewReader(""), &out, &errs); code != exit.OK {
		t.Fatal(errs.String())
	}
	return clitest.Written(t, filepath.Base(example), synchronization.ReplaceAllString(out.String(), ""))
}

// TestCheckFix removes all flags of examples and lets --fix insert them. Afterwards the
// same command without --fix reports nothing, and --fix changes nothing more.
func TestCheckFix(t *testing.T) {
	for _, c := range []struct{ example, args string }{
		{"divide.pto", "iota=32x64xf32 zeros=32x64xf32 2.0"},
		{"softmax.pto", "rand=32x64xf32 zeros=32x64xf32"},
		{"clamp.pto", "iota=64x32xf32 zeros=64x32xf32 100.0 1000.0 64"},
		{"layernorm.pto", "rand=32x64xf32 rand=1x64xf32 rand=1x64xf32 zeros=32x64xf32"},
		{"topk.pto", "rand=8x128xf32 zeros=8x16xf32 zeros=8x16xui32"},
		{"tutorial/softmax_rows.pto", "rand=50x64xf32 zeros=50x64xf32 50"},
	} {
		t.Run(c.example, func(t *testing.T) {
			path := unsynchronized(t, c.example)
			args := []string{path, "--check=race,sync"}
			for a := range strings.FieldsSeq(c.args) {
				args = append(args, "--arg", a)
			}
			if code, text := exitAndText(args...); code != exit.Check {
				t.Fatalf("without flags: exit code %d\n%s", code, text)
			}
			before, _ := os.ReadFile(path)
			if code, text := exitAndText(append(args, "--fix-dry-run")...); code != exit.OK {
				t.Errorf("--fix-dry-run: exit code %d\n%s", code, text)
			}
			if now, _ := os.ReadFile(path); !bytes.Equal(now, before) {
				t.Error("--fix-dry-run changed the file")
			}
			if code, text := exitAndText(append(args, "--fix")...); code != exit.OK || !strings.Contains(text, " edits\n") {
				t.Errorf("--fix: exit code %d\n%s", code, text)
			}
			if code, text := exitAndText(args...); code != exit.OK || !strings.Contains(text, "check: no reports") {
				t.Errorf("after --fix: exit code %d\n%s", code, text)
			}
			if code, text := exitAndText(append(args, "--fix")...); code != exit.OK || strings.Contains(text, " edits\n") {
				t.Errorf("--fix again: exit code %d\n%s", code, text)
			}
		})
	}
}

// TestCheckFixOptions combines --fix with options that it does not work with.
func TestCheckFixOptions(t *testing.T) {
	path := unsynchronized(t, "divide.pto")
	for _, c := range []struct{ args, want string }{
		{path + " --fix", "--fix and --fix-dry-run need --check, such as --check=all"},
		{"- --check=all --fix", "--fix changes the file and cannot read standard input: name a file"},
		{path + " --check=all --fix --timing", "--fix only works with --check and --engine=go"},
	} {
		if code, text := exitAndText(strings.Fields(c.args)...); code != exit.Usage || !strings.Contains(text, c.want) {
			t.Errorf("%s: exit code %d\n%s", c.args, code, text)
		}
	}
}

// exitAndText runs pto-run and returns its exit code and its messages.
func exitAndText(args ...string) (int, string) {
	code, _, text := runKernel(args...)
	return code, text
}
