package isa_test

import (
	"strings"
	"testing"

	_ "ptogo/dialect/all"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// verifyCase is a program and what the verifier says about it: a part of its
// first message, or nothing.
type verifyCase struct{ name, text, want string }

// checkVerify reads and checks programs for a profile.
func checkVerify(t *testing.T, target ir.Target, cases []verifyCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := firstMessage(c.text, target)
			switch {
			case c.want == "" && got != "":
				t.Errorf("is rejected: %s", got)
			case c.want != "" && !strings.Contains(got, c.want):
				t.Errorf("message is %q, want %q in it", got, c.want)
			}
		})
	}
}

// firstMessage returns the first diagnostic about a program, or "".
func firstMessage(text string, target ir.Target) string {
	var diags ir.Diags
	module, _ := ir.Parse(&ir.Source{Name: "case", Text: text}, ir.ParseOptions{}, &diags)
	if module != nil && ir.Verify(module, ir.VerifyOptions{Target: target}, &diags) {
		return ""
	}
	return diags.All()[0].Format()
}

// TestRoundingOfOperands checks which modes the settings of products take.
func TestRoundingOfOperands(t *testing.T) {
	in := func(s string) string { return "func.func @k() {\n  " + s + "\n  return\n}" }
	checkVerify(t, sem.A5, []verifyCase{
		{"hf32", in("pto.sethf32mode {mode = #pto<round_mode RINT>}"), ""},
		{"hf32 down", in("pto.sethf32mode {mode = #pto<round_mode FLOOR>}"), `attribute "mode" must be one of CAST_RINT, RINT, ROUND, but is FLOOR`},
		{"tf32", in("pto.settf32mode {}"), ""},
		{"tf32 to even", in("pto.settf32mode {mode = #pto<round_mode RINT>}"), `attribute "mode" must be one of ROUND, but is RINT`},
	})
}

// TestPackNarrows checks that packing makes elements narrower.
func TestPackNarrows(t *testing.T) {
	pack := func(from, to string) string {
		return "func.func @k(%s: !pto.tile<16x64x" + from + ">) {\n  %d = pto.tpack %s : !pto.tile<16x64x" + from + "> -> !pto.tile<16x64x" + to + ">\n  return\n}"
	}
	checkVerify(t, sem.A5, []verifyCase{
		{"narrower", pack("i32", "i8"), ""},
		{"wider", pack("i16", "i32"), `"dst" must have a narrower type of the same kind as "src", but has type i32, and "src" has type i16`},
		{"other kind", pack("f32", "i16"), `"dst" must have a narrower type`},
	})
}
