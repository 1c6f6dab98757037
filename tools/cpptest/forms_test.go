package cpptest

import (
	"bytes"
	"strings"
	"testing"

	"ptogo/codegen/cpp"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/example"
	"ptogo/ir"
)

// groups is the set of instruction groups that the library covers.
var groups = map[string]bool{"tile": true, "view": true, "sync": true, "comm": true, "struct": true, "scalar": true, "other": true}

// refused lists instructions of these groups that have no C++ form although their
// definition does not state this. They enclose or use instructions without a form.
var refused = map[string]bool{
	"pto.vecscope": true, "pto.strict_vecscope": true, "pto.section.simt": true, "pto.mem_bar": true, // micro instructions
	"pto.set_ctrl": true, // a register
}

// partly reports whether an example has no C++ form although its instruction has one. This
// concerns prints of partial tiles and of registers, patches whose geometry is that of the
// registers, settings that are not constants, moves from acc to vec on A2/A3, and
// textract_fp without factors.
func partly(d *ir.Def, text string, target ir.Target) bool {
	switch d {
	case isabase.TPrint:
		return strings.Contains(text, "cols") || strings.Contains(text, "vreg")
	case isatile.TImg2Col:
		return !strings.Contains(text, "fmap_h")
	case isatile.TInsertFp:
		return target == sem.A3
	case isatile.TExtractFp:
		return !strings.Contains(text, "ins(") // without factors
	}
	_, sets := d.Sem.(sem.SetPatches)
	return sets
}

// TestForms generates C++ for every example of every instruction on both profiles. An
// example may fail only if its instruction is documented to have no C++ form, and must
// fail if it is.
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
				if ok := cpp.Emit(&b, m, cpp.Options{Target: target}, &diags); ok != (can && !partly(d, text, target)) {
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
