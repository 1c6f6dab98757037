package reduce

import (
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
)

// TestReduceEquivalent reduces for a pass that keeps what the kernel computes: the program is
// not interesting.
func TestReduceEquivalent(t *testing.T) {
	const path = "../../../test/lit/passes/Inputs/divided.pto"
	if changesMeaning([]string{"--pto-arch=a5", "--pto-tdivs-to-recip"}, path) {
		t.Error("the pass changes what the kernel computes")
	}
	for _, c := range [][2]string{
		{"--equivalent=--pto-tdivs-to-recip", "the whole program is not interesting"},
		{"--equivalent=--cse --test=x", "--test and --equivalent cannot be used together"},
	} {
		var out, messages strings.Builder
		args := append([]string{path}, strings.Split(c[0], " ")...)
		if code := Main(args, strings.NewReader(""), &out, &messages); code == exit.OK || !strings.Contains(messages.String(), c[1]) {
			t.Errorf("%s: exit code %d:\n%s", c[0], code, &messages)
		}
	}
}
