// This file emits moves inside local memory.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// fixpipe is a function that emits the conversion of an element that is copied out of a
// tile. It receives the element x and its column c, because scales can depend on the
// column, and returns the converted element.
type fixpipe func(x, c value.Value) value.Value

// fixpipeOf returns the conversion of elements that are copied from tile src to elements
// of type e. Elements of an accumulator are converted as in a store of the cube unit.
// Elements of all other tiles keep their bits. ok is false after an error.
func (f *function) fixpipeOf(op *ir.Op, src *tile, e element) (fixpipe, bool) {
	if src.info.Space != sem.L0C {
		if sem.WidensBias(src.e.f, e.f) {
			return func(x, _ value.Value) value.Value {
				return f.Convert(src.e.f, e.f, x, num.NearestEven, false)
			}, true
		}
		if src.e.size != e.size {
			f.errorf(op, "moves elements of type %s to a tile with elements of type %s, which the LLVM IR emitter does not support yet", src.e.f, e.f)
			return nil, false
		}
		return func(x, _ value.Value) value.Value { return f.Bitcast(f.Bits(x), e.t) }, true
	}
	o := sem.FixpipeOf(op)
	o.Quant = o.Quant.On(f.opts.Target, src.e.f, e.f)
	k := f.knownConversion(o, src.e.f, e.f)
	switch {
	case o.Factor.Given() && k.shifts:
		k.factor = f.shiftFactor(f.Bits(f.val(o.Factor.Value)))
	case o.Factor.Given():
		k.factor = f.AsFloat(f.Resize(f.Bits(f.val(o.Factor.Value)), ll.I32, false))
	case o.Columns.Given():
		t, ok := f.tileOf(op, o.Columns.Value)
		if !ok {
			return nil, false
		}
		k.columns = f.factorsIn(&t)
		if k.shifts && t.e.f.Bits() == 64 {
			k.columns = columnFactors{
				by:     func(column value.Value) value.Value { return f.shiftFactor(f.get(&t, ll.Index(0), column)) },
				offset: func(value.Value) value.Value { return ll.Float(ll.F64, 0) },
			}
		}
	}
	return k.element, true
}

// factorsIn returns functions that emit the quantization parameters of a column. They
// read the parameters from row 0 of tile t. An element of t is a 64-bit word with several
// parameters, a float, or an integer whose lower 32 bits are an f32.
func (f *function) factorsIn(t *tile) columnFactors {
	at := func(column value.Value) value.Value { return f.get(t, ll.Index(0), column) }
	if t.e.f.Bits() == 64 {
		return f.factorsOf(at)
	}
	return columnFactors{
		by: func(column value.Value) value.Value {
			if t.e.f.IsFloat() {
				return f.FPTrunc(f.ToDouble(t.e.f, at(column)), ll.F32)
			}
			return f.AsFloat(f.Resize(at(column), ll.I32, false))
		},
		offset: func(value.Value) value.Value { return ll.Float(ll.F64, 0) },
	}
}

// index emits an index operand as an i64. If the instruction does not have the operand,
// it emits 0.
func (f *function) index(o sem.Operand) value.Value {
	if o.Given() {
		return f.val(o.Value)
	}
	return ll.Index(0)
}

// tileMove emits an instruction that copies a rectangle of elements between tiles.
func (f *function) tileMove(op *ir.Op, kind sem.TileMove) {
	if isatile.ReordersExponents(op) {
		f.zzMove(op)
		return
	}
	src, dst, ok := f.sourceAndDestination(op)
	if !ok {
		return
	}
	rows, cols := src.info.Split(dst.info)
	src = f.inNumbers(src, rows, cols)
	out, ok := f.fixpipeOf(op, &src, dst.e)
	if !ok {
		return
	}
	m := tileMove{f: f, kind: kind, src: src, out: out, split: [2]int64{rows, cols}}
	at := sem.WindowOf(op)
	m.row, m.col = f.Mul(f.index(at.Row), ll.Index(rows)), f.Mul(f.index(at.Col), ll.Index(cols))
	area := dst
	if kind.Dst {
		area.rows, area.cols = src.rows, src.cols
	}
	if src.info.Space != sem.L0C || dst.info.Space != sem.UB {
		m.window(&dst, area.rows, area.cols, ll.Index(0), ll.Index(0))
		return
	}
	boxCols, problem := analysis.BoxFromAccumulator(op, dst.info)
	if problem != "" {
		f.errorf(op, "%s", problem)
		return
	}
	if dst.box.rows > 0 {
		dst.box.cols = boxCols
	}
	if rows, unit, ok := isatile.WholeBoxes(op); ok {
		src.rows, src.cols = ll.Index(rows), f.AtMost(f.RoundUpTo(src.cols, unit), ll.Index(src.info.Cols))
	}
	for _, part := range isatile.MoveParts(op) {
		to := dst
		to.base = f.unifiedBuffer(dst.base, ll.Index(int64(part.Sub)))
		h, y := f.movedPart(area.rows, src.rows, part.Rows, part.Sub)
		w, x := f.movedPart(area.cols, src.cols, part.Cols, part.Sub)
		m.window(&to, h, w, y, x)
	}
}

