package diff

import (
	"cmp"
	"flag"
	"fmt"
	"testing"

	"ptogo/codegen"
	"ptogo/codegen/llvmtest"
	"ptogo/ir"
	"ptogo/runtime"
)

// How many random programs the differential tests run:
//
//	go test ./test/diff -run Vectors -timeout 0 -args -n 20000
//	go test ./test/diff -run Tiles -timeout 0 -args -n 100000
var (
	programs = flag.Int("n", 0, "how many random programs the differential tests run; 0 runs a few")
	firstOf  = flag.Uint64("seed", 0, "seed of the first programs")
	llvm     = flag.Bool("llvm", true, "whether programs are compiled too")
)

// batchSize is how many programs are compiled at once.
const batchSize = 200

// inBatches checks random programs, in batches of which each is compiled at
// once, until enough have failed.
func inBatches(t *testing.T, few int, check func(t *testing.T, seed uint64, n int)) {
	const batch, enough = batchSize, 1000
	all := cmp.Or(*programs, few)
	for n, bad := 0, 0; n < all && bad < enough; n += batch {
		seed := *firstOf + uint64(n)
		if !t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { check(t, seed, min(batch, all-n)) }) {
			bad++
		}
	}
}

// TestVectors compares the Go runtime and LLVM on random programs of vector
// instructions.
func TestVectors(t *testing.T) { inBatches(t, 20, checkVectors) }

func checkVectors(t *testing.T, seed uint64, n int) {
	g := newVectorMaker(seed)
	ks := make([]vectorKernel, n)
	for i := range ks {
		ks[i] = g.kernel(fmt.Sprintf("k%d", i))
	}
	m := llvmtest.Parse(t, "vectors", module(ks))
	prog := llvmtest.Compile(t, m, codegen.Options{}, "1")
	for i, f := range runtime.Kernels(m) {
		k := &ks[i]
		want, err := k.execute(t, m, f)
		if err != nil {
			continue // a division by zero, which would end the process
		}
		got := make([]byte, outBytes)
		if err := prog.Run(k.name, 1, append([]byte(nil), k.input...), got); err != nil {
			t.Fatalf("%v\n%s", err, k.text)
		}
		if err := k.same(got, want); err != nil {
			t.Errorf("%v\n%s", err, k.text)
		}
	}
}

// execute runs the program on the Go runtime.
func (k *vectorKernel) execute(t *testing.T, m, f *ir.Op) ([]byte, error) {
	var diags ir.Diags
	prog := runtime.Plan(m, []*ir.Op{f}, runtime.Options{MaxSteps: 1 << 20}, &diags)
	if prog == nil {
		t.Fatal(diags.All()[0].Format())
	}
	out := make([]byte, outBytes)
	return out, prog.Run([]runtime.Arg{{Buf: &runtime.Buffer{Data: k.input}}, {Buf: &runtime.Buffer{Data: out}}})
}
