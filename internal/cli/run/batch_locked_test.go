//go:build unix

package run

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
)

// TestResultsLocked refuses a second writer of the results of a batch.
func TestResultsLocked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results")
	first, err := openResults(path, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openResults(path, io.Discard); err == nil || !strings.Contains(err.Error(), "another pto-run --batch") {
		t.Errorf("a second writer: %v", err)
	}
	first.write(batchResult{Exit: exit.OK})
	first.close()
	again, err := openResults(path, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	again.write(batchResult{Exit: exit.Diag})
	again.close()
	if text, _ := os.ReadFile(path); bytes.Count(text, []byte("\n")) != 2 {
		t.Errorf("the file holds %q", text)
	}
}
