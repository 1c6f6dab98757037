package advise

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/passes"
)

// fake is a Bench whose times are a function of the variant.
type fake struct {
	// micros returns the time of a variant, or an error.
	micros func(v Variant) (float64, error)
	// wrong returns the reason why a variant must not be kept, or "".
	wrong func(v Variant) string
	// text returns the program of a variant; nil means that every variant is another one.
	text     func(v Variant) string
	verified []string
}

// Build implements Bench.
func (f *fake) Build(v Variant) (*Built, error) {
	b := &Built{Variant: v, Text: v.key()}
	if f.text != nil {
		b.Text = f.text(v)
	}
	return b, nil
}

// Predict implements Bench.
func (f *fake) Predict(b *Built) (*Time, error) {
	x, err := f.micros(b.Variant)
	return &Time{Micros: x, Total: x + 5}, err
}

// Verify implements Bench.
func (f *fake) Verify(b *Built) (*Proof, error) {
	f.verified = append(f.verified, b.key())
	if f.wrong != nil {
		return &Proof{Wrong: f.wrong(b.Variant)}, nil
	}
	return &Proof{Results: "equal for all data", Equivalent: true, Sync: "proved", Proved: true}, nil
}

// stepsFor returns a step for each name, which adds a pass of this name, and one for each
// number of blocks.
func stepsFor(blocks []int, names ...string) (list []Step) {
	for _, n := range blocks {
		list = append(list, Step{Name: ir.Count(n, "block"), Group: "blocks", Change: func(v Variant) (Variant, bool) {
			changed := v
			changed.Blocks = n
			return changed, n != v.Blocks
		}})
	}
	for _, name := range names {
		list = append(list, Step{Name: name, Group: name, Change: func(v Variant) (Variant, bool) { return v.with(name, ""), true }})
	}
	return list
}

// run runs a search from one block and no passes.
func (f *fake) run(t *testing.T, steps []Step, tries int) *Result {
	t.Helper()
	base, _ := f.Build(Variant{Blocks: 1})
	before, err := f.Predict(base)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Search(f, base, before, &Proof{Sync: "proved"}, steps, Options{Tries: tries, Gain: DefaultGain})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// names returns the names of the kept steps.
func (r *Result) names() string {
	var list []string
	for _, k := range r.Kept {
		list = append(list, k.Name)
	}
	return strings.Join(list, "; ")
}

// product is a model of time in which blocks divide 100 us of work, up to 4 of them, and
// each pass multiplies the time by its factor.
func product(factors map[string]float64) func(v Variant) (float64, error) {
	return func(v Variant) (float64, error) {
		x := 100 / float64(min(v.Blocks, 4))
		for name := range v.Passes {
			x *= factors[name]
		}
		return x, nil
	}
}

// TestSearch checks that a search keeps the fastest step of each round, prefers the first
// one of equal times, and lists the others.
func TestSearch(t *testing.T) {
	f := &fake{micros: product(map[string]float64{"rings": 0.8, "slow": 1.3, "small": 0.995})}
	r := f.run(t, stepsFor([]int{1, 2, 4, 8}, "rings", "slow", "small"), 100)
	if got, want := r.names(), "4 blocks; rings"; got != want {
		t.Errorf("kept %s, expected %s", got, want)
	}
	if r.After.Micros != 20 || r.Before.Micros != 100 || r.Best.Blocks != 4 {
		t.Errorf("%v us before, %v us after, %d blocks", r.Before.Micros, r.After.Micros, r.Best.Blocks)
	}
	var text strings.Builder
	r.Text(&text, Heading{Kernel: "@k", File: "k.pto", Chip: "910B1", Commands: []string{"pto-run k.pto"}})
	for _, want := range []string{"4 blocks  100.000 -> 25.000  4.00", "5.00 times as fast as before", "8 blocks  1.000", "slow      1.300", "small     0.995", "  pto-run k.pto\n"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, &text)
		}
	}
	if json, err := r.JSON(Heading{Kernel: "@k"}); err != nil || !strings.Contains(string(json), `"name": "4 blocks"`) {
		t.Errorf("%s, %v", json, err)
	}
}

// TestSearchNothing checks the report of a search that finds no faster variant.
func TestSearchNothing(t *testing.T) {
	f := &fake{micros: func(v Variant) (float64, error) { return 10 + float64(len(v.Passes)), nil }}
	r := f.run(t, stepsFor(nil, "a", "b"), 100)
	var text strings.Builder
	r.Text(&text, Heading{})
	if len(r.Kept) != 0 || !strings.Contains(text.String(), "tried 3 variants, none is faster") {
		t.Errorf("kept %s\n%s", r.names(), &text)
	}
	if len(f.verified) != 0 {
		t.Errorf("verified %v, although none is faster", f.verified)
	}
}

