// This file emits copies out of the accumulator.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// productStore holds the parameters of a copy of a matrix product out of the accumulator
// (L0C).
type productStore struct {
	c        *code
	src, dst cubeArg
	// atomic states how stored elements are combined with the contents of memory.
	atomic sem.Atomic

	// m and n are the numbers of rows and columns of the matrix.
	m, n value.Value
	// srcStride is the distance between columns of fractals in the source, in rows of 16
	// elements. dstStride is the distance between rows, columns or columns of fractals in
	// the destination, depending on its layout; it is in elements.
	srcStride, dstStride value.Value
	// rowStride is the distance between rows of the source, in rows of 16 elements.
	rowStride value.Value
	// fractal is the number of elements in a row of a destination fractal.
	fractal value.Value
	// loops is the number of matrices that the instruction copies.
	loops value.Value
	// loopSrc and loopDst are the distances between consecutive matrices in the source
	// (in rows of 16 elements) and in the destination (in elements).
	loopSrc, loopDst value.Value
	// splitRows and splitCols (i1) mean that each of the two vector cores receives one
	// half of the rows or columns.
	splitRows, splitCols value.Value
	// core is the number of the vector core whose unified buffer receives the matrix,
	// unless splitRows or splitCols divides the matrix.
	core value.Value
	// conv describes how elements are scaled and converted.
	conv *storeConversion
}

// maxStride is the largest stride of a copy out of the accumulator, because the field for
// a stride has 32 bits.
const maxStride = 1<<32 - 1

// storeProduct emits a copy out of the accumulator, with optional scaling, activation and
// conversion of the elements.
func (f *function) storeProduct(op *ir.Op, _ sem.StoreProduct) {
	o := sem.StoreOf(op)
	src, dst, ok := f.cubeArgs(op, o.Source, o.Destination)
	if !ok {
		return
	}
	s := &productStore{c: f.code, src: src, dst: dst, atomic: o.Atomic}
	if msg := analysis.CheckStoreAtomic(o, s.dst.e.f); msg != "" {
		f.errorf(op, "%s", msg)
		return
	}
	if o.Packed {
		f.packedStore(o, s)
		return
	}
	s.settings(f, o)
	switch o.Layout {
	case sem.ByColumn:
		s.write((*storeWindow).byColumn)
	case sem.ByFractal:
		s.write((*storeWindow).byFractal)
	default:
		s.write((*storeWindow).byRow)
	}
}

// settings reads the parameters of a copy out of the accumulator, such as its sizes and
// strides, and stores them in s. The parameter o describes the operands and attributes
// that contain them.
func (s *productStore) settings(f *function, o *sem.Store) {
	n := f.fields(maxField, o.M, o.N, o.SrcStride)
	s.m, s.n, s.srcStride = n[0], n[1], n[2]
	n = f.fields(maxStride, o.DstStride, o.Core, o.RowStride, o.LoopSrc, o.LoopDst)
	s.dstStride, s.core, s.rowStride, s.loopSrc, s.loopDst = n[0], n[1], n[2], n[3], n[4]
	s.loops = f.fields(maxField, o.Loops)[0]
	if !o.Loops.Given() {
		s.loops = ll.Index(1)
	}
	if !o.RowStride.Given() {
		s.rowStride = ll.Index(1)
	}
	s.splitRows, s.splitCols = ll.ConstantBool(o.Halves == sem.SplitRows), ll.ConstantBool(o.Halves == sem.SplitCols)
	split := value.Value(ll.ConstantBool(false))
	if o.Split.Given() {
		v := f.val(o.Split.Value)
		split = f.ICmp(enum.IPredNE, v, f.Int(v, 0))
	}
	s.fractal = s.fractalCols(split)
	s.conv = f.storeConversion(o, s.src.e.f, s.dst.e.f)
}

// fractalCols emits the number of elements in a row of a destination fractal. split (i1)
// selects 8 instead of 16 columns for 32-bit elements.
func (s *productStore) fractalCols(split value.Value) value.Value {
	n := ll.Index(s.dst.e.blockElems())
	if s.dst.e.f.Bits() != 32 {
		return n
	}
	return s.c.ChooseKnown("split", split, func() value.Value { return n }, func() value.Value { return ll.Index(accCols) })
}

