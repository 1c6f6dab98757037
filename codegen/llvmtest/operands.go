package llvmtest

import (
	"math"
	"math/rand/v2"
	"slices"

	"ptogo/ir/num"
)

// edges returns the bits of those numbers of format f for which mistakes are most likely:
// zeros, the smallest and largest numbers, infinities, powers of two and their neighbors.
// For formats of at most 8 bits, it returns all numbers.
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

// sample returns the bits of a random number of format f for tests. It chooses one of the
// special numbers in es, a neighbor of one of them, or another random number. The latter
// cover all magnitudes.
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

// vectorLanes is a divisor of the number of operands, because tests process this number
// of lanes at a time.
const vectorLanes = 8

// Operands returns operands for tests of a function with the given arity, as bits of
// numbers of format f. Result k contains the values of operand k, and all three results
// have the same length, which is at least n. It combines all special numbers of the
// format, and adds random ones.
func Operands(f num.Format, arity, n int) [3][]uint64 {
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
	for len(xs[0])%vectorLanes != 0 {
		add(0, 1, 1)
	}
	return xs
}

// Packed returns elements of format f, given by their bits, as the bytes of an array.
func Packed(f num.Format, xs []uint64) []byte {
	b := make([]byte, len(xs)*f.Bytes())
	for i, x := range xs {
		num.Store(f, b[i*f.Bytes():], x)
	}
	return b
}
