package cli

import (
	"os"
	"strings"
	"testing"
)

const allReduce = "../../examples/ranks/all_reduce.pto"

// TestServeRanks runs two ranks with arrays of their own, and with arguments that do not
// match the number of ranks.
func TestServeRanks(t *testing.T) {
	const n = 8 * 64
	s := startServe(t)
	program := s.load(allReduce, "")
	x := make([]float32, 6*n)
	for i := range 2 * n {
		x[i] = float32(1 + i/n)
	}
	path := sharedFile(t, floats(x...))
	array := func(at int, window bool) map[string]any {
		return map[string]any{"file": path, "offset": 4 * n * at, "bytes": 4 * n, "elem": "f32", "shape": []int{8, 64}, "window": window}
	}
	pair := func(at int, window bool) []any { return []any{array(at, window), array(at+1, window)} }
	run := func(ranks int, in, data any) servedAnswer {
		args := []any{in, pair(2, false), data, "window=1x16xi32", "comm"}
		return s.ask("run", map[string]any{"program": program, "args": args, "flags": map[string]any{"ranks": ranks, "check": "all"}})
	}
	if a := run(2, pair(0, false), pair(4, true)); a.Result.Exit != exitOK {
		t.Fatalf("%+v", a)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for rank := range 2 { // each sums two chunks of 64 numbers
		if got := b[4*n*(2+rank):][:4*128]; string(got) != string(floats(repeated(3, 128)...)) {
			t.Errorf("the sums of rank %d are wrong", rank)
		}
	}
	for _, x := range []struct {
		ranks    int
		in, data any
		want     string
	}{
		{2, array(0, false), pair(4, true), "--arg 0 (%inp) of rank 1: an array is the memory of one rank: give a list with an array for each of 2 ranks"},
		{3, pair(0, false), pair(4, true), "--arg 0 (%inp) of rank 0: the list has 2 arguments, but requires one argument for each of 3 ranks"},
		{2, []any{"fill={rank},8x64xf32", "zeros=8x64xf16"}, pair(4, true), "--arg 0 (%inp) of rank 1: the parameter points to elements of type f32"},
		{2, pair(0, false), []any{array(4, true), array(5, false)}, "argument 2 must be a window of the same size on all ranks, but differs between rank 0 and rank 1"},
	} {
		a := run(x.ranks, x.in, x.data)
		if a.Result.Exit == exitOK || len(a.Result.Diagnostics) == 0 || !strings.Contains(a.Result.Diagnostics[0].Message, x.want) {
			t.Errorf("%+v, want %q", a.Result, x.want)
		}
	}
}

// repeated returns n elements of one value.
func repeated(v float32, n int) []float32 {
	list := make([]float32, n)
	for i := range list {
		list[i] = v
	}
	return list
}

// TestBatchRanks runs cases of two ranks: with an argument for each rank, with one for
// both, and with a list that is too short.
func TestBatchRanks(t *testing.T) {
	line := func(id, in string) string {
		return `{"id":"` + id + `","file":"` + allReduce + `","args":[` + in + `,"zeros=8x64xf32","window=8x64xf32","window=1x16xi32","comm"],"flags":{"ranks":2,"check":"all"},"digest":true}`
	}
	path := batchFile(t, line("each", `["ones=8x64xf32","fill=7,8x64xf32"]`), line("both", `"iota=8x64xf32"`), line("short", `["rand=8x64xf32"]`))
	code, out, errs := runKernel("--batch", path)
	results := resultsOf(t, out)
	if code != exitUsage || results["each 0"].Status != "passed" || results["both 0"].Status != "passed" || results["short 0"].Status != "usage" {
		t.Fatalf("code %d: %s\n%s", code, errs, out)
	}
	if d := results["each 0"].Digests; len(d) != 10 || d[1] != d[6] || d[0] == d[5] {
		t.Errorf("digests: %v", d)
	}
	if d := results["short 0"].Diagnostics; !strings.Contains(d[0].Message, "the list has 1 argument for 2 ranks") {
		t.Errorf("diagnostics: %+v", d)
	}
}
