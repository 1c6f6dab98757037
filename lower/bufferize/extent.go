// This file computes valid regions of results by kind.

package bufferize

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/routine"
)

// Extents emits operations that compute the valid regions of result tiles. For each tile,
// it inserts these operations before the instruction that computes the tile.
type Extents struct {
	Target ir.Target
	// Of returns the number of valid rows (axis 0) or columns (axis 1) of a tile, as a value
	// that is defined before op.
	Of func(op *ir.Op, tile *ir.Value, axis int) *ir.Value
}

// OfResult emits the number of valid rows (axis 0) or columns (axis 1) of v, a result of
// op. If a rule of the instruction requires that v and an operand have the same number,
// it is the number of the operand. In all other cases the number follows from what op
// computes. OfResult returns nil if the number cannot be determined.
func (x Extents) OfResult(op *ir.Op, v *ir.Value, axis int) *ir.Value {
	name := resultName(op, v)
	for _, source := range pto.TiedExtents(op.Def(), name, axis, x.Target) {
		if s := op.Arg(source); s != nil && pto.IsTile(s.Type()) {
			return x.Of(op, s, axis)
		}
	}
	if old := op.Arg(name); old != nil && pto.IsTile(old.Type()) { // updated in place
		return x.Of(op, old, axis)
	}
	return x.byMeaning(op, axis)
}

// resultName returns the name of v, a result of op, as the form of op (its syntax in the
// definition) declares it.
func resultName(op *ir.Op, v *ir.Value) string {
	for i := range op.Form().Results {
		if from, to := op.ResultRange(i); from <= v.Index() && v.Index() < to {
			return op.Form().Results[i].Name
		}
	}
	return ""
}

// byMeaning emits the number of valid rows (axis 0) or columns (axis 1) of the result of
// op. It derives the number from the kind of op, which describes what op computes. It
// returns nil if the kind does not determine the number. For most kinds, the number
// follows from the valid regions of the operands. For a few kinds, it also depends on
// views and layouts.
func (x Extents) byMeaning(op *ir.Op, axis int) *ir.Value {
	m := meaning{x, op, axis}
	if n, ok := extentRoutines.Run(m, op); ok {
		return n
	}
	switch kind := op.Def().Sem.(type) {
	case nil: // without a meaning, assume the extent of the first operand
		if len(op.Form().Operands) > 0 {
			return m.Of(op.Form().Operands[0].Name, axis)
		}
	case sem.GivesExtent:
		return kind.ExtentOf(op, axis, m)
	}
	return nil
}

// extentRoutines has a function for each kind of meaning (Go type that describes what an
// instruction computes) whose result extents do not follow from the extents of the
// operands alone.
var extentRoutines routine.Table[meaning, *ir.Value]

func init() { // not an initializer, because byMeaning refers to the table again
	extentRoutines = routine.New(func() []routine.Row[meaning, *ir.Value] {
		return []routine.Row[meaning, *ir.Value]{
			routine.Makes(func(m meaning, op *ir.Op, _ sem.TileLoad) *ir.Value { return loadedExtent(op, m.axis) }),
			routine.Makes(meaning.move),
			routine.Makes(meaning.scatter),
			routine.Makes(meaning.merged),
			routine.Makes(meaning.memGather),
		}
	})
}

// meaning computes the valid extent of the result of op along an axis (0 for rows, 1 for
// columns). It implements sem.Extents.
type meaning struct {
	x    Extents
	op   *ir.Op
	axis int
}

// Of returns the extent of the operand arg along an axis, or nil if the operand is not a
// tile.
func (m meaning) Of(arg string, axis int) *ir.Value {
	if v := m.op.Arg(arg); v != nil && pto.IsTile(v.Type()) {
		return m.x.Of(m.op, v, axis)
	}
	return nil
}

// stored returns the numbers of rows and columns of the storage of tile v.
func stored(v *ir.Value) [2]int64 {
	t, _ := pto.TileOf(v.Type())
	return [2]int64{t.Rows, t.Cols}
}

// Alike reports whether the operand arg and the result have storage with equal numbers of
// rows and columns.
func (m meaning) Alike(arg string) bool            { return stored(m.op.Arg(arg)) == stored(m.op.Result(0)) }
func (m meaning) Storage(axis int) *ir.Value       { return m.Number(stored(m.op.Result(0))[axis]) }
func (m meaning) Number(n int64) *ir.Value         { return arith.Index(ir.Before(m.op), n) }
func (m meaning) Add(x, y *ir.Value) *ir.Value     { return m.bin(arith.AddI, x, y) }
func (m meaning) Mul(x, y *ir.Value) *ir.Value     { return m.bin(arith.MulI, x, y) }
func (m meaning) CeilDiv(x, y *ir.Value) *ir.Value { return m.bin(arith.CeilDivSI, x, y) }
func (m meaning) Larger(x, y *ir.Value) *ir.Value  { return m.bin(arith.MaxSI, x, y) }

