package quick

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli"
)

const affine = "../../examples/tutorial/affine.pto"

// TestRun compares the output of small kernels with that of pto-run.
func TestRun(t *testing.T) {
	for _, words := range [][]string{
		{affine, "--arg", "iota=64x64xf32", "--arg", "zeros=64x64xf32", "--arg", "2.0", "--arg", "1.0", "--print"},
		{"--kernel=affine", affine, "--arg=rand=64x64xf32,seed=7", "--arg", "zeros=64x64xf32", "--arg", "2.0", "--arg", "1.0", "--print"},
		{affine, "--arg", "iota=64x64xf32", "--arg", "zeros=64x64xf32", "--arg", "2.0", "--arg", "1.0"},
	} {
		var got, want, errs bytes.Buffer
		if !Run(words, &got) {
			t.Errorf("Run leaves %q to pto-run", words)
			continue
		}
		if code := cli.Run(words, strings.NewReader(""), &want, &errs); code != 0 || errs.Len() > 0 {
			t.Fatalf("pto-run %q: exit code %d\n%s", words, code, &errs)
		}
		if got.String() != want.String() {
			t.Errorf("%q prints\n%s\nbut pto-run prints\n%s", words, &got, &want)
		}
	}
}

// TestLeft lists commands for which pto-run has a message, an option or a limit. Run must
// leave them to pto-run, and must not write anything.
func TestLeft(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text, err := os.ReadFile(affine)
	if err != nil {
		t.Fatal(err)
	}
	rest := []string{"--arg", "2.0", "--arg", "1.0", "--print"}
	out := filepath.Join(folder, "y.npy")
	for name, words := range map[string][]string{
		"no file":         {"--print"},
		"option":          append([]string{affine, "--check=all", "--arg", "iota=64x64xf32", "--arg", "zeros=64x64xf32"}, rest...),
		"missing file":    append([]string{"missing.pto", "--arg", "iota=64x64xf32", "--arg", "zeros=64x64xf32"}, rest...),
		"error":           append([]string{file("wrong.pto", strings.Replace(string(text), "pto.tadds", "pto.tadd", 1)), "--arg", "iota=64x64xf32", "--arg", "zeros=64x64xf32"}, rest...),
		"arguments":       {affine, "--arg", "iota=64x64xf32"},
		"fault":           append([]string{affine, "--arg", "iota=64x64xf32", "--arg", "zeros=1x64xf32"}, rest...),
		"note":            append([]string{affine, "--arg", "iota=64x64xf32", "--arg", "zeros=128x64xf32"}, rest...),
		"output file":     append([]string{affine, "--arg", "iota=64x64xf32", "--arg", "out=" + out + ":64x64xf32"}, rest...),
		"large argument":  append([]string{affine, "--arg", "iota=64x64xf32", "--arg", "zeros=4096x4096xf32"}, rest...),
		"byte order mark": append([]string{file("mark.pto", "\ufeff"+string(text)), "--arg", "iota=64x64xf32", "--arg", "zeros=64x64xf32"}, rest...),
	} {
		var b bytes.Buffer
		if Run(words, &b) || b.Len() > 0 {
			t.Errorf("%s: Run executes %q instead of leaving it to pto-run:\n%s", name, words, &b)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Errorf("Run has written %s", out)
	}
}
