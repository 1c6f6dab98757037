package ir_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/fn"
	"ptogo/ir"
	"ptogo/tools/mlirtest"
)

// locSample contains locations in every syntax, including aliases that are defined before
// and after their use.
const locSample = `#early = loc("early.mlir":1:2)
func.func @f(%a: i32 loc("arg")) -> i32 {
  %0 = "my.a"(%a) : (i32) -> i32 loc(unknown)
  %1 = "my.b"(%0) : (i32) -> i32 loc("file.mlir":3:4)
  %2 = "my.c"(%1) : (i32) -> i32 loc("name")
  %3 = "my.d"(%2) : (i32) -> i32 loc("name"("file.mlir":5:6))
  %4 = "my.e"(%3) : (i32) -> i32 loc(callsite("callee" at "caller"))
  %5 = "my.f"(%4) : (i32) -> i32 loc(fused["x", "y"])
  %6 = "my.g"(%5) : (i32) -> i32 loc(fused<{a = 1 : i32}>["x", #early])
  %7 = "my.h"(%6) : (i32) -> i32 loc(#early)
  %8 = "my.i"(%7) : (i32) -> i32 loc(#late)
  "my.j"() ({
    "my.k"() : () -> () loc("inner"(#late))
  }) : () -> () loc(callsite(#late at #early))
  return %8 : i32 loc("end")
} loc("function")
#late = loc(fused[#early, "z"])
`

func TestLocations(t *testing.T) {
	m := mlirtest.Parse(t, "in", locSample)
	var got []string
	for op := range m.Walk() {
		if strings.HasPrefix(op.Name(), "my.") {
			got = append(got, op.Loc().Attr().String())
		}
	}
	want := []string{
		`loc(unknown)`, `loc("file.mlir":3:4)`, `loc("name")`, `loc("name"("file.mlir":5:6))`,
		`loc(callsite("callee" at "caller"))`, `loc(fused["x", "y"])`, `loc(fused<{a = 1 : i32}>["x", "early.mlir":1:2])`,
		`loc("early.mlir":1:2)`, `loc(fused["early.mlir":1:2, "z"])`,
		`loc(callsite(fused["early.mlir":1:2, "z"] at "early.mlir":1:2))`, `loc("inner"(fused["early.mlir":1:2, "z"]))`,
	}
	if len(got) != len(want) {
		t.Fatalf("got %d locations, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("location %d is %s, want %s", i, got[i], want[i])
		}
	}
}

// TestOrigins checks which positions in other files Origins returns for explicit
// locations.
func TestOrigins(t *testing.T) {
	m := mlirtest.Parse(t, "in", locSample)
	var got []string
	for op := range m.Walk() {
		if from := op.Loc().Origins(); len(from) > 0 {
			got = append(got, strings.Join(from, " "))
		}
	}
	want := []string{
		"file.mlir:3:4", "file.mlir:5:6", "early.mlir:1:2", "early.mlir:1:2", "early.mlir:1:2",
		"early.mlir:1:2 early.mlir:1:2", "early.mlir:1:2",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRelocate gives operations the places of the original that their explicit locations
// name. Locations in other files stay, and places after the end of the text move to its end.
func TestRelocate(t *testing.T) {
	m := mlirtest.Parse(t, "after", `"my.a"() : () -> () loc("a \22b\22.pto":2:3)
"my.b"() : () -> () loc("other.pto":2:3)
"my.c"() : () -> ()
"my.d"() : () -> () loc("a \22b\22.pto":9:9)
`)
	ir.Relocate(m, &ir.Source{Name: `a "b".pto`, Text: "one\ntwo three\n"})
	var got []string
	for op := range m.Walk() {
		if op != m {
			got = append(got, op.Loc().String())
		}
	}
	want := []string{`a "b".pto:2:3`, "after:2:1", "after:3:1", `a "b".pto:3:1`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestOriginText formats a diagnostic about an operation that comes from a file in
// another language, whose name may contain any characters, and about one without source
// text.
func TestOriginText(t *testing.T) {
	m := mlirtest.Parse(t, "k.pto", "\"my.a\"() : () -> () loc(callsite(\"ä \\22b\\22.py\":12:5 at \"main.py\":3:1))\n")
	op := fn.Body(m).First()
	d := &ir.Diag{Loc: op.Loc(), Severity: ir.Error, Text: "wrong"}
	const notes = "ä \"b\".py:12:5: note: comes from here\nmain.py:3:1: note: comes from here\n"
	if got := d.Format(); !strings.HasPrefix(got, "k.pto:1:1: error: wrong\n") || !strings.HasSuffix(got, notes) {
		t.Errorf("got %s", got)
	}
	d.Loc = ir.LocOf(op.Loc().Attr())
	if got, want := d.Format(), "ä \"b\".py:12:5: error: wrong\nmain.py:3:1: note: comes from here\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestPrintLocations checks that locations that the printer writes are parsed as the same
// locations.
func TestPrintLocations(t *testing.T) {
	debug := ir.PrintOptions{DebugInfo: true}
	first := string(ir.Bytes(mlirtest.Parse(t, "in", locSample), debug))
	second := string(ir.Bytes(mlirtest.Parse(t, "again", first), debug))
	if first != second {
		t.Errorf("got\n%s\nwant\n%s", second, first)
	}
	if !strings.Contains(first, `"my.a"(%a) : (i32) -> i32 loc(unknown)`) {
		t.Errorf("got\n%s", first)
	}
}

// TestLocationsAgree checks that mlir-opt parses the locations that this printer writes,
// and that this parser parses those that mlir-opt prints.
func TestLocationsAgree(t *testing.T) {
	path, err := exec.LookPath(mlirtest.Tool)
	if err != nil {
		t.Skipf("%s is not installed: nothing to compare with", mlirtest.Tool)
	}
	run := func(text string) string {
		cmd := exec.Command(path, "--allow-unregistered-dialect", "--mlir-print-debuginfo", "--mlir-print-local-scope")
		cmd.Stdin = strings.NewReader(text)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s\n%s", err, out, text)
		}
		return string(out)
	}
	text := wrapped()
	want := run(text)
	debug := ir.PrintOptions{DebugInfo: true}
	ours := string(ir.Bytes(mlirtest.Parse(t, "in", text), debug))
	if got := run(ours); withoutArgs(got) != withoutArgs(want) {
		t.Errorf("of our text it makes\n%s\nwant\n%s", got, want)
	}
	theirs := string(ir.Bytes(mlirtest.Parse(t, "theirs", want), debug))
	if got := run(theirs); withoutArgs(got) != withoutArgs(want) {
		t.Errorf("of its own text through us it makes\n%s\nwant\n%s", got, want)
	}
}

// wrapped returns the sample in a module with an explicit location. Without one, the
// location would be the position of the module, which differs between texts.
func wrapped() string {
	early, rest, _ := strings.Cut(locSample, "func.func")
	body, late, _ := strings.Cut(rest, "#late = ")
	// mlir-opt wants aliases inside a location to come first.
	body = strings.NewReplacer(`"inner"(#late)`, `"inner"(#early)`, "callsite(#late", "callsite(#early").Replace(body)
	return early + "module {\nfunc.func" + body + "} loc(unknown)\n#late = " + late
}

// withoutArgs removes the line with the parameters from s, because the parser does not
// retain the locations of parameters.
func withoutArgs(s string) string {
	var keep []string
	for line := range strings.Lines(s) {
		if !strings.Contains(line, "func.func") {
			keep = append(keep, line)
		}
	}
	return strings.Join(keep, "")
}
