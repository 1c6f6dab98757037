package passes_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ptogo/dialect/fn"
	"ptogo/ir"
	"ptogo/passes"
	"ptogo/passes/passtest"
)

// These are passes for tests, each with one particular behavior.
var (
	breaksDown = &passes.Pass{Name: "breaks-down", Anchor: "func.func", Run: func(_ *passes.Context, f *ir.Op) error {
		if strings.HasPrefix(fn.Name(f), "bad") {
			panic("BUG: tripped")
		}
		return nil
	}}
	fails       = &passes.Pass{Name: "fails", Run: func(*passes.Context, *ir.Op) error { return errors.New("no luck") }}
	breaksTypes = &passes.Pass{Name: "breaks-types", Anchor: "func.func", Run: func(_ *passes.Context, f *ir.Op) error {
		fn.Body(f).Last().Erase()
		return nil
	}}
	checks = &passes.Pass{Name: "checks", Anchor: "func.func",
		Run:   func(*passes.Context, *ir.Op) error { return nil },
		After: func(f *ir.Op) error { return fmt.Errorf("something is left") }}
	talks = &passes.Pass{Name: "talks", Title: "Talker", Anchor: "func.func", Stats: []passes.Stat{{"num-words", "words spoken"}},
		Run: func(c *passes.Context, f *ir.Op) error {
			c.Remarkf(f, "is called @%s", fn.Name(f))
			c.Count("num-words", 3)
			return nil
		}}
	oddities = passes.NewRegistry(passes.Table{Passes: []*passes.Pass{breaksDown, fails, breaksTypes, checks, talks}}, passes.Table{Passes: passes.List})
)

const threeFunctions = `func.func @first() {
  return
}
func.func @bad() {
  return
}
func.func @bad2() {
  return
}
`

func TestFailures(t *testing.T) {
	for _, c := range []struct{ name, pipeline, want string }{
		{"panic", "builtin.module(func.func(breaks-down))", `test:4:1: error: pass 'breaks-down' failed on func.func @bad: the code of the pass failed with an internal error: BUG: tripped
func.func @bad() {
^
test:7:1: error: pass 'breaks-down' failed on func.func @bad2: the code of the pass failed with an internal error: BUG: tripped
func.func @bad2() {
^
`},
		{"error", "builtin.module(fails,func.func(breaks-down))", "test:1:1: error: pass 'fails' failed on builtin.module: no luck\nfunc.func @first() {\n^\n"},
		{"check", "builtin.module(func.func(checks))", "test:1:1: error: pass 'checks' failed on func.func @first: something is left\n"},
		{"illegal program", "builtin.module(func.func(breaks-types))", "error: pass 'breaks-types' left func.func @first in an illegal state\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			passtest.Wants(t, passtest.Fail(t, oddities, c.pipeline, threeFunctions), c.want)
		})
	}
}

func TestWrongModule(t *testing.T) {
	var diags ir.Diags
	m := passtest.Parse(t, threeFunctions)
	if passtest.Pipeline(t, oddities, "func.func(talks)").Run(m, passes.RunOptions{Diags: &diags}) {
		t.Error("a pipeline for functions ran on a module")
	}
	passtest.Wants(t, passtest.Messages(&diags), "error: a pipeline for 'func.func' cannot run on 'builtin.module'\n")
}

// TestOrderOfMessages runs passes on many functions, in parallel and sequentially. The
// diagnostics must be the same, in the order of the program.
func TestOrderOfMessages(t *testing.T) {
	var text, want strings.Builder
	for i := range 200 {
		fmt.Fprintf(&text, "func.func @f%d() { return }\n", i)
		fmt.Fprintf(&want, "'func.func' op is called @f%d\n", i)
	}
	for _, sequential := range []bool{false, true} {
		m := passtest.Parse(t, text.String())
		for o := range m.Walk() {
			o.SetLoc(ir.Loc{}) // no positions to sort by
		}
		var diags ir.Diags
		passtest.Pipeline(t, oddities, "builtin.module(func.func(talks))").Run(m, passes.RunOptions{Diags: &diags, Sequential: sequential})
		var got strings.Builder
		for _, d := range diags.All() {
			got.WriteString(d.Text + "\n")
		}
		if got.String() != want.String() {
			t.Errorf("sequential=%v: messages are out of order", sequential)
		}
	}
}

