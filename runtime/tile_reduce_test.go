package runtime

import (
	"math/rand/v2"
	"testing"

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