// movedPart emits which rows (or columns) of a source tile the vector core with number
// sub receives: their number and the index of the first one. The source has n rows. They
// are divided equally among the vector cores; the parameter cuts is the number of these
// shares. The destination has only the number of rows in the parameter wanted. If a share
// has more rows, the core receives only this number. The emitted code traps unless n is a
// multiple of cuts.
func (f *function) movedPart(wanted, n value.Value, cuts, sub int) (length, start value.Value) {
	k := ll.Index(int64(cuts))
	f.TrapIf(f.ICmp(enum.IPredNE, f.URem(n, k), ll.Index(0)))
	length = f.MinInt(wanted, f.UDiv(n, k))
	return length, f.Mul(length, ll.Index(int64((cuts-1)*sub)))
}

// tileMove describes the copy of a window, a rectangle of elements, from one tile to
// another.
type tileMove struct {
	f    *function
	kind sem.TileMove
	src  tile
	out  fixpipe
	// row and col are the position of the window in the source or in the destination,
	// depending on kind.
	row, col value.Value
	// split is the number of rows and columns of dst for each element of src; it is more
	// than 1 for packed elements.
	split [2]int64
}

// window emits the copy of rows x cols elements that start at (r0, c0) of the source.
func (m *tileMove) window(dst *tile, rows, cols, r0, c0 value.Value) {
	f := m.f
	moved := func(on bool, r, c value.Value) (value.Value, value.Value) {
		if on {
			return f.Add(r, m.row), f.Add(c, m.col)
		}
		return r, c
	}
	area := *dst
	area.rows, area.cols = rows, cols
	if m.kind.Src || m.kind.Dst {
		m.inside(m.kind.Src, &m.src, m.split, f.Add(rows, r0), f.Add(cols, c0))
		m.inside(m.kind.Dst, dst, [2]int64{1, 1}, rows, cols)
	}
	f.over(&area, func(r, c value.Value) {
		sr, sc := moved(m.kind.Src, f.Add(r, r0), f.Add(c, c0))
		dr, dc := moved(m.kind.Dst, r, c)
		f.put(dst, dr, dc, m.out(f.get(&m.src, sr, sc), sc))
	})
}

// inside emits a trap unless the storage of tile t contains a rectangle of rows x cols
// numbers. The rectangle starts at the position (m.row, m.col) if window is set, and at
// (0, 0) if not. An element of t may contain several packed numbers. The parameter split
// contains how many rows and columns of numbers one element contains, which is 1 and 1
// for an unpacked element.
func (m *tileMove) inside(window bool, t *tile, split [2]int64, rows, cols value.Value) {
	f := m.f
	mostRows, mostCols := t.info.Rows*split[0], t.info.Cols*split[1]
	if window {
		f.BelowOrTrap(m.row, mostRows+1)
		f.BelowOrTrap(m.col, mostCols+1)
		rows, cols = f.Add(rows, m.row), f.Add(cols, m.col)
	}
	f.BelowOrTrap(rows, mostRows+1)
	f.BelowOrTrap(cols, mostCols+1)
}

// sameBase emits a test whether the storage of two tiles starts at the same address.
func (f *function) sameBase(a, b *tile) value.Value {
	return f.ICmp(enum.IPredEQ, f.addressOf(sem.GM, a.base), f.addressOf(sem.GM, b.base))
}

// tilePad emits a copy of a tile to dst. It fills the elements of dst that the copy does
// not write with padding. If both tiles have the same storage, it writes only the
// padding.
func (f *function) tilePad(op *ir.Op, _ sem.TilePad) {
	o := sem.TileEndsOf(op)
	src, ok := f.tileOperand(op, o.Src)
	dst, ok2 := f.tileOperand(op, o.Dst)
	if !ok || !ok2 {
		return
	}
	if src.e.size != dst.e.size {
		f.unsupported(op)
		return
	}
	fill := f.padOf(&dst)
	same := f.sameBase(&src, &dst)
	all := dst
	rows := value.Value(ll.Index(dst.info.Rows))
	if dst.info.Space == sem.UB { // rows past the valid rows of both tiles stay unchanged
		rows = f.Select(f.ICmp(enum.IPredSGT, src.rows, dst.rows), src.rows, dst.rows)
	}
	all.rows, all.cols = rows, ll.Index(dst.info.Cols)
	f.over(&all, func(r, c value.Value) {
		in := inside(f, &src, r, c)
		f.When("outside", f.Not(in), func() { f.put(&dst, r, c, fill) })
		f.When("inside", f.And(in, f.Not(same)), func() {
			f.copyBytes(f.addr(&dst, r, c), f.addr(&src, r, c), ll.Index(int64(src.e.size)))
		})
	})
}

