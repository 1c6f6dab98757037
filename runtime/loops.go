package runtime

import (
	"sync"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/kernels"
)

// rowFunc computes d[i] = fn(a[i], b[i], c[i]) for elements that lie side by
// side. All rows have the length of d; those beyond the arity of fn are nil.
// d may be one of the inputs. The only error is scalar.ErrDivideByZero, after
// which d is undefined.
type rowFunc func(d, a, b, c []byte) error

// chunkBytes bounds the length of the rows that rowFuncs get from operands
// that must be copied to scratch memory first.
const chunkBytes = 4096

// rowKey selects a fast loop: a function, and the format as it reads it.
type rowKey struct {
	fn *scalar.Fn
	f  num.Format
}

// fastRows returns the loops for hot functions.
var fastRows = sync.OnceValue(func() fastTable {
	t := fastTable{}
	t.integers()
	t.floats()
	return t
})

type fastTable map[rowKey]rowFunc

// reading is how fn reads elements of f; signless integers have a sign.
func reading(fn *scalar.Fn, f num.Format) num.Format {
	f = fn.Sign.Reading(f)
	if f.Signed() {
		return f.AsSigned()
	}
	return f
}

// rowLoop computes rows with vector instructions, as far as there are any for
// its function, and what is left with another loop.
type rowLoop struct {
	vector kernels.Loop
	rest   rowFunc
}

// rowsOf returns the loop for fn on elements of f: one in assembly if there is
// one, else a fast one, else one that asks the table of functions for each
// element.
func rowsOf(fn *scalar.Fn, f num.Format) rowFunc { return loopOf(fn, f).row() }

// loopOf is rowsOf with its parts.
func loopOf(fn *scalar.Fn, f num.Format) *rowLoop { return loopAt(kernels.Best, fn, f) }

// loopAt is loopOf with the vector instructions of a level.
func loopAt(level kernels.Level, fn *scalar.Fn, f num.Format) *rowLoop {
	read := reading(fn, f)
	rest := fastRows()[rowKey{fn, read}]
	if rest == nil {
		rest = evalRows(fn, f)
	}
	vector, _ := kernels.Of(fn, read, level)
	return &rowLoop{vector, rest}
}

// row is the loop as a function.
func (r *rowLoop) row() rowFunc {
	if !r.vector.Exists() {
		return r.rest
	}
	return func(d, a, b, c []byte) error { return r.run(d, a, b, c, false) }
}

// run computes a row, and begins at its end if back says so and it does not
// matter. b may have kernels.HeldBytes of one element that stands for all.
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
	return r.rest(d[n:], behind(a, n), behind(b, n), behind(c, n))
}

// runLines computes lines of n bytes: in one call where it can, else one by one,
// which says what becomes of operands that d shares bytes with. held is as for
// [kernels.Loop.RunLines].
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

// runHeld computes what is left from byte n on, in pieces as long as b.
func (r *rowLoop) runHeld(d, a, b []byte, n int) error {
	for ; n < len(d); n += len(b) {
		end := min(n+len(b), len(d))
		if err := r.rest(d[n:end], a[n:end], b[:end-n], nil); err != nil {
			return err
		}
	}
	return nil
}

// after is a row from byte n on, if there is a row.
func behind(row []byte, n int) []byte {
	if row == nil {
		return nil
	}
	return row[n:]
}

// evalRows evaluates fn element by element. It is slow, and defines the results that
// all other loops must give.
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

type word interface {
	uint8 | uint16 | uint32 | uint64
}

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

// wordFormats are the unsigned integer formats by their size in bytes.
var wordFormats = [9]num.Format{1: num.U8, 2: num.U16, 4: num.U32, 8: num.U64}

// flushing wraps fn so that denormals among its operands and results count as
// zeros of the same sign, as the hardware can be told to.
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

// smallest is the smallest normal magnitude of the formats that have
// denormals worth flushing.
var smallest = map[num.Format]uint64{
	num.F16: 1 << 10, num.BF16: 1 << 7, num.F32: 1 << 23, num.F64: 1 << 52,
}

func flush(f num.Format, bits uint64) uint64 {
	if mag := bits &^ f.SignBit(); mag < smallest[f] {
		return bits & f.SignBit()
	}
	return bits
}

// fill sets every element of a row.
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

// fillLines sets n bytes of each line, pitch bytes from each other, to elements:
// one for each line, step bytes from each other. Its parameters are those of
// kernels.Broadcast.
func fillLines(d, elems []byte, size, step, pitch, n, lines int) {
	done := kernels.Broadcast(kernels.Best, d, elems, size, step, pitch, n, lines)
	if done == n {
		return
	}
	for line := range lines {
		fill(d[line*pitch+done:][:n-done], size, num.Load(wordFormats[size], elems[line*step:]))
	}
}
