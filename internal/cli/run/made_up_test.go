package run

import (
	"os"
	"strings"
	"testing"

	"ptogo/internal/cli/exit"
	"ptogo/ir"
)

// Every example with one kernel runs on made-up arguments, and a wrong program is a
// diagnostic.
func TestRunMadeUp(t *testing.T) {
	for _, name := range []string{"divide", "softmax", "layernorm", "flash_attention"} {
		text, err := os.ReadFile("../../../examples/" + name + ".pto")
		if err != nil {
			t.Fatal(err)
		}
		src := &ir.Source{Name: name + ".pto", Text: string(text)}
		if out, code := MadeUp(src, name, "", "--stats"); code != exit.OK || !strings.Contains(out, "tload") {
			t.Errorf("%s: code %d: %s", name, code, out)
		}
	}
	if out, code := MadeUp(&ir.Source{Name: "bad.pto", Text: "func.func @f(%x: f32"}, "f", ""); code != exit.Diag || !strings.Contains(out, "bad.pto:1:") {
		t.Errorf("code %d: %s", code, out)
	}
}
