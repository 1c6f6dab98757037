package cpptest

import (
	"bytes"
	"strings"
	"testing"

	"ptogo/codegen/cpp"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/example"
	"ptogo/ir"
)

// groups are those that the library has instructions for.
var groups = map[string]bool{"tile": true, "view": true, "sync": true, "comm": true, "struct": true, "scalar": true, "other": true}

// refused are instructions of the groups that have no C++ form although no text
// of the definition says so: what they stand around or work on has none.
var refused = map[string]bool{
	"pto.vecscope": true, "pto.strict_vecscope": true, "pto.section.simt": true, "pto.mem_bar": true, // micro instructions
	"pto.set_ctrl": true, // a register
}

// partly reports whether an example is one of those that C++ has no form for, of an
// instruction that it has one for: prints of parts, and of registers.
func partly(d *ir.Def, text string) bool {
	return d == isabase.TPrint && (strings.Contains(text, "cols") || strings.Contains(text, "vreg"))
}

// TestForms writes every example of every instruction on both profiles. What
// is not written must be said to have no C++ form, and the other way round.
func TestForms(t *testing.T) {
	written := 0
	for _, d := range ir.LookupDialect("pto").All() {
		info := pto.InfoOf(d)
		if !groups[info.Group] {
			continue
		}
		can := info.Cpp.None == "" && !refused[d.Name]
		if can {
			written++
		}
		for _, text := range d.Examples {
			for _, target := range []ir.Target{sem.A3, sem.A5} {
				m, _ := example.Read(d, text)
				var diags ir.Diags
				if m == nil || !ir.Verify(m, ir.VerifyOptions{Target: target, Sequential: true}, &diags) {
					continue
				}
				if !example.Place(m, target, &diags) {
					t.Errorf("%s on %s: %v", d.Name, sem.ProfileName(target), diags.Err())
					continue
				}
				var b bytes.Buffer
				diags = ir.Diags{}
				if ok := cpp.Emit(&b, m, cpp.Options{Target: target}, &diags); ok != (can && !partly(d, text)) {
					t.Errorf("%s on %s: written %v, want %v: %v", d.Name, sem.ProfileName(target), ok, can, diags.Err())
				}
			}
		}
	}
	if written < 230 {
		t.Errorf("only %d instructions have a C++ form", written)
	}
	t.Logf("%d instructions have a C++ form", written)
}
