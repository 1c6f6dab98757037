package diff

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/ir"
	"ptogo/runtime"
)

// TestCube compares the Go runtime and LLVM on random programs for the cube unit.
func TestCube(t *testing.T) { inBatches(t, 20, 100, checkCube) }

func checkCube(t *testing.T, seed uint64, n int) {
	g := newCubeMaker(seed)
	ks := make([]cubeKernel, n)
	var text strings.Builder
	text.WriteString("module attributes {pto.target_arch = \"a5\"} {\n")
	for i := range ks {
		ks[i] = g.kernel(fmt.Sprintf("k%d", i))
		text.WriteString(ks[i].text)
	}
	text.WriteString("}\n")
	m := llvmtest.Parse(t, "cube", text.String())
	prog := llvmtest.Compile(t, m, llvm.Options{}, "1")
	ran := 0
	for i, f := range runtime.Kernels(m) {
		k := &ks[i]
		want := make([]byte, cubeOut)
		if runOnGo(t, m, f, k.input, want) != nil {
			continue // outside of a memory
		}
		ran++
		got := make([]byte, cubeOut)
		if err := prog.Run(k.name, 1, bytes.Clone(k.input), got); err != nil {
			t.Fatalf("%v\n%s", err, k.text)
		}
		if err := k.same(got, want); err != nil {
			t.Errorf("%v\n%s", err, smallest(t, k.text, k.input, cubeOut, k.same))
		}
	}
	if ran < n/2 {
		t.Errorf("only %d of %d programs ran", ran, n)
	}
}

// runOnGo runs the kernel f on the Go runtime, with the buffers in and out as arguments.
// A limit of executed steps stops endless kernels.
func runOnGo(t *testing.T, m, f *ir.Op, in, out []byte) error {
	t.Helper()
	prog := planned(t, m, []*ir.Op{f}, runtime.Options{MaxSteps: 1 << 20})
	return prog.Run([]runtime.Arg{{Buf: &runtime.Buffer{Data: in}}, {Buf: &runtime.Buffer{Data: out}}})
}

// planned returns the launch of kernels, prepared for execution on the Go runtime.
func planned(t *testing.T, m *ir.Op, kernels []*ir.Op, o runtime.Options) *runtime.Program {
	t.Helper()
	var diags ir.Diags
	prog := runtime.Plan(m, kernels, o, &diags)
	if prog == nil {
		t.Fatal(diags.All()[0].Format())
	}
	return prog
}
