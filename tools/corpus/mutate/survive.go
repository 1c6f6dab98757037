package main

import (
	"ptogo/ir"
	"ptogo/tools/corpus"
)

// survive does with a text all that can be done with it and says what is
// wrong with the outcome. Panics are the caller's to catch.
func survive(p corpus.Program) (parsed, legal bool, why string) {
	var diags ir.Diags
	opts := ir.ParseOptions{AllowUnregistered: true, Sequential: true}
	m, _ := ir.Parse(&ir.Source{Name: "in", Text: p.Text}, opts, &diags)
	for _, d := range diags.All() {
		d.Format()
	}
	if (m == nil) != diags.HasErrors() {
		return m != nil, false, "a program and errors, or neither"
	}
	if m == nil {
		return false, false, ""
	}
	custom := ir.Bytes(m, ir.PrintOptions{Sequential: true})
	generic := ir.Bytes(m, ir.PrintOptions{Generic: true, Sequential: true})
	legal = ir.Verify(m, ir.VerifyOptions{Target: p.Profile, Sequential: true}, &diags)
	for _, d := range diags.All() {
		d.Format()
	}
	if !legal {
		if !diags.HasErrors() {
			why = "illegal without a message"
		}
		return true, false, why
	}
	for _, text := range [][]byte{custom, generic} {
		again, message := corpus.Read(string(text), p.Profile)
		if again == nil {
			return true, true, "what was printed cannot be read: " + message
		}
		if string(ir.Bytes(again, ir.PrintOptions{Sequential: true})) != string(custom) {
			return true, true, "reads back as another program"
		}
	}
	return true, true, ""
}
