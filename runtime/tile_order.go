// This file computes sums and products of floats in the exact order in which each
// target reduces rows and columns.

package runtime

import (
	"math"

	"ptogo/dialect/pto/sem"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/kernels"
)

// orderedReduce computes sums or products of floats in the order in which the target adds
// or multiplies, because the order changes the rounding. Elements are converted to f32,
// which is exact.
type orderedReduce struct {
	q scalar.Sequence
	f num.Format
	// lanewise combines the corresponding lanes of two registers, and across combines the
	// lanes of one register.
	lanewise, across func(a, b float32) float32
	// widen and narrow convert from and to f32; both are nil for f32 elements.
	widen, narrow convertFunc
	// add is the loop that adds rows of f32 elements.
	add *rowLoop
	// fromZero means that the reduction starts at +0.
	fromZero bool
	// copies means that a single element is copied unchanged, even if it is a
	// non-canonical NaN.
	copies bool
}

// newOrderedReduce returns a reduction of elements of format f, which combines them in
// the order q. Most reductions round each intermediate result to f. Two types of
// reductions round to f only once, at the end: sums of rows, and, on A2/A3, products
// across the lanes of a register.
func newOrderedReduce(kind sem.TileReduce, q scalar.Sequence, f num.Format) *orderedReduce {
	wide := func(a, b float32) float32 { return a + b }
	if kind.Fn == scalar.Mul {
		wide = func(a, b float32) float32 { return a * b }
	}
	rounded := wide
	if f != num.F32 {
		rounded = func(a, b float32) float32 {
			return float32(num.Decode(f, num.Encode(f, float64(wide(a, b)), num.NearestEven, false)))
		}
	}
	o := &orderedReduce{q: q, f: f, lanewise: rounded, across: rounded, add: loopOf(scalar.Add, num.F32), copies: kind.Axis == sem.AlongCol}
	switch q.Of {
	case scalar.ByRepeats, scalar.ByChunks, scalar.ByEighths:
		o.lanewise, o.across, o.fromZero = wide, wide, q.Of == scalar.ByChunks
	case scalar.ByBlocks:
		o.across = wide
	}
	if f != num.F32 {
		o.widen = converter(f, num.F32, num.NearestEven, false)
		o.narrow = converter(num.F32, f, num.NearestEven, false)
	}
	return o
}

// read converts the elements of row to f32 and returns them as a copy in temporary memory
// of core c.
func (o *orderedReduce) read(c *core, row []byte) []float32 {
	n := len(row) / o.f.Bytes()
	xs := bytesOf(c.words((n + 1) / 2))[:4*n]
	if o.widen == nil {
		copy(xs, row)
	} else {
		o.widen(xs, row)
	}
	return as[float32](xs)
}

// reduce adds or multiplies the elements of row in the order of the target, because the
// order changes the rounding. It returns the bits of the result in the element format.
func (o *orderedReduce) reduce(c *core, row []byte) uint64 {
	if o.copies && len(row) == o.f.Bytes() { // as the headers copy the first row
		return num.Load(o.f, row)
	}
	return o.result(scalar.Reduce(o.q, o.read(c, row), o.lanewise, o.across))
}

// result rounds x, a sum or product in f32, to the element format of the result and
// returns its bits.
func (o *orderedReduce) result(x float32) uint64 {
	if o.fromZero {
		x += 0 // -0 becomes +0
	}
	if o.f == num.F32 {
		return uint64(math.Float32bits(canonical(x)))
	}
	return num.Encode(o.f, float64(x), num.NearestEven, false)
}

// results converts f32 sums to elements of the result format and stores them in d. It
// first adds a zero to each sum, because the addition replaces every NaN by the canonical
// NaN. The zero is +0 if the target starts its sums at +0; adding it changes -0 to +0, as
// on the target. In all other cases the zero is -0, which changes no number.
func (o *orderedReduce) results(d, sums []byte) {
	to := d
	if o.narrow != nil {
		to = sums
	}
	zero := &negativeZeros
	if o.fromZero {
		zero = &zeros
	}
	_ = o.add.run(to, sums, zero[:min(len(to), len(zero))], nil, false) // sums have no errors
	if o.narrow != nil {
		o.narrow(d, sums)
	}
}

// zeros contains copies of the f32 number +0, and negativeZeros copies of -0, as a
// constant operand of vectorized loops.
var zeros, negativeZeros [kernels.HeldBytes]byte

func init() { fill(negativeZeros[:], 4, 1<<31) }

// sums reports whether vectorized loops exist for the reduction as a sum of rows. This
// depends on the number format and on the order of the additions.
func (o *orderedReduce) sums() bool {
	return (o.f == num.F32 || o.f == num.F16) && (o.q.Of == scalar.ByRepeats || o.q.Of == scalar.ByChunks || o.q.Of == scalar.ByEighths)
}

// rowsAtOnce is the maximum number of rows that sumFew copies to temporary memory and
// sums in one call. Most rows are summed without a copy. A copy is necessary, for
// example, if the length of a row is not a multiple of the number of elements that a loop
// adds at once.
const rowsAtOnce = 4

