// Package versions_test rewrites programs for public versions of ptoas and back.
package versions_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/dialect/pto/history"
	"ptogo/ir"
	"ptogo/lower/version"
	"ptogo/passes"
	"ptogo/tools/corpus"
	"ptogo/tools/testsize"
)

// some are the versions of the short test. The long test takes all.
var some = []string{"0.44", "0.50", "0.57", "0.60", "0.64"}

// TestDownAndUp writes every program of the examples and lit tests for each version, reads
// the text, checks that the version has all of it, and writes it for the newest version.
// The result must be what the original program gives, so that the bits are the same, too.
func TestDownAndUp(t *testing.T) {
	versions := some
	if testsize.All() {
		versions = nil
		for _, r := range history.Releases() {
			if !r.Version.Less(history.Version{Minor: 44}) {
				versions = append(versions, r.Version.String())
			}
		}
	}
	var programs []corpus.Program
	for _, folder := range []string{"../../examples", "../lit"} {
		all, err := corpus.Folder(folder)
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, all...)
	}
	if dir := os.Getenv("PTO_FRONTEND"); dir != "" {
		all, err := corpus.Folder(filepath.Join(dir, "..", "pypto"))
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, all...)
	}
	for _, text := range versions {
		v, err := history.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		same, refused := 0, 0
		for _, p := range programs {
			module, target := p.Read()
			if module == nil {
				continue // a test of an error
			}
			today, diags := rewritten(module, history.Last(), v, target)
			if today == "" {
				if module, _ = p.Read(); version.Check(module, history.Last(), &ir.Diags{}) {
					t.Errorf("%s: no text for version %s: %s", p.Name, history.Last(), diags)
				}
				continue // has what the newest version does not have
			}
			module, _ = p.Read()
			old, _ := rewritten(module, v, v, target)
			if old == "" {
				refused++
				continue
			}
			back, _ := corpus.Program{Name: p.Name, Text: old, Profile: target}.Read()
			if back == nil {
				t.Errorf("%s: the text for version %s is not read:\n%s", p.Name, v, old)
				continue
			}
			var errs ir.Diags
			if !version.CheckText(back, v, &errs) {
				t.Errorf("%s: the text for version %s is not for this version:\n%s%s", p.Name, v, errs.Err(), old)
			}
			if again, diags := rewritten(back, history.Last(), v, target); again != today {
				t.Errorf("%s: version %s and back gives\n%s%s, but wants\n%s", p.Name, v, again, diags, today)
				continue
			}
			same++
		}
		t.Logf("version %s: %d programs return as they were, %d cannot be written", v, same, refused)
		if same == 0 {
			t.Errorf("no program can be written for version %s", v)
		}
	}
}

// rewritten returns the text of a module for a version, or "" and the errors. The text does
// not have what the way through the version old loses: hints, and scratch operands that the
// version does not have.
func rewritten(module *ir.Op, v, old history.Version, target ir.Target) (text, errs string) {
	var diags ir.Diags
	for op := range module.Walk() {
		if op.Name() == "pto.tload" {
			op.SetAttr("cache_policy", ir.Attr{})
		}
		for _, a := range op.Form().Operands {
			if span, known := history.Lookup(history.Arg(op.Name(), a.Name)); known && !span.Has(old) && a.Role == ir.Scratch && a.Arity == ir.Optional && op.Arg(a.Name) != nil {
				op.RemoveArg(a.Name)
			}
		}
	}
	p := passes.NewPipeline()
	if !p.Add(version.Pass, "version="+v.String(), &diags) || !p.Run(module, passes.RunOptions{Target: target, Diags: &diags}) {
		return "", fmt.Sprint(diags.Err())
	}
	var b bytes.Buffer
	ir.Print(&b, module, ir.PrintOptions{})
	return b.String(), ""
}

// TestTables checks that every construct in the tables belongs to an operation of the
// tables, and that versions ascend.
func TestTables(t *testing.T) {
	last := history.Version{}
	for _, r := range history.Releases() {
		if !last.Less(r.Version) {
			t.Errorf("version %s follows %s", r.Version, last)
		}
		last = r.Version
	}
	if last != history.Last() {
		t.Errorf("the newest version is %s, not %s", last, history.Last())
	}
	for _, c := range []struct {
		construct history.Construct
		want      string
	}{
		{history.Op("pto.tadd"), "from 0.25 or earlier on"},
		{history.Op("pto.load_scalar"), "0.25 or earlier to 0.63"},
		{history.Arg("pto.tload", "cache_policy"), "from 0.61 on"},
		{history.Arg("pto.tload", "src"), "from 0.25 or earlier on"},
		{history.Must("pto.trowsum", "tmp"), "0.25 or earlier to 0.56"},
		{history.Case("layout", "mx_a_zz"), "from 0.46 on"},
		{history.Flag("pto-arch"), "from 0.25 or earlier on"},
		{history.Pass("vmi-to-vpto"), "from 0.51 on"},
	} {
		span, ok := history.Lookup(c.construct)
		if !ok || span.String() != c.want {
			t.Errorf("%v: %v %v, but wants %s", c.construct, span, ok, c.want)
		}
	}
	if _, ok := history.Lookup(history.Op("pto.tfrobnicate")); ok {
		t.Error("an operation that nobody has is known")
	}
	for _, wrong := range []string{"", "1", "v", "0.", "0.x", "-1.2", "0.57.1", strings.Repeat("9", 40) + ".1"} {
		if v, err := history.Parse(wrong); err == nil {
			t.Errorf("%q is read as version %s", wrong, v)
		}
	}
}
