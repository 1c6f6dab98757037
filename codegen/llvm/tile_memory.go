// This file emits copies between global memory and tiles.

package llvm

import (
	"slices"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// oneRow reports whether the tile is stored in boxes and has a single row.
func (t *tile) oneRow() bool { return t.box.rows > 0 && t.info.Rows == 1 }

// axisLength emits the number of elements of a view along an axis. An axis combines one
// or more dimensions of the view, for example all dimensions that correspond to rows.
func (f *function) axisLength(w *view, a pto.ViewAxis) value.Value {
	n := value.Value(ll.Index(1))
	for _, d := range a.Dims(len(w.size)) {
		n = f.Mul(n, w.size[d])
	}
	return n
}

// axisOffset emits the distance in elements from the start of a view to element i of an
// axis.
func (f *function) axisOffset(w *view, a pto.ViewAxis, i value.Value) value.Value {
	at := value.Value(ll.Index(0))
	ds := a.Dims(len(w.size))
	for k, d := range ds {
		at2 := i
		if k < len(ds)-1 && !isOne(w.size, ds[k+1:]) {
			at2 = f.URem(i, w.size[d])
			i = f.UDiv(i, w.size[d])
		} else {
			i = ll.Index(0)
		}
		at = f.Add(at, f.Mul(at2, w.strides[d]))
	}
	return at
}

// isOne reports whether all of the given dimensions of a view have the constant extent 1.
// The parameter dims contains the indices of these dimensions, and the parameter size
// contains the extents of all dimensions of the view.
func isOne(size []value.Value, dims []int) bool {
	for _, d := range dims {
		if n, ok := ll.ConstantInt(size[d]); !ok || n != 1 {
			return false
		}
	}
	return true
}

// tileLoad emits pto.tload: it copies the elements that both the view in global memory
// and the valid region of the tile contain.
func (f *function) tileLoad(op *ir.Op, _ sem.TileLoad) {
	o := sem.TileCopyOf(op)
	w, t, ok := f.viewAndTile(op, o.View, o.Tile)
	if !ok {
		return
	}
	switch {
	case !f.sameSize(op, &w, &t):
		return
	case isatile.LoadPads(op):
		f.paddedLoad(op, o, &w, &t)
		return
	case t.info.Fractal == scaleBox && t.info.SLayout != pto.NoneBox && t.info.Rows > 1:
		f.loadScaleBoxes(&w, &t)
		return
	}
	f.between(&w, &t, true, isatile.LoadsColumn(op), func(gm, local, _ value.Value) {
		f.Store(f.Load(t.e.mem, gm, t.e.size), local, t.e.size)
	})
	f.fillUp(&t)
}

// tileStore emits pto.tstore, a copy of a tile to a view in global memory. Elements of an
// accumulator are converted, and the store can add to memory.
func (f *function) tileStore(op *ir.Op, _ sem.TileStore) {
	o := sem.TileCopyOf(op)
	w, t, ok := f.viewAndTile(op, o.View, o.Tile)
	if !ok {
		return
	}
	if at := len(w.strides) - pto.ViewRank + isatile.PackedAxis; at >= 0 && isatile.PacksColumn(op) {
		w.strides = slices.Clone(w.strides)
		w.strides[at] = ll.Index(1)
	}
	if t.info.Space != sem.L0C && !o.Add {
		if f.sameSize(op, &w, &t) {
			f.between(&w, &t, false, false, func(gm, local, _ value.Value) {
				if f.atomicStores {
					f.putGM(gm, local, ll.Index(int64(t.e.size)))
					return
				}
				f.Store(f.Load(t.e.mem, local, t.e.size), gm, t.e.size)
			})
		}
		return
	}
	out, ok := f.fixpipeOf(op, &t, w.e)
	if !ok || o.Add && !f.supports(op, scalar.Add, w.e) {
		return
	}
	f.between(&w, &t, false, false, func(gm, local, c value.Value) {
		x := out(f.loadElement(t.e, local), c)
		if o.Add {
			x = f.applyTo(op, scalar.Add, w.e, f.loadElement(w.e, gm), x)
		}
		f.storeElement(w.e, x, gm)
	})
}

// viewAndTile returns the view and the tile of a copy. ok is false after an error.
func (f *function) viewAndTile(op *ir.Op, viewOperand, tileOperand sem.Operand) (view, tile, bool) {
	v := viewOperand.Value
	t, ok := f.tileOperand(op, tileOperand)
	if !ok || v == nil {
		return view{}, tile{}, false
	}
	switch v.Type().Data().(type) {
	case pto.TensorView, pto.PartitionView:
		w, ok := f.viewOf(v)
		return w, t, ok
	case ir.MemRefType:
		if w, ok := f.memrefView(v); ok {
			return w, t, ok
		}
	}
	f.errorf(op, "has an operand or result of type %s, which the LLVM IR emitter does not support yet", v.Type())
	return view{}, tile{}, false
}

// sameSize reports an error, and returns false, if the elements of view and tile have
// different sizes in bytes.
func (f *function) sameSize(op *ir.Op, w *view, t *tile) bool {
	if w.e.size != t.e.size {
		f.errorf(op, "copies between a view with elements of %d bytes and a tile with elements of %d bytes, which the LLVM IR emitter does not support yet", w.e.size, t.e.size)
		return false
	}
	return true
}

// between emits loops for a copy between the view w in global memory and the valid region
// of the tile t. The loops run over the elements that both contain. The parameter load is
// true for a load and false for a store. For each element, between calls body with the
// address in global memory, the address in the tile and the column. The emitted code
// faults if the extents of w and t do not match; [isatile.CopyMismatch] defines which
// extents match. The parameter column means that the copy loads a column (joinsPlanes).
func (f *function) between(w *view, t *tile, load, column bool, body func(gm, local, c value.Value)) {
	copies := func(rows, cols pto.ViewAxis) {
		f.copyExtents(load, [2]value.Value{f.axisLength(w, rows), f.axisLength(w, cols)}, [2]value.Value{t.rows, t.cols})
		f.along(w, t, rows, cols, body)
	}
	if !column || !f.joinsPlanes(w, t, copies) {
		f.oriented(w, t, copies)
	}
}

// copyExtents emits a check of a copy between a view and a tile. The parameter part
// contains the extents of the view, and the parameter valid contains those of the valid
// region of the tile. For a load, the view must be at least as large as the valid region.
// For a store, the extents must be equal. The emitted code traps if they violate this
// rule, unless one of the extents is 0.
func (f *function) copyExtents(load bool, part, valid [2]value.Value) {
	pred := enum.IPredNE
	if load {
		pred = enum.IPredSLT // the part may be larger
	}
	wrong := f.Or(f.ICmp(pred, part[0], valid[0]), f.ICmp(pred, part[1], valid[1]))
	for _, n := range []value.Value{part[0], part[1], valid[0], valid[1]} {
		wrong = f.And(wrong, f.ICmp(enum.IPredNE, n, ll.Index(0)))
	}
	if n, ok := ll.ConstantInt(wrong); !ok || n != 0 {
		f.TrapIf(wrong)
	}
}

// joinsPlanes handles a load of a column (isatile.LoadsColumn) from the view w, which may have
// several planes that follow each other in memory. It calls body with the dimensions of all
// planes, and of one plane, for the two ways that the run selects. It returns false if the view
// certainly has one plane.
func (f *function) joinsPlanes(w *view, t *tile, body func(rows, cols pto.ViewAxis)) bool {
	if isOne(w.size, pto.ViewAxis{2, 1, 0}.Dims(len(w.size))) {
		return false
	}
	rows, cols := pto.ViewAxes(t.info)
	follow := f.And(f.ICmp(enum.IPredNE, f.axisLength(w, rows), t.rows), f.ICmp(enum.IPredEQ, f.axisLength(w, pto.MatrixRows), t.rows))
	last := len(w.size) - 2 // the rows of a plane
	next := f.Mul(w.size[last], w.strides[last])
	for d := last - 1; d >= 0; d-- {
		follow = f.And(follow, f.Or(f.ICmp(enum.IPredEQ, w.size[d], ll.Index(1)), f.ICmp(enum.IPredEQ, w.strides[d], next)))
		next = f.Mul(w.size[d], next)
	}
	f.When("planes", follow, func() { body(pto.MatrixRows, pto.MatrixCols) })
	f.When("plane", f.Not(follow), func() { body(rows, cols) })
	return true
}

// oriented calls body with the dimensions of a view that correspond to rows and columns
// of a tile. If a view matches a tile in boxes only after transposition, the dimensions
// are exchanged.
func (f *function) oriented(w *view, t *tile, body func(rows, cols pto.ViewAxis)) {
	rows, cols := pto.ViewAxes(t.info)
	if t.box.rows == 0 || t.oneRow() {
		body(rows, cols)
		return
	}
	transposed := f.isTransposed(t, f.axisLength(w, rows), f.axisLength(w, cols))
	if n, ok := ll.ConstantInt(transposed); ok {
		if n != 0 {
			rows, cols = cols, rows
		}
		body(rows, cols)
		return
	}
	f.When("transposed", transposed, func() { body(cols, rows) })
	f.When("straight", f.Not(transposed), func() { body(rows, cols) })
}

// isTransposed emits a test whether a view of rows x cols elements has the shape of the
// transpose of tile t. The result is false if the valid region of t is square, because
// the shape of the view then equals that of t as well.
func (f *function) isTransposed(t *tile, rows, cols value.Value) value.Value {
	sizes := make([]int64, 0, 4)
	for _, v := range []value.Value{t.rows, t.cols, rows, cols} {
		if n, ok := ll.ConstantInt(v); ok {
			sizes = append(sizes, n)
		}
	}
	if len(sizes) == 4 {
		transposed := sizes[0] != sizes[1] && sizes[2] == sizes[1] && sizes[3] == sizes[0]
		return ll.ConstantBool(transposed)
	}
	swapped := f.And(f.ICmp(enum.IPredEQ, rows, t.cols), f.ICmp(enum.IPredEQ, cols, t.rows))
	return f.And(swapped, f.ICmp(enum.IPredNE, t.rows, t.cols))
}

// along emits loops over the elements that a view and the valid region of a tile have in
// common. The parameters rows and cols are the dimensions of the view that correspond to
// the rows and columns of the tile. It calls body with the address in global memory, the
// address in the tile and the column.
func (f *function) along(w *view, t *tile, rows, cols pto.ViewAxis, body func(gm, local, c value.Value)) {
	part := *t
	part.rows = f.AtMost(t.rows, f.axisLength(w, rows))
	part.cols = f.AtMost(t.cols, f.axisLength(w, cols))
	f.over(&part, func(r, c value.Value) {
		at := f.Add(f.axisOffset(w, rows, r), f.axisOffset(w, cols, c))
		body(f.At(w.e.mem, w.base, at), f.addr(t, r, c), c)
	})
}

// padBytes is 32: loads pad each row of a tile to a multiple of that many bytes.
const padBytes = 32

// fillUp emits stores of the padding value of the tile t. They fill the elements after
// the valid part of each row up to the next multiple of 32 bytes, because the DMA engine
// does so in loads.
func (f *function) fillUp(t *tile) {
	if t.info.Pad == pto.PadNull || t.box.rows > 0 {
		return
	}
	fill := f.padOf(t)
	lines, n, all := t.rows, t.cols, t.info.Cols
	if t.byCols() {
		lines, n, all = t.cols, t.rows, t.info.Rows
	}
	perBlock := int64(padBytes / t.e.size)
	end := f.AtMost(ll.Index(all), f.Mul(f.UDiv(f.Add(n, ll.Index(perBlock-1)), ll.Index(perBlock)), ll.Index(perBlock)))
	f.Loop("line", lines, func(line value.Value) {
		f.Loop("pad", f.Sub(end, n), func(i value.Value) {
			at := f.Add(n, i)
			if t.byCols() {
				f.put(t, at, line, fill)
			} else {
				f.put(t, line, at, fill)
			}
		})
	})
}

// padOf returns the element with which loads pad a tile, as its type determines. The
// paddings for minimum and maximum are infinities in formats that have them.
func (f *function) padOf(t *tile) value.Value {
	bits := uint64(0)
	switch t.info.Pad {
	case pto.PadMax:
		bits = num.Extreme(t.e.f, false)
	case pto.PadMin:
		bits = num.Extreme(t.e.f, true)
	}
	if t.e.packed {
		return f.Int(ll.Zero(t.e.t), int64(bits))
	}
	return ll.ConstantOf(t.e.f, bits)
}
