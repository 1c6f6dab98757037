package diff

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"ptogo/codegen/llvmtest"
	"ptogo/internal/reduce"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/passes"
	"ptogo/runtime"
)

// loweredWays lists pass pipelines that lower VMI instructions.
var loweredWays = []string{
	"builtin.module(vmi-lower-unified-to-legacy,vmi-mask-granularity-assignment,vmi-layout-assignment,vmi-to-vpto)",
	"builtin.module(vmi-mask-granularity-assignment,vmi-layout-assignment,vmi-to-vpto)",
	"builtin.module(vmi-lower-unified-to-legacy,vmi-pre-assignment-combine,vmi-mask-granularity-assignment,vmi-layout-rematerialize-weak-producers," +
		"vmi-layout-assignment,vmi-layout-fold,vmi-layout-rematerialize,vmi-layout-sink-materialization,pto-validate-vmi-layout-ir,vmi-to-vpto,vpto-combine-reductions,canonicalize,cse)",
}

// TestLowered compares random programs of VMI instructions with the vector programs to
// which they are lowered.
func TestLowered(t *testing.T) {
	c := &loweredCounter{used: map[string]int{}, refused: map[string]int{}}
	inBatches(t, 60, batchSize/10, func(t *testing.T, seed uint64, n int) { c.check(t, seed, n) })
	t.Logf("%d programs, %d of them through LLVM, %d faulted", c.programs, c.compiled, c.faulted)
	for _, name := range slices.Sorted(maps.Keys(c.used)) {
		t.Logf("%-24s %7d", name, c.used[name])
	}
	for _, why := range slices.Sorted(maps.Keys(c.refused)) {
		t.Logf("refused %5d: %s", c.refused[why], why)
	}
	if c.programs == 0 {
		t.Error("no program was compared")
	}
}

// loweredCounter counts the programs that were compared.
type loweredCounter struct {
	programs, compiled, faulted int
	used, refused               map[string]int
}

// check compares a batch of n programs with their lowering, on both engines.
func (c *loweredCounter) check(t *testing.T, seed uint64, n int) {
	m := &rowMaker{r: rand.New(rand.NewPCG(seed, 7)), used: c.used}
	pipeline := loweredWays[int(seed)%len(loweredWays)]
	var ks []vectorKernel
	for i := range n {
		ks = append(ks, m.kernel(fmt.Sprintf("k%d", i)))
	}
	physical := llvmtest.Parse(t, "physical", module(ks))
	if why := transformed(t, physical, pipeline); why != "" { // some are refused: leave them out
		ks = slices.DeleteFunc(ks, func(k vectorKernel) bool {
			why := transformed(t, llvmtest.Parse(t, "one", module([]vectorKernel{k})), pipeline)
			if why != "" {
				c.refused[why]++
			}
			return why != ""
		})
		if len(ks) == 0 {
			return
		}
		physical = llvmtest.Parse(t, "physical", module(ks))
		if why := transformed(t, physical, pipeline); why != "" {
			t.Fatal(why)
		}
	}
	logical := llvmtest.Parse(t, "logical", module(ks))
	var prog *llvmtest.Program
	if withLLVM() {
		prog = (&vectorCounter{}).compile(t, physical)
	}
	before, after := runtime.Kernels(logical), runtime.Kernels(physical)
	for i := range before {
		k := &ks[i]
		want, got := make([]byte, rowSlot*rowSlots), make([]byte, rowSlot*rowSlots)
		if err := runOnGo(t, logical, before[i], slices.Clone(k.input), want); err != nil {
			c.faulted++
			continue
		}
		if err := runOnGo(t, physical, after[i], slices.Clone(k.input), got); err != nil {
			t.Errorf("%s: %v\n%s", k.name, err, k.text)
			continue
		}
		c.programs++
		if err := sameRows(k, got, want); err != nil {
			t.Errorf("%s: %v\n%s", k.name, err, k.reducedLowering(t, pipeline))
		}
		if prog == nil {
			continue
		}
		c.compiled++
		clear(got)
		if err := prog.Run(k.name, 1, slices.Clone(k.input), got); err != nil {
			t.Errorf("LLVM: %v\n%s", err, k.text)
		} else if err := sameRows(k, got, want); err != nil {
			t.Errorf("LLVM: %s: %v\n%s", k.name, err, k.text)
		}
	}
}

// reducedLowering returns a smaller program for which the given pipeline still produces a
// wrong lowering.
func (k *vectorKernel) reducedLowering(t *testing.T, pipeline string) string {
	return reduce.Failing(inModule("a5", k.text), func(text string) string {
		var runs [2][]byte
		for i := range runs {
			var diags ir.Diags
			m, err := ir.Parse(&ir.Source{Name: "k", Text: text}, ir.ParseOptions{}, &diags)
			if err != nil || !ir.Verify(m, ir.VerifyOptions{}, &diags) || len(runtime.Kernels(m)) != 1 {
				return ""
			}
			if i == 1 && transformed(t, m, pipeline) != "" {
				return ""
			}
			prog := runtime.Plan(m, runtime.Kernels(m), runtime.Options{MaxSteps: 1 << 20}, &diags)
			runs[i] = make([]byte, rowSlot*rowSlots)
			if prog == nil || prog.Run([]runtime.Arg{{Buf: &runtime.Buffer{Data: slices.Clone(k.input)}}, {Buf: &runtime.Buffer{Data: runs[i]}}}) != nil {
				return ""
			}
		}
		if err := sameRows(k, runs[1], runs[0]); err != nil {
			return "differs"
		}
		return ""
	})
}

// transformed runs a pass pipeline on the module m. It returns the reason why a pass
// failed, or "".
func transformed(t *testing.T, m *ir.Op, pipeline string) string {
	t.Helper()
	var diags ir.Diags
	p := passes.ParsePipeline(registry, pipeline, &diags)
	if p == nil {
		t.Fatal(reason(&diags))
	}
	if !p.Run(m, passes.RunOptions{Diags: &diags, VerifyEach: true}) {
		return reason(&diags)
	}
	return ""
}

// sameRows returns an error if the outputs of two runs of k differ. It ignores the bits
// of NaNs.
func sameRows(k *vectorKernel, got, want []byte) error {
	for i, elem := range k.results {
		f, ok := num.ParseFormat(elem)
		if !ok {
			f = num.U8
		}
		for at := rowSlot * i; at < rowSlot*(i+1); at += f.Bytes() {
			if g, w := num.Load(f, got[at:]), num.Load(f, want[at:]); !num.Same(f, g, w) {
				return fmt.Errorf("output %d (%s): element %d is %#x, want %#x", i, elem, (at-rowSlot*i)/f.Bytes(), g, w)
			}
		}
	}
	return nil
}
