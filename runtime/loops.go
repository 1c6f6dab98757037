// This file selects the loop that applies a scalar function to rows of elements:
// vectorized, in Go, or the general evaluator.

package runtime

import (
	"sync"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/kernels"
)

// rowFunc computes d[i] = fn(a[i], b[i], c[i]) for adjacent elements. All inputs are as
// long as d; inputs that fn does not have are nil. d may be the same memory as one of the
// inputs. The only possible error is scalar.ErrDivideByZero; the contents of d are
// undefined after it.
type rowFunc func(d, a, b, c []byte) error

// chunkBytes is the maximum length in bytes of the rows that a rowFunc receives if
// operands must be copied to a temporary buffer first. Each core has temporary buffers of
// this size; longer rows are computed in several calls.
const chunkBytes = 4096

// rowKey identifies a specialized loop by its function and by the format in which the
// function interprets elements.
type rowKey struct {
	fn *scalar.Fn
	f  num.Format
}

// fastRows returns the table of loops in Go for frequently used functions. It builds the
// table on first use.
var fastRows = sync.OnceValue(func() fastTable {
	t := fastTable{}
	t.integers()
	t.floats()
	return t
})

// fastTable maps a function and an element format to a specialized loop in Go.
type fastTable map[rowKey]rowFunc

// reading returns the format in which fn interprets elements of format f. If fn is a
// function for signed or unsigned integers, it changes the signedness of an integer
// format. Formats that fn interprets in the same way have an equal result, so the result
// is usable as a key in tables of loops.
func reading(fn *scalar.Fn, f num.Format) num.Format {
	f = fn.Sign.Reading(f)
	if f.Signed() {
		return f.AsSigned()
	}
	return f
}

// rowLoop computes a function on rows of adjacent elements. The field vector is the loop
// in vector instructions, if there is one. The field rest is the loop for the elements
// that remain at the end of a row.
type rowLoop struct {
	vector kernels.Loop
	rest   rowFunc
}

// rowsOf returns the fastest implementation of fn on rows of elements of format f. The
// candidates are vector instructions, a specialized loop in Go, and a call of the general
// evaluator for each element.
func rowsOf(fn *scalar.Fn, f num.Format) rowFunc { return loopOf(fn, f).row() }

// loopOf returns the fastest implementation of fn on rows of elements of format f. The
// result contains the loop in vector instructions, and a separate loop for the elements
// that remain at the end of a row.
func loopOf(fn *scalar.Fn, f num.Format) *rowLoop { return loopAt(kernels.Best, fn, f) }

// loopAt returns the fastest implementation of fn on rows of elements of format f. It
// considers only machine instructions up to the given level, such as AVX2.
func loopAt(level kernels.Level, fn *scalar.Fn, f num.Format) *rowLoop {
	read := reading(fn, f)
	rest := fastRows()[rowKey{fn, read}]
	if rest == nil {
		rest = evalRows(fn, f)
	}
	vector, _ := kernels.Of(fn, read, level)
	return &rowLoop{vector, rest}
}

// row returns one function that computes complete rows. The function calls the vector
// loop if the processor has one, and the Go loop for the remaining elements.
func (r *rowLoop) row() rowFunc {
	if !r.vector.Exists() {
		return r.rest
	}
	return func(d, a, b, c []byte) error { return r.run(d, a, b, c, false) }
}

// run computes one row of results in d from the operands a, b and c. If the parameter
// back is set, run may process the elements from last to first; the order does not change
// the results, but can use the cache of the host better. The operand b can consist of a
// single element, repeated to kernels.HeldBytes bytes, which is used for each element of
// a.
func (r *rowLoop) run(d, a, b, c []byte, back bool) error {
	n := 0
	if r.vector.Exists() {
		n = r.vector.Run(d, a, b, c, back)
	}
	if b != nil && len(b) < len(d) {
		return r.runHeld(d, a, b, n)
	}
	if n == len(d) {
		return nil
	}
	return r.rest(d[n:], rowFrom(a, n), rowFrom(b, n), rowFrom(c, n))
}

// runLines computes several rows of n bytes each in the memory d. The array contains the
// operands. If held is set, each row of the second operand holds copies of a single
// element, repeated to kernels.HeldBytes bytes.
//
// If possible, runLines computes all rows in one call of the vector loop, because a call
// costs more than a short row. The vector loop refuses, for example, some operands that
// overlap d. In this case, runLines computes the rows one after the other; the result
// then depends on this order.
func (r *rowLoop) runLines(d kernels.Lines, in [3]kernels.Lines, lines, n int, held bool) error {
	if lines > 1 && r.vector.Exists() && r.vector.RunLines(d, in, lines, n, held) {
		return nil
	}
	for line := range lines {
		var rows [3][]byte
		for i, x := range in {
			if x.Data == nil {
				continue
			}
			if rows[i] = x.Data[line*x.Pitch:]; held && i == 1 {
				rows[i] = rows[i][:min(n, kernels.HeldBytes)]
			} else {
				rows[i] = rows[i][:n]
			}
		}
		if err := r.run(d.Data[line*d.Pitch:][:n], rows[0], rows[1], rows[2], false); err != nil {
			return err
		}
	}
	return nil
}

