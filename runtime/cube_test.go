package runtime

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ptogo/ir/num"
)

// cubeKernel is a kernel that multiplies what lies by rows in a and b.
func cubeKernel(elem, acc, mad, store string, m, k, n int) string {
	size := map[string]int{"f16": 2, "bf16": 2, "f32": 4}[elem]
	if size == 0 {
		size = 1
	}
	store = strings.ReplaceAll(store, "ACC", "!pto.ptr<"+acc+", l0c>")
	return fmt.Sprintf(`
func.func @k(%%a: !pto.ptr<%[1]s>, %%b: !pto.ptr<%[1]s>, %%c: !pto.ptr<%[2]s>) attributes {pto.kernel} {
  %%c0 = arith.constant 0 : i64
  %%c1 = arith.constant 1 : i64
  %%far = arith.constant 131072 : i64
  %%m = arith.constant %[6]d : i64
  %%k = arith.constant %[7]d : i64
  %%n = arith.constant %[8]d : i64
  %%m16 = arith.constant %[9]d : i64
  %%kpad = arith.constant %[10]d : i64
  %%npad = arith.constant %[11]d : i64
  %%rowa = arith.constant %[12]d : i64
  %%rowb = arith.constant %[13]d : i64
  %%false = arith.constant false
  %%l1a = pto.castptr %%c0 : i64 -> !pto.ptr<%[1]s, l1>
  %%l1b = pto.castptr %%far : i64 -> !pto.ptr<%[1]s, l1>
  %%l0a = pto.castptr %%c0 : i64 -> !pto.ptr<%[1]s, l0a>
  %%l0b = pto.castptr %%c0 : i64 -> !pto.ptr<%[1]s, l0b>
  %%l0c = pto.castptr %%c0 : i64 -> !pto.ptr<%[3]s, l0c>
  %%ub = pto.castptr %%c0 : i64 -> !pto.ptr<%[2]s, ub>
  pto.mte_gm_l1_frac %%a, %%l1a, nd2nz, shape(%%m, %%k), src_layout(%%rowa), dst_group(%%c1, %%c1, %%m16, %%c0), ctrl(%%c0, %%false)
    : !pto.ptr<%[1]s>, !pto.ptr<%[1]s, l1>, nd2nz, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1
  pto.mte_gm_l1_frac %%b, %%l1b, nd2nz, shape(%%k, %%n), src_layout(%%rowb), dst_group(%%c1, %%c1, %%kpad, %%c0), ctrl(%%c0, %%false)
    : !pto.ptr<%[1]s>, !pto.ptr<%[1]s, l1>, nd2nz, shape i64, i64, src_layout(i64), dst_group i64, i64, i64, i64, ctrl i64, i1
  pto.mte_l1_l0a %%l1a, %%l0a, %%m, %%k, %%c0, %%c0 : !pto.ptr<%[1]s, l1>, !pto.ptr<%[1]s, l0a>, i64, i64, i64, i64
  pto.mte_l1_l0b %%l1b, %%l0b, %%k, %%npad, %%c0, %%c0 {transpose = true} : !pto.ptr<%[1]s, l1>, !pto.ptr<%[1]s, l0b>, i64, i64, i64, i64
  pto.mad %%l0a, %%l0b, %%l0c, %%m, %%npad, %%k disable_gemv %[4]s : !pto.ptr<%[1]s, l0a>, !pto.ptr<%[1]s, l0b>, !pto.ptr<%[3]s, l0c>, i64, i64, i64
  %[5]s
  return
}`, elem, outOf(store, acc), acc, mad, store, m, k, n, roundUp(m, 16), roundUp(k, max(16, 32/size)), roundUp(n, max(16, 32/size)), k*size, n*size)
}

// outOf is the element type that a store ends with.
func outOf(store, acc string) string {
	if _, rest, ok := strings.Cut(store, "-> "); ok {
		return strings.TrimSpace(rest)
	}
	return acc
}

// storeText writes a copy of the product to global memory by rows.
func storeText(to, clauses, types string) string {
	return "pto.mte_l0c_gm %l0c, %c, %m, %n, %m16, %n, %c0, %c0" + clauses + " : ACC, !pto.ptr<" + to + ">, i64, i64, i64, i64, i64, i64" + types + " // -> " + to
}

func TestMadOfEveryFormat(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		elem, acc string
		f         num.Format
		m, k, n   int
	}{
		{"f16", "f32", num.F16, 40, 50, 60},
		{"bf16", "f32", num.BF16, 16, 16, 16},
		{"f32", "f32", num.F32, 17, 9, 33},
		{"f8E4M3FN", "f32", num.F8E4M3FN, 5, 70, 40},
		{"f8E5M2", "f32", num.F8E5M2, 30, 33, 20},
		{"!pto.hif8", "f32", num.HiF8, 16, 64, 16},
		{"i8", "i32", num.S8, 6, 7, 8},
		{"ui8", "i32", num.U8, 31, 40, 17},
		{"f16", "f32", num.F16, 1, 32, 1},
	} {
		t.Run(fmt.Sprintf("%s_%dx%dx%d", c.elem, c.m, c.k, c.n), func(t *testing.T) {
			a, x := randomElements(r, c.f, c.m*c.k)
			b, y := randomElements(r, c.f, c.k*c.n)
			out := make([]byte, 4*c.m*c.n)
			text := cubeKernel(c.elem, c.acc, "", storeText(c.acc, ", nz2nd", ""), c.m, c.k, c.n)
			if err := runText(t, text, Options{}, bufs(a, b, out)...); err != nil {
				t.Fatal(err)
			}
			for i := range c.m {
				for j := range c.n {
					want := 0.0
					for k := range c.k {
						want += x[i*c.k+k] * y[k*c.n+j]
					}
					f := num.F32
					if c.acc == "i32" {
						f = num.S32
					}
					if got := num.Decode(f, num.Load(f, out[4*(i*c.n+j):])); math.Abs(got-want) > 1e-5*(1+math.Abs(want)) {
						t.Fatalf("element (%d, %d) is %v, want %v", i, j, got, want)
					}
				}
			}
		})
	}
}

// randomElements makes small numbers of a format.
func randomElements(r *rand.Rand, f num.Format, n int) (data []byte, xs []float64) {
	for range n {
		x := float64(r.IntN(17) - 8)
		if f == num.U8 {
			x += 200
		}
		bits := num.Encode(f, x, num.NearestEven, true)
		e := make([]byte, f.Bytes())
		num.Store(f, e, bits)
		data, xs = append(data, e...), append(xs, num.Decode(f, bits))
	}
	return data, xs
}

func bufs(data ...[]byte) []Arg {
	var args []Arg
	for _, d := range data {
		args = append(args, Arg{Buf: &Buffer{Data: d}})
	}
	return args
}

func encoded(f num.Format, xs ...float64) []byte {
	data := make([]byte, len(xs)*f.Bytes())
	for i, x := range xs {
		num.Store(f, data[i*f.Bytes():], num.Encode(f, x, num.NearestEven, false))
	}
	return data
}

// TestProductStoreConverts multiplies a row by one number, so that what is
// stored is the row, converted.
func TestProductStoreConverts(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	row := []float64{1, -3, 70000, -70000, inf, -inf, nan, 2.5}
	for _, c := range []struct {
		name, mad   string
		to, clauses string
		types       string
		f           num.Format
		want        []float64
	}{
		{"as it is", "", "f32", ", nz2nd", "", num.F32, row},
		{"without a mode", "", "f32", "", "", num.F32, row},
		{"finite product", "sat", "f32", ", nz2nd", "", num.F32, []float64{1, -3, 70000, -70000, math.MaxFloat32, -math.MaxFloat32, 0, 2.5}},
		{"sat", "", "f16", ", pre_quant(%x, mode = f32_f16), nz2nd, sat", ", f32", num.F16, []float64{1, -3, 65504, -65504, 65504, -65504, 0, 2.5}},
		{"sat is what CTRL says at first", "", "f16", ", pre_quant(%x, mode = f32_f16), nz2nd", ", f32", num.F16, []float64{1, -3, 65504, -65504, 65504, -65504, 0, 2.5}},
		{"sat, keeping NaN", "", "f16", ", pre_quant(%x, mode = f32_f16), nz2nd, sat(preserve_nan)", ", f32", num.F16, []float64{1, -3, 65504, -65504, 65504, -65504, nan, 2.5}},
		{"nosat", "", "f16", ", pre_quant(%x, mode = f32_f16), nz2nd, nosat", ", f32", num.F16, []float64{1, -3, inf, -inf, inf, -inf, nan, 2.5}},
		{"scaled", "", "f16", ", pre_quant(%x, mode = qf322f16_pre_scalar), nz2nd, sat", ", f32", num.F16, []float64{.5, -1.5, 35008, -35008, 65504, -65504, 0, 1.25}},
		{"relu", "", "f32", ", pre_relu(mode = normal_relu), nz2nd", "", num.F32, []float64{1, 0, 70000, 0, inf, 0, nan, 2.5}},
		{"leaky relu", "", "f32", ", pre_relu(%x, mode = scalar_relu), nz2nd", ", f32", num.F32, []float64{1, -1.5, 70000, -35000, inf, -inf, nan, 2.5}},
		{"clipped", "", "f16", ", pre_quant(%x, mode = qf322f16_pre_scalar), pre_relu(mode = normal_relu, clip = %y), nz2nd", ", f32, f16", num.F16, []float64{.5, 0, 2, 0, 2, 0, 0, 1.25}},
		{"bytes with sign", "", "i8", ", pre_quant(%x, mode = qf322b8_pre_scalar), nz2nd", ", f32", num.S8, []float64{0, -2, 127, -128, 127, -128, 0, 1}},
		{"bytes without sign", "", "ui8", ", pre_quant(%x, mode = qf322b8_pre_scalar), nz2nd", ", f32", num.U8, []float64{0, 0, 255, 0, 255, 0, 0, 1}},
		{"float8", "", "f8E4M3FN", ", pre_quant(%x, mode = qf322fp8_pre_scalar), nz2nd, sat", ", f32", num.F8E4M3FN, []float64{.5, -1.5, 448, -448, 448, -448, 0, 1.25}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n := len(row)
			out := make([]byte, n*c.f.Bytes())
			store := "%x = arith.constant 5.0e-01 : f32\n  %y = arith.constant 2.0 : f16\n  " + storeText(c.to, c.clauses, c.types)
			text := cubeKernel("f32", "f32", c.mad, store, 1, 1, n)
			if err := runText(t, text, Options{}, bufs(encoded(num.F32, 1), encoded(num.F32, row...), out)...); err != nil {
				t.Fatal(err)
			}
			for i, want := range c.want {
				got := num.Load(c.f, out[i*c.f.Bytes():])
				if x := num.Decode(c.f, got); x != want && !(math.IsNaN(x) && math.IsNaN(want)) {
					t.Errorf("%v becomes %v, want %v", row[i], x, want)
				}
			}
		})
	}
}

func TestTf32RoundsOperands(t *testing.T) {
	tie := 1 + math.Ldexp(1, -11) // halfway between two numbers of tf32
	for mode, want := range map[string]float64{"": tie, "tf32_mode(round_even)": 1, "tf32_mode(round_away)": 1 + math.Ldexp(1, -10)} {
		out := make([]byte, 4)
		text := cubeKernel("f32", "f32", mode, storeText("f32", ", nz2nd", ""), 1, 1, 1)
		if err := runText(t, text, Options{}, bufs(encoded(num.F32, tie), encoded(num.F32, 1), out)...); err != nil {
			t.Fatal(err)
		}
		if got := num.Decode(num.F32, num.Load(num.F32, out)); got != want {
			t.Errorf("%q gives %v, want %v", mode, got, want)
		}
	}
}
