package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
)

const budgetKernel = `func.func @k(%p: !pto.ptr<i64>, %n: i32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %many = arith.constant 100000 : index
  scf.for %i = %zero to %many step %one {
    pto.print ins("%d and more text\n", %n : i32)
  }
  return
}
`

// TestArgumentsAreCounted refuses arguments before it allocates any of their memory.
func TestArgumentsAreCounted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "k.pto")
	if err := os.WriteFile(file, []byte(budgetKernel), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ arg, flag, want string }{
		{"zeros=4294967296x4294967296xi64", "", "has too many elements"},
		{"zeros=4294967296xi64", "", "more than 1GiB of memory"},
		{"ones=2x9223372036854775807xi64", "", "has too many elements"},
		{"out=x:4294967295", "", "more than 1GiB of memory"},
		{"rand=1024xi64,seed=1", "--max-memory=4KiB", "more than 4KiB of memory"},
		{"per-block:fill=1,1024xi64", "--max-memory=4KiB", "more than 4KiB of memory"},
		{"in=" + file, "--max-memory=10", "larger than 10;"},
		{"zeros=8xi64", "--max-memory=1TB", "a number of bytes"},
		{"zeros=8xi64", "--max-output=1KiB", "prints more than 1024 bytes"},
	} {
		args := []string{file, "--arg", c.arg, "--arg", "1"}
		if c.flag != "" {
			args = append(args, c.flag)
		}
		var out, errs bytes.Buffer
		if code := Run(args, strings.NewReader(""), &out, &errs); code == exit.OK || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%v: exit code %d\n%s", args, code, errs.String())
		}
		if out.Len() > 1<<10 {
			t.Errorf("%v: %d bytes are printed", args, out.Len())
		}
	}
}

// TestInputIsBounded reads no more than the budget of an input without an end.
func TestInputIsBounded(t *testing.T) {
	var out, errs bytes.Buffer
	if code := Opt([]string{"--max-memory=1MiB", "-"}, endlessReader{}, &out, &errs); code != exit.Diag || !strings.Contains(errs.String(), "larger than 1MiB") {
		t.Errorf("exit code %d\n%s", code, errs.String())
	}
}

type endlessReader struct{}

func (endlessReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
