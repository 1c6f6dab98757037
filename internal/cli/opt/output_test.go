package opt

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
)

// TestOutputIsBounded writes more than --max-output, to a stream and to a file that is
// there already.
func TestOutputIsBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out")
	if err := os.WriteFile(file, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{"-", file} {
		var out, errs bytes.Buffer
		code := Main([]string{"-", "-o", to, "--max-output=100"}, strings.NewReader(clitest.EndlessLoads), &out, &errs)
		if code != exit.Diag || out.Len() > 100 || !strings.Contains(errs.String(), "larger than 100; --max-output raises the limit") {
			t.Errorf("%s: exit code %d, %d bytes\n%s", to, code, out.Len(), errs.String())
		}
	}
	if got, _ := os.ReadFile(file); string(got) != "before" {
		t.Errorf("the file has %q", got)
	}
}