// TestSearchPair checks that a search finds a pair of steps of which none is faster by
// itself.
func TestSearchPair(t *testing.T) {
	f := &fake{micros: func(v Variant) (float64, error) {
		switch {
		case v.has("expand") && v.has("order"):
			return 50, nil
		case v.has("expand"):
			return 101, nil
		case v.has("order"):
			return 200, nil
		}
		return 100, nil
	}}
	if got, want := f.run(t, stepsFor(nil, "order", "expand"), 100).names(), "expand + order"; got != want {
		t.Errorf("kept %q, expected %q", got, want)
	}
}

// TestSearchAlone checks that a search does not combine a step that is marked Alone.
func TestSearchAlone(t *testing.T) {
	f := &fake{micros: func(v Variant) (float64, error) {
		if v.has("a") && v.has("b") {
			return 50, nil
		}
		return 100, nil
	}}
	steps := stepsFor(nil, "a", "b")
	steps[0].Alone = true
	if got := f.run(t, steps, 100).names(); got != "" {
		t.Errorf("kept %q", got)
	}
}

// TestSearchWrong checks that a search does not keep a faster variant whose verification
// fails, that it keeps the next one, and that it reports the reason.
func TestSearchWrong(t *testing.T) {
	f := &fake{micros: product(map[string]float64{"wrong": 0.1, "right": 0.5}), wrong: func(v Variant) string {
		if v.has("wrong") {
			return "other results from byte 0 of %y on"
		}
		return ""
	}}
	r := f.run(t, stepsFor(nil, "wrong", "right"), 100)
	if got := r.names(); got != "right" {
		t.Errorf("kept %s, expected right", got)
	}
	if len(r.Tried) == 0 || r.Tried[0].Why != "other results from byte 0 of %y on" || r.Tried[0].outcome() != "0.100, but other results from byte 0 of %y on" {
		t.Errorf("%+v", r.Tried)
	}
	if len(f.verified) != 3 { // wrong, right, and both
		t.Errorf("verified %v", f.verified)
	}
}

// TestSearchLimits checks that a search ends at its limit of variants and when it is
// stopped, with the steps that it has kept so far.
func TestSearchLimits(t *testing.T) {
	f := &fake{micros: product(map[string]float64{"a": 0.9, "b": 0.8})}
	if r := f.run(t, stepsFor(nil, "a", "b"), 2); !r.Exhausted || r.names() != "b" || r.Tries != 2 {
		t.Errorf("kept %s after %d tries, exhausted: %t", r.names(), r.Tries, r.Exhausted)
	}
	calls := 0
	f.micros = func(v Variant) (float64, error) {
		if calls++; calls > 3 {
			return 0, ErrStopped
		}
		return product(map[string]float64{"a": 0.9, "b": 0.8})(v)
	}
	if r := f.run(t, stepsFor(nil, "a", "b"), 100); !r.Stopped || r.names() != "b" {
		t.Errorf("kept %s, stopped: %t", r.names(), r.Stopped)
	}
}

// TestSearchRejected checks that a variant that the tools reject does not end the search,
// and that another error does.
func TestSearchRejected(t *testing.T) {
	f := &fake{micros: func(v Variant) (float64, error) {
		if v.has("a") {
			return 0, Rejection{errors.New("does not fit into memory\nnote")}
		}
		return product(map[string]float64{"b": 0.5})(v)
	}}
	r := f.run(t, stepsFor(nil, "a", "b"), 100)
	if r.names() != "b" || len(r.Tried) != 1 || r.Tried[0].outcome() != "not possible: does not fit into memory" {
		t.Errorf("kept %s, tried %+v", r.names(), r.Tried)
	}
	bad := &fake{micros: func(v Variant) (float64, error) { return 0, fmt.Errorf("broken") }}
	base, _ := bad.Build(Variant{Blocks: 1})
	if _, err := Search(bad, base, &Time{Micros: 1}, &Proof{}, stepsFor(nil, "a"), Options{Tries: 9}); err == nil {
		t.Error("no error")
	}
}

