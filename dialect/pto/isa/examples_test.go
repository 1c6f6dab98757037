package isa_test

import (
	"fmt"
	"strings"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/example"
	"ptogo/ir"
)

// TestExamples reads the examples of every definition, checks them on the
// profiles that have the instruction, and expects the printer to write them
// as they are.
func TestExamples(t *testing.T) {
	for _, d := range pto.Dialect.All() {
		if len(d.Examples) == 0 {
			t.Errorf("%s has no example", d.Name)
		}
		for i, text := range d.Examples {
			t.Run(fmt.Sprintf("%s/%d", d.Name, i), func(t *testing.T) { checkExample(t, d, text) })
		}
	}
}

func checkExample(t *testing.T, d *ir.Def, text string) {
	module, msg := example.Read(d, text)
	if module == nil {
		t.Fatalf("%s\n%s", text, msg)
	}
	legal := false
	for _, target := range []ir.Target{sem.A3, sem.A5} {
		var diags ir.Diags
		if ir.Verify(module, ir.VerifyOptions{Target: target}, &diags) {
			legal = true
			continue
		}
		msg = diags.All()[0].Format()
	}
	if !legal {
		t.Errorf("legal on no profile: %s\n%s", text, msg)
	}
	var b strings.Builder
	ir.Print(&b, module, ir.PrintOptions{})
	if !strings.Contains(flat(b.String()), flat(text)) {
		t.Errorf("the example\n%s\nis printed as\n%s", text, b.String())
	}
}

// flat is a text without its line breaks and indentation.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }
