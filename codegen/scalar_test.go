package codegen_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ptogo/codegen"
	"ptogo/codegen/llvmtest"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// benchParams are the C types of the functions of a bench.
var benchParams = []string{"void *", "void *", "void *", "void *", "int64_t"}

func TestEveryScalarFunctionIsWritten(t *testing.T) {
	for fn := range scalar.All() {
		if !codegen.Knows(fn) {
			t.Errorf("no code for %s", fn)
		}
	}
}

// edges are the numbers of a format where mistakes hide.
func edges(f num.Format) []uint64 {
	if f.Bits() <= 8 {
		all := make([]uint64, 1<<f.Bits())
		for i := range all {
			all[i] = uint64(i)
		}
		return all
	}
	m, s := f.Mask(), uint64(1)<<(f.Bits()-1)
	set := []uint64{0, 1, 2, 3, m, m - 1, s, s - 1, s + 1, s | 1<<(f.Bits()-2), m ^ 1, 5, 7, 31, 32, 33, 63, 64, 255, 256}
	if f.IsFloat() {
		for _, x := range []float64{
			0, 0.5, 1, 1.5, 2, 2.5, 3, 0.1, 1.0 / 3, 7, 10, 100, 1e4, 1e5, 65504, 65520, 1e10, 1e30, 1e38, 1e300,
			1e-3, 1e-5, 6e-8, 3e-8, 1e-10, 1e-38, 1e-40, 1e-45, 1e-300, 5e-324, math.Pi, math.Pi / 4, math.Pi / 2, math.E,
			88, 89, 709.7, 709.8, 745, 20, 22, 40, 64, 65, 0.9999, 1.0001, 1<<23 - 0.5, 1<<24 + 2, 1 << 52, 1 << 53,
			math.MaxFloat64, math.Inf(1), math.NaN(),
		} {
			set = append(set, num.Encode(f, x, num.NearestEven, false), num.Encode(f, -x, num.NearestEven, false))
		}
		for _, c := range []uint64{num.Max(f), num.Lowest(f)} {
			set = append(set, c, c-1)
		}
	}
	for i := range set {
		set[i] &= m
	}
	slices.Sort(set)
	return slices.Compact(set)
}

// sample is a number of a format: an edge, or random in a way that hits every
// magnitude.
func sample(f num.Format, r *rand.Rand, es []uint64) uint64 {
	switch r.IntN(8) {
	case 0:
		return es[r.IntN(len(es))]
	case 1:
		return es[r.IntN(len(es))] ^ uint64(1)<<r.IntN(f.Bits())&f.Mask()
	case 2, 3:
		if f.IsFloat() {
			return num.Encode(f, math.Ldexp(r.Float64()*2-1, r.IntN(40)-20), num.NearestEven, false)
		}
		return r.Uint64() >> r.IntN(64) & f.Mask()
	case 4:
		if f.IsFloat() { // near a number with few bits, where ties are
			return num.Encode(f, float64(r.IntN(2048)-1024)/8, num.NearestEven, false)
		}
	}
	return r.Uint64() & f.Mask()
}

// operands makes n operands for a function of the given arity.
func operands(f num.Format, arity, n int) [3][]uint64 {
	r := rand.New(rand.NewPCG(uint64(f), uint64(arity)))
	es := edges(f)
	var xs [3][]uint64
	add := func(v ...uint64) {
		for i := range xs {
			xs[i] = append(xs[i], v[i])
		}
	}
	switch {
	case arity == 1 && f.Bits() <= 16:
		for v := range uint64(1) << f.Bits() {
			add(v, 0, 0)
		}
	case arity == 1:
		for _, v := range es {
			add(v, 0, 0)
		}
	case arity == 2:
		for _, a := range es {
			for _, b := range es {
				add(a, b, 0)
			}
		}
	default:
		few := es[:min(len(es), 40)]
		for _, a := range few {
			for _, b := range few {
				add(a, b, es[r.IntN(len(es))])
			}
		}
	}
	for len(xs[0]) < n {
		add(sample(f, r, es), sample(f, r, es), sample(f, r, es))
	}
	for len(xs[0])%testLanes != 0 {
		add(0, 1, 1)
	}
	return xs
}

