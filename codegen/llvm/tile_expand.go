// This file emits row and column expansions, and partial operations.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// tileExpand emits an instruction that repeats a vector over all rows or columns of dst,
// or that combines the repeated vector with a tile.
func (f *function) tileExpand(op *ir.Op, kind sem.TileExpand) {
	dst, ok := f.destinationTile(op)
	if !ok {
		return
	}
	fn := kind.Fn
	if fn == nil {
		if src, ok := f.tileOperand(op, sem.TileEndsOf(op).Src); ok {
			f.expand(&dst, &src, kind, func(x, r, c value.Value) { f.put(&dst, r, c, x) })
		}
		return
	}
	var ins [2]tile
	for i, name := range []string{"src0", "src1"} {
		if ins[i], ok = f.tileArg(op, name); !ok {
			return
		}
	}
	if !f.supports(op, fn, dst.e) || kind.Then != nil && !f.supports(op, kind.Then, dst.e) {
		return
	}
	combine := func(vector int) {
		f.covers(&ins[1-vector], &dst)
		f.expand(&dst, &ins[vector], kind, func(x, r, c value.Value) {
			var xs [2]value.Value
			xs[vector] = x
			xs[1-vector] = f.get(&ins[1-vector], r, c)
			y := f.applyTo(op, fn, dst.e, xs[0], xs[1])
			if kind.Then != nil {
				y = f.applyTo(op, kind.Then, dst.e, y)
			}
			f.put(&dst, r, c, y)
		})
	}
	if kind.Axis == sem.AlongCol {
		combine(1)
		return
	}
	f.whicheverIsVector(&dst, &ins, combine)
}

// whicheverIsVector determines which of the two source operands of a row expansion is the
// vector, and calls combine with the index of this operand. If exactly one of the
// operands has another valid region than dst, it is the vector. In all other cases, the
// last operand is the vector.
func (f *function) whicheverIsVector(dst *tile, ins *[2]tile, combine func(vector int)) {
	second, known2 := sameExtent(&ins[1], dst)
	first, known1 := sameExtent(&ins[0], dst)
	switch {
	case known1 && first, known2 && !second:
		combine(1)
	case known1 && known2:
		combine(0)
	default:
		isFirst := f.And(f.equalExtent(&ins[1], dst), f.Not(f.equalExtent(&ins[0], dst)))
		f.When("first", isFirst, func() { combine(0) })
		f.When("second", f.Not(isFirst), func() { combine(1) })
	}
}

// sameExtent reports whether the valid regions of two tiles are equal, as far as
// constants decide it. The result known is false if the comparison depends on values at
// run time.
func sameExtent(a, b *tile) (same, known bool) {
	known = true
	same = true
	for _, p := range [][2]value.Value{{a.rows, b.rows}, {a.cols, b.cols}} {
		x, ok := ll.ConstantInt(p[0])
		y, ok2 := ll.ConstantInt(p[1])
		switch {
		case ok && ok2 && x != y:
			return false, true
		case !ok || !ok2:
			known = false
		}
	}
	return same, known
}

// equalExtent emits a test whether the valid regions of two tiles are equal.
func (f *function) equalExtent(a, b *tile) value.Value {
	return f.And(f.ICmp(enum.IPredEQ, a.rows, b.rows), f.ICmp(enum.IPredEQ, a.cols, b.cols))
}

// expand emits loops over the elements of dst. The tile v is a vector that is repeated
// over all rows or columns. For each element (r, c), expand calls the function body with
// the element x of v that applies to this position. If one element of v applies to a
// whole row, it is loaded before the row is written, because dst can overlap v.
func (f *function) expand(dst, v *tile, kind sem.TileExpand, body func(x, r, c value.Value)) {
	if kind.Axis == sem.AlongCol {
		f.BelowOrTrap(dst.cols, v.info.Cols+1)
	} else {
		f.BelowOrTrap(dst.rows, v.info.Rows+1)
	}
	switch {
	case kind.Axis == sem.AlongCol:
		f.over(dst, func(r, c value.Value) { body(f.get(v, ll.Index(0), c), r, c) })
	case inTurn(v, kind):
		f.over(dst, func(r, c value.Value) {
			body(f.get(v, r, f.URem(c, f.MaxInt(v.cols, ll.Index(1)))), r, c)
		})
	case dst.byCols():
		f.over(dst, func(r, c value.Value) { body(f.get(v, r, ll.Index(0)), r, c) })
	default:
		f.Loop("row", dst.rows, func(r value.Value) {
			x := f.get(v, r, ll.Index(0))
			f.Elements("col", dst.cols, func(c value.Value) { body(x, r, c) })
		})
	}
}

// inTurn reports whether a row expansion, which combines each row of a tile with the
// vector v, uses successive elements of v for successive elements of a row. If the result
// is false, it uses a single element of v for a complete row.
func inTurn(v *tile, kind sem.TileExpand) bool {
	return kind.InTurn() && v.info.BLayout == pto.RowMajor
}

