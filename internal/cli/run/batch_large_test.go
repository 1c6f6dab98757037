package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
)

// TestBatchLargeCase runs a batch with a case that is too large between two others.
func TestBatchLargeCase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "large.pto")
	if err := os.WriteFile(file, []byte(clitest.LongText(17<<20)), 0o600); err != nil {
		t.Fatal(err)
	}
	var in bytes.Buffer
	for _, c := range []map[string]any{
		{"id": "a", "text": clitest.LongText(64)}, {"id": "b", "file": file}, {"id": "c", "file": file, "flags": map[string]any{"max-memory": "2GiB"}}, {"id": "d", "text": clitest.LongText(64)},
	} {
		line, _ := json.Marshal(c)
		fmt.Fprintf(&in, "%s\n", line)
	}
	var out, errs bytes.Buffer
	ptoRun([]string{"--batch=-", "--jobs=1"}, &in, &out, &errs)
	exits := map[string]int{}
	for line := range strings.Lines(out.String()) {
		var r batchResult
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		exits[r.ID] = r.Exit
	}
	if fmt.Sprint(exits) != fmt.Sprint(map[string]int{"a": exit.OK, "b": exit.Diag, "c": exit.OK, "d": exit.OK}) {
		t.Errorf("exit codes %v\n%s%s", exits, out.String(), errs.String())
	}
}