// tileTranspose emits dst[j,i] = src[i,j]. If both tiles have the same storage, it first
// copies the elements to a workspace.
func (f *function) tileTranspose(op *ir.Op, _ sem.TileTranspose) {
	src, dst, ok := f.sourceAndDestination(op)
	if !ok {
		return
	}
	if src.e.size != dst.e.size {
		f.unsupported(op)
		return
	}
	aside := f.Slot(types.NewArray(uint64(src.info.Bytes()), ll.I8))
	same := f.sameBase(&src, &dst)
	f.When("aside", same, func() { f.copyBytes(aside, src.base, ll.Index(src.info.Bytes())) })
	from := src
	from.base = f.Select(same, aside, src.base)
	f.over(&src, func(r, c value.Value) { f.put(&dst, c, r, f.get(&from, r, c)) })
}

// tileConcat emits an instruction that writes the columns of two tiles next to each
// other.
func (f *function) tileConcat(op *ir.Op, kind sem.TileConcat) {
	dst, ok := f.destinationTile(op)
	var ins, counts [2]tile
	for i, name := range []string{"src0", "src1"} {
		if ok {
			ins[i], ok = f.tileArg(op, name)
		}
		if ok && kind.Counts {
			counts[i], ok = f.tileArg(op, name+"Idx")
		}
	}
	if !ok {
		return
	}
	f.Loop("row", dst.rows, func(r value.Value) {
		at := value.Value(ll.Index(0))
		for i := range ins {
			in := &ins[i]
			n := f.Select(f.ICmp(enum.IPredSLT, r, in.rows), in.cols, ll.Index(0))
			if kind.Counts {
				count := f.get(&counts[i], r, ll.Index(0))
				size := int64(pto.ByteSize(counts[i].info.Elem)) // counts are bytes of an index
				n = f.MinInt(n, f.SDiv(f.Resize(count, ll.I64, true), ll.Index(size)))
			}
			n = f.MaxInt(f.MinInt(n, f.Sub(dst.cols, at)), ll.Index(0))
			from := at
			f.Loop("col", n, func(c value.Value) { f.put(&dst, r, f.Add(from, c), f.get(in, r, c)) })
			at = f.Add(at, n)
		}
	})
}

// tileInterleave emits an instruction that alternates the elements of two tiles, or that
// separates alternating elements. It copies each row to a workspace first, because the
// destinations can be the sources.
func (f *function) tileInterleave(op *ir.Op, kind sem.TileInterleave) {
	ins := mapInputs(op, nil)
	out := [2]tile{}
	ok := len(ins) > 0
	for i, name := range []string{"dst0", "dst1"} {
		if ok {
			out[i], ok = f.tileArg(op, name)
		}
	}
	var in [2]tile
	two := len(ins) > 1 && pto.IsTile(ins[1].Type())
	for i, v := range ins[:min(2, len(ins))] {
		if ok && pto.IsTile(v.Type()) {
			in[i], ok = f.tileOf(op, v)
		}
	}
	if !ok || !two && !kind.Inverse {
		f.unsupported(op)
		return
	}
	if two {
		f.covers(&in[0], &out[0])
		f.covers(&in[0], &out[1])
	}
	e := out[0].e
	row := f.Slot(types.NewArray(uint64(2*out[0].info.Cols), e.mem))
	n := out[0].cols
	place := func(i value.Value) value.Value { return f.At(e.mem, row, i) }
	f.Loop("row", out[0].rows, func(r value.Value) {
		f.Loop("take", n, func(i value.Value) {
			even := f.Mul(i, ll.Index(2))
			for k := range int64(2) {
				at := f.Add(even, ll.Index(k)) // of the elements in turns
				switch {
				case !kind.Inverse:
					f.storeElement(e, f.get(&in[k], r, i), place(at))
				case two:
					to := f.Add(i, f.Mul(n, ll.Index(k)))
					upper := f.ICmp(enum.IPredSGE, at, n)
					x := f.Choose("upper", upper,
						func() value.Value { return f.get(&in[1], r, f.Sub(at, n)) },
						func() value.Value { return f.get(&in[0], r, at) })
					f.storeElement(e, x, place(to))
				default:
					f.storeElement(e, f.get(&in[0], r, at), place(f.Add(i, f.Mul(n, ll.Index(k)))))
				}
			}
		})
		for k := range out {
			f.Loop("give", n, func(i value.Value) {
				x := f.loadElement(e, place(f.Add(i, f.Mul(n, ll.Index(int64(k))))))
				f.put(&out[k], r, i, x)
			})
		}
	})
}