// tilePart emits the elementwise combination of two source tiles that can have different
// valid regions. Where only one source has an element, the result is this element. Where
// neither source has an element, the maximum and the minimum produce their neutral
// element, and other functions leave dst unchanged.
func (f *function) tilePart(op *ir.Op, kind sem.TilePart) {
	o := sem.TilePairOf(op)
	a, ok := f.tileOperand(op, o.Src[0])
	b, ok2 := f.tileOperand(op, o.Src[1])
	dst, ok3 := f.tileOperand(op, o.Dst)
	if !ok || !ok2 || !ok3 || !f.supports(op, kind.Fn, dst.e) {
		return
	}
	p := &tilePart{f: f, op: op, fn: kind.Fn, a: a, b: b, dst: dst}
	if kind.Arg {
		var ok4, ok5, ok6 bool
		p.ai, ok4 = f.tileOperand(op, o.Numbers[0])
		p.bi, ok5 = f.tileOperand(op, o.Numbers[1])
		p.di, ok6 = f.tileOperand(op, o.DstIndex)
		if !ok4 || !ok5 || !ok6 {
			return
		}
		f.covers(&p.ai, &a)
		f.covers(&p.bi, &b)
		f.covers(&p.di, &dst)
	}
	empty, fills := emptyPart(kind.Fn, dst.e.f)
	f.over(&dst, func(r, c value.Value) {
		left, right := inside(f, &a, r, c), inside(f, &b, r, c)
		f.When("both", f.And(left, right), func() { p.both(r, c, kind.Arg) })
		f.When("left", f.And(left, f.Not(right)), func() { p.take(&a, &p.ai, r, c, kind.Arg) })
		f.When("right", f.And(right, f.Not(left)), func() { p.take(&b, &p.bi, r, c, kind.Arg) })
		if fills && !kind.Arg {
			f.When("none", f.Not(f.Or(left, right)), func() { f.put(&dst, r, c, ll.ConstantOf(dst.e.f, empty)) })
		}
	})
}

// emptyPart concerns an instruction that applies fn to two source tiles with different
// valid regions. It returns the bits of result elements at positions where both source
// tiles have no element. The parameter f is the number format of the result. The result
// fills is false if the instruction leaves such elements of dst unchanged.
func emptyPart(fn *scalar.Fn, f num.Format) (bits uint64, fills bool) {
	switch fn {
	case scalar.Max:
		return num.Lowest(f), true
	case scalar.Min:
		return num.Max(f), true
	}
	return 0, false
}

// inside emits an i1 that is true if the position (r, c) is in the valid region of the
// tile t.
func inside(f *function, t *tile, r, c value.Value) value.Value {
	return f.And(f.ICmp(enum.IPredSLT, r, t.rows), f.ICmp(enum.IPredSLT, c, t.cols))
}

// tilePart holds the operands of an instruction op that computes dst = fn(a, b), where
// the tiles a and b can have different sizes. If fn is a maximum or minimum, op can also
// have tiles of indices: ai holds an index for each element of a, and bi holds one for
// each element of b. Where fn selects an element of a, the instruction copies its index
// from ai to di; where it selects an element of b, it copies the index from bi.
type tilePart struct {
	f          *function
	op         *ir.Op
	fn         *scalar.Fn
	a, b, dst  tile
	ai, bi, di tile
}

// take emits the copy of element (r, c) from the tile t to the result tile. It is for
// positions at which only one of the two source tiles has an element. If arg is set, the
// instruction has a second result tile, with indices. The emitted code then also copies
// element (r, c) of the index tile idx to this second result.
func (p *tilePart) take(t, idx *tile, r, c value.Value, arg bool) {
	f := p.f
	f.put(&p.dst, r, c, f.get(t, r, c))
	if arg {
		f.put(&p.di, r, c, f.get(idx, r, c))
	}
}

// both emits the combination of the two source elements at position (r, c). If arg is
// false, the emitted code stores the function fn of the two elements. If arg is true, the
// instruction has tiles of indices. The emitted code then selects one of the two
// elements, the maximum or minimum, and stores this element and its index. If the
// elements are equal, it selects the element of the first tile. If one is NaN, the target
// decides.
func (p *tilePart) both(r, c value.Value, arg bool) {
	f := p.f
	x, y := f.get(&p.a, r, c), f.get(&p.b, r, c)
	if !arg {
		f.put(&p.dst, r, c, f.applyTo(p.op, p.fn, p.dst.e, x, y))
		return
	}
	first := f.Not(f.Relation(sem.Beats(p.fn), p.dst.e.f, y, x))
	if p.dst.e.f.IsFloat() && !sem.UnorderedFirst(f.opts.Target) {
		first = f.And(first, f.Not(f.Or(f.isNaNOf(p.dst.e, x), f.isNaNOf(p.dst.e, y))))
	}
	i, j := f.get(&p.ai, r, c), f.get(&p.bi, r, c)
	f.put(&p.dst, r, c, f.Select(first, x, y))
	f.put(&p.di, r, c, f.Select(first, i, j))
}
