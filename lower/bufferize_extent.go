package lower

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// extentByMeaning returns the rows (axis 0) or columns (axis 1) of what op
// gives, for meanings that say so, or nil.
func (b *bufferizer) extentByMeaning(op *ir.Op, axis int) *ir.Value {
	m := meaning{b, op, axis}
	switch kind := op.Def().Sem.(type) {
	case sem.TileLoad:
		return b.loadedExtent(op, axis)
	case sem.TileMatmul:
		return m.of([]string{kind.Lhs, kind.Rhs}[axis], axis)
	case sem.TileTranspose:
		return m.of("src", 1-axis)
	case sem.TileMove:
		return m.move(kind)
	case sem.TileReduce:
		if across := map[sem.Axis]int{sem.AlongRow: 1, sem.AlongCol: 0}[kind.Axis]; axis == across {
			return arith.Index(ir.Before(op), 1)
		}
	case sem.TileMap:
		for i := range op.NumOperands() {
			if v := op.Operand(i); pto.IsTile(v.Type()) {
				return b.extentOf(op, v, axis)
			}
		}
		return m.storage()
	case sem.TileExpand:
		return m.expand(kind)
	case sem.TilePart, sem.TileInterleave:
		return m.larger()
	case nil: // nothing is known but the operands
		return m.of(m.first(), axis)
	}
	return m.irregular()
}

// irregular is extentByMeaning for what rearranges elements.
func (m meaning) irregular() *ir.Value {
	size := max(1, int64(pto.ByteSize(ir.ElementType(m.op.Result(0).Type()))))
	switch kind := m.op.Def().Sem.(type) {
	case sem.TileCompare: // a bit for each element
		n := m.of(m.first(), m.axis)
		if m.axis == 1 && n != nil {
			n = m.bin(arith.CeilDivSI, n, m.index(8*size))
		}
		return n
	case sem.TileConcat:
		if m.axis == 1 && !kind.Counts {
			return m.within(m.bin(arith.AddI, m.of("src0", 1), m.of("src1", 1)))
		}
	case sem.TileGather:
		if n := m.of("indices", m.axis); n != nil {
			return n
		}
	case sem.TileScatter:
		if m.op.Arg("indexes") == nil {
			return m.spread()
		}
	case sem.TileGatherBlocks: // blocks of 32 bytes
		return m.times("offsets", 32/size)
	case sem.TileSort: // pairs of 8 bytes
		return m.times("src", 8/size)
	case sem.TileMerge:
		return m.merged()
	case sem.MemGather:
		return m.memGather()
	case sem.TileTri, sem.TileRandom, sem.TileIndex, sem.TilePad, sem.TileImg2Col, sem.TileHistogram, sem.ScaleAddress:
	default:
		return nil
	}
	return m.storage()
}

// meaning finds the extent of what op gives along an axis.
type meaning struct {
	b    *bufferizer
	op   *ir.Op
	axis int
}

// of returns an extent of an operand, or nil if that is no tile.
func (m meaning) of(arg string, axis int) *ir.Value {
	if v := m.op.Arg(arg); v != nil && pto.IsTile(v.Type()) {
		return m.b.extentOf(m.op, v, axis)
	}
	return nil
}

// times is the extent of an operand; there are n columns for each of its.
func (m meaning) times(arg string, n int64) *ir.Value {
	if m.axis == 0 {
		return m.of(arg, 0)
	}
	return m.within(m.bin(arith.MulI, m.of(arg, 1), m.index(n)))
}

// spread is the extent of elements among the places that a pattern leaves.
func (m meaning) spread() *ir.Value {
	n, places := m.of("src", m.axis), pto.MarkedPlacesOf(m.op)
	if places.ByRows == (m.axis == 0) {
		n = m.bin(arith.MulI, n, m.index(int64(places.Size/len(places.Marks))))
	}
	return m.within(n)
}

// first returns the name of the first operand.
func (m meaning) first() string {
	if len(m.op.Form().Operands) == 0 {
		return ""
	}
	return m.op.Form().Operands[0].Name
}

// room returns how much the storage of the result holds.
func (m meaning) room() int64 {
	info, _ := pto.TileOf(m.op.Result(0).Type())
	return []int64{info.Rows, info.Cols}[m.axis]
}

