package diff

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/codegen/llvmtest"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime"
	"ptogo/tools/cpptest"
)

// TestScalars compares both engines on random programs of scalar arithmetic.
func TestScalars(t *testing.T) { inBatches(t, 100, 100, checkScalars) }

func checkScalars(t *testing.T, seed uint64, n int) {
	r := rand.New(rand.NewPCG(seed, 7))
	texts := make([]string, n)
	for i := range texts {
		texts[i] = strings.ReplaceAll(scalarProgram(r), "@k", fmt.Sprintf("@k%d", i))
	}
	m := llvmtest.Parse(t, "scalars", inModule("a5", texts...))
	prog := llvmtest.Compile(t, m, llvm.Options{}, "1")
	for i, f := range runtime.Kernels(m) {
		var args []runtime.Arg
		var native []any
		given := scalarArgs(r)
		for _, a := range given {
			args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: bytes.Clone(a.Data)}})
			native = append(native, a.Data)
		}
		if err := planned(t, m, []*ir.Op{f}, runtime.Options{}).Run(args); err != nil {
			t.Fatalf("%v\n%s", err, texts[i])
		}
		if err := prog.Run(fmt.Sprintf("k%d", i), 1, native...); err != nil {
			t.Fatalf("%v\n%s", err, texts[i])
		}
		for k, a := range given {
			compareScalars(t, texts[i], scalarFormat(a.Elem.String()), a.Data, args[k].Buf.Data)
		}
	}
}

// compareScalars reports the first element in which the outputs of LLVM and the Go
// runtime differ.
func compareScalars(t *testing.T, text string, f num.Format, got, want []byte) {
	t.Helper()
	for at := 0; at < len(want); at += f.Bytes() {
		if g, w := num.Load(f, got[at:]), num.Load(f, want[at:]); !alike(f, g, w) {
			t.Errorf("element %d of %s is %#x in Go and %#x in LLVM\n%s", at/f.Bytes(), f, w, g, text)
			return
		}
	}
}

var simulatorScalars = flag.Int("simulator-scalars", 100, "how many random programs of scalar arithmetic are compared with the simulator")

// TestSimulatorScalars compares random programs of scalar arithmetic with the C++ that is
// generated from them.
func TestSimulatorScalars(t *testing.T) {
	var cases []*cpptest.Case
	for i := range uint64(*simulatorScalars) {
		r := rand.New(rand.NewPCG(i, 8))
		cases = append(cases, cpptest.Single(fmt.Sprintf("scalar program %d", i), inModule("a3", scalarProgram(r)), "a3", scalarArgs(r)))
	}
	cpptest.Check(t, cases, 100)
}
