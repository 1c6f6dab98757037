package ptoas

import "testing"

// TestDumpHeader reads the comments that precede printed programs, and lines that only
// resemble them.
func TestDumpHeader(t *testing.T) {
	for line, want := range map[string]dump{
		"// -----// IR Dump After CSE (cse) //----- //\n":                                              {when: "After", pass: "CSE", arg: "cse"},
		"// -----// IR Dump Before Plan (pto-plan-memory) //----- //\r\n":                              {when: "Before", pass: "Plan", arg: "pto-plan-memory"},
		"// -----// IR Dump After Plan Failed (pto-plan) //----- //":                                   {when: "After", pass: "Plan", arg: "pto-plan"},
		"// -----// IR Dump After CSE (cse) ('func.func' operation: @f) //----- //":                    {when: "After", pass: "CSE", arg: "cse"},
		"// -----// IR Dump After mlir::detail::Adaptor () ('builtin.module' operation) //----- // \n": {when: "After", pass: "mlir::detail::Adaptor"},
	} {
		if got, ok := dumpHeader(line); !ok || got != want {
			t.Errorf("%q: %v, %v; want %v", line, got, ok, want)
		}
	}
	for _, line := range []string{
		"", "// IR Dump After CSE (cse)", "// -----// IR Dump Around CSE (cse) //----- //", "// -----// IR Dump After CSE cse //----- //",
		"// -----// IR Dump After CSE (cse) more //----- //", "// -----// IR Dump After CSE (cse", " // -----// IR Dump After CSE (cse) //----- //",
	} {
		if got, ok := dumpHeader(line); ok {
			t.Errorf("%q: %v", line, got)
		}
	}
	for text, want := range map[string]int{
		"note\nmodule {\n}": 5, "modules: 3\nfunc.func @f()": 11, "x\n  #map = 1": 2, "\"f\"() : ()": 0, "no program": 0, "w\n// comment": 2,
	} {
		if got := programStart(text); got != want {
			t.Errorf("%q starts at %d, want %d", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"\n  func.func private @f(%x: i32) {": "@f", `"func.func"() <{sym_name = "f"}> ({`: "", "module @m {": "", "func.func @g {": "@g",
	} {
		if got := symbolOf(text, dump{to: len(text)}); got != want {
			t.Errorf("%q has the name %q, want %q", text, got, want)
		}
	}
}