// storeWindow is the rectangle of a matrix that is stored to one destination. It starts
// at (row, col) and has rows x cols elements.
type storeWindow struct {
	*productStore
	// acc is the address of the matrix in the accumulator, and to is the destination
	// address of the rectangle.
	acc, to value.Value
	// row and col are the position in the matrix at which the rectangle starts.
	row, col   value.Value
	rows, cols value.Value
}

// write emits the stores of an instruction that copies one or several matrices. If the
// instruction divides each matrix between the two vector cores, the matrix consists of
// two rectangles, one for each destination. Otherwise the complete matrix is one
// rectangle. For each rectangle, write calls layout, a function that emits the stores of
// this rectangle.
func (s *productStore) write(layout func(w *storeWindow)) {
	half := func(split, n value.Value) value.Value {
		return s.c.ChooseKnown("half", split, func() value.Value {
			s.c.MultipleOrTrap(n, 2)
			return s.c.Quo(n, 2)
		}, func() value.Value { return n })
	}
	rows, cols := half(s.splitRows, s.m), half(s.splitCols, s.n)
	split := s.c.AnyOf(s.splitRows, s.splitCols)
	parts := s.c.ChooseKnown("parts", split, func() value.Value { return ll.Index(2) }, func() value.Value { return ll.Index(1) })
	s.c.Repeat("matrix", s.loops, func(i value.Value) {
		acc := s.c.offset(s.src.p, s.c.Mul(s.c.Mul(i, s.loopSrc), ll.Index(accCols*int64(s.src.e.size))))
		to := s.c.offset(s.dst.p, s.c.Quo(s.c.Mul(s.c.Mul(i, s.loopDst), ll.Index(int64(s.dst.e.f.Bits()))), 8))
		s.c.Repeat("part", parts, func(part value.Value) {
			w := &storeWindow{productStore: s, acc: acc, to: to, rows: rows, cols: cols}
			w.row = s.c.Mul(part, s.c.Sub(s.m, rows))
			w.col = s.c.Mul(part, s.c.Sub(s.n, cols))
			if s.dst.space == sem.UB {
				sub := s.c.ChooseKnown("core", split, func() value.Value { return part }, func() value.Value { return s.core })
				w.to = s.c.unifiedBuffer(to, sub)
			}
			layout(w)
		})
	})
}

// unifiedBuffer converts an address p in the unified buffer to the same address in the
// unified buffer of vector core sub. The cube core addresses the buffer of the first
// vector core. A vector core can only access its own buffer.
func (c *code) unifiedBuffer(p, sub value.Value) value.Value {
	if n, ok := ll.ConstantInt(sub); ok && n == 0 || c.ub != nil {
		return p
	}
	c.AtMostOrTrap(sub, vectorCores-1)
	second := c.offset(c.secondBuffer(), c.addressOf(sem.UB, p))
	return c.Select(c.ICmp(enum.IPredEQ, sub, ll.Index(0)), p, second)
}

// byRow emits the stores of the rectangle w of the matrix to a row-major destination.
func (w *storeWindow) byRow() {
	w.c.Loop("row", w.rows, func(i value.Value) {
		w.across(w.c.Mul(i, w.dstStride), i, ll.Index(0), w.cols)
	})
}

// byColumn emits the stores of the rectangle w of the matrix to a column-major
// destination.
func (w *storeWindow) byColumn() {
	w.c.Loop("col", w.cols, func(j value.Value) {
		col := w.c.Add(w.col, j)
		to := w.startLine(w.c.Mul(j, w.dstStride))
		w.c.Loop("row", w.rows, func(i value.Value) {
			from := w.source(w.c.Quo(col, accCols), w.c.Add(w.row, i), w.c.Rem(col, accCols))
			to.put(i, w.conv.element(w.c.Load(w.src.e.mem, from, 4), col))
		})
		to.end(w.rows)
	})
}

// byFractal emits the stores of the rectangle w of the matrix to a destination in
// fractals (blocks of 16 rows).
func (w *storeWindow) byFractal() {
	units := w.c.UDiv(w.c.Add(w.cols, w.c.Sub(w.fractal, ll.Index(1))), w.fractal)
	w.c.Loop("fractals", units, func(u value.Value) {
		j := w.c.Mul(u, w.fractal)
		count := w.c.MinInt(w.fractal, w.c.Sub(w.cols, j))
		w.c.Loop("row", w.rows, func(i value.Value) {
			w.across(w.c.Add(w.c.Mul(u, w.dstStride), w.c.Mul(i, w.fractal)), i, j, count)
		})
	})
}