func TestDump(t *testing.T) {
	const text = "func.func @f() -> i32 {\n  %a = arith.constant 1 : i32\n  %b = arith.constant 2 : i32\n  return %b : i32\n}\nfunc.func @g() {\n  return\n}\n"
	all := func(*passes.Pass) bool { return true }
	for _, c := range []struct {
		name, pipeline string
		dump           passes.Dump
		want           string
	}{
		{"before and after", "builtin.module(func.func(talks))", passes.Dump{Before: all, After: all},
			"// -----// IR Dump Before Talker (talks) //----- //\nfunc.func @f() -> i32 {\n  %a = arith.constant 1 : i32\n  %b = arith.constant 2 : i32\n  return %b : i32\n}\n\n// -----// IR Dump After Talker (talks) //----- //\nfunc.func @f() -> i32 {\n  %a = arith.constant 1 : i32\n  %b = arith.constant 2 : i32\n  return %b : i32\n}\n\n// -----// IR Dump Before Talker (talks) //----- //\nfunc.func @g() {\n  return\n}\n\n// -----// IR Dump After Talker (talks) //----- //\nfunc.func @g() {\n  return\n}\n\n"},
		{"only what changed", "builtin.module(func.func(talks,cse))", passes.Dump{After: all, OnlyChange: true},
			"// -----// IR Dump After CSE (cse) //----- //\nfunc.func @f() -> i32 {\n  %b = arith.constant 2 : i32\n  return %b : i32\n}\n\n"},
		{"only failures", "builtin.module(func.func(talks),fails)", passes.Dump{After: all, OnlyFailure: true},
			"// -----// IR Dump After fails Failed (fails) //----- //\nmodule {\n"},
		{"the whole program", "builtin.module(func.func(talks))", passes.Dump{Before: all, WholeProgram: true},
			"// -----// IR Dump Before Talker (talks) ('func.func' operation: @f) //----- //\nmodule {\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			c.dump.Out = &out
			passtest.Pipeline(t, oddities, c.pipeline).Run(passtest.Parse(t, text), passes.RunOptions{Diags: &ir.Diags{}, Dump: &c.dump})
			if !strings.HasPrefix(out.String(), c.want) {
				t.Errorf("got\n%s\nwant\n%s", out.String(), c.want)
			}
		})
	}
}

func TestReproducer(t *testing.T) {
	var file []byte
	var diags ir.Diags
	m := passtest.Parse(t, threeFunctions)
	passtest.Pipeline(t, oddities, "builtin.module(cse,func.func(cse,breaks-down))").
		Run(m, passes.RunOptions{Diags: &diags, Reproduce: func(text []byte) { file = text }})
	passtest.Wants(t, string(file), "// error: pass 'breaks-down' failed on func.func @bad2: the code of the pass failed with an internal error: BUG: tripped\n", `sym_name = "first"`)
	pipeline, ok := passes.ReproducerPipeline(string(file))
	if !ok || pipeline != "builtin.module(func.func(breaks-down))" {
		t.Fatalf("the file asks for %q", pipeline)
	}
	passtest.Wants(t, passtest.Fail(t, oddities, pipeline, string(file)), "pass 'breaks-down' failed on func.func @bad")
}

func TestReproducerPipelineQuotes(t *testing.T) {
	text := "{-# external_resources: { mlir_reproducer: { pipeline: \"any(a{x=\\22y\\22 z=\\5C})\", verify_each: true } } #-}"
	if got, ok := passes.ReproducerPipeline(text); !ok || got != `any(a{x="y" z=\})` {
		t.Errorf("got %q, %v", got, ok)
	}
	if _, ok := passes.ReproducerPipeline("module {}"); ok {
		t.Error("found a pipeline where there is none")
	}
}

func TestStatistics(t *testing.T) {
	p := passtest.Pipeline(t, oddities, "builtin.module(func.func(talks),cse,func.func(talks))")
	var stats passes.Statistics
	p.Run(passtest.Parse(t, threeFunctions), passes.RunOptions{Diags: &ir.Diags{}, Statistics: &stats})
	for _, c := range []struct {
		list bool
		want string
	}{
		{false, "'func.func' Pipeline\n  Talker\n    (S) 9 num-words - words spoken\nCSE\n  (S) 0 num-cse'd - operations replaced by an equal operation\n  (S) 0 num-dce'd - dead operations removed\n'func.func' Pipeline\n  Talker\n    (S) 9 num-words - words spoken\n"},
		{true, "CSE\n  (S) 0 num-cse'd - operations replaced by an equal operation\n  (S) 0 num-dce'd - dead operations removed\nTalker\n  (S) 18 num-words - words spoken\n"},
	} {
		var out bytes.Buffer
		stats.Report(&out, p, c.list)
		if _, body, _ := strings.Cut(out.String(), "... Pass statistics report ..."); !strings.HasSuffix(body, "===\n"+c.want) {
			t.Errorf("list=%v: got\n%s\nwant\n%s", c.list, body, c.want)
		}
	}
}

func TestTiming(t *testing.T) {
	p := passtest.Pipeline(t, oddities, "builtin.module(cse,func.func(talks,cse))")
	timing := passes.NewTiming()
	timing.Part("Parser")()
	p.Run(passtest.Parse(t, threeFunctions), passes.RunOptions{Diags: &ir.Diags{}, Timing: timing})
	names := func(list bool) []string {
		var out bytes.Buffer
		timing.Report(&out, list)
		_, body, _ := strings.Cut(out.String(), "----Name----\n")
		var names []string
		for line := range strings.Lines(body) {
			names = append(names, strings.TrimRight(line[40:], "\n"))
		}
		return names
	}
	if got, want := strings.Join(names(false), "|"), "Parser|CSE|'func.func' Pipeline|  Talker|  CSE|Rest|Total"; got != want {
		t.Errorf("tree: got %s, want %s", got, want)
	}
	if got := names(true); len(got) != 5 || got[4] != "Total" {
		t.Errorf("list: got %q", got)
	}
}
