package cpptest

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"ptogo/ir"
)

// written returns a case for a kernel in the folder testdata.
func written(t *testing.T, name, kernel string, args ...Arg) *Case {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name + ".pto")
	if err != nil {
		t.Fatal(err)
	}
	source := &Source{Name: name + ".pto", Text: string(text), Arch: "a5", Flags: []string{"--enable-insert-sync", "--pto-level=level2"}}
	return &Case{Name: name, Kernel: kernel, Source: source, Args: args}
}

// TestSimulatorForms compares kernels with syntax forms that once differed or did not
// compile in tests of a frontend. Each is a separate translation unit.
func TestSimulatorForms(t *testing.T) {
	toolchain, err := NewToolchain(t.TempDir())
	if err == errNone {
		t.Skip(err)
	} else if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(45, 4))
	buffer := func(elem ir.Type, bytes int) Arg { return Arg{Elem: elem, Data: calmData(r, elem, bytes)} }
	for _, c := range []struct {
		k    *Case
		want Outcome
	}{
		{written(t, "window", "window", buffer(ir.F16, 1024), buffer(ir.F16, 4096), buffer(ir.F32, 4096)), Equal},
		{written(t, "queue", "queue_aic,queue_aiv", buffer(ir.F32, 4096), buffer(ir.F32, 4096)), Equal},
		{written(t, "gather_row", "gather_row", buffer(ir.F32, 4096), buffer(ir.F32, 2048), Arg{Elem: ir.Index, Bits: 5}), Differs},
		{written(t, "transpose", "transpose", buffer(ir.F32, 512), buffer(ir.F32, 512)), Unbuilt},
	} {
		results, err := toolchain.Compare([]*Case{c.k}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := results[0]; got.Outcome != c.want || c.want != Equal && Explain(Known, got) == nil {
			t.Errorf("%s: %s, want %s: %s", c.k.Name, got.verdict(), c.want, got.Detail)
		}
	}
}

// TestPairs checks that two kernels of one launch run on separate cores. It also checks
// that a parameter for the number of the vector core is not an argument of the launch.
func TestPairs(t *testing.T) {
	k := written(t, "queue", "queue_aic,queue_aiv")
	prog, err := k.prepare()
	if err != nil {
		t.Fatal(err)
	}
	r := &Result{Case: k}
	r.cube, r.vector, r.several = cores(prog)
	text := r.launch()
	for _, want := range []string{"c0::queue_aic(argument{a[0]}, argument{a[1]})", "v0::queue_aiv(argument{a[0]}, argument{a[1]}, argument{(uint64_t)get_subblockid()})"} {
		if !strings.Contains(text, want) {
			t.Errorf("the launch lacks %q: %s", want, text)
		}
	}
}