func (m meaning) Within(axis int, n *ir.Value) *ir.Value {
	return m.bin(arith.MinSI, n, m.Storage(axis))
}

func (m meaning) ElementBytes() int64 {
	return max(1, int64(pto.ByteSize(ir.ElementType(m.op.Result(0).Type()))))
}

// bin inserts an arithmetic operation of definition d on the extents x and y, and returns
// its result.
func (m meaning) bin(d *ir.Def, x, y *ir.Value) *ir.Value {
	return ir.Before(m.op).Op(d, []*ir.Value{x, y}, []ir.Type{ir.Index}).Result(0)
}

// scatter returns the number of valid rows or columns of the result of op, a scatter. If
// op writes to the positions that a tile of indices contains, it can write anywhere, so
// the number is that of the whole storage. If op writes to the positions that a repeating
// pattern marks, the number is that of the source. Along the axis of the pattern, it is
// multiplied by the ratio of all positions to marked positions.
func (m meaning) scatter(op *ir.Op, _ sem.TileScatter) *ir.Value {
	if op.Arg("indexes") != nil {
		return m.Storage(m.axis)
	}
	n, places := m.Of("src", m.axis), isatile.MarkedPlacesOf(op)
	if places.ByRows == (m.axis == 0) {
		n = m.Mul(n, m.Number(int64(places.Size/len(places.Marks))))
	}
	return m.Within(m.axis, n)
}

// move returns the number of valid rows of the result of a copy if m.axis is 0, and the
// number of valid columns if it is 1. If the copy reads a rectangle of the source, the
// number counts the valid rows or columns of the source from the start of the rectangle.
// If source and result have elements of different sizes, the number is converted to
// elements of the result.
func (m meaning) move(op *ir.Op, kind sem.TileMove) *ir.Value {
	n := m.Of("src", m.axis)
	if n == nil {
		return nil
	}
	if kind.Src {
		at := op.Arg([]string{"indexRow", "indexCol"}[m.axis])
		if at.Type() != ir.Index {
			at = ir.Before(op).Op(arith.IndexCast, []*ir.Value{at}, []ir.Type{ir.Index}).Result(0)
		}
		n = m.bin(arith.SubI, n, at)
	}
	src, _ := pto.TileOf(op.Arg("src").Type())
	dst, _ := pto.TileOf(op.Result(0).Type())
	rows, cols := src.Split(dst)
	if k := []int64{rows, cols}[m.axis]; k > 1 {
		n = m.Mul(n, m.Number(k))
	}
	if !kind.Src {
		return n
	}
	return m.Within(m.axis, n)
}

// merged returns the extent of the result of op, a list that is merged from several
// lists: the sum of their lengths.
func (m meaning) merged(op *ir.Op, _ sem.TileMerge) *ir.Value {
	var sum *ir.Value
	for _, v := range op.Args("srcs") {
		n := m.x.Of(op, v, m.axis)
		switch {
		case sum == nil || m.axis == 0:
			sum = n
		default:
			sum = m.Add(sum, n)
		}
	}
	return m.Within(m.axis, sum)
}

// memGather returns the extent of the result of a gather from memory: one element per
// index, or one row of the table per index.
func (m meaning) memGather(op *ir.Op, _ sem.MemGather) *ir.Value {
	index := func(axis int) *ir.Value {
		if n := m.Of("idx", axis); n != nil {
			return n
		}
		return viewExtent(op, op.Arg("idx"), []pto.ViewAxis{pto.MatrixRows, pto.MatrixCols}[axis])
	}
	switch rows, cols := index(0), index(1); {
	case rows == nil || cols == nil:
		return m.Storage(m.axis)
	case op.Attr("coalesce").Keyword() != "row":
		return m.Within(m.axis, []*ir.Value{rows, cols}[m.axis])
	case m.axis == 0:
		return m.Within(m.axis, m.Mul(rows, cols))
	}
	tile, _ := pto.TileOf(op.Result(0).Type())
	_, cols, _ := pto.TableAxes(tile)
	if n := viewExtent(op, op.Arg("mem"), cols); n != nil {
		return m.Within(m.axis, n)
	}
	return m.Storage(m.axis)
}
