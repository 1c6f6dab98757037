package definitions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/tools/pybind"
)

// TestBindingsUpToDate checks that the table in the project is that of today.
func TestBindingsUpToDate(t *testing.T) {
	got, err := os.ReadFile(filepath.Join("..", "..", "python", "ptogo", "mlir_compat", "_definitions.py"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != pybind.Definitions() {
		t.Error("_definitions.py is out of date: run go run ./tools/pybind/gen")
	}
}

// TestBindings checks lines of each kind: results that follow from an
// operand or are always the same, optional and variadic operands, and
// attributes of all kinds that builders distinguish.
func TestBindings(t *testing.T) {
	text := pybind.Definitions()
	for _, line := range []string{
		`"pto.addptr": "result~ptr | ptr offset |  | ",`,
		`"pto.get_block_idx": "result=i64 |  |  | ",`,
		`"pto.alloc_tile": "result | addr? valid_row? valid_col? |  | ",`,
		`"pto.make_tensor_view": "result | ptr shape* strides* | layout?:pto.layout | ",`,
		`"pto.struct_get": "value | s | path:i64s | ",`,
		`"pto.mad": " | lhs rhs dst m n k | unit_flag_mode?:pto.mad_unit_flag_mode disable_gemv?:unit sat_mode?:pto.mad_sat_mode tf32_mode?:pto.tf32_mode n_dir?:unit | ",`,
		`"scf.while": "results* | inits* |  | before after",`,
		`"pto.pad_value": "#pto.pad_value<{}> | null=0 zero=1 max=2 min=3",`,
		`"pto.cmp": "#pto<cmp {}> | eq=0 ne=1 lt=2 le=3 gt=4 ge=5",`,
	} {
		if !strings.Contains(text, "    "+line+"\n") {
			t.Errorf("no line %s", line)
		}
	}
}
