package cli

import (
	"bytes"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// The manual page of each tool has all flags, and man, if there is one, has no warning
// about it.
func TestManPages(t *testing.T) {
	for _, tool := range tools {
		var out bytes.Buffer
		if code := tool.run([]string{"--completion=man"}, strings.NewReader(""), &out, io.Discard); code != exitOK {
			t.Fatalf("%s: code %d", tool.name, code)
		}
		page := out.String()
		if summaries[tool.name][0] == "" || !strings.Contains(page, ".SH NAME") {
			t.Errorf("%s: no summary", tool.name)
		}
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, "'") {
				t.Errorf("%s: roff reads a request: %q", tool.name, line)
			}
		}
		if tool.name == "pto-opt" {
			visible((&optTool{}).define(), func(f *pflag.Flag) {
				if !strings.Contains(page, roff.Replace("--"+f.Name)) {
					t.Errorf("no --%s", f.Name)
				}
			})
		}
		if groff, err := exec.LookPath("groff"); err == nil {
			cmd := exec.Command(groff, "-man", "-ww", "-z")
			cmd.Stdin = strings.NewReader(page)
			if warnings, err := cmd.CombinedOutput(); err != nil || len(warnings) > 0 {
				t.Errorf("%s: %v: %s", tool.name, err, warnings)
			}
		}
	}
}
