// This file executes reductions of rows and columns.

package runtime

import (
	"math"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
	"ptogo/runtime/kernels"
)

// This file reduces the rows or columns of a tile. Floating-point sums depend on their
// order, so sem defines a sequence for each instruction and target. Three
// implementations give the same result: a loop of package kernels if rows are
// contiguous, sums of whole rows for reductions along columns, and a loop over elements
// otherwise.

// tileReduce compiles op into a step, a function that reduces each row or column of a
// tile to one element, for example to its sum.
func (p *planner) tileReduce(op *ir.Op, kind sem.TileReduce) step {
	o := sem.TileEndsOf(op)
	src, dst := p.tileOperand(op, o.Src), p.tileOperand(op, o.Dst)
	if src.l == nil || dst.l == nil {
		return nil
	}
	f := src.l.f
	if !kind.Fn.Supports(f) {
		p.errorf(op, "applies the function %s to elements of type %s, which pto-run does not support", kind.Fn, f)
		return nil
	}
	q := kind.Sequence(op, p.target)
	r := &tileReduce{op: op, src: src, dst: dst, alongCol: kind.Axis == sem.AlongCol, finds: kind.Arg}
	switch {
	case q.Of != scalar.InTurn:
		ordered := newOrderedReduce(kind, q, f)
		r.reduce = ordered.reduce
		if ordered.sums() && !src.l.boxed && dst.l.f == f {
			r.sums = ordered
		}
	case kind.Arg:
		r.reduce = argReduce(kind.Fn, f)
	default:
		r.reduce = reduceOf(kind.Fn, f)
		if r.alongCol {
			r.row = rowsOf(kind.Fn, f)
		}
	}
	if !src.l.boxed && dst.l.size == r.result() && (q.Of == scalar.InTurn || q.Of == scalar.InTwos) {
		of := kernels.Reduction{Fn: kind.Fn, Format: reading(kind.Fn, f), Finds: kind.Arg, Across: src.l.byCols != r.alongCol, Twos: q.Of == scalar.InTwos}
		r.reductions = kernels.Reducers(of, kernels.Best)
	}
	return p.checked(op, r.exec)
}

// tileReduce executes a reduction of each row of a tile to one element. If alongCol is
// set, it reduces each column instead.
type tileReduce struct {
	op       *ir.Op
	src, dst tileOperand
	alongCol bool
	// finds means that the result is the position of the maximum or minimum instead of
	// its value.
	finds bool
	// reduce returns the reduction of one row (or column) of elements.
	reduce func(c *core, row []byte) uint64
	// row combines a complete row of a tile with a row of results, for reductions along
	// columns; it can be nil.
	row rowFunc
	// reductions are the vectorized loops, or nil.
	reductions []kernels.Reducer
	// sums computes row sums in the order of the target, if there are vectorized loops
	// for that order.
	sums *orderedReduce
}

// result returns the size in bytes of one result of the reduction loops: 4 for a position
// (of a maximum or minimum), and the element size for a reduced value.
func (r *tileReduce) result() int {
	if r.finds {
		return 4
	}
	return r.src.l.size
}

// exec computes the reduction with the fastest method that the operands permit.
func (r *tileReduce) exec(fr *frame) *Fault {
	s, d, c := fr.t[r.src.at], fr.t[r.dst.at], fr.core
	lines, n := s.lines(r.alongCol)
	if n == 0 {
		return nil
	}
	if r.alongCol && lines > r.dst.l.cols || !r.alongCol && lines > r.dst.l.rows {
		return faultAt(r.op, "reduces %d rows or columns of \"src\" to one element each, but \"dst\" has room for only %dx%d elements", lines, r.dst.l.rows, r.dst.l.cols)
	}
	switch {
	case r.sums != nil && !overlap(d.data, s.data):
		r.sumRows(c, s, d, lines, n)
		return nil
	case r.reductions != nil && n > 1: // one element stays as it is
		r.reduceMany(c, s, d, lines, n)
		return nil
	case r.row != nil:
		return r.reduceRows(fr, s, d)
	}
	from := r.src.l.over(s, r.alongCol, c.bytes(n*r.src.l.size))
	for i := range lines {
		x := r.reduce(c, from.read(i, 0, n))
		if r.alongCol {
			r.dst.l.set(d, 0, i, x)
		} else {
			r.dst.l.set(d, i, 0, x)
		}
	}
	return nil
}

