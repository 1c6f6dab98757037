package runtime

import (
	"math/rand/v2"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/kernels"
)

// TestFolds compares the folds of several rows at every level with those of
// one, bit for bit.
func TestFolds(t *testing.T) {
	const rows, cols, gap = 77, 70, 3
	r := rand.New(rand.NewPCG(5, 6))
	for _, fn := range []*scalar.Fn{scalar.Add, scalar.Mul, scalar.Max, scalar.Min} {
		for _, f := range []num.Format{num.F32, num.F16, num.BF16, num.S32} {
			special := specials(f)
			xs := make([]uint64, rows*(cols+gap))
			for i := range xs {
				switch row := i / (cols + gap); {
				case row%3 == 0: // hardly anything but zeros and what is near them
					xs[i] = special[r.IntN(2)*5]
				case row%3 == 1 && r.IntN(30) == 0:
					xs[i] = special[r.IntN(len(special))]
				case f.IsFloat():
					xs[i] = num.Encode(f, r.NormFloat64(), num.NearestEven, false)
				default:
					xs[i] = r.Uint64() & f.Mask()
				}
			}
			data, size := packed(f, xs), f.Bytes()
			pitch := (cols + gap) * size
			one := foldOf(fn, f)
			for _, level := range kernels.Levels() {
				for _, l := range kernels.Folds(fn, f, level) {
					got := make([]byte, rows*size)
					m, n := l.Run(got, data, pitch, rows, cols)
					if m < rows-31 || n < cols-8 {
						t.Fatalf("%s %s: only %d rows of %d elements", fn, f, m, n)
					}
					for i := range m {
						want := one(nil, data[i*pitch:i*pitch+n*size])
						if g := num.Load(f, got[i*size:]); g != want {
							t.Fatalf("%s: %s %s of row %d = %#x, want %#x", level, fn, f, i, g, want)
						}
					}
				}
			}
		}
	}
}

// TestArgFold compares where the extremes of rows stand with a search that asks
// for each element, with NaN, ties and zeros of both signs.
func TestArgFold(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	c := new(core)
	c.scratch[1] = bytesOf(make([]uint64, chunkBytes/8))
	for _, f := range []num.Format{num.F32, num.F16, num.BF16} {
		for _, fn := range []*scalar.Fn{scalar.Max, scalar.Min} {
			for turn := range 60 {
				xs := make([]uint64, 1+r.IntN(3000))
				for i := range xs {
					xs[i] = num.Encode(f, float64(r.IntN(1+turn*turn)-turn), num.NearestEven, false)
					if x := r.IntN(2000); x < turn {
						xs[i] = specials(f)[r.IntN(len(specials(f)))]
					}
				}
				if turn == 0 {
					xs[0] = f.SignBit() // before zeros
				}
				want := 0
				for i, x := range xs {
					if better(pto.Beats(fn), f, x, xs[want]) {
						want = i
					}
				}
				if got := argFold(fn, f)(c, packed(f, xs)); got != uint64(want) {
					t.Fatalf("%s of %d numbers of %s stands at %d, want %d", fn, len(xs), f, got, want)
				}
			}
		}
	}
}

// TestPicker takes elements of each size by numbers of each format, and stops at
// one that is too large.
func TestPicker(t *testing.T) {
	const n = 100
	for _, size := range []int{1, 2, 4, 8} {
		f := wordFormats[size]
		data := make([]byte, n*size)
		for i := range data {
			data[i] = byte(i*37 + 1)
		}
		for _, of := range []num.Format{num.U8, num.S16, num.U16, num.S32, num.U32, num.S64} {
			numbers := []uint64{3, 99, 0, 50}
			d := packed(f, make([]uint64, 4))
			if at, ok := picker(size, of)(d, data, packed(of, numbers)); !ok {
				t.Fatalf("%s: %d is too large", of, at)
			}
			for i, x := range numbers {
				if got, want := num.Load(f, d[i*size:]), num.Load(f, data[int(x)*size:]); got != want {
					t.Fatalf("element %d of %d bytes is %#x, want %#x", x, size, got, want)
				}
			}
			if at, ok := picker(size, of)(d, data, packed(of, []uint64{1, 100})); ok || at != 100 {
				t.Fatalf("%s: takes element %d of 100", of, at)
			}
		}
		if at, ok := picker(size, num.S32)(make([]byte, size), data, packed(num.S32, []uint64{1<<32 - 2})); ok || at != -2 {
			t.Fatalf("takes element %d", at)
		}
	}
}

// Rows and columns that fill no vector are folded too, into either layout.
func TestRowSumOfOddSizes(t *testing.T) {
	s := tileOf("s", 32, 24, "f32", "", "27x21", counted(0, 32*24-1)...)
	w := tileOf("w", 32, 24, "f32", "", "27x21")
	d := tileOf("d", 32, 1, "f32", "blayout=col_major", "27x1")
	e := tileOf("e", 32, 8, "f32", "", "27x1")
	runTiles(t, "  pto.trowsum ins(%s, %w : T(s), T(w)) outs(%d : T(d))\n  pto.trowsum ins(%s, %w : T(s), T(w)) outs(%e : T(e))", s, w, d, e)
	down, across := valuesOf(num.F32, d.buf), valuesOf(num.F32, e.buf)
	for r := range 27 {
		want := float64(21*24*r + 20*21/2)
		if down[r] != want || across[8*r] != want {
			t.Errorf("row %d sums to %v and %v, want %v", r, down[r], across[8*r], want)
		}
	}
}
