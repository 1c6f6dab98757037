// Package mlirtest contains tests that dialects share: this project and MLIR's mlir-opt
// parse programs, print them and parse the result again.
//
//	RoundTrip   checks our printer and parser, in custom and generic form
//	agree       checks that mlir-opt and our tools parse each other's output
//	Samples     runs both checks on the files of a folder
//	Rejections  illegal programs, which mlir-opt must reject too
package mlirtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "ptogo/dialect/all"
	"ptogo/ir"
	"ptogo/tools/outside"
)

// Parse parses and verifies the program in the parameter text, and returns its module.
// The test fails if the program is illegal.
func Parse(t *testing.T, fileName, text string) *ir.Op {
	t.Helper()
	var diags ir.Diags
	m, _ := ir.Parse(&ir.Source{Name: fileName, Text: text}, ir.ParseOptions{AllowUnregistered: true}, &diags)
	if m != nil {
		ir.Verify(m, ir.VerifyOptions{}, &diags)
	}
	if diags.HasErrors() {
		t.Fatalf("%s is not legal:\n%s\n%s", fileName, messages(&diags), text)
	}
	return m
}

// messages returns the text of all diagnostics in ds, one after the other.
func messages(ds *ir.Diags) string {
	var b strings.Builder
	for _, d := range ds.All() {
		b.WriteString(d.Format())
	}
	return b.String()
}

// Print returns the text of the module m, in generic syntax if generic is set and in
// custom syntax otherwise.
func Print(m *ir.Op, generic bool) string {
	return string(ir.Bytes(m, ir.PrintOptions{Generic: generic}))
}

// RoundTrip checks that the program in the parameter text is legal, and that printing it
// in custom or generic form and parsing the result yields the same program.
func RoundTrip(t *testing.T, fileName, text string) {
	t.Helper()
	m := Parse(t, fileName, text)
	custom, generic := Print(m, false), Print(m, true)
	same(t, "custom form read again", Print(Parse(t, fileName+" (custom)", custom), false), custom)
	again := Parse(t, fileName+" (generic)", generic)
	same(t, "generic form read again", Print(again, true), generic)
	same(t, "generic form in custom form", Print(again, false), custom)
}

// agree checks that mlir-opt and our tools interpret the program in the parameter text in
// the same way. For this, mlir-opt must parse the program and our output for it to the
// same result, and our parser must accept the output of mlir-opt. Without mlir-opt the
// test is skipped.
func agree(t *testing.T, fileName, text string) {
	t.Helper()
	opt := mlirOpt(t)
	want := opt(fileName, text, true)
	m := Parse(t, fileName, text)
	same(t, "our custom form", opt(fileName+" (custom)", Print(m, false), true), want)
	same(t, "our generic form", opt(fileName+" (generic)", Print(m, true), true), want)
	theirs := Parse(t, fileName+" (by mlir-opt)", opt(fileName, text, false))
	same(t, "mlir-opt's custom form", opt(fileName+" (theirs)", Print(theirs, false), true), want)
	theirs = Parse(t, fileName+" (by mlir-opt, generic)", want)
	same(t, "mlir-opt's generic form", opt(fileName+" (theirs)", Print(theirs, false), true), want)
}

// Tool is the external program that tests compare with.
const Tool = "mlir-opt-19"

// mlirOpt returns a function that runs mlir-opt on a text and returns its output. It
// skips the test if mlir-opt is not installed.
func mlirOpt(t *testing.T) func(name, text string, generic bool) string {
	t.Helper()
	path, err := exec.LookPath(Tool)
	if err != nil {
		t.Skipf("%s is not installed: nothing to compare with", Tool)
	}
	return func(name, text string, generic bool) string {
		t.Helper()
		args := []string{"--allow-unregistered-dialect"}
		if generic {
			args = append(args, "--mlir-print-op-generic")
		}
		a, err := outside.Ask(outside.Question{Tool: path, Args: args, Stdin: text})
		if err != nil || a.Status != 0 {
			t.Fatalf("%s does not accept %s: status %d, %v\n%s\n%s", Tool, name, a.Status, err, a.Stderr, text)
		}
		return a.Stdout
	}
}

// same compares two texts, the parameters got and want. If they differ, it reports a test
// error that shows the first difference. The parameter what describes the compared texts
// in the message.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	gs, ws := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(gs), len(ws)) {
		if gs[i] != ws[i] {
			t.Fatalf("%s differs in line %d:\n got %s\nwant %s", what, i+1, gs[i], ws[i])
		}
	}
	t.Fatalf("%s has %d lines, want %d", what, len(gs), len(ws))
}

// Samples runs the tests RoundTrip and agree on every .mlir file of the folder dir. It
// also checks that the files together use every operation of the given dialects.
func Samples(t *testing.T, dir string, dialects ...string) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.mlir"))
	if len(files) == 0 {
		t.Fatalf("no samples in %s", dir)
	}
	used := map[*ir.Def]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		for op := range Parse(t, name, string(text)).Walk() {
			used[op.Def()] = true
		}
		t.Run(name, func(t *testing.T) { RoundTrip(t, name, string(text)) })
		t.Run(name+"/mlir-opt", func(t *testing.T) { agree(t, name, string(text)) })
	}
	for _, name := range dialects {
		for _, d := range ir.LookupDialect(name).All() {
			if !used[d] {
				t.Errorf("no sample uses %s", d.Name)
			}
		}
	}
}

// RejectsAlone checks that our verifier rejects a program with an error that contains
// want. mlir-opt may accept it.
func RejectsAlone(t *testing.T, text, want string) {
	t.Helper()
	var diags ir.Diags
	m, _ := ir.Parse(&ir.Source{Name: "in", Text: text}, ir.ParseOptions{AllowUnregistered: true}, &diags)
	if m != nil {
		ir.Verify(m, ir.VerifyOptions{}, &diags)
	}
	if got := messages(&diags); !strings.Contains(got, want) {
		t.Errorf("the program\n%s\nhas the diagnostics\n%s\nbut one of them must contain %q", text, got, want)
	}
}
