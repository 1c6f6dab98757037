// This file computes panels of matrix products.

package kernels

import (
	"math"
	"unsafe"
)

// Arithmetic selects how a matrix product adds up its terms: as integers, or as floats
// with a certain rounding.
type Arithmetic uint8

const (
	// These are the kinds of arithmetic. Fused rounds once per product and sum, Apart
	// rounds the product and then the sum, and Integers adds 32-bit integers modulo 2^32.
	Fused    Arithmetic = iota
	Apart               // products are rounded, then sums
	Integers            // of 32 bits, modulo 2^32
)

// panel contains the loops for one kind of arithmetic, which compute a block of the
// result matrix.
type panel struct {
	// many computes rows rows of cols columns at once, and one computes a single row. k
	// is the number of products per element. lda, ldb and ldc are the distances between
	// rows of the operands and of the result. nextB and nextC are the distances between the
	// two vectors that a row of the right operand and of the result consists of. All
	// distances are in bytes.
	many, one  func(c, a, b *float32, k, lda, ldb, ldc, nextB, nextC int)
	rows, cols int
}

// Matmul adds the product of a (m x k) and b (k x n), both row-major, to c (m x n). It
// adds the k products of each element in order. The parameter how selects the arithmetic.
// For integer arithmetic, the float32 slices hold the bits of integers. Matmul is fastest
// if n is a multiple of 16.
func Matmul(how Arithmetic, c, a, b []float32, m, n, k int) { MatmulAt(Best, how, c, a, b, m, n, k) }

// MatmulAt adds the product of a (m x k) and b (k x n) to c (m x n). The parameter how
// selects whether the elements are integers or floats, and how float sums are rounded.
// Unlike Matmul, MatmulAt uses only vector instructions up to the given level, for
// example AVX2.
func MatmulAt(level Level, how Arithmetic, c, a, b []float32, m, n, k int) {
	c, a, b = c[:m*n], a[:m*k], b[:k*n]
	if m == 0 || n == 0 || k == 0 {
		return
	}
	done := 0
	for ; level > None; level-- { // what is left of wide panels may fill narrow ones
		p := panelOf(how, level)
		for ; p.cols > 0 && done+p.cols <= n; done += p.cols {
			p.run(c[done:], a, b[done:], m, k, distances{rowB: n, rowC: n, nextB: p.cols / 2, nextC: p.cols / 2})
		}
	}
	if done < n {
		matmulRest(how, c, a, b, m, n, k, done)
	}
}

// distances are the distances, in elements, between rows of the right operand (rowB) and of
// the result (rowC), and between the two vectors of a row (nextB and nextC).
type distances struct{ rowB, rowC, nextB, nextC int }

// run computes m rows of the columns of a panel: it adds the product of a (m x k) and k
// rows of b to m rows of c.
func (p *panel) run(c, a, b []float32, m, k int, d distances) {
	r := 0
	for ; r+p.rows <= m; r += p.rows {
		p.many(&c[r*d.rowC], &a[r*k], &b[0], k, 4*k, 4*d.rowB, 4*d.rowC, 4*d.nextB, 4*d.nextC)
	}
	for ; r < m; r++ {
		p.one(&c[r*d.rowC], &a[r*k], &b[0], k, 4*k, 4*d.rowB, 4*d.rowC, 4*d.nextB, 4*d.nextC)
	}
}

// StripCols is the number of columns of a strip in [MatmulStrips].
const StripCols = 16

// MatmulStrips adds the product of a (m x k, row-major) and b (k x n) to c (m x n), with
// the same results as [Matmul]. Both b and c consist of strips of StripCols columns: a
// strip contains its elements row by row, and the strips follow each other. A strip of c
// has pitch rows, of which the first m are computed. The number n must be a multiple of
// StripCols. The loops read all of a strip before the next one, so that it stays in the
// cache. The accumulator of the cube unit also consists of such strips.
func MatmulStrips(level Level, how Arithmetic, c, a, b []float32, m, n, k, pitch int) {
	strips := n / StripCols
	if m == 0 || strips == 0 || k == 0 {
		return
	}
	c, a, b = c[:((strips-1)*pitch+m)*StripCols], a[:m*k], b[:k*n]
	done := 0 // strips
	for ; level > None; level-- {
		p := panelOf(how, level)
		for wide := p.cols / StripCols; wide > 0 && done+wide <= strips; done += wide {
			d := distances{rowB: StripCols, rowC: StripCols, nextB: p.cols / 2, nextC: p.cols / 2}
			if wide > 1 { // a vector in each of two strips
				d.nextB, d.nextC = k*StripCols, pitch*StripCols
			}
			p.run(c[done*pitch*StripCols:], a, b[done*k*StripCols:], m, k, d)
		}
	}
	for ; done < strips; done++ {
		matmulRest(how, c[done*pitch*StripCols:], a, b[done*k*StripCols:], m, StripCols, k, 0)
	}
}

// matmulRest computes the columns of a matrix product from index first on, without vector
// instructions. It adds the product of a (m x k) and b (k x n) to c (m x n). The
// parameter how selects the arithmetic.
func matmulRest(how Arithmetic, c, a, b []float32, m, n, k, first int) {
	for r := range m {
		sums := c[r*n+first : r*n+n]
		for i, x := range a[r*k : r*k+k] {
			axpy(how, sums, x, b[i*n+first:i*n+n])
		}
	}
}

// axpy adds x times each element of row to the corresponding element of sums. The
// parameter how selects the arithmetic, for example fused multiply-add.
func axpy(how Arithmetic, sums []float32, x float32, row []float32) {
	row = row[:len(sums)]
	switch how {
	case Apart:
		for j, y := range row {
			sums[j] += float32(x * y)
		}
	case Fused:
		for j, y := range row {
			sums[j] = fma(x, y, sums[j])
		}
	case Integers:
		to, from := words(sums), words(row)
		for j, y := range from {
			to[j] += math.Float32bits(x) * y
		}
	}
}

// words returns the elements of x as 32-bit integers with the same bits. Both slices
// refer to the same memory.
func words(x []float32) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// fma returns x*y+z, rounded once. The product is exact in float64. The sum is inexact,
// and rounding it twice (to float64 and to float32) could give a wrong result. Therefore,
// fma rounds the sum to odd in float64: the last bit of an inexact sum is 1. The second
// rounding then gives the correctly rounded result.
func fma(x, y, z float32) float32 {
	p, a := float64(x)*float64(y), float64(z)
	s := p + a
	t := s - a
	lost := (a - (s - t)) + (p - t)
	if lost != 0 && !math.IsInf(s, 0) && s == s && math.Float64bits(s)&1 == 0 {
		if (lost > 0) == (s > 0) {
			s = math.Float64frombits(math.Float64bits(s) + 1)
		} else {
			s = math.Float64frombits(math.Float64bits(s) - 1)
		}
	}
	return float32(s)
}