// testLanes is the size of the vectors that are tested.
const testLanes = 8

// packed is elements as bytes.
func packed(f num.Format, xs []uint64) []byte {
	b := make([]byte, len(xs)*f.Bytes())
	for i, x := range xs {
		num.Store(f, b[i*f.Bytes():], x)
	}
	return b
}

// testFormats are the formats that instructions and scalar code compute with,
// and two of those that they only move and convert.
var testFormats = []num.Format{
	num.I1, num.I8, num.I16, num.I32, num.I64, num.U8, num.U16, num.U32, num.U64,
	num.F16, num.BF16, num.F32, num.F64, num.HiF8, num.F4E2M1,
}

func TestScalarFunctions(t *testing.T) {
	for _, f := range testFormats {
		t.Run(f.String(), func(t *testing.T) {
			t.Parallel()
			testFormat(t, f)
		})
	}
}

// testFormat compares all functions on one format, number by number and in
// vectors.
func testFormat(t *testing.T, f num.Format) {
	var fns []*scalar.Fn
	for fn := range scalar.All() {
		if fn.Supports(f) {
			fns = append(fns, fn)
		}
	}
	p := benchOf(t, fns, f)
	for _, fn := range fns {
		for _, n := range []int{0, testLanes} {
			if n > 0 && f.Bits() < 8 {
				continue // registers have no such lanes
			}
			xs := operands(f, fn.Arity, 4096)
			keepDefined(fn, f, &xs)
			out := make([]byte, len(xs[0])*f.Bytes())
			err := p.Run(benchName(fn, n), 1, packed(f, xs[0]), packed(f, xs[1]), packed(f, xs[2]), out, uint64(len(xs[0])))
			if err != nil {
				t.Fatalf("%s: %v", fn, err)
			}
			checkFn(t, fn, f, n, xs, out)
		}
	}
}

func benchName(fn *scalar.Fn, lanes int) string { return fmt.Sprintf("%s.%d", fn, lanes) }

func benchOf(t *testing.T, fns []*scalar.Fn, f num.Format) *llvmtest.Program {
	b := codegen.NewBench(false)
	var decls []llvmtest.Func
	for _, fn := range fns {
		for _, n := range []int{0, testLanes} {
			b.Fn(benchName(fn, n), fn, f, n)
			decls = append(decls, llvmtest.Func{Name: benchName(fn, n), Params: benchParams})
		}
	}
	return llvmtest.Build(t, b.Text(), decls, levelFor(f))
}

// levelFor is the optimization level for tests on a format. Optimized code
// shows what was left undefined, and takes ten times as long to build, so a
// few formats must do.
func levelFor(f num.Format) string {
	switch f {
	case num.F32, num.F16, num.I32, num.U8:
		return "2"
	}
	return "0"
}

// keepDefined replaces zero divisors, which fault.
func keepDefined(fn *scalar.Fn, f num.Format, xs *[3][]uint64) {
	if fn.Divisor == 0 || !f.IsInt() {
		return
	}
	d := xs[fn.Divisor-1]
	for i := range d {
		if d[i]&f.Mask() == 0 {
			d[i] = 1
		}
	}
}

func checkFn(t *testing.T, fn *scalar.Fn, f num.Format, lanes int, xs [3][]uint64, out []byte) {
	wrong := 0
	for i := range xs[0] {
		want, err := fn.Eval3(f, xs[0][i], xs[1][i], xs[2][i])
		if err != nil {
			t.Fatalf("%s: %v", fn, err)
		}
		got := num.Load(f, out[i*f.Bytes():])
		if !num.Same(f, got, want) {
			if wrong++; wrong <= 3 {
				t.Errorf("%s on %s (lanes %d) of %#x, %#x, %#x (%v, %v, %v) = %#x (%v), want %#x (%v)", fn, f, lanes,
					xs[0][i], xs[1][i], xs[2][i], num.Decode(f, xs[0][i]), num.Decode(f, xs[1][i]), num.Decode(f, xs[2][i]),
					got, num.Decode(f, got), want, num.Decode(f, want))
			}
		}
	}
	if wrong > 3 {
		t.Errorf("%s on %s (lanes %d): %d of %d wrong", fn, f, lanes, wrong, len(xs[0]))
	}
}
