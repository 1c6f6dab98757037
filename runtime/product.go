package runtime

import "math"

// The inner product of all matrix products. This is the whole of the
// arithmetic, and the place to replace when it shall be faster.

// productFloats adds x times y to dst: x has m rows of k numbers, y k rows of
// n, dst m rows of n. Every element of dst is a running sum in the order of k.
// A step adds one product and rounds to f32, to nearest even. With exact the
// product is rounded to f32 before, which is for formats whose products f32
// holds; without, the step rounds once, like a fused multiplication and
// addition.
func productFloats(dst, x, y []float32, m, n, k int, exact bool) {
	for i := range m {
		sums := dst[i*n : (i+1)*n]
		for j, a := range x[i*k : (i+1)*k] {
			row := y[j*n : (j+1)*n]
			if exact {
				addProducts(sums, a, row)
			} else {
				fuseProducts(sums, a, row)
			}
		}
	}
}

// addProducts adds a times each element of row to sums.
func addProducts(sums []float32, a float32, row []float32) {
	sums = sums[:len(row)]
	for i, b := range row {
		sums[i] += float32(a * b)
	}
}

// fuseProducts adds the exact products of a and each element of row to sums.
func fuseProducts(sums []float32, a float32, row []float32) {
	sums = sums[:len(row)]
	for i, b := range row {
		sums[i] = fused(a, b, sums[i])
	}
}

// fused is a*b + c, rounded once to f32. The product is exact in float64; the
// sum is rounded to odd there, so that rounding it again is like rounding once.
func fused(a, b, c float32) float32 {
	p, d := float64(a)*float64(b), float64(c)
	s := p + d
	t := s - d
	lost := (d - (s - t)) + (p - t)
	if lost != 0 && !math.IsInf(s, 0) && s == s && math.Float64bits(s)&1 == 0 {
		if (lost > 0) == (s > 0) {
			s = math.Float64frombits(math.Float64bits(s) + 1)
		} else {
			s = math.Float64frombits(math.Float64bits(s) - 1)
		}
	}
	return float32(s)
}

// productInts is the same for integers, modulo 2^32.
func productInts(dst, x, y []uint32, m, n, k int) {
	for i := range m {
		sums := dst[i*n : (i+1)*n]
		for j, a := range x[i*k : (i+1)*k] {
			row := y[j*n : (j+1)*n][:len(sums)]
			for c, b := range row {
				sums[c] += a * b
			}
		}
	}
}
