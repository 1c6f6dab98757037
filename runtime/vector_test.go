package runtime

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"ptogo/ir"
)

// vecKernel is a kernel on two input buffers of 64 words and one output of 64,
// with body in a vector function; %a and %b are the inputs as registers.
func vecKernel(elem string, body string) string {
	return strings.ReplaceAll(`
func.func @k(%p: !pto.ptr<@T, gm>, %q: !pto.ptr<@T, gm>, %r: !pto.ptr<@T, gm>) attributes {pto.kernel} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %n = arith.constant 256 : i64
  %x512 = arith.constant 512 : i64
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %ua = pto.castptr %zero : i64 -> !pto.ptr<@T, ub>
  %ub = pto.castptr %n : i64 -> !pto.ptr<@T, ub>
  %uc = pto.castptr %x512 : i64 -> !pto.ptr<@T, ub>
  pto.mte_gm_ub %p, %ua, %zero, %n nburst(%one, %n, %n) : !pto.ptr<@T, gm>, !pto.ptr<@T, ub>, i64, i64, i64, i64, i64
  pto.mte_gm_ub %q, %ub, %zero, %n nburst(%one, %n, %n) : !pto.ptr<@T, gm>, !pto.ptr<@T, ub>, i64, i64, i64, i64, i64
  pto.vecscope {
    %all = pto.pset_b32 "PAT_ALL" : !pto.mask<b32>
    %a = pto.vlds %ua[%c0] : !pto.ptr<@T, ub> -> !pto.vreg<64x@T>
    %b = pto.vlds %ub[%c0] : !pto.ptr<@T, ub> -> !pto.vreg<64x@T>
`, "@T", elem) + strings.ReplaceAll(body, "@T", elem) + strings.ReplaceAll(`
    pto.vsts %y, %uc[%c0], %all : !pto.vreg<64x@T>, !pto.ptr<@T, ub>, !pto.mask<b32>
  }
  pto.mte_ub_gm %uc, %r, %n nburst(%one, %n, %n) : !pto.ptr<@T, ub>, !pto.ptr<@T, gm>, i64, i64, i64, i64
  return
}`, "@T", elem)
}

// TestVectorInstructions checks single instructions lane by lane on the words
// i and 100-i.
func TestVectorInstructions(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       func(i int32) int32
	}{
		{"a mask leaves zeros", `
    %m = pto.pset_b32 "PAT_VL8" : !pto.mask<b32>
    %y = pto.vadd %a, %b, %m : !pto.vreg<64x@T>, !pto.vreg<64x@T>, !pto.mask<b32> -> !pto.vreg<64x@T>`,
			func(i int32) int32 {
				if i < 8 {
					return 100
				}
				return 0
			}},
		{"every third lane", `
    %m = pto.pset_b32 "PAT_M3" : !pto.mask<b32>
    %y = pto.vsel %a, %b, %m : !pto.vreg<64x@T>, !pto.vreg<64x@T>, !pto.mask<b32> -> !pto.vreg<64x@T>`,
			func(i int32) int32 {
				if i%3 == 0 {
					return i
				}
				return 100 - i
			}},
		{"comparison", `
    %m = pto.vcmp %a, %b, %all, "lt" : !pto.vreg<64x@T>, !pto.vreg<64x@T>, !pto.mask<b32> -> !pto.mask<b32>
    %y = pto.vsel %a, %b, %m : !pto.vreg<64x@T>, !pto.vreg<64x@T>, !pto.mask<b32> -> !pto.vreg<64x@T>`,
			func(i int32) int32 { return min(i, 100-i) }},
		{"interleaving", `
    %y, %z = pto.vintlv %a, %b : !pto.vreg<64x@T>, !pto.vreg<64x@T> -> !pto.vreg<64x@T>, !pto.vreg<64x@T>`,
			func(i int32) int32 {
				if i%2 == 0 {
					return i / 2
				}
				return 100 - i/2
			}},
		{"interleaving undone", `
    %u, %v = pto.vintlv %a, %b : !pto.vreg<64x@T>, !pto.vreg<64x@T> -> !pto.vreg<64x@T>, !pto.vreg<64x@T>
    %z, %y = pto.vdintlv %u, %v : !pto.vreg<64x@T>, !pto.vreg<64x@T> -> !pto.vreg<64x@T>, !pto.vreg<64x@T>`,
			func(i int32) int32 { return 100 - i }},
		{"a sum into the first lane", `
    %y = pto.vcadd %a, %all : !pto.vreg<64x@T>, !pto.mask<b32> -> !pto.vreg<64x@T>`,
			func(i int32) int32 {
				if i == 0 {
					return 63 * 32
				}
				return 0
			}},
		{"the largest lane with its number", `
    %y = pto.vcmax %b, %all : !pto.vreg<64x@T>, !pto.mask<b32> -> !pto.vreg<64x@T>`,
			func(i int32) int32 {
				if i == 0 {
					return 100
				}
				return 0
			}},
		{"the largest of each block", `
    %y = pto.vcgmax %a, %all : !pto.vreg<64x@T>, !pto.mask<b32> -> !pto.vreg<64x@T>`,
			func(i int32) int32 {
				if i < 8 {
					return 8*i + 7
				}
				return 0
			}},
		{"compaction", `
    %m = pto.pset_b32 "PAT_M4" : !pto.mask<b32>
    %y = pto.vsqz %a, %m : !pto.vreg<64x@T>, !pto.mask<b32> -> !pto.vreg<64x@T>`,
			func(i int32) int32 {
				if i < 16 {
					return 4 * i
				}
				return 0
			}},
		{"a shift by a scalar of 16 bits", `
    %s = arith.constant 3 : i16
    %y = pto.vshls %a, %s, %all : !pto.vreg<64x@T>, i16, !pto.mask<b32> -> !pto.vreg<64x@T>`,
			func(i int32) int32 { return i << 3 }},
		{"counting from a scalar", `
    %s = arith.constant 5 : i32
    %y = pto.vci %s {order = "DESC"} : i32 -> !pto.vreg<64x@T>`,
			func(i int32) int32 { return 5 - i }},
		{"the last lane everywhere", `
    %y = pto.vdup %a, %all {position = "HIGHEST"} : !pto.vreg<64x@T>, !pto.mask<b32> -> !pto.vreg<64x@T>`,
			func(int32) int32 { return 63 }},
		{"tail masks count down", `
    %len = arith.constant 70 : i32
    %m, %rest = pto.plt_b32 %len : i32 -> !pto.mask<b32>, i32
    %m2, %rest2 = pto.plt_b32 %rest : i32 -> !pto.mask<b32>, i32
    %y = pto.vadd %a, %b, %m2 : !pto.vreg<64x@T>, !pto.vreg<64x@T>, !pto.mask<b32> -> !pto.vreg<64x@T>`,
			func(i int32) int32 {
				if i < 6 {
					return 100
				}
				return 0
			}},
		{"one element for all lanes", `
    %c3 = arith.constant 3 : index
    %y = pto.vlds %ub[%c3] {dist = "BRC_B32"} : !pto.ptr<@T, ub> -> !pto.vreg<64x@T>`,
			func(int32) int32 { return 97 }},
		{"two registers that take turns in memory", `
    %z, %y = pto.vldsx2 %ua[%c0], "DINTLV_B32" : !pto.ptr<@T, ub>, index -> !pto.vreg<64x@T>, !pto.vreg<64x@T>`,
			func(i int32) int32 {
				if i < 32 {
					return 2*i + 1
				}
				return 100 - (2*(i-32) + 1)
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var xs, ys [64]int32
			for i := range xs {
				xs[i], ys[i] = int32(i), int32(100-i)
			}
			out := words(make([]int32, 64)...)
			mustRun(t, vecKernel("i32", c.body), ptr(words(xs[:]...)), ptr(words(ys[:]...)), ptr(out))
			for i := range int32(64) {
				if got := wordAt(out, int(i)); got != c.want(i) {
					t.Fatalf("lane %d is %d, want %d", i, got, c.want(i))
				}
			}
		})
	}
}

