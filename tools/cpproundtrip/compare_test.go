package cpproundtrip

import (
	"strings"
	"testing"

	"ptogo/frontend/cpp"
)

// TestExamples makes the round trip of some examples: programs of each level, for both
// types of cores, in PTO-AS, with a queue, and one that cannot be written as C++. The
// command gen makes the round trip of all.
func TestExamples(t *testing.T) {
	if !cpp.Available() {
		t.Skip("clang is not installed")
	}
	t.Chdir("../..")
	for name, reason := range map[string]string{
		"softmax": "", "clamp": "", "fahrenheit": "", "flash_attention": "", "queue_both_ways": "", "conv2d": "",
		"cube_gemm": "is a micro instruction",
	} {
		cases, err := File("examples/" + name + ".pto")
		if err != nil || len(cases) != 1 {
			t.Fatalf("%s: %d launches, %v", name, len(cases), err)
		}
		if c := cases[0]; c.Passed() != (reason == "") || !strings.Contains(c.Reason, reason) {
			t.Errorf("%s: %s: %s", name, c.Outcome, c.Reason)
		}
	}
}

// TestValidate checks the C++ of an example with the commands for users.
func TestValidate(t *testing.T) {
	if !cpp.Available() {
		t.Skip("clang is not installed")
	}
	t.Chdir("../..")
	proofs, syncs, err := Validate("examples/softmax.pto")
	if err != nil || len(proofs) != 1 || proofs[0].Outcome != Equivalent || len(syncs) != 1 || syncs[0].Outcome != Proved {
		t.Errorf("proofs %v, synchronization %v: %v", proofs, syncs, err)
	}
	if want := "| equivalent | 1 | |"; !strings.Contains(Summary("command", proofs), want) {
		t.Errorf("the summary lacks %q:\n%s", want, Summary("command", proofs))
	}
}

// TestSplit reads programs out of files of lit tests.
func TestSplit(t *testing.T) {
	all := split("a.pto", "// RUN: pto-opt --split-input-file %s\nA\n// -----\nB\n")
	if len(all) != 2 || all[1].Name != "a.pto#1" || all[1].Text != "B\n" {
		t.Errorf("the programs are %v", all)
	}
	if all := split("a.pto", "A\n// -----\nB\n"); len(all) != 1 {
		t.Errorf("the programs are %v", all)
	}
}

// TestPage reads a table and writes the page.
func TestPage(t *testing.T) {
	all := []Case{{"examples/a.pto", "a", Same, ""}, {"b.pto#1", "b", NotRead, "'comm::TPUT' has no counterpart in PTO yet"}, {"b.pto#2", "c", NotRead, "'comm::TGET' has no counterpart in PTO yet"}}
	again, err := ReadTable(Table(all))
	if err != nil || len(again) != 3 || again[1] != all[1] {
		t.Fatalf("%v: %v", again, err)
	}
	page := Page([]Group{{"lit tests", again}}, "Note.")
	if want := "| 2 | not read | comm::X has no counterpart in PTO yet | b.pto |"; !strings.Contains(page, want) {
		t.Errorf("the page lacks %q:\n%s", want, page)
	}
}
