// Package passtest runs pipelines of passes over programs that tests contain as text.
//
//	Run         runs a pipeline over a program that must be legal before and after
//	Check       is like Run, and compares the result with the expected text
//	Fail        runs a pipeline that must fail, and returns its messages
//	Wants       checks that a text contains given texts
package passtest

import (
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/passes"

	// Programs in tests use these dialects.
	_ "ptogo/dialect/all"
)

// Parse parses and verifies the program text and returns its module. If the program has
// errors, it ends the test with their messages.
func Parse(t testing.TB, text string) *ir.Op {
	t.Helper()
	var diags ir.Diags
	m, _ := ir.Parse(&ir.Source{Name: "test", Text: text}, ir.ParseOptions{AllowUnregistered: true}, &diags)
	if m != nil {
		ir.Verify(m, ir.VerifyOptions{}, &diags)
	}
	if diags.HasErrors() {
		t.Fatalf("program is not legal:\n%s\n%s", Messages(&diags), text)
	}
	return m
}

// Messages returns the text of all diagnostics in ds, one after the other.
func Messages(ds *ir.Diags) string {
	var b strings.Builder
	for _, d := range ds.All() {
		b.WriteString(d.Format())
	}
	return b.String()
}

// Pipeline parses the text of a pipeline, whose passes are in r. If the text has errors,
// it ends the test with their messages.
func Pipeline(t testing.TB, r *passes.Registry, text string) *passes.Pipeline {
	t.Helper()
	var diags ir.Diags
	p := passes.ParsePipeline(r, text, &diags)
	if p == nil {
		t.Fatalf("pipeline %s: %s", text, Messages(&diags))
	}
	return p
}

// Apply runs a pipeline over the module m and verifies m after each pass. If a pass
// fails, it ends the test with the messages and the program.
func Apply(t testing.TB, r *passes.Registry, pipeline string, m *ir.Op) {
	t.Helper()
	var diags ir.Diags
	if !Pipeline(t, r, pipeline).Run(m, passes.RunOptions{Diags: &diags, VerifyEach: true}) {
		t.Fatalf("%s failed:\n%s\n%s", pipeline, Messages(&diags), ir.Bytes(m, ir.PrintOptions{Generic: true}))
	}
}

// Run runs a pipeline over the program text and returns the text of the resulting
// program. If a pass fails, it ends the test with the messages.
func Run(t testing.TB, r *passes.Registry, pipeline, text string) string {
	t.Helper()
	m := Parse(t, text)
	Apply(t, r, pipeline, m)
	return m.String()
}

// Check runs a pipeline over the program text and compares the result with a program, the
// parameter want. If they differ, the test fails. Indentation and the module around a
// program do not matter.
func Check(t *testing.T, r *passes.Registry, pipeline, text, want string) {
	t.Helper()
	got, want := Plain(Run(t, r, pipeline, text)), Plain(Parse(t, want).String())
	if got != want {
		t.Errorf("%s of\n%s\ngives\n%s\nwant\n%s", pipeline, Plain(text), got, want)
	}
}

// Plain returns the text of a program without indentation, empty lines and the lines of
// the module around it.
func Plain(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if n := len(lines); n > 1 && lines[0] == "module {" && lines[n-1] == "}" {
		lines = lines[1 : n-1]
	}
	return strings.Join(lines, "\n")
}

// Fail runs a pipeline over the program text and returns the messages of its diagnostics.
// If no pass fails, it ends the test.
func Fail(t testing.TB, r *passes.Registry, pipeline, text string) string {
	t.Helper()
	m := Parse(t, text)
	var diags ir.Diags
	if Pipeline(t, r, pipeline).Run(m, passes.RunOptions{Diags: &diags, VerifyEach: true}) {
		t.Fatalf("%s did not fail; it gives\n%s", pipeline, m)
	}
	return Messages(&diags)
}

// Wants makes the test fail if a text lacks one of several expected parts. got is the
// text, and want lists the parts.
func Wants(t testing.TB, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("the text\n%s\nmust contain\n%s", got, w)
		}
	}
}