// sumRows adds the first n elements of each row of the tile s, and stores the sums in the
// tile d. The parameter lines is the number of rows. The elements are added in the order
// of the target, because the order changes the rounding.
func (r *tileReduce) sumRows(c *core, s, d *tile, lines, n int) {
	size := r.dst.l.size
	scratch := c.bytes(4*roundUp(lines, 2) + lines*size)
	sums := scratch[:4*lines]
	r.sums.sumRows(c, as[float32](sums), s.data, s.pitch*size, n)
	to := r.dst.l.over(d, true, scratch[4*roundUp(lines, 2):])
	results := to.destination(0, 0, lines)
	r.sums.results(results, sums)
	to.write(0, 0, lines, results)
}

// reduceRows reduces each column of the tile s to one element of the tile d. It reads s
// row by row and combines each row with a row of intermediate results. One call of the
// row function therefore processes many columns.
func (r *tileReduce) reduceRows(fr *frame, s, d *tile) *Fault {
	c := fr.core
	from := r.src.l.over(s, false, c.scratch[0])
	to := r.dst.l.over(d, false, c.scratch[1])
	acc := c.scratch[2]
	longest := chunkBytes / r.src.l.size
	for at := 0; at < s.cols; at += longest {
		k := min(longest, s.cols-at)
		sum := acc[:k*r.src.l.size]
		copy(sum, from.read(0, at, k))
		for i := 1; i < s.rows; i++ {
			if err := r.row(sum, sum, from.read(i, at, k), nil); err != nil {
				return faultAt(r.op, "fails: %s", err)
			}
		}
		out := to.destination(0, at, k)
		copy(out, sum)
		to.write(0, at, k, out)
	}
	return nil
}

// reduceMany reduces the given number of rows (or columns) of n elements. Vectorized
// loops reduce several at once; the remaining ones are reduced one by one.
func (r *tileReduce) reduceMany(c *core, s, d *tile, lines, n int) {
	size, out := r.src.l.size, r.dst.l.size
	pitch := s.pitch * size
	step := pitch
	if r.src.l.byCols != r.alongCol {
		step = size
	}
	scratch := c.bytes(lines*out + n*size)
	from := r.src.l.over(s, r.alongCol, scratch[lines*out:])
	to := r.dst.l.over(d, !r.alongCol, scratch)
	results := to.destination(0, 0, lines)
	if overlap(d.data, s.data) { // a result may lie on what is still to be read
		results = scratch[:lines*out]
	}
	done, elems := 0, 0
	for i := range r.reductions {
		var many int
		if many, elems = r.reductions[i].Run(results[done*out:], s.data[done*step:], pitch, lines-done, n); elems < n {
			r.reduceRest(c, &from, results, done, done+many, elems)
		}
		done += many
	}
	r.reduceRest(c, &from, results, done, lines, 0)
	copy(to.destination(0, 0, lines), results)
	to.write(0, 0, lines, results)
}

// reduceRest reduces rows sequentially (or columns, if the instruction reduces columns).
// The parameter line is the number of the first row, and end is the number after the last
// row. The cursor in the parameter from reads these rows. For each row, reduceRest writes
// one result to the slice results. If the parameter elems is not 0, earlier code has
// already reduced the first elems elements of each row, and the slice contains these
// partial results.
func (r *tileReduce) reduceRest(c *core, from *cursor, results []byte, line, end, elems int) {
	_, n := from.t.lines(r.alongCol)
	out := r.dst.l.size
	for ; line < end; line++ {
		if row := from.read(line, 0, n); elems == 0 {
			num.Store(r.dst.l.f, results[line*out:], r.reduce(c, row))
		} else {
			r.reduceOn(c, results[line*out:][:out], row, elems)
		}
	}
}

// reduceOn continues the reduction of a row (or column) from element n on. The parameter
// result contains the result for the elements before n and receives the new result.
func (r *tileReduce) reduceOn(c *core, result, line []byte, n int) {
	size, f := r.src.l.size, r.dst.l.f
	first := result
	if r.finds {
		first = line[num.Load(f, result)*uint64(size):][:size]
	}
	rest := c.scratch[0][:len(line)-(n-1)*size]
	copy(rest, first)
	copy(rest[size:], line[n*size:])
	x := r.reduce(c, rest)
	if r.finds {
		if x == 0 {
			return
		}
		x += uint64(n) - 1
	}
	num.Store(f, result, x)
}