// TestSearchSameProgram checks that a step that leaves the program as it is neither costs
// a prediction nor is kept.
func TestSearchSameProgram(t *testing.T) {
	predicted := 0
	f := &fake{text: func(Variant) string { return "the program" }, micros: func(Variant) (float64, error) {
		predicted++
		return float64(10 - predicted), nil
	}}
	r := f.run(t, stepsFor(nil, "a"), 100)
	if predicted != 1 || len(r.Kept) != 0 || r.Tried[0].outcome() != "changes nothing" {
		t.Errorf("%d predictions, kept %s, tried %+v", predicted, r.names(), r.Tried)
	}
}

// TestPipeline checks that the text of a pipeline has the passes that a variant runs, in
// an order and syntax that pto-opt accepts.
func TestPipeline(t *testing.T) {
	v := Variant{}.with("pto-multi-buffer", "factor=3").prepared(true).with("pto-split-blocks", "depth=2").with(mergeLate, "").with("cse", "")
	const want = "builtin.module(pto-split-blocks{depth=2},cse,pto-bufferize,func.func(pto-materialize-implicit-tmp,pto-multi-buffer{factor=3},pto-bind-scales)," +
		"pto-plan-memory,pto-insert-sync{force=true},cse)"
	if got := v.Pipeline(); got != want {
		t.Errorf("%s\nexpected\n%s", got, want)
	}
	var table []*passes.Pass
	for _, s := range stages {
		if !slices.Contains(table, s.pass) {
			table = append(table, s.pass)
		}
	}
	every := Variant{}
	for _, s := range stages {
		every = every.with(s.name, "")
	}
	var diags ir.Diags
	read := passes.ParsePipeline(passes.NewRegistry(passes.Table{Passes: table}), every.Pipeline(), &diags)
	if made := every.pipeline(&diags); read == nil || made == nil || read.String() != made.String() {
		t.Errorf("%v\nexpected\n%v\n%v", read, made, diags.All())
	}
	if got := (Variant{Blocks: 3}).Pipeline(); got != "" {
		t.Errorf("no pass is written as %q", got)
	}
}

// TestBlockCounts checks that the numbers of blocks to try contain the number of places.
func TestBlockCounts(t *testing.T) {
	for places, want := range map[int]string{1: "[1]", 24: "[1 2 3 4 6 8 12 16 24]", 48: "[1 2 3 4 6 8 12 16 24 32 48]"} {
		if got := fmt.Sprint(blockCounts(places)); got != want {
			t.Errorf("%d places: %s, expected %s", places, got, want)
		}
	}
}

// TestSteps checks that the steps of a program follow from its facts.
func TestSteps(t *testing.T) {
	has := func(f Facts, name string) bool {
		return slices.ContainsFunc(f.Steps(), func(s Step) bool { return strings.Contains(s.Name, name) })
	}
	for _, c := range []struct {
		facts Facts
		name  string
		want  bool
	}{
		{Facts{Places: 4, CountsBlocks: true}, "4 blocks", true}, {Facts{Places: 4, CountsBlocks: true}, "pto-split-blocks", false},
		{Facts{Places: 4, CountsBlocks: true, Combines: true}, "4 blocks", false}, {Facts{Places: 4, Combines: true}, "pto-split-blocks", false},
		{Facts{Places: 4}, "pto-split-blocks", true}, {Facts{}, "pto-fuse-tiles", false}, {Facts{A5: true}, "pto-fuse-tiles", true},
		{Facts{}, "pto-split-cores", false}, {Facts{Mixed: true}, "pto-split-cores", true}, {Facts{Synchronized: true}, "inserted anew", true}, {Facts{}, "inserted anew", false},
		{Facts{Places: 4, Resizes: []string{"divide=2"}}, "tiles with 1/2 of the rows on more blocks", true}, {Facts{Places: 4}, "tiles with 1/2", false},
		{Facts{Places: 4, Flattens: true}, "merged loops (pto-flatten-loops, pto-split-blocks)", true}, {Facts{Places: 4}, "merged loops", false},
		{Facts{Resizes: []string{"merge=4 columns=true reassociate=true"}}, "4 times the columns, sums in another order", true},
		{Facts{Resizes: []string{"merge=4 columns=true"}}, "another order", false}, {Facts{}, "pto-batch-transfers", false}, {Facts{Batches: true}, "pto-batch-transfers", true},
		{Facts{Synchronized: true, Resizes: []string{"divide=2"}}, "tiles with 1/2", false}, {Facts{Resizes: []string{"merge=4 sums=true"}}, "4 times the terms of sums", true},
	} {
		if got := has(c.facts, c.name); got != c.want {
			t.Errorf("%+v: %s: %t", c.facts, c.name, got)
		}
	}
}