// sumRows computes the sums of len(sums) rows of n elements each. Rows start pitch bytes
// apart in data.
func (o *orderedReduce) sumRows(c *core, sums []float32, data []byte, pitch, n int) {
	const lanes = kernels.SumLanes
	if o.q.Of == scalar.ByEighths && pitch == 4*n {
		o.sumEighths(c, sums, data, n)
		return
	}
	done, pieces, rows := 0, n/lanes, len(sums)
	if o.q.Of != scalar.ByEighths && n%lanes == 0 && (o.q.Of == scalar.ByChunks || n <= o.q.Lanes) { // as they are
		done = rows / rowsAtOnce * rowsAtOnce
		o.sumPieces(c, sums[:done], data, pitch, pieces)
	}
	for ; done < rows; done += rowsAtOnce {
		o.sumFew(c, sums[done:min(done+rowsAtOnce, rows)], data[done*pitch:], pitch, n)
	}
}

// sumPieces computes the sums of rows that consist of complete chunks (one hardware
// register each), without copying the rows. It stores one sum per row in the slice sums.
// The parameter pieces is the number of chunks of a row. The parameter data contains the
// rows, and pitch is the distance in bytes between the starts of two adjacent rows.
func (o *orderedReduce) sumPieces(c *core, sums []float32, data []byte, pitch, pieces int) {
	if pieces == 1 {
		kernels.SumRows(o.f, kernels.Best, sums, data, pitch, len(sums))
		return
	}
	rows := len(sums)
	parts := as[float32](bytesOf(c.words((pieces*rows + 1) / 2)))
	for k := range pieces {
		kernels.SumRows(o.f, kernels.Best, parts[k*rows:], data[k*kernels.SumLanes*o.f.Bytes():], pitch, rows)
	}
	for r := range sums {
		sums[r] = o.piecesOf(parts[r:], rows, pieces)
	}
}

// piecesOf returns the sum of a row whose chunks have already been added up. The
// parameter pieces is the number of chunks, and the parameter step is the distance
// between their sums in the slice: the sum of chunk k is sums[k*step]. If a hardware
// register holds two chunks, piecesOf first adds these two, and then adds the results in
// order.
func (o *orderedReduce) piecesOf(sums []float32, step, pieces int) float32 {
	per := o.q.Lanes / kernels.SumLanes
	var acc float32
	for k := 0; k < pieces; k += per {
		x := sums[k*step]
		if per == 2 && k+1 < pieces {
			x += sums[(k+1)*step]
		}
		if k == 0 {
			acc = x
		} else {
			acc += x
		}
	}
	return acc
}

// sumFew computes the sums of a few rows of n elements. The rows start pitch bytes apart
// in data. sumFew copies the rows to temporary memory, in which it converts the elements
// to f32 and pads each row with -0; adding -0 does not change a sum. It adds the elements
// in the same order as the target. If the target processes a row in registers, it first
// adds the registers, lane by lane, and then the lanes of the resulting register.
func (o *orderedReduce) sumFew(c *core, sums []float32, data []byte, pitch, n int) {
	const lanes = kernels.SumLanes
	if o.q.Of == scalar.ByEighths {
		for r := range sums {
			sums[r] = scalar.Reduce(o.q, o.read(c, data[r*pitch:][:n*o.f.Bytes()]), o.lanewise, o.across)
		}
		return
	}
	width := roundUp(n, lanes)
	work := bytesOf(c.words(rowsAtOnce * (width + lanes) / 2))
	xs, parts := work[:rowsAtOnce*width*4], as[float32](work[rowsAtOnce*width*4:])
	left := n
	for r := range sums {
		row := xs[r*width*4:][:width*4]
		if from := data[r*pitch:][:n*o.f.Bytes()]; o.widen == nil {
			copy(row, from)
		} else {
			o.widen(row[:4*n], from)
		}
		if o.q.Of == scalar.ByRepeats && n > o.q.Lanes {
			left = o.q.Lanes
			scalar.Repeats(n, left, func(to, a, b, count int) {
				o.add.run(row[4*to:][:4*count], row[4*a:][:4*count], row[4*b:][:4*count], nil, false) // sums have no errors
			})
		}
		fill(row[4*left:4*roundUp(left, lanes)], 4, 1<<31) // -0
	}
	pieces := roundUp(left, lanes) / lanes
	for k := range pieces {
		kernels.SumRows(num.F32, kernels.Best, parts[k*rowsAtOnce:], xs[4*k*lanes:], 4*width, rowsAtOnce)
	}
	for r := range sums {
		sums[r] = o.piecesOf(parts[r:], rowsAtOnce, pieces)
	}
}

// sumEighths computes the sums of rows of n elements without gaps. It adds in the order
// scalar.ByEighths, in which the public header files of PTO sum such rows: groups of
// eight elements first, and then the results of neighbouring groups.
func (o *orderedReduce) sumEighths(c *core, sums []float32, data []byte, n int) {
	const lanes = kernels.SumLanes
	rows, chunks := len(sums), n/lanes
	per := 8 // results of a chunk
	if chunks > 4 {
		per = 1
	}
	parts := as[float32](bytesOf(c.words(rows * chunks * per / 2)))
	if per == 1 {
		kernels.SumRows(num.F32, kernels.Best, parts, data, 4*lanes, rows*chunks)
	} else {
		kernels.SumEighths(kernels.Best, parts, data, 4*lanes, rows*chunks)
	}
	for r := range sums {
		xs := parts[r*chunks*per:][:chunks*per]
		for ; len(xs) > 8; xs = xs[:len(xs)/2] {
			for i := range len(xs) / 2 {
				xs[i] = xs[i/8*16+i%8] + xs[i/8*16+i%8+8]
			}
		}
		sums[r] = scalar.Reduce(scalar.Sequence{Of: scalar.InPairs}, xs, o.across, o.across)
	}
}
