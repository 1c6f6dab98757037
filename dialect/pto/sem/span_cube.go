// This file computes the bytes that cube instructions can access.

package sem

import "ptogo/ir"

// Sizes of L0C, the memory of the accumulator. AccCols is the number of columns of a
// fractal in L0C. AccBytes is the size of an element of the accumulator in bytes.
const (
	AccCols  = 16
	AccBytes = 4
)

// Spans returns the byte ranges that a matrix product accesses: those of its two operands
// and that of its result. known provides the sizes m, n and k. The result is nil if one
// of these sizes is unknown.
func (m Mad) Spans(op *ir.Op, _ ir.Target, known Known) []Span {
	o := ProductOf(op)
	x, ok := known.all(o.M, o.N, o.K)
	if m.Packed {
		var word int64
		if word, ok = known.of(o.Word, 0); ok {
			x = []int64{int64(MadM.Of(uint64(word))), int64(MadN.Of(uint64(word))), int64(MadK.Of(uint64(word)))}
		}
	}
	left, right := bitsOf(o.Lhs), bitsOf(o.Rhs)
	if !ok || left == 0 || right == 0 {
		return nil
	}
	fractals := func(o Operand, rows, bits int64) []Span {
		return spanOf(o, 0, roundUp(rows, FractalRows)*ceilDiv(x[2]*bits, 8*BlockBytes)*BlockBytes)
	}
	spans := append(fractals(o.Lhs, x[0], left), fractals(o.Rhs, x[1], right)...)
	spans = append(spans, spanOf(o.Dst, 0, roundUp(x[0], FractalRows)*roundUp(x[1], AccCols)*AccBytes)...)
	if o.Bias.Given() {
		spans = append(spans, spanOf(o.Bias, 0, x[1]*AccBytes)...)
	}
	return spans
}

// Spans returns the bytes that op reads from L0C, writes to the destination, and reads as
// factors of columns. It returns nil if sizes are unknown or in registers.
func (s StoreProduct) Spans(op *ir.Op, _ ir.Target, known Known) []Span {
	o := StoreOf(op)
	x, ok := known.all(o.M, o.N, o.SrcStride, o.DstStride, o.LoopSrc, o.LoopDst, o.Split)
	loops, ok2 := known.of(o.Loops, 1)
	apart, ok3 := known.of(o.RowStride, 1)
	if bits := bitsOf(o.Destination); s.Packed || !ok || !ok2 || !ok3 || bits == 0 {
		return nil
	}
	m, n := x[0], x[1]
	const row = AccCols * AccBytes
	spans := spanOf(o.Source, 0, ((m-1)*apart+1)*row, loop{ceilDiv(n, AccCols), x[2] * row}, loop{loops, x[4] * row})
	if o.Quant.Vector {
		spans = append(spans, spanOf(o.Factor, 0, n*FactorBytes)...)
	}
	if o.Relu == VectorRelu {
		spans = append(spans, spanOf(o.Slope, 0, n*SlopeBytes)...)
	}
	switch o.Halves {
	case SplitRows:
		m /= 2
	case SplitCols:
		n /= 2
	}
	to := o.destination(m, n, x[3], loop{loops, x[5]}, x[6] != 0)
	for i := range to {
		if bitsOf(o.Destination) < 8 { // runs may begin inside of a byte
			to[i].Width, to[i].Pitch = 0, 0
		}
	}
	return append(spans, to...)
}

// destination returns the bytes that a store of m x n elements writes. stride is the
// distance in elements between rows, columns or fractals of the destination, depending on
// its layout. again is an outer loop that repeats the store for further matrices. If
// split is set, fractals of 32-bit elements have 8 columns instead of 16.
func (s *Store) destination(m, n, stride int64, again loop, split bool) []Span {
	bits := bitsOf(s.Destination)
	bytes := func(elems int64) int64 { return ceilDiv(elems*bits, 8) }
	again.step = bytes(again.step)
	switch s.Layout {
	case ByColumn:
		return spanOf(s.Destination, 0, bytes(m), loop{n, bytes(stride)}, again)
	case ByFractal:
		cols := 8 * BlockBytes / bits
		if bits == 32 && !split {
			cols = AccCols
		}
		return spanOf(s.Destination, 0, bytes(m*cols), loop{ceilDiv(n, cols), bytes(stride)}, again)
	}
	return spanOf(s.Destination, 0, bytes(n), loop{m, bytes(stride)}, again)
}
