package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli/files"
	"ptogo/tools/bench"
)

// TestLargeFile reads a program that is large enough to be mapped and released
// piece by piece: what comes out is what comes out of the same text read from
// a stream, and messages about its start still show their line.
func TestLargeFile(t *testing.T) {
	text := bench.Program(6 * files.MapSize)
	path := filepath.Join(t.TempDir(), "large.mlir")
	run := func(text, file string) (out, messages string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		Opt([]string{"--allow-unregistered-dialect", "--mlir-print-debuginfo", file}, strings.NewReader(text), &stdout, &stderr)
		return strings.ReplaceAll(stdout.String(), path, "<stdin>"), strings.ReplaceAll(stderr.String(), path, "<stdin>")
	}
	for _, c := range []struct{ name, text string }{
		{"correct", "\ufeff" + text},
		{"wrong", strings.Replace(text, "(index, index) -> index", "(index, index) -> i32", 1)},
		{"not closed", text[:len(text)-len("}) : () -> ()\n")]},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, messages := run(c.text, path)
			wantOut, wantMessages := run(strings.TrimPrefix(c.text, "\ufeff"), "-")
			if out != wantOut {
				t.Errorf("output of %d bytes differs from the %d of a stream", len(out), len(wantOut))
			}
			if messages != wantMessages {
				t.Errorf("messages:\n%s\nof a stream:\n%s", messages, wantMessages)
			}
			if correct := c.name == "correct"; correct != (messages == "") || correct != (len(out) > len(text)/2) {
				t.Errorf("%d bytes of output and messages:\n%s", len(out), messages)
			}
		})
	}
}
