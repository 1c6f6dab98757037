package timing

import (
	"fmt"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"

	_ "ptogo/dialect/all"
)

// TestStatic compares the durations of vector functions that Static predicts with the
// durations after an execution. The function reduces rows, so it has nested loops and
// values that loops carry.
func TestStatic(t *testing.T) {
	const text = `module attributes {pto.target_arch = "a5"} {
  func.func @k(%%x: !pto.ptr<f32>) attributes {pto.kernel} {
    %%c0 = arith.constant 0 : index
    %%c1 = arith.constant 1 : index
    %%c64 = arith.constant 64 : index
    %%pitch = arith.constant %d : index
    %%rows = arith.constant %d : index
    %%zero = arith.constant 0 : i64
    %%f = arith.constant 0.0 : f32
    pto.vecscope {
      %%p = pto.castptr %%zero : i64 -> !pto.ptr<f32, ub>
      %%all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
      %%none = pto.vbr %%f : f32 -> !pto.vreg<64xf32>
      scf.for %%row = %%c0 to %%rows step %%c1 {
        %%at = arith.muli %%row, %%pitch : index
        %%sum = scf.for %%col = %%c0 to %%pitch step %%c64 iter_args(%%acc = %%none) -> !pto.vreg<64xf32> {
          %%i = arith.addi %%at, %%col : index
          %%v = pto.vlds %%p[%%i] : !pto.ptr<f32, ub> -> !pto.vreg<64xf32>
          %%e = pto.vexp %%v, %%all : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
          %%s = pto.vadd %%acc, %%e, %%all : !pto.vreg<64xf32>, !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
          scf.yield %%s : !pto.vreg<64xf32>
        }
        %%one = pto.vcadd %%sum, %%all : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>
        pto.vsts %%one, %%p[%%at], %%all {dist = "1PT_B32"} : !pto.vreg<64xf32>, !pto.ptr<f32, ub>, !pto.mask<b32>
      }
    }
    return
  }
}
`
	for _, x := range []struct {
		pitch, rows int
		exact       bool
	}{{64, 1, true}, {64, 32, true}, {256, 16, true}, {128, 90, true}, {64, 200, false}} {
		var diags ir.Diags
		m, _ := ir.Parse(&ir.Source{Name: "test", Text: fmt.Sprintf(text, x.pitch, x.rows)}, ir.ParseOptions{}, &diags)
		if m == nil || diags.HasErrors() {
			t.Fatal(diags.All()[0].Format())
		}
		rec := NewRecorder()
		kernels := runtime.Kernels(m)
		prog := runtime.Plan(m, kernels, runtime.Options{Blocks: 1, Listeners: []runtime.Listener{rec}}, &diags)
		if prog == nil {
			t.Fatal(diags.All()[0].Format())
		}
		if f := prog.Run([]runtime.Arg{{Buf: &runtime.Buffer{Data: make([]byte, 4)}}}); f != nil {
			t.Fatal(f)
		}
		var scope *ir.Op
		for op := range kernels[0].Walk() {
			if op.Name() == "pto.vecscope" {
				scope = op
			}
		}
		got, _ := NewStatic(sem.A5).Cycles(scope)
		want := 0.0
		for _, w := range rec.works {
			want = max(want, w.cycles)
		}
		if x.exact && got != want || got < 0.99*want || got > 1.01*want {
			t.Errorf("%d rows of %d: predicted %v cycles, but the execution needs %v", x.rows, x.pitch, got, want)
		}
	}
}