// runHeld computes the elements of d from byte n on. The second operand b consists of
// copies of a single element, which is used for each element of a. The slice b is shorter
// than d. runHeld therefore divides d into parts of the length of b, and calls the loop
// once for each part.
func (r *rowLoop) runHeld(d, a, b []byte, n int) error {
	for ; n < len(d); n += len(b) {
		end := min(n+len(b), len(d))
		if err := r.rest(d[n:end], a[n:end], b[:end-n], nil); err != nil {
			return err
		}
	}
	return nil
}

// rowFrom returns the bytes of row, a row of an operand, from index n to the end. If row
// is nil, because the function has fewer operands, the result is nil.
func rowFrom(row []byte, n int) []byte {
	if row == nil {
		return nil
	}
	return row[n:]
}

// evalRows returns a loop that calls the general evaluator of fn for each element. It is
// slow, but it defines the results that all other loops must produce.
func evalRows(fn *scalar.Fn, f num.Format) rowFunc {
	switch f.Bytes() {
	case 1:
		return evalRow[uint8](fn, f)
	case 2:
		return evalRow[uint16](fn, f)
	case 4:
		return evalRow[uint32](fn, f)
	}
	return evalRow[uint64](fn, f)
}

// word is the constraint for unsigned integer types, one for each size of an element.
type word interface {
	uint8 | uint16 | uint32 | uint64
}

// evalRow returns a loop that calls the general evaluator of fn for each element. The
// elements have format f and the size of the type T.
func evalRow[T word](fn *scalar.Fn, f num.Format) rowFunc {
	return func(d, a, b, c []byte) error {
		out, x := as[T](d), as[T](a)
		y, z := x, x
		if fn.Arity > 1 {
			y = as[T](b)
		}
		if fn.Arity > 2 {
			z = as[T](c)
		}
		for i := range out {
			r, err := fn.Eval3(f, uint64(x[i]), uint64(y[i]), uint64(z[i]))
			if err != nil {
				return err
			}
			out[i] = T(r)
		}
		return nil
	}
}

// wordFormats contains the unsigned integer formats, indexed by their size in bytes.
var wordFormats = [9]num.Format{1: num.U8, 2: num.U16, 4: num.U32, 8: num.U64}

// flushing returns a version of fn on format f that replaces denormal operands and
// results by zeros of the same sign. The hardware has such a mode for floats.
func flushing(fn *scalar.Fn, f num.Format) *scalar.Fn {
	if !f.IsFloat() {
		return fn
	}
	flushed := *fn
	flushed.FltBits = func(f num.Format, a, b, c uint64) uint64 {
		r, _ := fn.Eval3(f, flush(f, a), flush(f, b), flush(f, c)) // floats have no errors
		return flush(f, r)
	}
	return &flushed
}

// smallest contains, for each float format with denormals, the bits of the smallest
// positive normal number.
var smallest = map[num.Format]uint64{
	num.F16: 1 << 10, num.BF16: 1 << 7, num.F32: 1 << 23, num.F64: 1 << 52,
}

// flush returns the given bits, or a zero of the same sign if they are a denormal number
// of format f.
func flush(f num.Format, bits uint64) uint64 {
	if mag := bits &^ f.SignBit(); mag < smallest[f] {
		return bits & f.SignBit()
	}
	return bits
}

// fill sets every element of row to the value bits. An element has size bytes.
func fill(row []byte, size int, bits uint64) {
	for bits &= 1<<(8*size) - 1; size < 8; size *= 2 {
		bits |= bits << (8 * size)
	}
	first := row[:min(len(row), 512)] // the rest doubles what is filled, since copying is fast
	words := as[uint64](first)
	for i := range words {
		words[i] = bits
	}
	for at := 8 * len(words); at < len(first); at++ {
		first[at] = byte(bits >> (8 * (at % 8)))
	}
	for n := len(first); n < len(row); n *= 2 {
		copy(row[n:], row[:n])
	}
}

// fillLines fills a number of rows (the parameter lines), each with copies of one
// element. Row i consists of the n bytes that start at i*pitch in d. The element of row i
// has size bytes and starts at i*step in elems. kernels.Broadcast, the version in vector
// instructions, has the same parameters.
func fillLines(d, elems []byte, size, step, pitch, n, lines int) {
	done := kernels.Broadcast(kernels.Best, d, elems, size, step, pitch, n, lines)
	if done == n {
		return
	}
	for line := range lines {
		fill(d[line*pitch+done:][:n-done], size, num.Load(wordFormats[size], elems[line*step:]))
	}
}
