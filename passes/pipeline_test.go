package passes_test

import (
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/passes"
	"ptogo/passes/passtest"
)

const canonicalizeDefaults = "canonicalize{max-iterations=10 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=true}"

func TestPipelineText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "builtin.module()", "builtin.module()"},
		{"defaults are printed", "builtin.module(canonicalize)", "builtin.module(" + canonicalizeDefaults + ")"},
		{"nesting and space", " builtin.module (\n cse , func.func( cse , strip-debuginfo ) )\n", "builtin.module(cse,func.func(cse,strip-debuginfo))"},
		{"options", "any(canonicalize{max-iterations=3 top-down=false test-convergence})",
			"any(canonicalize{max-iterations=3 max-num-rewrites=-1 region-simplify=normal test-convergence=true top-down=false})"},
		{"lists", "any(canonicalize{disable-patterns=a,b enable-patterns={c d} top-down=0})",
			"any(canonicalize{disable-patterns=a,b enable-patterns={c d} max-iterations=10 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=false})"},
		{"quotes", `any(canonicalize{enable-patterns='a {b' disable-patterns="it's"})`,
			`any(canonicalize{disable-patterns={it's} enable-patterns='a {b' max-iterations=10 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=true})`},
		{"a module in a module", "builtin.module(builtin.module(symbol-dce))", "builtin.module(builtin.module(symbol-dce))"},
		{"an operation nobody registered", "builtin.module(foo.bar(cse))", "builtin.module(foo.bar(cse))"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := passtest.Pipeline(t, registry, c.in).String()
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if again := passtest.Pipeline(t, registry, got).String(); again != got {
				t.Errorf("%s reads back as %s", got, again)
			}
		})
	}
}

func TestPipelineErrors(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"unknown pass", "builtin.module(csee)", "pass pipeline:1:16: error: unknown pass 'csee'\nbuiltin.module(csee)\n               ^\npass pipeline:1:16: note: did you mean 'cse'?\n"},
		{"no anchor", "cse", "pass pipeline:1:1: error: expected the operation that the pipeline runs on, as in builtin.module(...)\ncse\n^\nnote: write builtin.module(cse)\n"},
		{"not closed", "builtin.module(func.func(cse)", "pass pipeline:1:15: error: this '(' is not closed\n"},
		{"closed twice", "builtin.module(cse))", "pass pipeline:1:20: error: no '(' matches this ')'\n"},
		{"text behind", "builtin.module(cse) cse", "pass pipeline:1:21: error: unexpected text after the pipeline\n"},
		{"missing pass", "builtin.module(cse,)", "pass pipeline:1:20: error: expected a pass after the comma\n"},
		{"two commas", "builtin.module(cse,,cse)", "pass pipeline:1:20: error: expected the name of a pass\n"},
		{"no comma", "builtin.module(cse{} cse)", "pass pipeline:1:22: error: expected ',' or ')'\n"},
		{"unknown option", "builtin.module(canonicalize{top-dawn=1})", "pass pipeline:1:29: error: pass 'canonicalize' has no option 'top-dawn'; did you mean 'top-down'?\n"},
		{"option of a pass without", "builtin.module(cse{x=1})", "pass pipeline:1:20: error: pass 'cse' has no option 'x'\n"},
		{"bad number", "builtin.module(canonicalize{max-iterations=x})", "pass pipeline:1:29: error: option 'max-iterations' must be an integer, but is 'x'\n"},
		{"bad flag", "builtin.module(canonicalize{top-down=maybe})", "error: option 'top-down' must be true or false, but is 'maybe'\n"},
		{"bad word", "builtin.module(canonicalize{region-simplify=some})", "error: option 'region-simplify' must be one of disabled, normal, aggressive, but is 'some'\n"},
		{"comma between options", "builtin.module(canonicalize{max-iterations=3,top-down=1})", "error: option 'max-iterations' must be an integer, but is '3,top-down=1'\n"},
		{"options not closed", "builtin.module(canonicalize{top-down=1", "pass pipeline:1:28: error: this '{' is not closed\n"},
		{"quote not closed", "builtin.module(canonicalize{enable-patterns='x})", "pass pipeline:1:45: error: this quote is not closed\n"},
		{"wrong anchor", "builtin.module(func.func(symbol-dce))", "pass pipeline:1:26: error: pass 'symbol-dce' runs on builtin.module, not on func.func\nbuiltin.module(func.func(symbol-dce))\n                         ^\nnote: write builtin.module(symbol-dce)\n"},
		{"no operation", "builtin.modul(cse)", "pass pipeline:1:1: error: 'builtin.modul' is neither a pass nor an operation\nbuiltin.modul(cse)\n^\npass pipeline:1:1: note: did you mean 'builtin.module'?\n"},
		{"not isolated", "builtin.module(scf.for(cse))", "error: passes cannot run on 'scf.for', whose regions use values of the surrounding operations\n"},
		{"passes in a pass", "builtin.module(cse(cse))", "pass pipeline:1:19: error: 'cse' is a pass, which cannot contain passes; write its options in braces\n"},
		{"too deep", strings.Repeat("builtin.module(", 100), "error: the pipeline is nested deeper than 64 levels\n"},
		{"empty", "", "error: expected the operation that the pipeline runs on, as in builtin.module(...)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var diags ir.Diags
			if p := passes.ParsePipeline(registry, c.in, &diags); p != nil {
				t.Fatalf("read as %s", p)
			}
			passtest.Wants(t, passtest.Messages(&diags), c.want)
		})
	}
}

func FuzzParsePipeline(f *testing.F) {
	f.Add("builtin.module(canonicalize{max-iterations=3 top-down=true},func.func(cse))")
	f.Add(`any(canonicalize{enable-patterns='a {b' disable-patterns={x {y}}})`)
	f.Add("builtin.module(cse,func.func(")
	f.Fuzz(func(t *testing.T, text string) {
		var diags ir.Diags
		p := passes.ParsePipeline(registry, text, &diags)
		if (p == nil) != diags.HasErrors() {
			t.Fatalf("pipeline %v, but messages:\n%s", p, passtest.Messages(&diags))
		}
		if p == nil {
			return
		}
		again := passes.ParsePipeline(registry, p.String(), &diags)
		if again == nil || again.String() != p.String() {
			t.Fatalf("%q prints as %s, which reads as %v\n%s", text, p, again, passtest.Messages(&diags))
		}
	})
}

func TestPipelineAdd(t *testing.T) {
	var diags ir.Diags
	p := passes.NewPipeline()
	for _, s := range [][2]string{{"cse", ""}, {"canonicalize", "max-iterations=3 top-down=false"}, {"symbol-dce", ""}} {
		if !p.Add(registry.Lookup(s[0]), s[1], &diags) {
			t.Fatal(passtest.Messages(&diags))
		}
	}
	want := "builtin.module(cse,canonicalize{max-iterations=3 max-num-rewrites=-1 region-simplify=normal test-convergence=false top-down=false},symbol-dce)"
	if got := p.String(); got != want || p.Len() != 3 {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if p.Add(registry.Lookup("canonicalize"), "top-down=1}", &diags) {
		t.Error("a brace among the options was accepted")
	}
	passtest.Wants(t, passtest.Messages(&diags), "options of --canonicalize:1:11: error: expected the name of an option\n")
}
