package cli

import (
	"os"
	"strings"
	"testing"

	"ptogo/ir"
)

// Every example with one kernel runs on made-up arguments, and a wrong program is a
// diagnostic.
func TestRunMadeUp(t *testing.T) {
	for _, name := range []string{"divide", "softmax", "layernorm", "flash_attention"} {
		text, err := os.ReadFile("../../examples/" + name + ".pto")
		if err != nil {
			t.Fatal(err)
		}
		src := &ir.Source{Name: name + ".pto", Text: string(text)}
		if out, exit := RunMadeUp(src, name, "", "--stats"); exit != exitOK || !strings.Contains(out, "tload") {
			t.Errorf("%s: code %d: %s", name, exit, out)
		}
	}
	if out, exit := RunMadeUp(&ir.Source{Name: "bad.pto", Text: "func.func @f(%x: f32"}, "f", ""); exit != exitDiag || !strings.Contains(out, "bad.pto:1:") {
		t.Errorf("code %d: %s", exit, out)
	}
}
