// This file adds up rows in fixed orders.

package kernels

import (
	"unsafe"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// SumLanes is the number of elements of a row that one iteration of SumRows and
// SumEighths adds.
const SumLanes = 64

// SumRows computes the sum of each of n rows and writes the sums to d as f32. A row has
// SumLanes elements of format f, which is f32 or f16. The sum adds neighbouring elements
// in pairs, then neighbouring pairs, and so on. Rows are pitch bytes apart in a, and n is
// a multiple of 4.
func SumRows(f num.Format, level Level, d []float32, a []byte, pitch, n int) {
	if n == 0 {
		return
	}
	_, _ = d[n-1], a[(n-1)*pitch+SumLanes*f.Bytes()-1]
	run := sumRowsF16[level]
	if f == num.F32 {
		run = sumRowsF32[level]
	}
	if run != nil {
		run((*byte)(unsafe.Pointer(&d[0])), &a[0], pitch, n)
		return
	}
	for r := range n {
		xs := widened(f, a[r*pitch:])
		d[r] = scalar.Reduce(scalar.Sequence{Of: scalar.InPairs}, xs[:], sum, sum)
	}
}

// SumEighths processes n rows of SumLanes elements of type f32, which are eight groups of
// eight consecutive elements. It adds the elements of each group: first neighbours in
// pairs, then the sums of neighbouring pairs, and so on. It writes the eight sums of each
// row to d. The rows are pitch bytes apart in a.
func SumEighths(level Level, d []float32, a []byte, pitch, n int) {
	if n == 0 {
		return
	}
	_, _ = d[8*n-1], a[(n-1)*pitch+4*SumLanes-1]
	if sumEighths != nil && level != None {
		sumEighths((*byte)(unsafe.Pointer(&d[0])), &a[0], pitch, n)
		return
	}
	for r := range n {
		xs := widened(num.F32, a[r*pitch:])
		for i := range 8 {
			d[8*r+i] = scalar.Reduce(scalar.Sequence{Of: scalar.InPairs}, xs[8*i:8*i+8], sum, sum)
		}
	}
}

// sum returns a + b, rounded to float32.
func sum(a, b float32) float32 { return a + b }

// widened returns the first SumLanes elements of a, which have format f, converted to
// f32.
func widened(f num.Format, a []byte) (xs [SumLanes]float32) {
	for i := range xs {
		xs[i] = float32(num.Decode(f, num.Load(f, a[i*f.Bytes():])))
	}
	return xs
}
