package serve

import (
	"os"
	"strings"
	"testing"

	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
)

// TestServeRanks runs two ranks with arrays of their own, and with arguments that do not
// match the number of ranks.
func TestServeRanks(t *testing.T) {
	const n = 8 * 64
	s := startServe(t)
	program := s.load(clitest.AllReduce, "")
	x := make([]float32, 6*n)
	for i := range 2 * n {
		x[i] = float32(1 + i/n)
	}
	path := sharedFile(t, clitest.Floats(x...))
	array := func(at int, window bool) map[string]any {
		return map[string]any{"file": path, "offset": 4 * n * at, "bytes": 4 * n, "elem": "f32", "shape": []int{8, 64}, "window": window}
	}
	pair := func(at int, window bool) []any { return []any{array(at, window), array(at+1, window)} }
	run := func(ranks int, in, data any) servedAnswer {
		args := []any{in, pair(2, false), data, "window=1x16xi32", "comm"}
		return s.ask("run", map[string]any{"program": program, "args": args, "flags": map[string]any{"ranks": ranks, "check": "all"}})
	}
	if a := run(2, pair(0, false), pair(4, true)); a.Result.Exit != exit.OK {
		t.Fatalf("%+v", a)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for rank := range 2 { // each sums two chunks of 64 numbers
		if got := b[4*n*(2+rank):][:4*128]; string(got) != string(clitest.Floats(repeated(3, 128)...)) {
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
		if a.Result.Exit == exit.OK || len(a.Result.Diagnostics) == 0 || !strings.Contains(a.Result.Diagnostics[0].Message, x.want) {
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
