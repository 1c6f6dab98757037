package diff

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime"
)

// publicBytes is the size in bytes of each buffer that a public kernel receives.
const publicBytes = 256 << 10

// TestLoweredPublic compares public kernels of VMI instructions with their lowering, on
// both engines. The environment variable PTO_PTOAS names a checkout of the public
// assembler with these kernels.
func TestLoweredPublic(t *testing.T) {
	root := os.Getenv("PTO_PTOAS")
	if root == "" {
		t.Skip("no public kernels: set PTO_PTOAS to a checkout of PTOAS")
	}
	var paths []string
	err := filepath.WalkDir(filepath.Join(root, "test", "vpto", "cases"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "kernel.pto" {
			if text, _ := os.ReadFile(path); bytes.Contains(text, []byte("pto.vmi.")) {
				paths = append(paths, path)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	equal, compiled := 0, 0
	for _, path := range paths {
		name, _ := filepath.Rel(root, path)
		t.Run(name, func(t *testing.T) {
			if n := comparePublic(t, path); n > 0 {
				equal, compiled = equal+1, compiled+n-1
			}
		})
	}
	t.Logf("%d of %d kernels compared, %d of them through LLVM", equal, len(paths), compiled)
	if equal == 0 {
		t.Error("no kernel was compared")
	}
}

// comparePublic compares the kernels of the file path with their lowering. It returns the
// number of engines that ran them.
func comparePublic(t *testing.T, path string) (engines int) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	logical, physical := llvmtest.Parse(t, "logical", string(text)), llvmtest.Parse(t, "physical", string(text))
	if why := transformed(t, physical, loweredWays[0]); why != "" {
		t.Fatalf("not lowered: %s", why)
	}
	var prog *llvmtest.Program
	if withLLVM() {
		prog = llvmtest.Compile(t, physical, llvm.Options{}, "1")
	}
	engines = 2
	lowered := runtime.Kernels(physical)
	for i, f := range runtime.Kernels(logical) {
		engines = min(engines, compareKernel(t, logical, physical, f, lowered[i], prog))
	}
	return engines
}

// compareKernel compares a kernel with its lowering. It returns the number of engines
// that ran both.
func compareKernel(t *testing.T, logical, physical, kernel, lowered *ir.Op, prog *llvmtest.Program) int {
	elems, inputs := publicInputs(kernel)
	run := func(m, f *ir.Op) ([][]byte, error) {
		var args []runtime.Arg
		bufs := make([][]byte, len(inputs))
		for i, b := range inputs {
			bufs[i] = slices.Clone(b)
			if b == nil {
				args = append(args, runtime.Arg{Bits: 1})
			} else {
				args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: bufs[i]}})
			}
		}
		return bufs, planned(t, m, []*ir.Op{f}, runtime.Options{MaxSteps: 1 << 24, Blocks: 1}).Run(args)
	}
	want, err := run(logical, kernel)
	if err != nil {
		t.Logf("faults: %v", err)
		return 0
	}
	got, err := run(physical, lowered)
	if err != nil {
		t.Fatalf("the lowered kernel faults: %v", err)
	}
	if err := closeTo(elems, got, want); err != nil {
		t.Error(err)
	}
	if prog == nil || slices.ContainsFunc(inputs, func(b []byte) bool { return b == nil }) {
		return 1
	}
	var args []any
	bufs := make([][]byte, len(inputs))
	for i, b := range inputs {
		bufs[i] = slices.Clone(b)
		args = append(args, bufs[i])
	}
	if err := prog.Run(fn.Name(lowered), 1, args...); err != nil {
		t.Fatalf("LLVM: %v", err)
	}
	if err := closeTo(elems, bufs, want); err != nil {
		t.Errorf("LLVM: %v", err)
	}
	return 2
}

// publicInputs returns, for each parameter of the kernel f, the format of its elements
// and a buffer of small integers. The buffer of a scalar is nil.
func publicInputs(f *ir.Op) (elems []num.Format, inputs [][]byte) {
	r := rand.New(rand.NewPCG(1, 1))
	ins, _ := fn.TypeOf(f)
	for _, t := range ins {
		if pto.SpaceOf(t) == 0 {
			elems, inputs = append(elems, num.U8), append(inputs, nil)
			continue
		}
		e, ok := ir.FormatOf(ir.ElementType(t))
		if !ok || e.Bits() < 8 {
			e = num.U8
		}
		b := make([]byte, publicBytes)
		for i := 0; i < len(b); i += e.Bytes() {
			num.Store(e, b[i:], num.Encode(e, float64(1+r.IntN(4)), num.NearestEven, true))
		}
		elems, inputs = append(elems, e), append(inputs, b)
	}
	return elems, inputs
}

// closeTo returns an error if the buffers differ. Float elements may differ by the
// rounding of sums in another order.
func closeTo(elems []num.Format, got, want [][]byte) error {
	for k, f := range elems {
		for i := 0; i < len(want[k]); i += f.Bytes() {
			g, w := num.Load(f, got[k][i:]), num.Load(f, want[k][i:])
			if num.Same(f, g, w) {
				continue
			}
			if x, y := num.Decode(f, g), num.Decode(f, w); f.IsFloat() && f.Bits() >= 16 && math.Abs(x-y) <= math.Abs(y)*math.Pow(2, -7) {
				continue
			}
			return fmt.Errorf("parameter %d: element %d is %#x, want %#x", k, i/f.Bytes(), g, w)
		}
	}
	return nil
}
