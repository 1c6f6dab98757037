package opt

import (
	"strings"
	"testing"
)

// TestPtoasExitCode: ptoas has one exit code for all that is wrong, pto-opt two.
func TestPtoasExitCode(t *testing.T) {
	for _, tc := range []struct {
		args   []string
		in     string
		as, is int // the exit codes of ptoas and of pto-opt
	}{
		{[]string{"--emit-pto-ir"}, "", 0, 0},
		{[]string{"--no-such-flag"}, "", 1, 2},
		{[]string{"--pto-arch=a7"}, "", 1, 2},
		{[]string{"--emit-pto-ir"}, "func.func", 1, 1},
		{[]string{"--emit-pto-ir", "-", "-"}, "", 1, 0},
	} {
		for name, want := range map[string]int{"ptoas": tc.as, "/opt/bin/ptoas": tc.as, "ptoas.exe": tc.as, "pto-opt": tc.is, "not-ptoas": tc.is} {
			var out, err strings.Builder
			if code := MainAs(name, tc.args, strings.NewReader(tc.in), &out, &err); code != want {
				t.Errorf("%s %v: exit code %d, want %d\n%s", name, tc.args, code, want, err.String())
			}
		}
	}
}