// storage is all of the storage: nothing says that less is written.
func (m meaning) storage() *ir.Value { return m.index(m.room()) }

func (m meaning) index(n int64) *ir.Value { return arith.Index(ir.Before(m.op), n) }

// bin computes with two extents, at once if they are known.
func (m meaning) bin(d *ir.Def, x, y *ir.Value) *ir.Value {
	return ir.Before(m.op).Op(d, []*ir.Value{x, y}, []ir.Type{ir.Index}).Result(0)
}

// within cuts an extent to what the storage holds.
func (m meaning) within(n *ir.Value) *ir.Value { return m.bin(arith.MinSI, n, m.storage()) }

// larger is the larger extent of the sources, which may be parts.
func (m meaning) larger() *ir.Value {
	x, y := m.of("src0", m.axis), m.of("src1", m.axis)
	if y == nil {
		return x
	}
	return m.within(m.bin(arith.MaxSI, x, y))
}

// expand is the extent of what a vector is spread over: that of the other
// operand, or all of the storage.
func (m meaning) expand(kind sem.TileExpand) *ir.Value {
	switch along := map[sem.Axis]int{sem.AlongRow: 0, sem.AlongCol: 1}[kind.Axis]; {
	case kind.Fn != nil:
		return m.of(expanded(m.op), m.axis)
	case m.axis == along:
		return m.of("src", m.axis)
	}
	return m.storage()
}

// expanded names the operand of op that a vector is spread over: the one with
// the storage of the result, the first if that does not tell.
func expanded(op *ir.Op) string {
	shape := func(v *ir.Value) [2]int64 {
		t, _ := pto.TileOf(v.Type())
		return [2]int64{t.Rows, t.Cols}
	}
	if dst := shape(op.Result(0)); shape(op.Arg("src0")) != dst && shape(op.Arg("src1")) == dst {
		return "src1"
	}
	return "src0"
}

// move is the extent of a window: what is left of the source behind the place
// where it starts, in numbers where the result counts those.
func (m meaning) move(kind sem.TileMove) *ir.Value {
	n := m.of("src", m.axis)
	if n == nil {
		return nil
	}
	if kind.Src {
		at := m.op.Arg([]string{"indexRow", "indexCol"}[m.axis])
		if at.Type() != ir.Index {
			at = ir.Before(m.op).Op(arith.IndexCast, []*ir.Value{at}, []ir.Type{ir.Index}).Result(0)
		}
		n = m.bin(arith.SubI, n, at)
	}
	src, _ := pto.TileOf(m.op.Arg("src").Type())
	dst, _ := pto.TileOf(m.op.Result(0).Type())
	rows, cols := src.Split(dst)
	if k := []int64{rows, cols}[m.axis]; k > 1 {
		n = m.bin(arith.MulI, n, m.index(k))
	}
	if !kind.Src {
		return n
	}
	return m.within(n)
}

// merged is the extent of lists merged into one row: as long as all of them.
func (m meaning) merged() *ir.Value {
	var sum *ir.Value
	for _, v := range m.op.Args("srcs") {
		n := m.b.extentOf(m.op, v, m.axis)
		switch {
		case sum == nil || m.axis == 0:
			sum = n
		default:
			sum = m.bin(arith.AddI, sum, n)
		}
	}
	return m.within(sum)
}

// memGather is the extent of what is gathered from memory: an element for each
// index, or a row of the table.
func (m meaning) memGather() *ir.Value {
	index := func(axis int) *ir.Value {
		if n := m.of("idx", axis); n != nil {
			return n
		}
		return m.b.viewExtent(m.op, m.op.Arg("idx"), []pto.ViewAxis{pto.MatrixRows, pto.MatrixCols}[axis])
	}
	switch rows, cols := index(0), index(1); {
	case rows == nil || cols == nil:
		return m.storage()
	case m.op.Attr("coalesce").Keyword() != "row":
		return m.within([]*ir.Value{rows, cols}[m.axis])
	case m.axis == 0:
		return m.within(m.bin(arith.MulI, rows, cols))
	}
	if n := m.b.viewExtent(m.op, m.op.Arg("mem"), pto.MatrixCols); n != nil {
		return m.within(n)
	}
	return m.storage()
}
