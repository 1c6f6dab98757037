package ptoas_test

import (
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/lower/ptoas"
)

// FuzzDumped selects programs in texts. What is selected has no more lines than the text,
// and each of its lines is empty or the same line of the text.
func FuzzDumped(f *testing.F) {
	f.Add("x\n// -----// IR Dump After CSE (cse) //----- //\nmodule {\n}\nremark\n", "cse")
	f.Add("// -----// IR Dump Before CSE (cse) ('func.func' operation: @f) //----- //\nfunc.func @f() {\n}\n", "")
	f.Add("}\n1\nmodule", "")
	f.Add("warning: x\n#loc = 1\nmodule {\n}\n", "")
	f.Fuzz(func(t *testing.T, text, pass string) {
		got, err := ptoas.Dumped(&ir.Source{Name: "x", Text: text}, pass)
		if err != nil {
			return
		}
		have, want := strings.Split(got.Text, "\n"), strings.Split(text, "\n")
		if len(have) > len(want) {
			t.Fatalf("%d lines of %d", len(have), len(want))
		}
		for i, line := range have {
			if line != "" && !strings.HasSuffix(want[i], line) {
				t.Fatalf("line %d is %q instead of %q", i+1, line, want[i])
			}
		}
	})
}
