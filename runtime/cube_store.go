// This file copies matrices out of the accumulator through the FIXPIPE, between
// pointers: which conversion, which destination, which layout. The parameters of a copy
// come from operands and attributes, or in the packed forms from bit fields of words
// (cube_packed.go). Both are decoded to storeSettings, which a single routine executes.

package runtime

import (
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// productStore executes a copy out of the accumulator L0C, which can convert, quantize
// and rearrange the matrix.
type productStore struct {
	op       *ir.Op
	src, dst cubeArg
	// bits is the size of a destination element.
	bits int
	// atomic is the operation that combines stored elements with the previous contents of
	// memory.
	atomic   atomic
	settings func(fr *frame) (storeSettings, *Fault)
}

// storeSettings are the parameters of one execution of a copy out of the accumulator L0C.
type storeSettings struct {
	// m and n are the numbers of rows and columns of the matrix.
	m, n int
	// srcStride is the distance between columns of fractals in the source, in rows.
	// dstStride is the distance between rows, columns or fractals of the destination, in
	// elements.
	srcStride, dstStride int
	layout               sem.StoreLayout
	// fractal is the number of elements in one row of a destination fractal.
	fractal int
	// rowStride is the distance between rows of the source, in rows.
	rowStride int
	// loops is the number of matrices. loopSrc is the distance between matrices in rows
	// of the source, and loopDst the distance in elements of the destination.
	loops int
	// loopSrc and loopDst are the distances between consecutive matrices. loopSrc is in
	// rows of the source, and loopDst is in elements of the destination.
	loopSrc, loopDst int
	// split selects which half of the matrix each vector core receives.
	split sem.StoreHalves
	// sub is the number of the vector core whose unified buffer receives the complete
	// matrix, if split does not divide it.
	sub  int
	conv storeConversion
	unit sem.UnitMode
	// each replaces conv in equivalence proofs, which store symbolic expressions instead
	// of numbers. It is nil in ordinary runs.
	each elementFunc
}

// storeProduct compiles op into a step, a function that copies matrices out of the
// accumulator L0C.
func (p *planner) storeProduct(op *ir.Op, _ sem.StoreProduct) step {
	d := sem.StoreOf(op)
	s := &productStore{op: op, src: p.cubeArg(op, d.Source, reads), dst: p.cubeArg(op, d.Destination, writes)}
	if p.failed {
		return nil
	}
	s.src.quiet = true // hearSource reports it
	s.bits = s.dst.f.Bits()
	if d.Atomic.Fn != nil {
		s.dst.combines = true
		s.atomic = atomic{f: d.Atomic.Format, fn: d.Atomic.Fn}
	}
	if msg := analysis.CheckStoreAtomic(d, s.dst.f); msg != "" {
		p.errorf(op, "%s", msg)
	}
	if d.Packed {
		s.settings = p.packedSettings(s, d)
	} else {
		s.settings = p.storeSettings(s, d)
	}
	return s.exec
}

// storeSettings returns a function that reads the parameters of a copy out of the
// accumulator when the copy is executed. s describes the copy for execution, and d
// contains its decoded operands and attributes. The returned function faults if a value
// does not fit into its field of the instruction encoding.
func (p *planner) storeSettings(s *productStore, d *sem.Store) func(fr *frame) (storeSettings, *Fault) {
	shape := p.fields(s.op, []sem.Operand{d.M, d.N, d.SrcStride})
	split := p.number(d.Split)
	conv := p.storeConversion(s, d)
	fixed := storeSettings{loops: 1, rowStride: 1, unit: d.Unit, layout: d.Layout, split: d.Halves}
	wide := []sem.Operand{d.DstStride, d.Core, d.RowStride, d.Loops, d.LoopSrc, d.LoopDst}
	read := make([]func(fr *frame) uint64, len(wide))
	for i, o := range wide {
		read[i] = p.number(o)
	}
	return func(fr *frame) (storeSettings, *Fault) {
		t := fixed
		n, f := shape(fr)
		if f != nil {
			return t, f
		}
		t.m, t.n, t.srcStride = n[0], n[1], n[2]
		t.fractal = s.fractalCols(split(fr) != 0)
		to := [...]*int{&t.dstStride, &t.sub, &t.rowStride, &t.loops, &t.loopSrc, &t.loopDst}
		for i, o := range wide {
			x := read[i](fr)
			if x > maxStride {
				return t, faultAt(s.op, "has %s = %d, but this operand must be at most %d", o.Name, int64(x), maxStride)
			}
			if o.Given() {
				*to[i] = int(x)
			}
		}
		t.conv, f = conv(fr)
		return t, f
	}
}

// maxStride is the largest value of a 32-bit stride field in the encoding of a copy out
// of the accumulator. Larger strides are faults.
const maxStride = 1<<32 - 1

// fractalCols returns the number of elements in a row of a destination fractal, an inner
// block of the stored matrix. Rows of elements with at most 16 bits have 32 bytes. Rows
// of 32-bit elements have 16 elements, as in the accumulator, or, if split is set, 8
// elements (32 bytes).
func (s *productStore) fractalCols(split bool) int {
	if s.bits == 32 && !split {
		return accCols
	}
	return 8 * blockBytes / s.bits
}

// exec copies all matrices of the instruction out of L0C. L0C has a flag for each fractal
// (16 x 16 elements). If the instruction uses these flags, exec first waits until matrix
// products have raised the flags of all fractals that it reads. It lowers them after the
// last matrix.
func (s *productStore) exec(fr *frame) *Fault {
	t, f := s.settings(fr)
	if f != nil {
		return f
	}
	switch {
	case t.sub >= vectorCores:
		return faultAt(s.op, "writes to vector core %d, but a block has only %d vector cores, numbered from 0", t.sub, vectorCores)
	case t.split == sem.SplitRows && t.m%2 != 0, t.split == sem.SplitCols && t.n%2 != 0:
		return faultAt(s.op, "splits %dx%d elements into two halves, but the number of rows or columns to split is odd", t.m, t.n)
	case t.loops > maxField:
		return faultAt(s.op, "repeats %d times, but must repeat at most %d times", t.loops, maxField)
	case t.m == 0 || t.n == 0:
		return nil
	}
	src, dst := fr.x[s.src.ptr], fr.x[s.dst.ptr]
	if t.unit != sem.UnitOff {
		if f := s.waitPublished(fr.core, &t, src); f != nil {
			return f
		}
	}
	for range t.loops {
		if f := s.matrix(fr, &t, src, dst); f != nil {
			return f
		}
		src += uint64(t.loopSrc) * accCols * accSize
		dst += uint64(t.loopDst*s.bits) / 8
	}
	if t.unit == sem.UnitChanges {
		s.release(fr.core, &t, fr.x[s.src.ptr])
	}
	return nil
}

// matrix copies one matrix from address src in L0C to address dst. The settings t
// describe its size, its layout and the conversion of its elements. If t.split is set,
// matrix copies one half of the rows or columns to each of the two vector cores.
func (s *productStore) matrix(fr *frame, t *storeSettings, src, dst uint64) *Fault {
	rows := (t.m-1)*t.rowStride + 1
	acc, f := s.src.bytes(fr.core, src, ((t.n-1)/accCols*t.srcStride+rows)*accCols*accSize)
	if f != nil {
		return f
	}
	s.hearSource(fr, t, src)
	if x := fr.core.lin; x != nil {
		t.each = x.converting(x.t, &t.conv, t.conv.tileElement)
	}
	w := storeWindow{s: s, t: t, acc: as[uint32](acc), rows: t.m, cols: t.n, sub: t.sub}
	if t.split == sem.Unsplit {
		return w.store(fr, dst)
	}
	if t.split == sem.SplitRows {
		w.rows /= 2
	} else {
		w.cols /= 2
	}
	for w.sub = range vectorCores {
		if f := w.store(fr, dst); f != nil {
			return f
		}
		if t.split == sem.SplitRows {
			w.row += w.rows
		} else {
			w.col += w.cols
		}
	}
	return nil
}

// storeWindow is the rectangle of a matrix that a copy out of the accumulator writes to
// one destination: global memory, or the memory of one core.
type storeWindow struct {
	s *productStore
	t *storeSettings
	// acc are the accumulator elements, starting with the first element of the matrix.
	acc []uint32
	// row and col are the position of the rectangle in the matrix.
	row, col   int
	rows, cols int
	// sub is the number of the vector core that receives the rectangle.
	sub int
	// dst is the address to which the rectangle is written.
	dst uint64
	// line is a scratch buffer for one contiguous destination row, with up to 8 bytes per
	// element.
	line []byte
}

// store writes the rectangle to address dst as a sequence of contiguous runs of elements.
// The layout of the destination determines what a run is: a column of the matrix, a row
// of the matrix, or a row of a fractal (an inner block). Bounds checks and atomic
// operations apply to a complete run.
func (w *storeWindow) store(fr *frame, dst uint64) *Fault {
	w.dst = dst
	w.line = fr.core.bytes(8 * max(w.rows, w.cols))
	switch w.t.layout {
	case sem.ByColumn:
		for j := range w.cols {
			if f := w.put(fr, j*w.t.dstStride, 0, j, w.rows, true); f != nil {
				return f
			}
		}
	case sem.ByFractal:
		for j := 0; j < w.cols; j += w.t.fractal {
			for i := range w.rows {
				at := j/w.t.fractal*w.t.dstStride + i*w.t.fractal
				if f := w.put(fr, at, i, j, min(w.t.fractal, w.cols-j), false); f != nil {
					return f
				}
			}
		}
	default:
		for i := range w.rows {
			if f := w.put(fr, i*w.t.dstStride, i, 0, w.cols, false); f != nil {
				return f
			}
		}
	}
	return nil
}

// put converts several elements of the rectangle and writes them; the parameter count is
// their number. They start at row i and column j. If the parameter down is true, they
// continue down the column; otherwise they continue along the row. at is the element
// offset in the destination to which the first element is written.
func (w *storeWindow) put(fr *frame, at, i, j, count int, down bool) *Fault {
	s, size := w.s, w.s.dst.f.Bytes()
	if s.bits < 8 {
		return w.putNibbles(fr, at, i, j, count, down)
	}
	for k := range count {
		num.Store(s.dst.f, w.line[k*size:], w.element(i, j, k, down))
	}
	to, f := w.bytesAt(fr, uint64(at*size), count*size)
	if f != nil {
		return f
	}
	switch {
	case s.atomic.f != num.Invalid:
		fr.core.combine(s.atomic, to, w.line[:len(to)])
	case s.dst.space == sem.GM:
		fr.core.put(to, w.line[:len(to)])
	default:
		copy(to, w.line)
	}
	return nil
}

// putNibbles converts and writes count elements of 4 bits, starting at row i and column j
// of the rectangle. They continue along the row, or down the column if down is set. The
// parameter at is the element offset in the destination. The first and last destination
// byte can contain a neighbouring element that is not written; putNibbles preserves it.
func (w *storeWindow) putNibbles(fr *frame, at, i, j, count int, down bool) *Fault {
	to, f := w.bytesAt(fr, uint64(at/2), (at%2+count+1)/2)
	if f != nil {
		return f
	}
	for k := range count {
		num.SetNibble(to, at%2+k, w.element(i, j, k, down))
	}
	return nil
}

// element returns the bits of an element of the rectangle after conversion to the
// destination format. It is the k-th element after the one at row i and column j. If the
// parameter down is true, k counts down the column; otherwise it counts along the row.
func (w *storeWindow) element(i, j, k int, down bool) uint64 {
	if down {
		i += k
	} else {
		j += k
	}
	i, j = w.row+i, w.col+j
	if w.t.each != nil {
		return w.t.each(uint64(w.acc[accOffset(i*w.t.rowStride, j, w.t.srcStride)]), j)
	}
	return w.t.conv.element(w.acc[accOffset(i*w.t.rowStride, j, w.t.srcStride)], j)
}

// bytesAt returns n bytes of the destination of a store, beginning off bytes after the
// start of the destination. A cube core has no unified buffer. If the destination is a
// unified buffer, it belongs to vector core w.sub of the same block, to which the store
// copies its rectangle.
func (w *storeWindow) bytesAt(fr *frame, off uint64, n int) ([]byte, *Fault) {
	if w.s.dst.space == sem.UB {
		return w.s.dst.unified(fr.core, w.sub, w.dst+off, n)
	}
	return w.s.dst.bytes(fr.core, w.dst+off, n)
}
