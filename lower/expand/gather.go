// This file expands gathers by indices.

package expand

import (
	"fmt"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// tileGather replaces op by vector gather instructions. The operation op is a gather that
// selects elements of a tile by index (kind TileGather); an index is the number of an
// element in the storage of the source tile. tileGather returns "", or the reason why it
// cannot expand op.
func (x *expander) tileGather(op *ir.Op, _ sem.TileGather) string {
	search := sem.TileSearchOf(op)
	if !search.Indices.Given() {
		return "only gathers by indices have an expansion"
	}
	var tiles [3]*operand
	for i, o := range []sem.Operand{search.Src, search.Indices, search.Dst} {
		var why string
		if tiles[i], why = x.tile(o.Name); why != "" {
			return why
		}
	}
	src, idx, dst := tiles[0], tiles[1], tiles[2]
	switch {
	case src.info.Elem != dst.info.Elem:
		return fmt.Sprintf("it moves %s to %s", src.info.Elem, dst.info.Elem)
	case src.size == 1 || src.size != idx.size:
		return fmt.Sprintf("vgather2 cannot read %s by offsets of %s", src.info.Elem, idx.info.Elem)
	case src.info.Compact != 0:
		return "elements of its source do not follow each other"
	}
	n, why := x.nest(dst, []*operand{idx}, []*operand{dst})
	if why != "" {
		return why
	}
	n.begin(dst)
	offsets := ir.Int(uint32(8 * idx.size))
	n.eachPoint(func(p *point) {
		v := x.gather(src, x.bitcast(n.load(idx, p), offsets), p.mask)
		n.loaded()
		n.store(dst, p, v)
	})
	return ""
}

// gather emits a load of elements of the tile o, which need not be adjacent. Each lane of
// the register in the parameter offsets holds the index of an element. Only the lanes
// that the parameter mask selects are loaded.
func (x *expander) gather(o *operand, offsets, mask *ir.Value) *ir.Value {
	return x.at.Op(isavector.VGather2, []*ir.Value{x.pointer(o), offsets, mask}, []ir.Type{pto.VregType(o.info.Elem)}).Result(0)
}

// tileTranspose replaces op, the transposition of a tile (kind TileTranspose), by
// gathers: each row of the result gathers a column of the source. It returns "", or the
// reason why it cannot expand op.
func (x *expander) tileTranspose(op *ir.Op, _ sem.TileTranspose) string {
	src, why := x.tile(sem.TileEndsOf(op).Src.Name)
	if why != "" {
		return why
	}
	dst, why := x.tile(destination(op))
	if why != "" {
		return why
	}
	rows, cols := src.info.VRows, src.info.VCols
	switch {
	case src.info.Elem != dst.info.Elem || src.size == 1:
		return fmt.Sprintf("vgather2 cannot read %s", src.info.Elem)
	case src.byCols() || dst.byCols():
		return "columns come first in a tile"
	case rows == ir.Dynamic || cols == ir.Dynamic:
		return "the valid region of \"src\" is not constant"
	case rows*src.pitch > 1<<(8*src.size-1):
		return fmt.Sprintf("offsets of %d bits do not reach all elements", 8*src.size)
	}
	turned := *dst // the lines of the result are the columns of src
	turned.info.VRows, turned.info.VCols = cols, rows
	n, why := x.nest(&turned, nil, []*operand{&turned})
	if why != "" {
		return why
	}
	n.flat = n.flat && n.lines.n == 1
	elem := ir.Int(uint32(8 * src.size))
	times, ok := VectorOf(scalar.Mul, elem, [3]ir.Type{{}, elem}, x.target)
	plus, ok2 := VectorOf(scalar.Add, elem, [3]ir.Type{{}, elem}, x.target)
	if !ok || !ok2 {
		return fmt.Sprintf("no vector instruction computes offsets of %s", elem)
	}
	n.begin(&turned)
	all := x.maskOf(n.bits(), n.lanes)
	numbers := x.top.Op(isavector.VCi, []*ir.Value{x.integer(elem, 0)}, []ir.Type{pto.VregType(elem)}).Result(0)
	starts := computeAt(x.top, times, elem, all, [3]*ir.Value{numbers, x.integer(elem, src.pitch)})
	n.eachLine(func(l *line) {
		n.along(l, nil, func(p *point, _ []*ir.Value) []*ir.Value {
			first := x.at.Op(arith.MulI, []*ir.Value{p.at, x.index(src.pitch)}, []ir.Type{ir.Index}).Result(0)
			if l.number != nil {
				first = x.at.Op(arith.AddI, []*ir.Value{first, l.number}, []ir.Type{ir.Index}).Result(0)
			}
			first = x.at.Op(arith.IndexCast, []*ir.Value{first}, []ir.Type{elem}).Result(0)
			v := x.gather(src, x.compute(plus, elem, all, [3]*ir.Value{starts, first}), p.mask)
			n.store(dst, p, v)
			return nil
		})
	})
	return ""
}
