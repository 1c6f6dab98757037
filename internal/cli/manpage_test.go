package cli

import (
	"bytes"
	"io"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
)

// The manual page of each tool has all flags, and man, if there is one, has no warning
// about it.
func TestManPages(t *testing.T) {
	for _, tool := range tools {
		var out bytes.Buffer
		if code := tool.run([]string{"--completion=man"}, strings.NewReader(""), &out, io.Discard); code != exit.OK {
			t.Fatalf("%s: code %d", tool.name, code)
		}
		page := out.String()
		if strings.Contains(page, " \\- \n") || !strings.Contains(page, ".SH NAME") {
			t.Errorf("%s: no summary", tool.name)
		}
		for line := range strings.Lines(page) {
			if strings.HasPrefix(line, "'") {
				t.Errorf("%s: roff reads a request: %q", tool.name, line)
			}
		}
		if tool.name == "pto-opt" {
			var fish bytes.Buffer
			tool.run([]string{"--completion=fish"}, strings.NewReader(""), &fish, io.Discard)
			names := regexp.MustCompile(` -l (\S+)`).FindAllStringSubmatch(fish.String(), -1)
			if len(names) < 100 {
				t.Errorf("fish completes only %d options", len(names))
			}
			for _, name := range names {
				if !strings.Contains(page, strings.ReplaceAll("--"+name[1], "-", `\-`)) {
					t.Errorf("no --%s", name[1])
				}
			}
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
