// This file describes the fractal layout of cube matrices and converts fractals into
// rows of numbers.

package runtime

import (
	"math"
	"unsafe"

	"ptogo/ir/num"
)

const (
	// Matrices of the cube unit are stored as fractals, blocks of 16 rows, arranged in
	// columns. The fractals of a column are adjacent in memory. A row of an operand
	// fractal has 32 bytes; a row of an accumulator fractal has 16 elements of 4 bytes.
	fractalRows  = 16
	fractalBytes = fractalRows * blockBytes
	accCols      = 16
	accSize      = 4 // bytes of an element of the accumulator
)

// halfBytes reports whether f is a 4-bit format, so that two elements share a byte.
func halfBytes(f num.Format) bool { return f.Bits() == 4 }

// blockElems returns the number of elements of format f in a block of 32 bytes.
func blockElems(f num.Format) int {
	if halfBytes(f) {
		return 2 * blockBytes
	}
	return blockBytes / f.Bytes()
}

// unpacker converts the elements of a matrix operand into 32-bit words, in which matrix
// products are computed. A word contains an f32 or an integer.
type unpacker struct {
	f num.Format
	// cols is the number of elements in a row of a fractal.
	cols int
	// table maps each code of a format with at most 8 bits to its 32-bit word.
	table []uint32
	// adapt, if not nil, modifies the elements of formats with more than 8 bits, for
	// example by rounding to tf32.
	adapt func(x float32) float32
}

// inputRules describes how the cube unit modifies the elements of a matrix before it
// multiplies them, for example by rounding to tf32.
type inputRules struct {
	// tf32 means that f32 elements are rounded to tf32 before the multiplication.
	tf32 bool
	// round is the rounding mode of the conversion to tf32.
	round num.Rounding
	// finite means that infinities become the largest finite number and NaN becomes zero.
	finite bool
}

// newUnpacker returns a converter from elements of format f to the 32-bit words with
// which matrix products compute. r describes how the hardware changes elements before the
// multiplication: it can replace infinities or round to TF32.
func newUnpacker(f num.Format, r inputRules) *unpacker {
	u := &unpacker{f: f, cols: blockElems(f)}
	if r.finite || r.tf32 {
		u.adapt = r.adapt(f)
	}
	if f.Bits() > 8 {
		return u
	}
	u.table = make([]uint32, 1<<f.Bits())
	for code := range u.table {
		switch {
		case f.IsInt():
			u.table[code] = uint32(integerBits(f, uint64(code)))
		case u.adapt != nil:
			u.table[code] = math.Float32bits(u.adapt(float32(num.Decode(f, uint64(code)))))
		default:
			u.table[code] = math.Float32bits(float32(num.Decode(f, uint64(code))))
		}
	}
	return u
}

// integerBits extends the bits of an integer of format f to 64 bits, with sign extension
// if f is signed.
func integerBits(f num.Format, bits uint64) uint64 {
	if f.Signed() {
		return uint64(num.Int(f, bits))
	}
	return bits
}

// adapt returns a function that changes an element before the multiplication in the same
// way as the hardware. The rules r describe the change: replacing infinities, or rounding
// to TF32. The argument of the function is an element of format f, converted to f32.
func (r inputRules) adapt(f num.Format) func(x float32) float32 {
	limit := float32(num.Decode(f, num.Max(f)))
	return func(x float32) float32 {
		if r.finite {
			x = clampFinite(x, limit)
		}
		if r.tf32 {
			x = float32(num.Decode(num.TF32, num.Encode(num.TF32, float64(x), r.round, r.finite)))
		}
		return x
	}
}

// clampFinite limits x to the range from -limit to limit, and converts NaN to zero.
func clampFinite(x, limit float32) float32 {
	if x != x {
		return 0
	}
	return max(-limit, min(x, limit))
}

// run converts consecutive matrix elements in src into the 32-bit words in which products
// are computed, until dst is full.
func (u *unpacker) run(dst []uint32, src []byte) {
	switch {
	case halfBytes(u.f):
		for i := range dst {
			dst[i] = u.table[num.Nibble(src, i)]
		}
	case u.table != nil:
		for i := range dst {
			dst[i] = u.table[src[i]]
		}
	case u.f == num.F16:
		num.F16sToF32s(floatsOf(dst), as[uint16](src)[:len(dst)])
	case u.f == num.BF16:
		num.BF16sToF32s(floatsOf(dst), as[uint16](src)[:len(dst)])
	default: // 32 bits
		copy(dst, as[uint32](src))
	}
	if u.adapt != nil && u.table == nil {
		for i, x := range floatsOf(dst) {
			dst[i] = math.Float32bits(u.adapt(x))
		}
	}
}

// fractalsSize returns the size in bytes of a matrix of rows x cols elements that is
// stored in fractals (blocks of 16 rows by 32 bytes). Incomplete fractals at the edges
// count as complete.
func (u *unpacker) fractalsSize(rows, cols int) int {
	return roundUp(rows, fractalRows) * blockBytes * (roundUp(cols, u.cols) / u.cols)
}

// rows converts a matrix from fractals (blocks of 16 rows by 32 bytes) to row-major
// order. src contains the matrix in fractals; rows stores the elements as 32-bit words to
// the slice dst. rows and cols are the dimensions of the matrix in elements.
func (u *unpacker) rows(dst []uint32, src []byte, rows, cols int) {
	column := roundUp(rows, fractalRows) * blockBytes
	for j := 0; j < cols; j += u.cols {
		n := min(u.cols, cols-j)
		for i := range rows {
			u.run(dst[i*cols+j:i*cols+j+n], src[i*blockBytes:])
		}
		src = src[column:]
	}
}

// columns converts a matrix of rows x cols elements into 32-bit words. In src, the matrix
// is stored in fractals (blocks of 16 rows by 32 bytes). In dst, columns stores it in
// column-major order.
func (u *unpacker) columns(dst []uint32, src []byte, rows, cols int) {
	column := roundUp(rows, fractalRows) * blockBytes
	var line [2 * blockBytes]uint32
	for j := 0; j < cols; j += u.cols {
		n := min(u.cols, cols-j)
		for i := range rows {
			u.run(line[:n], src[i*blockBytes:])
			for k, x := range line[:n] {
				dst[(j+k)*rows+i] = x
			}
		}
		src = src[column:]
	}
}

// floatsOf reinterprets 32-bit words as f32 numbers, in the same memory.
func floatsOf(words []uint32) []float32 { return as[float32](wordBytes(words)) }

// wordBytes reinterprets 32-bit words as bytes.
func wordBytes(w []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(w))), 4*len(w))
}

// accOffset returns the index of element (i, j) of a matrix in the accumulator L0C,
// counted in elements. The matrix is stored in strips of 16 columns, one strip after the
// other. stride is the number of rows of a strip.
func accOffset(i, j, stride int) int { return (j/accCols*stride+i)*accCols + j%accCols }
