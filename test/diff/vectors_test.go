package diff

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"slices"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/tools/testsize"
)

// How many random programs the differential tests run:
//
//	go test ./test/diff -run Vectors -timeout 0 -args -n 20000
//	go test ./test/diff -run Tiles -timeout 0 -args -n 100000
var (
	programs   = flag.Int("n", 0, "how many random programs the differential tests run; 0 runs a few")
	firstOf    = flag.Uint64("seed", 0, "seed of the first programs")
	compileToo = flag.Bool("llvm", true, "whether programs are compiled too")
)

// withLLVM reports whether programs are compiled too. Without LLVM, the tests compare what
// the Go runtime computes.
func withLLVM() bool { return *compileToo && llvmtest.Available() }

// batchSize is the number of programs that are compiled together.
const batchSize = 200

// inBatches calls check for batches of random programs. check receives a seed and the
// number of programs in the batch. The total number is that of the flag -n. Without the
// flag, it is the parameter few with PTO_TESTS=all, and a quarter of few otherwise, because
// the tests of this package together need minutes.
func inBatches(t *testing.T, few, batch int, check func(t *testing.T, seed uint64, n int)) {
	const enough = 1000
	all := cmp.Or(*programs, testsize.Of((few+3)/4, few))
	tried := 0
	defer func() { t.Logf("%d of %d programs tried", tried, all) }()
	for n, bad := 0, 0; n < all && bad < enough; n += batch {
		tried = min(n+batch, all)
		seed := *firstOf + uint64(n)
		if !t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { check(t, seed, min(batch, all-n)) }) {
			bad++
		}
	}
}

// TestVectors compares the Go runtime, LLVM and the reference interpreter on random
// programs of vector and mask instructions.
func TestVectors(t *testing.T) {
	c := &vectorCounter{uses: map[string]int{}}
	inBatches(t, 40, batchSize/4, func(t *testing.T, seed uint64, n int) { c.check(t, newVectorMaker(seed, false), n) })
	c.report(t, false)
}

// TestVMI compares the Go runtime and LLVM on random programs of VMI instructions.
func TestVMI(t *testing.T) {
	c := &vectorCounter{uses: map[string]int{}}
	inBatches(t, 20, batchSize/4, func(t *testing.T, seed uint64, n int) { c.check(t, newVectorMaker(seed, true), n) })
	c.report(t, true)
}

// vectorCounter counts the programs and instructions that were compared.
type vectorCounter struct {
	batches                               int
	programs, referred, compiled, faulted int
	uses                                  map[string]int
}

func (c *vectorCounter) check(t *testing.T, g *vectorMaker, n int) {
	ks := make([]vectorKernel, n)
	for i := range ks {
		ks[i] = g.kernel(fmt.Sprintf("k%d", i))
	}
	m := llvmtest.Parse(t, "vectors", module(ks))
	prog := c.compile(t, m)
	for i, f := range runtime.Kernels(m) {
		k := &ks[i]
		want, err := k.execute(t, m, f)
		if !g.rows {
			c.refer(t, k, f, want, err)
		}
		if err != nil {
			c.faulted++
			continue // a division by zero, which would end the process
		}
		c.programs++
		for _, d := range k.defs {
			c.uses[d.Name]++
		}
		for _, name := range k.names {
			c.uses[name]++
			if !slices.Contains(memoryInstructions, name) {
				t.Errorf("%s is not among memoryInstructions", name)
			}
		}
		if prog == nil {
			continue
		}
		c.compiled++
		got := make([]byte, outBytes)
		if err := prog.Run(k.name, 1, append([]byte(nil), k.input...), got); err != nil {
			t.Errorf("%v\n%s", err, k.text)
		} else if err := k.same(got, want); err != nil {
			t.Errorf("LLVM: %v\n%s", err, smallest(t, k.text, k.input, outBytes, k.same))
		}
	}
}

// compile returns the programs of m as compiled code, or nil without LLVM. It optimizes
// the code, because without constant folding the instruction selection of LLVM 19 does
// not terminate for some constant masks.
func (c *vectorCounter) compile(t *testing.T, m *ir.Op) *llvmtest.Program {
	if !withLLVM() {
		return nil
	}
	c.batches++
	return llvmtest.Compile(t, m, llvm.Options{}, []string{"1", "3", "1", "1"}[c.batches%4])
}

// refer compares the output got and the error err of the Go runtime with those of the
// reference interpreter.
func (c *vectorCounter) refer(t *testing.T, k *vectorKernel, f *ir.Op, got []byte, err error) {
	want, fault := runReference(f, k.input)
	switch {
	case (err != nil) != (fault != nil):
		t.Errorf("the runtime says %v, the reference %v\n%s", err, fault, k.text)
	case fault == nil:
		c.referred++
		if err := k.same(got, want); err != nil {
			t.Errorf("reference: %v\n%s", err, k.text)
		}
	}
}

// report logs how many programs and instructions were compared.
func (c *vectorCounter) report(t *testing.T, rows bool) {
	t.Logf("%d programs, %d of them through LLVM, %d with the reference, %d faulted", c.programs, c.compiled, c.referred, c.faulted)
	for _, u := range newVectorMaker(0, rows).all {
		c.uses[u.def.Name] += 0
	}
	for _, name := range slices.Sorted(maps.Keys(c.uses)) {
		t.Logf("%-24s %7d", name, c.uses[name])
	}
}

// execute runs the program on the Go runtime, and returns its output.
func (k *vectorKernel) execute(t *testing.T, m, f *ir.Op) ([]byte, error) {
	out := make([]byte, outBytes)
	return out, runOnGo(t, m, f, k.input, out)
}
