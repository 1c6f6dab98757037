package pto_test

import (
	"strings"
	"testing"

	_ "ptogo/dialect/scf"

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
	module := ir.Parse(&ir.Source{Name: "case", Text: text}, ir.ParseOptions{}, &diags)
	if module != nil && ir.Verify(module, ir.VerifyOptions{Target: target}, &diags) {
		return ""
	}
	return diags.All()[0].Format()
}
