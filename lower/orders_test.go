package lower_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ptogo/ir"
	"ptogo/passes"
	"ptogo/passes/passtest"
)

// TestRandomOrders runs passes in random orders, with random orders inside the
// rewriter, over random programs: they stay legal and mean the same.
func TestRandomOrders(t *testing.T) {
	n := uint64(500)
	if testing.Short() {
		n = 60
	}
	for seed := range n {
		if sameInAnyOrder(t, seed); t.Failed() {
			return
		}
	}
}

// FuzzOrders is TestRandomOrders for any seed.
func FuzzOrders(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(sameInAnyOrder)
}

func sameInAnyOrder(t *testing.T, seed uint64) {
	text := program(seed)
	m := passtest.Parse(t, text)
	var want [][]uint64
	for run := range uint64(3) {
		want = append(want, observe(m, run))
	}
	pipeline := randomPipeline(rand.New(rand.NewPCG(seed, 3)))
	var diags ir.Diags
	if !passtest.Pipeline(t, registry, pipeline).Run(m, passes.RunOptions{Diags: &diags, VerifyEach: true, Seed: seed}) {
		t.Fatalf("seed %d, %s:\n%s\n%s", seed, pipeline, passtest.Messages(&diags), text)
	}
	for run := range want {
		if got := observe(m, uint64(run)); !slices.Equal(got, want[run]) {
			t.Fatalf("seed %d, %s, run %d: looks at\n%x\nwant\n%x\nfrom\n%s\nto\n%s", seed, pipeline, run, got, want[run],
				passtest.Parse(t, text), m)
		}
	}
}

// randomPipeline returns a pipeline of several passes, with bufferization at
// most once.
func randomPipeline(r *rand.Rand) string {
	var names []string
	for range 1 + r.IntN(5) {
		p := passes.List[r.IntN(len(passes.List))]
		name := p.Name
		if p.Anchor == "" && r.IntN(2) == 0 {
			name = "func.func(" + name + ")"
		}
		names = append(names, name)
	}
	if r.IntN(2) == 0 {
		i := r.IntN(len(names) + 1)
		names = slices.Insert(names, i, []string{"pto-bufferize", "pto-bufferize{reuse=true}"}[r.IntN(2)])
	}
	return "builtin.module(" + strings.Join(names, ",") + ")"
}
