package outside

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAsk runs a program that counts its runs. A repeated question must run it once; a
// change of any part of the question or of the program must run it again.
func TestAsk(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	dir := t.TempDir()
	tool, runs := filepath.Join(dir, "tool"), filepath.Join(dir, "runs")
	write := func(status string) {
		script := "#!/bin/sh\necho run >>'" + runs + "'\necho \"$1\"; cat - in >&2; exit " + status + "\n"
		if err := os.WriteFile(tool, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(arg, stdin, file string, want Answer, total int) {
		t.Helper()
		a, err := Ask(Question{Tool: tool, Args: []string{arg}, Stdin: stdin, Files: map[string]string{"in": file}})
		if err != nil || a != want {
			t.Errorf("got %+v, %v, want %+v", a, err, want)
		}
		if text, _ := os.ReadFile(runs); len(text) != total*len("run\n") {
			t.Errorf("the program ran %d times, want %d", len(text)/len("run\n"), total)
		}
	}
	write("3")
	ask("a", "b", "c", Answer{"a\n", "bc", 3}, 1)
	ask("a", "b", "c", Answer{"a\n", "bc", 3}, 1)
	ask("x", "b", "c", Answer{"x\n", "bc", 3}, 2)
	ask("a", "x", "c", Answer{"a\n", "xc", 3}, 3)
	ask("a", "b", "x", Answer{"a\n", "bx", 3}, 4)
	write("10")
	ask("a", "b", "c", Answer{"a\n", "bc", 10}, 5)
	if _, err := Ask(Question{Tool: filepath.Join(dir, "none")}); err == nil {
		t.Error("a program that is not there answers")
	}
}
