package vector

import (
	"fmt"
	"strings"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/passes"

	_ "ptogo/dialect/all"
)

// longest is a clock for which the vector function with the most operations is the
// fastest, so that the scheduler interleaves as many rounds as registers allow.
type longest struct{}

func (longest) Cycles(op *ir.Op) (busy, rest float64) {
	for range op.Walk() {
		busy--
	}
	return busy, 0
}

func (longest) Delay(op, user *ir.Op) float64 { return 10 }

// TestRegisters schedules loops with many values, and counts the registers in use.
func TestRegisters(t *testing.T) {
	for loads := 1; loads <= 32; loads++ {
		for _, masks := range []int{0, 1, 3} {
			m := scheduled(t, loopOf(loads, masks))
			vectors, selected := mostInUse(m)
			if vectors > max(loads, vectorRegisters) || selected > maskRegisters {
				t.Errorf("%d loads and %d masks in a round: %d vector registers and %d mask registers in use", loads, masks, vectors, selected)
			}
			if n := strings.Count(m.String(), "pto.vlds"); loads < 8 && masks == 0 && n == loads {
				t.Errorf("%d loads: no rounds are interleaved", loads)
			}
		}
	}
}

// loopOf returns a kernel with a loop. Each round loads registers, computes masks, and
// combines all of them.
func loopOf(loads, masks int) string {
	var b strings.Builder
	for i := range loads {
		fmt.Fprintf(&b, "      %%v%d = pto.vlds %%p[%%o%d] : !pto.ptr<f32, ub> -> !reg\n", i, i)
	}
	for i := range masks {
		fmt.Fprintf(&b, "      %%m%d = pto.vcmps %%v0, %%f%d, %%all, \"gt\" : !reg, f32, !mask -> !mask\n", i, i)
	}
	sum := "%v0"
	for i := 1; i < loads+masks; i++ {
		mask := "%all"
		if i >= loads {
			mask = fmt.Sprintf("%%m%d", i-loads)
		}
		fmt.Fprintf(&b, "      %%s%d = pto.vadd %s, %%v%d, %s : !reg, !reg, !mask -> !reg\n", i, sum, i%loads, mask)
		sum = fmt.Sprintf("%%s%d", i)
	}
	var starts strings.Builder
	for i := range 32 {
		fmt.Fprintf(&starts, "    %%d%d = arith.constant %d : index\n    %%f%d = arith.constant %d.0 : f32\n", i, 1024*i, i, i)
	}
	var offsets strings.Builder
	for i := range loads {
		fmt.Fprintf(&offsets, "      %%o%d = arith.addi %%i, %%d%d : index\n", i, i)
	}
	return `!reg = !pto.vreg<64xf32>
!mask = !pto.mask<b32>
module attributes {pto.target_arch = "a5"} {
  func.func @k() attributes {pto.kernel} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %a = arith.constant 0 : i64
    %b = arith.constant 131072 : i64
` + starts.String() + `    pto.vecscope {
      %p = pto.castptr %a : i64 -> !pto.ptr<f32, ub>
      %q = pto.castptr %b : i64 -> !pto.ptr<f32, ub>
      %all = pto.pset_b32 "PAT_ALL" : !mask
      scf.for %i = %c0 to %c1024 step %c64 {
` + offsets.String() + b.String() + `      pto.vsts ` + sum + `, %q[%i], %all : !reg, !pto.ptr<f32, ub>, !mask
      }
    }
    return
  }
}
`
}

// scheduled parses a program, runs the scheduler and verifies the result.
func scheduled(t *testing.T, text string) *ir.Op {
	t.Helper()
	var diags ir.Diags
	m, _ := ir.Parse(&ir.Source{Name: "test", Text: text}, ir.ParseOptions{}, &diags)
	p := passes.NewPipeline()
	if m == nil || diags.HasErrors() || !p.Add(Schedule, "", &diags) ||
		!p.Run(m, passes.RunOptions{Diags: &diags, VerifyEach: true, Clock: func(ir.Target) passes.Clock { return longest{} }}) {
		for _, d := range diags.All() {
			t.Log(d.Format())
		}
		t.Fatal("the scheduler fails")
	}
	return m
}

// mostInUse returns the largest numbers of vector and mask registers that the innermost
// loop of the module m uses at the same time. A register is in use from the operation that
// writes it to the last one that reads it; a value from outside of the loop always is.
func mostInUse(m *ir.Op) (vectors, masks int) {
	for op := range m.Walk() {
		if op.Name() != "scf.for" {
			continue
		}
		body := op.Region(0).Entry()
		at, last := map[*ir.Op]int{}, 0
		for o := range body.Ops() {
			at[o] = last
			last++
		}
		outside := map[*ir.Value]bool{}
		inUse := make([][2]int, last)
		for o := range body.Ops() {
			for _, v := range o.Operands() {
				if v.Op() != nil && v.Block() != body && !outside[v] && ir.Is[pto.Mask](v.Type()) {
					outside[v] = true
				}
			}
			for _, v := range o.Results() {
				end := at[o]
				for u := range v.Uses() {
					end = max(end, at[u.Owner()])
				}
				for i := at[o]; i < max(end, at[o]+1); i++ { // the last reader may write the same register
					switch {
					case ir.Is[pto.VReg](v.Type()):
						inUse[i][0]++
					case ir.Is[pto.Mask](v.Type()):
						inUse[i][1]++
					}
				}
			}
		}
		for _, n := range inUse {
			vectors, masks = max(vectors, n[0]), max(masks, n[1]+len(outside))
		}
	}
	return vectors, masks
}
