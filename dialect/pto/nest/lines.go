// This file describes instructions that combine rows and columns, and tiles of different
// extents.

package nest

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Reduce describes sem.TileReduce: each row (or column) of src becomes one element of the
// first column (or row) of dst.
func Reduce[T, I, V any](m Machine[T, I, V], op *ir.Op, kind sem.TileReduce) {
	o := sem.TileEndsOf(op)
	src, dst := m.Tile(o.Src), m.Tile(o.Dst)
	reduce := m.Reduction(src, dst, Reduction{kind.Axis, kind.Fn, kind.Arg, kind.Sequence(op, m.Target())})
	m.Lines(src, kind.Axis, func(line I) {
		x := reduce(line)
		r, c := line, m.Number(0)
		if kind.Axis == sem.AlongCol {
			r, c = c, r
		}
		m.Put(dst, r, c, x)
	})
}

// Expand describes sem.TileExpand: each element of dst is the element of a vector for its
// row (or column), or a function of this element and of the element of another source at
// the same index.
func Expand[T, I, V any](m Machine[T, I, V], op *ir.Op, kind sem.TileExpand) {
	dst := m.Tile(Written(op))
	if kind.Fn == nil {
		m.Broadcast(dst, m.Tile(sem.TileEndsOf(op).Src), kind.Axis, kind.InTurn(), func(x V, r, c I) { m.Put(dst, r, c, x) })
		return
	}
	o := sem.TilePairOf(op).Src
	src := [2]T{m.Tile(o[0]), m.Tile(o[1])}
	fn := m.Fn(kind.Fn, dst)
	then := func(xs ...V) V { return xs[0] }
	if kind.Then != nil {
		then = m.Fn(kind.Then, dst)
	}
	xs, y := make([]V, 2), make([]V, 1)
	combine := func(vector int) {
		m.Covers(src[1-vector], dst)
		m.Broadcast(dst, src[vector], kind.Axis, kind.InTurn(), func(x V, r, c I) {
			xs[vector], xs[1-vector] = x, m.Get(src[1-vector], r, c)
			y[0] = fn(xs...)
			m.Put(dst, r, c, then(y...))
		})
	}
	if kind.Axis == sem.AlongCol {
		combine(1)
	} else {
		m.Vector(dst, src, combine)
	}
}

// Part describes sem.TilePart: each element of dst is a function of the elements of two
// sources. Where only one source has an element, it is this element. Where none has one,
// the maximum and the minimum store their neutral element, and other functions store
// nothing. A variant with indices stores the index of the element that it selects, too.
func Part[T, I, V any](m Machine[T, I, V], op *ir.Op, kind sem.TilePart) {
	o := sem.TilePairOf(op)
	a, b, dst := m.Tile(o.Src[0]), m.Tile(o.Src[1]), m.Tile(o.Dst)
	if kind.Arg {
		partWithIndices(m, o, kind, a, b, dst)
		return
	}
	fn := m.Fn(kind.Fn, dst)
	f, _ := ir.FormatOf(ir.ElementType(o.Dst.Type()))
	bits, fills := Neutral(kind.Fn, f)
	xs := make([]V, 2)
	both := func(r, c I) {
		xs[0], xs[1] = m.Get(a, r, c), m.Get(b, r, c)
		m.Put(dst, r, c, fn(xs...))
	}
	take := func(t T) func(r, c I) {
		return func(r, c I) { m.Put(dst, r, c, m.Get(t, r, c)) }
	}
	none := func(r, c I) { m.Put(dst, r, c, m.Constant(bits, dst)) }
	if !fills {
		none = nil
	}
	first, second := take(a), take(b)
	m.Each(dst, func(r, c I) { m.Among(a, b, r, c, both, first, second, none) })
}

// partWithIndices describes a TilePart in which each source has a tile of indices.
func partWithIndices[T, I, V any](m Machine[T, I, V], o sem.TilePair, kind sem.TilePart, a, b, dst T) {
	ai, bi, di := m.Tile(o.Numbers[0]), m.Tile(o.Numbers[1]), m.Tile(o.DstIndex)
	wins := m.FirstWins(kind.Fn, dst)
	m.Covers(ai, a)
	m.Covers(bi, b)
	m.Covers(di, dst)
	take := func(t, indices T) func(r, c I) {
		return func(r, c I) {
			m.Put(dst, r, c, m.Get(t, r, c))
			m.Put(di, r, c, m.Get(indices, r, c))
		}
	}
	both := func(r, c I) {
		x, y := m.Get(a, r, c), m.Get(b, r, c)
		first := wins(x, y)
		i, j := m.Get(ai, r, c), m.Get(bi, r, c)
		m.Put(dst, r, c, m.Choose(first, x, y))
		m.Put(di, r, c, m.Choose(first, i, j))
	}
	first, second := take(a, ai), take(b, bi)
	m.Each(dst, func(r, c I) { m.Among(a, b, r, c, both, first, second, nil) })
}

// Neutral returns the bits of the element, of format f, that a TilePart with the function
// fn stores where none of its sources has an element. The result fills is false if it
// stores nothing there.
func Neutral(fn *scalar.Fn, f num.Format) (bits uint64, fills bool) {
	switch fn {
	case scalar.Max:
		return num.Lowest(f), true
	case scalar.Min:
		return num.Max(f), true
	}
	return 0, false
}
