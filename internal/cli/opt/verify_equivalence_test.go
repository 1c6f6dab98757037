package opt

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ptogo/internal/cli/files"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/passes"
	"ptogo/runtime/equiv"
	"ptogo/tools/testsize"
)

// TestChangedMeaning compares a program with one that a wrong pass could have made of it.
// The error names the pass, the element and both expressions.
func TestChangedMeaning(t *testing.T) {
	text, err := os.ReadFile("../../../test/lit/run/Inputs/equivalent_sum.pto")
	if err != nil {
		t.Fatal(err)
	}
	read := func(text string) *ir.Op {
		var diags ir.Diags
		m := kernel.Parse(&ir.Source{Name: "k.pto", Text: text}, ir.ParseOptions{}, &diags)
		if m == nil {
			t.Fatal(diags.Err())
		}
		return m
	}
	tool := &optTool{Console: files.NewConsole(strings.NewReader(""), io.Discard, io.Discard, "pto-opt")}
	before := read(string(text))
	e := newEquivalence(tool, &equivalenceFlags{verify: true, blocks: 1}, before)
	pass := &passes.Pass{Name: "wrong"}
	var diags ir.Diags
	if !e.after(pass, before, read(strings.Replace(string(text), "ins(%b, %a", "ins(%a, %b", 1)), &diags) || diags.HasErrors() {
		t.Errorf("a sum with swapped operands is another: %v", diags.All())
	}
	if e.after(pass, before, read(strings.Replace(string(text), "pto.tadd", "pto.tmul", 1)), &diags) || !diags.HasErrors() {
		t.Fatal("a product is taken for a sum")
	}
	d := diags.All()[0]
	if !strings.Contains(d.Text, "pass 'wrong': @k computes something else after it: element 0 of %y") || len(d.Notes) != 2 ||
		!strings.Contains(d.Notes[0].Text, "add.f32(") || !strings.Contains(d.Notes[1].Text, "mul.f32(") {
		t.Errorf("the error is %q with notes %q", d.Text, d.Notes)
	}
	if e.tally[equiv.Equivalent] != 1 || e.tally[equiv.Differs] != 1 {
		t.Errorf("the tally is %v", e.tally)
	}
}

// TestEveryPass runs each pass, and the pipelines to the device, on every example, and decides
// after each pass whether the kernels compute the same.
func TestEveryPass(t *testing.T) {
	var files []string
	for _, pattern := range []string{"../../../examples/*.pto", "../../../examples/*/*.pto"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, found...)
	}
	var pipelines [][]string
	for _, p := range registry.Passes() {
		pipelines = append(pipelines, []string{"--" + p.Name})
	}
	device := []string{"--pto-bufferize", "--pto-plan-memory", "--pto-insert-sync"}
	for _, p := range slices.Clone(pipelines) {
		pipelines = append(pipelines, append([]string{"--pto-arch=a5"}, p...))
	}
	pipelines = append(pipelines, device, append([]string{"--canonicalize", "--cse", "--pto-split-cores"}, device...))
	count := map[string]int{}
	tally := regexp.MustCompile(`(\d+) (equivalent|differs|not decided)`)
	every := testsize.Of(5, 1)
	for i, path := range files {
		if strings.Contains(path, "/ranks/") {
			continue // they need a launch of several ranks
		}
		for j, pipeline := range pipelines {
			if (i+j)%every != 0 {
				continue
			}
			var messages strings.Builder
			args := append([]string{path, "--verify-equivalence", "-o", os.DevNull}, pipeline...)
			Main(args, strings.NewReader(""), io.Discard, &messages)
			if strings.Contains(messages.String(), ComputesElse) {
				t.Errorf("%s %v:\n%s", path, pipeline, &messages)
			}
			for _, m := range tally.FindAllStringSubmatch(messages.String(), -1) {
				n, _ := strconv.Atoi(m[1])
				count[m[2]] += n
			}
		}
	}
	t.Logf("%d examples, %d pipelines: %v", len(files), len(pipelines), count)
	share := testsize.Of(5, 10) // a sample varies
	if count["equivalent"] < 400/every || count["not decided"]*share > count["equivalent"] {
		t.Errorf("expected %d proofs, and 1/%d of that not decided: %v", 400/every, share, count)
	}
}