// source emits the address of an accumulator element. The parameter fractal is the index
// of the column of fractals that contains the element. The parameters row and col are the
// position of the element in this column of fractals.
func (w *storeWindow) source(fractal, row, col value.Value) value.Value {
	at := w.c.Add(w.c.Mul(w.c.Add(w.c.Mul(fractal, w.srcStride), w.c.Mul(row, w.rowStride)), ll.Index(accCols)), col)
	return w.c.At(w.src.e.mem, w.acc, at)
}

// across emits stores of adjacent elements in one row of the rectangle w. The parameter
// count is the number of these elements. The first one is in row i and column j of the
// rectangle. The parameter at is the index of the first destination element. The emitted
// code processes one fractal of the source at a time.
func (w *storeWindow) across(at, i, j, count value.Value) {
	first := w.c.Add(w.col, j)
	last := w.c.Add(first, count)
	begin := w.c.Quo(first, accCols)
	to := w.startLine(at)
	w.c.Loop("piece", w.c.Sub(w.c.CeilQuo(last, accCols), begin), func(p value.Value) {
		fractal := w.c.Add(begin, p)
		edge := w.c.Mul(fractal, ll.Index(accCols))
		low := value.Value(edge)
		if n, ok := ll.ConstantInt(first); !ok || n%accCols != 0 {
			low = w.c.MaxInt(edge, first)
		}
		high := w.c.MinInt(w.c.Add(edge, ll.Index(accCols)), last)
		from := w.source(fractal, w.c.Add(w.row, i), w.c.Sub(low, edge))
		behind := w.c.Sub(low, first)
		w.c.Loop("element", w.c.Sub(high, low), func(k value.Value) {
			x := w.c.Load(w.src.e.mem, w.c.At(w.src.e.mem, from, k), 4)
			to.put(w.c.Add(behind, k), w.conv.element(x, w.c.Add(low, k)))
		})
	})
	to.end(count)
}

// storeLine is a sequence of adjacent destination elements of a store. If it is known
// only at run time whether the store combines elements with memory atomically, the
// elements are first collected in a workspace.
type storeLine struct {
	*productStore
	// at is the index of the first destination element.
	at value.Value
	// to is the address of the destination. line is the address of the workspace, or nil
	// if the store cannot be atomic.
	to, line value.Value
}

// startLine begins a sequence of adjacent destination elements. The parameter at is the
// index of the first element.
func (w *storeWindow) startLine(at value.Value) *storeLine {
	l := &storeLine{productStore: w.productStore, at: at, to: w.to}
	if w.c.atomicStores && w.dst.space == sem.GM && w.atomic.Fn == nil && !w.dst.e.halfBytes() {
		l.line = w.c.workspace("line", int64(w.dst.e.size)*(maxField+1))
	}
	return l
}

// put emits a store of x to the element with index i of the row l. If the instruction
// combines elements with memory, the emitted code loads the old element first and stores
// the combined one.
func (l *storeLine) put(i, x value.Value) {
	e := l.dst.e
	switch {
	case e.halfBytes():
		l.c.setNibble(l.to, l.c.Add(l.at, i), l.c.ZExt(x, ll.I8))
	case l.line != nil:
		l.c.storeElement(e, x, l.c.At(e.mem, l.line, i))
	case l.atomic.Fn != nil:
		p := l.c.At(e.mem, l.to, l.c.Add(l.at, i))
		t := ll.ElementType(l.atomic.Format)
		y, _ := l.c.Apply(l.atomic.Fn, l.atomic.Format, l.c.Load(t, p, e.size), l.c.Bitcast(x, t))
		l.c.Store(y, p, e.size)
	default:
		l.c.storeElement(e, x, l.c.At(e.mem, l.to, l.c.Add(l.at, i)))
	}
}

// end completes a sequence of n adjacent destination elements. If the store can be
// atomic, a workspace has collected these elements, and end emits their atomic store.
func (l *storeLine) end(n value.Value) {
	if l.line == nil {
		return
	}
	size := ll.Index(int64(l.dst.e.size))
	l.c.putGM(l.c.offset(l.to, l.c.Mul(l.at, size)), l.line, l.c.Mul(n, size))
}