// TestMaskedDivision checks that a zero divisor in a lane that is off is no
// fault, and one in a lane that is on is.
func TestMaskedDivision(t *testing.T) {
	body := `
    %%m = pto.pset_b32 "PAT_VL%d" : !pto.mask<b32>
    %%y = pto.vdiv %%a, %%b, %%m : !pto.vreg<64x@T>, !pto.vreg<64x@T>, !pto.mask<b32> -> !pto.vreg<64x@T>`
	xs, ys := make([]int32, 64), make([]int32, 64)
	for i := range 4 {
		xs[i], ys[i] = 9, 2
	}
	run := func(lanes int) (*Buffer, error) {
		out := words(make([]int32, 64)...)
		text := "module attributes {pto.target_arch = \"a5\"} {" + vecKernel("i32", fmt.Sprintf(body, lanes)) + "}"
		diags := &ir.Diags{}
		m, _ := ir.Parse(&ir.Source{Name: "test.pto", Text: text}, ir.ParseOptions{Sequential: true}, diags)
		if m == nil {
			t.Fatal(formatDiags(diags))
		}
		p := Plan(m, Kernels(m), Options{}, diags)
		if p == nil {
			t.Fatal(formatDiags(diags))
		}
		return out, p.Run([]Arg{ptr(words(xs...)), ptr(words(ys...)), ptr(out)})
	}
	out, err := run(4)
	if err != nil || wordAt(out, 3) != 4 || wordAt(out, 4) != 0 {
		t.Errorf("lanes 3 and 4 are %d and %d, %v", wordAt(out, 3), wordAt(out, 4), err)
	}
	if _, err := run(8); err == nil || !strings.Contains(err.Error(), "integer division by zero") {
		t.Errorf("got %v", err)
	}
}

// TestConversion converts halves into the even and odd lanes of a register.
func TestConversion(t *testing.T) {
	body := `
    %m16 = pto.pset_b16 "PAT_ALL" : !pto.mask<b16>
    %even = pto.vcvt %a, %all {rnd = "R", sat = "NOSAT", part = "EVEN"} : !pto.vreg<64x@T>, !pto.mask<b32> -> !pto.vreg<128xf16>
    %odd = pto.vcvt %b, %all {rnd = "R", sat = "NOSAT", part = "ODD"} : !pto.vreg<64x@T>, !pto.mask<b32> -> !pto.vreg<128xf16>
    %both = pto.vor %even, %odd, %m16 : !pto.vreg<128xf16>, !pto.vreg<128xf16>, !pto.mask<b16> -> !pto.vreg<128xf16>
    %y = pto.vcvt %both, %m16 {part = "ODD"} : !pto.vreg<128xf16>, !pto.mask<b16> -> !pto.vreg<64x@T>`
	xs, ys := make([]float32, 64), make([]float32, 64)
	for i := range xs {
		xs[i], ys[i] = float32(i), float32(math.Sqrt(float64(i)))
	}
	out := floats(make([]float32, 64)...)
	mustRun(t, vecKernel("f32", body), ptr(floats(xs...)), ptr(floats(ys...)), ptr(out))
	for i := range ys {
		if got := floatAt(out, i); math.Abs(float64(got-ys[i])) > 0.005 || got == ys[i] && i > 1 && ys[i] != float32(int(ys[i])) {
			t.Errorf("lane %d is %v, want %v rounded to f16", i, got, ys[i])
		}
	}
}
