package mutate

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ptogo/internal/cli/proof"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/equiv"
	"ptogo/tools/testsize"
)

// oneTile is a kernel that applies instructions to one tile. The verbs are the type of
// elements and the instructions, which compute %%b from %%a.
const oneTile = `!v = !pto.tensor_view<8x64x%[1]s>
!p = !pto.partition_tensor_view<8x64x%[1]s>
!t = !pto.tile<8x64x%[1]s>
func.func @k(%%x: !pto.ptr<%[1]s>, %%y: !pto.ptr<%[1]s>) attributes {pto.kernel} {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%c8 = arith.constant 8 : index
  %%c64 = arith.constant 64 : index
  %%vx = pto.make_tensor_view %%x, shape = [%%c8, %%c64], strides = [%%c64, %%c1] : !v
  %%vy = pto.make_tensor_view %%y, shape = [%%c8, %%c64], strides = [%%c64, %%c1] : !v
  %%px = pto.partition_view %%vx, offsets = [%%c0, %%c0], sizes = [%%c8, %%c64] : !v -> !p
  %%py = pto.partition_view %%vy, offsets = [%%c0, %%c0], sizes = [%%c8, %%c64] : !v -> !p
  %%a = pto.tload %%px : !p -> !t
%[2]s  pto.tstore %%b, %%py : (!t, !p) -> ()
  return
}
`

// TestRulesOfDenormals compares kernels that differ by an algebraic rule, such as a
// quotient and a product with the reciprocal, with and without flushing of denormal
// numbers. Two kernels that are proved equivalent must compute the same bits on data with
// many denormal numbers.
func TestRulesOfDenormals(t *testing.T) {
	for _, elem := range []string{"f32", "f16"} {
		var bodies []string
		scalar := func(op string, bits uint64) string {
			return fmt.Sprintf("  %%k = arith.constant %#x : %s\n  %%b = pto.%s %%a, %%k : (!t, %s) -> !t\n", bits, elem, op, elem)
		}
		f, _ := num.ParseFormat(elem)
		top := int(math.Log2(num.Decode(f, num.Max(f))))
		for _, e := range []int{1, top - 1, top} {
			up, down := num.Encode(f, math.Exp2(float64(e)), num.NearestEven, false), num.Encode(f, math.Exp2(float64(-e)), num.NearestEven, false)
			bodies = append(bodies, scalar("tmuls", up), scalar("tmuls", down), scalar("tdivs", up), scalar("tdivs", down))
		}
		bodies = append(bodies,
			scalar("tadds", 0), scalar("tsubs", 0), scalar("tmaxs", 0), scalar("tmins", 0), scalar("tmaxs", num.Lowest(f)), scalar("tmins", num.Max(f)),
			"  %b = pto.tmax %a, %a : (!t, !t) -> !t\n", "  %b = pto.tmin %a, %a : (!t, !t) -> !t\n", "  %b = pto.tadd %a, %a : (!t, !t) -> !t\n",
			"  %n = pto.tneg %a : !t -> !t\n  %b = pto.tneg %n : !t -> !t\n", "  %b = pto.tabs %a : !t -> !t\n", "  %b = pto.trelu %a : !t -> !t\n",
			"  %n = pto.tadd %a, %a : (!t, !t) -> !t\n  %b = pto.tsub %n, %a : (!t, !t) -> !t\n",
		)
		for _, arch := range []string{"a3", "a5"} {
			if elem == "f32" || arch == "a5" {
				comparePairs(t, f, arch, elem, bodies)
			}
		}
	}
}

// comparePairs compares the kernels with the given instructions, each with each.
func comparePairs(t *testing.T, f num.Format, arch, elem string, bodies []string) {
	var progs []*kernel.Program
	var texts []string
	for _, b := range bodies {
		text := fmt.Sprintf(oneTile, elem, b)
		p, err := kernel.Load(&ir.Source{Name: "k.pto", Text: text}, kernel.Options{Arch: arch})
		if err != nil {
			t.Logf("%s %s: %v", arch, elem, err)
			continue
		}
		progs, texts = append(progs, p), append(texts, b)
	}
	n := 8 * 64 * f.Bytes()
	x := make([]byte, n)
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < n; i += f.Bytes() {
		bits := rnd.Uint64() & f.Mask()
		if i%3 == 0 {
			bits &^= f.Mask() >> 1 &^ (f.Mask() >> (f.Bits() - 9)) // a denormal number
		}
		num.Store(f, x[i:], bits)
	}
	for _, flush := range []bool{false, true} {
		var results [][]byte
		for _, p := range progs {
			args := []runtime.Arg{{Buf: &runtime.Buffer{Data: bytes.Clone(x)}}, {Buf: &runtime.Buffer{Data: make([]byte, n)}}}
			var diags ir.Diags
			plan := runtime.Plan(p.Module, p.Kernels, runtime.Options{Target: p.Target, Features: p.Features, FlushDenormals: flush}, &diags)
			if plan == nil {
				t.Fatal(ir.Errors(diags.All()))
			}
			if err := plan.Run(args); err != nil {
				t.Fatal(err)
			}
			results = append(results, args[1].Buf.Data)
		}
		equivalent := 0
		for i := range progs {
			for k := range i {
				if (i+k)%testsize.Of(5, 1) != 0 {
					continue
				}
				o := equiv.Options{
					Run: runtime.Options{FlushDenormals: flush}, Trials: 1,
					Args: []runtime.Arg{{Buf: &runtime.Buffer{Data: bytes.Clone(x)}}, {Buf: &runtime.Buffer{Data: make([]byte, n)}}},
				}
				v, err := equiv.Compare(proof.SideOf(progs[i]), proof.SideOf(progs[k]), o)
				if err != nil {
					t.Fatal(err)
				}
				if v.Outcome != equiv.Equivalent {
					continue
				}
				equivalent++
				if !bytes.Equal(results[i], results[k]) {
					t.Errorf("%s, flush %v: proved equivalent, but the results differ:\n%s%s", arch, flush, texts[i], texts[k])
				}
			}
		}
		t.Logf("%s %s, flush %v: %d pairs are equivalent", arch, elem, flush, equivalent)
	}
}