// reduceOf returns a function that reduces a row with fn from left to right and rounds
// each intermediate result to format f.
func reduceOf(fn *scalar.Fn, f num.Format) func(c *core, row []byte) uint64 {
	if f == num.F32 && fn == scalar.Add {
		return func(_ *core, row []byte) uint64 {
			xs := as[float32](row)
			acc := xs[0]
			for _, x := range xs[1:] {
				acc += x
			}
			return uint64(math.Float32bits(canonical(acc)))
		}
	}
	if f == num.F32 && fn.FltBits == nil {
		return func(_ *core, row []byte) uint64 {
			xs := as[float32](row)
			acc := canonical(xs[0])
			for _, x := range xs[1:] {
				acc = canonical(float32(fn.Flt(float64(acc), float64(x), 0)))
			}
			return num.Encode(num.F32, float64(acc), num.NearestEven, false)
		}
	}
	n := f.Bytes()
	return func(_ *core, row []byte) uint64 {
		acc := num.Load(f, row)
		for at := n; at < len(row); at += n {
			acc, _ = fn.Eval2(f, acc, num.Load(f, row[at:])) // reduces do not divide
		}
		return acc
	}
}

// argReduce returns a function that finds the position of the maximum or minimum (fn) of
// a row of elements of format f. Of equal elements, it returns the first; NaN precedes
// all numbers.
func argReduce(fn *scalar.Fn, f num.Format) func(c *core, row []byte) uint64 {
	beats, n := sem.Beats(fn), f.Bytes()
	switch f.Signless() {
	case num.F32:
		return argRow(beats.On)
	case num.F16, num.BF16:
		return argNarrow(beats.On, converter(f, num.F32, num.NearestEven, false))
	}
	return func(_ *core, row []byte) uint64 {
		best, at := num.Load(f, row), 0
		for i := 1; i < len(row)/n; i++ {
			if x := num.Load(f, row[i*n:]); better(beats, f, x, best) {
				best, at = x, i
			}
		}
		return uint64(at)
	}
}

// argRow returns a function that finds the position of the maximum or minimum of a row of
// f32 elements. The parameter beats contains the outcomes of a comparison (such as
// greater) for which an element replaces the extreme element found so far.
func argRow(beats scalar.Order) func(c *core, row []byte) uint64 {
	return func(_ *core, row []byte) uint64 {
		at, _ := argBest(as[float32](row), 0, as[float32](row)[0], beats)
		return uint64(at)
	}
}

// argNarrow returns a function that finds the position of the maximum or minimum of a row
// of 16-bit floats. The function widen converts the elements to f32 for the comparison.
// The function compares each element with the best element of the preceding ones. The
// parameter beats is the set of outcomes (less, equal, greater, unordered) for which the
// new element becomes the best one.
func argNarrow(beats scalar.Order, widen convertFunc) func(c *core, row []byte) uint64 {
	return func(c *core, row []byte) uint64 {
		wide := c.scratch[1]
		widen(wide[:4], row[:2])
		at, best := 0, as[float32](wide)[0]
		for from := 0; from < len(row); from += len(wide) / 2 {
			piece := row[from:min(from+len(wide)/2, len(row))]
			widen(wide[:2*len(piece)], piece)
			if i, x := argBest(as[float32](wide[:2*len(piece)]), -1, best, beats); i >= 0 {
				at, best = from/2+i, x
			}
		}
		return uint64(at)
	}
}

// argBest continues a search for the maximum or minimum in the slice xs. The parameter
// best is the extreme element so far, and the parameter at is its position. The parameter
// beats contains the outcomes of a comparison (such as greater) for which an element
// replaces best. It returns the new position and element.
func argBest(xs []float32, at int, best float32, beats scalar.Order) (int, float32) {
	if best != best {
		return at, best
	}
	less := beats == scalar.Less
	for i, x := range xs {
		if less && x >= best || !less && x <= best {
			continue
		}
		if at, best = i, x; x != x {
			break
		}
	}
	return at, best
}

// words returns temporary memory for n 64-bit words. Its contents are undefined, and the
// next call reuses it.
func (c *core) words(n int) []uint64 {
	if len(c.numbers) < n {
		c.numbers = make([]uint64, n)
	}
	return c.numbers[:n]
}

// bytes returns n bytes of temporary memory. Their contents are undefined, and the next
// call reuses them.
func (c *core) bytes(n int) []byte {
	if len(c.large) < n {
		c.large = bytesOf(make([]uint64, (n+7)/8))
	}
	return c.large[:n]
}
