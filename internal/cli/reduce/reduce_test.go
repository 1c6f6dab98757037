package reduce

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
)

// TestReduceTool cuts a program down to the line that a script looks for.
func TestReduceTool(t *testing.T) {
	dir := t.TempDir()
	script := filepath.Join(dir, "test.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ngrep -q 'arith.divsi' \"$1\" && exit 1\nexit 0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "x.pto")
	text := "func.func @a(%n: i32) {\n%s = arith.addi %n, %n : i32\n%d = arith.divsi %n, %n : i32\n%e = arith.muli %d, %s : i32\nreturn\n}\nfunc.func @b() {\nreturn\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	if code := Main([]string{file, "--test", script}, nil, &out, &errs); code != exit.OK {
		t.Fatalf("code %d: %s", code, errs.String())
	}
	if got := out.String(); !strings.Contains(got, "divsi") || strings.Contains(got, "muli") || strings.Contains(got, "addi") || strings.Contains(got, "@b") {
		t.Errorf("reduced to\n%s", got)
	}
	for _, args := range [][]string{{file}, {"--test", script}, {file, "--test", script, "--workers=-1"}} {
		if code := Main(args, nil, &out, &errs); code != exit.Usage {
			t.Errorf("%v: code %d", args, code)
		}
	}
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexit 0\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	errs.Reset()
	if code := Main([]string{file, "--test", script}, nil, &out, &errs); code != exit.Diag || !strings.Contains(errs.String(), "not interesting") {
		t.Errorf("code %d: %s", code, errs.String())
	}
}
