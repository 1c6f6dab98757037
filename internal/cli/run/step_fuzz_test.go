package run

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
)

// FuzzStep gives commands to --step: they come to an end, and no command takes more
// than an error of its own.
func FuzzStep(f *testing.F) {
	const text = `func.func @k(%x: !pto.ptr<i32>) attributes {pto.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    %a = pto.load_scalar %x[%i] : !pto.ptr<i32> -> i32
    pto.store_scalar %a, %x[%c0] : !pto.ptr<i32>, i32
  }
  return
}
`
	file := filepath.Join(f.TempDir(), "k.pto")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		f.Fatal(err)
	}
	for _, s := range []string{
		"break %a@i=1\ncontinue\nprint %a\nback 2\nflags\nquit\n", "step 3\nround\ncore\nmemory gm:0 0 12\n", "watch gm:0 0 4\nc\nwhere\n",
		"step -1\nback -1\nback 99999999999\nmemory ub -8 5\nwatch\nprint\nbreak\nhelp\n", "m gm:9 0 1\nm l1 99999999999 1\np %zzz\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, commands string) {
		if strings.Count(commands, "\n") > 20 {
			return
		}
		script := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(script, []byte(commands), 0o600); err != nil {
			t.Fatal(err)
		}
		var out, errs bytes.Buffer
		code := ptoRun([]string{file, "--step-script", script, "--arg", "iota=3xi32"}, nil, &out, &errs)
		if strings.Contains(errs.String(), "internal error") || code != exit.OK && code != exit.Usage && code != exit.Diag {
			t.Errorf("%q: code %d: %s", commands, code, errs.String())
		}
	})
}
