package runtime

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// specials returns the codes of a format where rounding, overflow, signs and
// NaN are decided.
func specials(f num.Format) []uint64 {
	xs := []uint64{0, 1, 2, f.Mask(), f.Mask() >> 1, f.SignBit(), f.SignBit() | 1, num.Max(f), num.Lowest(f)}
	if f.IsFloat() {
		inf, _ := num.Inf(f, false)
		for _, x := range []float64{1, -1, 0.5, 3, 1e-3, -7.25} {
			xs = append(xs, num.Encode(f, x, num.NearestEven, false))
		}
		xs = append(xs, inf, inf|f.SignBit(), inf+1, inf|f.SignBit()|1, num.NaN(f), num.NaN(f)|f.SignBit()|5,
			smallest[f], smallest[f]-1, smallest[f]>>1, smallest[f]|f.SignBit(), inf-1)
	}
	return xs
}

// operandRows returns rows of elements to try a function with: every special
// code with every other one, all codes of 8-bit formats and of unary functions
// on 16-bit ones, and random codes.
func operandRows(fn *scalar.Fn, f num.Format) [3][]uint64 {
	var rows [3][]uint64
	add := func(a, b uint64) {
		rows[0], rows[1], rows[2] = append(rows[0], a), append(rows[1], b), append(rows[2], a^b)
	}
	for _, a := range specials(f) {
		for _, b := range specials(f) {
			add(a, b)
		}
	}
	switch n := f.Bits(); {
	case n == 8:
		for a := range uint64(1 << 8) {
			for b := range uint64(1 << 8) {
				add(a, b)
			}
		}
	case n == 16 && fn.Arity == 1:
		for a := range uint64(1 << 16) {
			add(a, 0)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		a, b := r.Uint64(), r.Uint64()
		switch r.IntN(4) {
		case 0: // near each other, where sums cancel
			b = a ^ b&7
		case 1: // near a special code
			b = specials(f)[r.IntN(len(specials(f)))] + b&3
		}
		add(a&f.Mask(), b&f.Mask())
	}
	return rows
}

// packed stores elements side by side, aligned.
func packed(f num.Format, xs []uint64) []byte {
	b := bytesOf(make([]uint64, (len(xs)*f.Bytes()+7)/8))[:len(xs)*f.Bytes()]
	for i, x := range xs {
		num.Store(f, b[i*f.Bytes():], x)
	}
	return b
}

// keysInOrder lists the fast loops by name.
func keysInOrder() []rowKey {
	var keys []rowKey
	for k := range fastRows {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b rowKey) int {
		return cmp.Or(cmp.Compare(a.fn.Name, b.fn.Name), cmp.Compare(a.f, b.f))
	})
	return keys
}

// TestFastLoops compares every fast loop with the table of functions, bit for
// bit.
func TestFastLoops(t *testing.T) {
	for _, k := range keysInOrder() {
		t.Run(k.fn.Name+"/"+k.f.String(), func(t *testing.T) {
			t.Parallel()
			xs := operandRows(k.fn, k.f)
			if k.fn.Divisor == 2 && k.f.IsInt() {
				for i, x := range xs[1] {
					xs[1][i] = max(x, 1)
				}
			}
			compareLoops(t, k, xs)
		})
	}
}

func compareLoops(t *testing.T, k rowKey, xs [3][]uint64) {
	t.Helper()
	n := len(xs[0]) * k.f.Bytes()
	a, b, c := packed(k.f, xs[0]), packed(k.f, xs[1]), packed(k.f, xs[2])
	got, want := bytesOf(make([]uint64, n/8+1))[:n], bytesOf(make([]uint64, n/8+1))[:n]
	if err := fastRows[k](got, a, b, c); err != nil {
		t.Fatal(err)
	}
	if err := evalRows(k.fn, k.f)(want, a, b, c); err != nil {
		t.Fatal(err)
	}
	for i := range xs[0] {
		g, w := num.Load(k.f, got[i*k.f.Bytes():]), num.Load(k.f, want[i*k.f.Bytes():])
		if g != w {
			t.Fatalf("%s(%#x, %#x) = %#x, want %#x", k.fn, xs[0][i], xs[1][i], g, w)
		}
	}
}

// TestFastLoopsInPlace checks that the destination may be an operand.
func TestFastLoopsInPlace(t *testing.T) {
	for _, k := range keysInOrder() {
		xs := [3][]uint64{specials(k.f), slices.Repeat([]uint64{3}, len(specials(k.f))), specials(k.f)}
		a, b, c := packed(k.f, xs[0]), packed(k.f, xs[1]), packed(k.f, xs[2])
		apart := slices.Clone(a)
		if err := fastRows[k](apart, a, b, c); err != nil {
			t.Fatal(err)
		}
		if err := fastRows[k](a, a, b, c); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a, apart) {
			t.Errorf("%s on %s: in place differs", k.fn, k.f)
		}
	}
}

func TestDivisionByZeroInLoops(t *testing.T) {
	for _, f := range []num.Format{num.S8, num.U16, num.S32, num.U64} {
		a, zero := packed(f, []uint64{1, 2}), packed(f, []uint64{1, 0})
		if err := rowsOf(scalar.Div, f)(a, a, zero, nil); err != scalar.ErrDivideByZero {
			t.Errorf("%s: got %v", f, err)
		}
	}
}

func TestFlush(t *testing.T) {
	tiny := uint64(1)
	fn := flushing(scalar.Add, num.F32)
	got, err := fn.Eval2(num.F32, tiny, 0x80000001)
	if err != nil || got != 0 {
		t.Errorf("denormals add to %#x, %v", got, err)
	}
	if got, _ := fn.Eval2(num.F32, 0x80000001, 0x80000001); got != 0x80000000 {
		t.Errorf("negative denormals add to %#x, want -0", got)
	}
	if got, _ := flushing(scalar.Mul, num.F32).Eval2(num.F32, 0x00800000, 0x3F000000); got != 0 {
		t.Errorf("a denormal result is %#x, want 0", got)
	}
}

func BenchmarkRows(b *testing.B) {
	for _, k := range []rowKey{{scalar.Add, num.F32}, {scalar.Add, num.F16}, {scalar.Add, num.BF16}, {scalar.Add, num.S32}, {scalar.Max, num.F32}, {scalar.Exp, num.F32}} {
		xs := slices.Repeat([]uint64{num.Encode(k.f, 1.5, num.NearestEven, false)}, 4096)
		x, d := packed(k.f, xs), packed(k.f, xs)
		for _, way := range []struct {
			name string
			row  rowFunc
		}{{"fast", fastRows[k]}, {"eval", evalRows(k.fn, k.f)}} {
			b.Run(fmt.Sprintf("%s/%s/%s", k.fn, k.f, way.name), func(b *testing.B) {
				b.SetBytes(int64(len(x)))
				for b.Loop() {
					way.row(d, x, x, x)
				}
			})
		}
	}
}
