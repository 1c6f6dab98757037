package examples

import (
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/ir"
	"ptogo/tools/corpus"
)

// TestEmitTwice writes every example and every kernel of the lit tests as LLVM
// IR twice, each time from its text. The cache of compiled kernels finds a
// program by its text, so a difference would defeat it.
func TestEmitTwice(t *testing.T) {
	written := 0
	for _, folder := range []string{"../../examples", "../../test/lit"} {
		programs, err := corpus.Folder(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range programs {
			first, ok := emit(p)
			if !ok {
				continue // not every kernel of a test is legal
			}
			written++
			if second, _ := emit(p); second != first {
				t.Errorf("%s: two runs differ:\n%s", p.Name, difference(first, second))
			}
		}
	}
	if written < 50 {
		t.Errorf("only %d programs were written", written)
	}
}

// emit reads, lowers and writes a program, if all of that works.
func emit(p corpus.Program) (text string, ok bool) {
	m, target := p.Read()
	var diags ir.Diags
	if m == nil || !corpus.Lower(m, target, &diags) {
		return "", false
	}
	var out strings.Builder
	ok = llvm.Emit(&out, m, llvm.Options{Target: target}, &diags)
	return out.String(), ok
}

// difference is the first line in which two texts differ.
func difference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return "  " + as[i] + "\n  " + bs[i]
		}
	}
	return "  one is longer"
}
