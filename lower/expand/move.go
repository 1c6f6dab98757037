// This file expands moves within vec.

package expand

import (
	"fmt"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// tileMove replaces op, a copy within vec memory (kind TileMove), by vector instructions.
// The instruction copies a complete tile to another tile, or to a window (a rectangle) of
// a larger tile, or from a window to a tile. tileMove returns "", or the reason why it
// cannot expand op.
func (x *expander) tileMove(op *ir.Op, kind sem.TileMove) string {
	ends := sem.TileEndsOf(op)
	src, why := x.tile(ends.Src.Name)
	if why != "" {
		return why
	}
	dst, why := x.tile(destination(op))
	if why != "" {
		return why
	}
	switch {
	case isatile.ReordersExponents(op) || sem.FixpipeOf(op).Quant.Scaled:
		return "it reorders or scales elements"
	case src.size != dst.size:
		return fmt.Sprintf("it moves %s to %s", src.info.Elem, dst.info.Elem)
	}
	over := dst
	if kind.Dst {
		over = src
	}
	n, why := x.nest(over, []*operand{src}, []*operand{dst})
	if why != "" {
		return why
	}
	for _, o := range map[bool][]*operand{kind.Src: {src}, kind.Dst: {dst}}[true] {
		if why := o.startAt(sem.WindowOf(op)); why != "" {
			return why
		}
		n.flat = n.flat && n.lines.n == 1
	}
	n.begin(over)
	n.eachPoint(func(p *point) {
		v := n.load(src, p)
		n.loaded()
		n.store(dst, p, x.bitcast(v, dst.info.Elem))
	})
	return ""
}

// startAt restricts the operand to a window of its tile. at holds the first row and
// column of the window. It returns "", or the reason if vector loads cannot access the
// window.
func (o *operand) startAt(at sem.WindowStart) string {
	o.row, o.col, o.window = at.Row.Value, at.Col.Value, true
	along := o.col
	if o.byCols() {
		return fmt.Sprintf("columns come first in \"%s\"", o.name)
	}
	if along == nil || o.row == nil || !isMultiple(along, o.size) || !isMultiple(o.row, o.pitch*o.size) {
		return fmt.Sprintf("it is not known that the window of \"%s\" starts at a multiple of %d bytes", o.name, pto.TileAlign)
	}
	return ""
}

// bitcast returns the bits of the register v as a register with elements of type elem.
func (x *expander) bitcast(v *ir.Value, elem ir.Type) *ir.Value {
	if ir.ElementType(v.Type()) == elem {
		return v
	}
	return x.at.Op(isavector.VBitcast, []*ir.Value{v}, []ir.Type{pto.VregType(elem)}).Result(0)
}

// tilePad replaces op, a copy of a tile that also writes padding (kind TilePad), by
// vector instructions. The instruction writes all columns of its result, and its rows up to
// the valid rows of both tiles. tilePad returns "", or the reason why it cannot expand op.
func (x *expander) tilePad(op *ir.Op, _ sem.TilePad) string {
	ends := sem.TileEndsOf(op)
	src, why := x.tile(ends.Src.Name)
	if why != "" {
		return why
	}
	dst, why := x.tile(ends.Dst.Name)
	if why != "" {
		return why
	}
	if src.size != dst.size {
		return fmt.Sprintf("it moves %s to %s", src.info.Elem, dst.info.Elem)
	}
	if src.byCols() != dst.byCols() {
		return "the lines of its tiles do not correspond"
	}
	if dst.byCols() && dst.info.VRows != dst.info.Rows {
		return "the rows of its result are not all valid"
	}
	// The space is the storage of the result, of which the valid rows are written.
	whole := *dst
	whole.info.VRows, whole.info.VCols = dst.info.Rows, dst.info.Cols
	n, why := x.nest(&whole, []*operand{src}, []*operand{dst})
	if why != "" {
		return why
	}
	n.flat = false
	n.begin(&whole)
	elem := dst.info.Elem
	bits := arithmetic(elem) // what vsel accepts
	pad := x.padding(bits, dst.info)
	source := &nest{x: x, byCols: n.byCols}
	lines, length := src.extents()
	source.lines, source.length = extent{n: lines}, extent{n: length}
	source.open(src)
	rows := x.atMost(source.lines, n.lines.n)
	x.loop(rows, 1, nil, func(i *ir.Value, _ []*ir.Value) []*ir.Value {
		l := x.lineOf(i)
		n.along(l, nil, func(p *point, _ []*ir.Value) []*ir.Value {
			v, m := x.partial(n, src, p, x.value(source.length))
			n.loaded()
			n.store(dst, p, x.bitcast(x.choose(x.bitcast(v, bits), pad, m), elem))
			return nil
		})
		return nil
	})
	padding := x.bitcast(pad, elem)
	last := x.index(n.lines.n)
	if !dst.byCols() && dst.info.VRows != dst.info.Rows {
		filled := &nest{x: x}
		filled.lines, filled.length = extent{n: dst.info.VRows}, extent{n: dst.info.VCols}
		filled.open(dst)
		last = x.atMost(filled.lines, n.lines.n)
	}
	x.loopFrom(rows, last, 1, nil, func(i *ir.Value, _ []*ir.Value) []*ir.Value {
		l := x.lineOf(i)
		n.along(l, nil, func(p *point, _ []*ir.Value) []*ir.Value { n.store(dst, p, padding); return nil })
		return nil
	})
	return ""
}

// padding returns a register in which every lane holds the padding element of a tile of
// type t. The lanes have type elem.
func (x *expander) padding(elem ir.Type, t pto.TileInfo) *ir.Value {
	return x.duplicate(elem, x.number(elem, padBits(t)))
}

// padBits returns the bits of a padding element of a tile of type t.
func padBits(t pto.TileInfo) uint64 {
	f, _ := ir.FormatOf(t.Elem)
	switch t.Pad {
	case pto.PadMax:
		return num.Extreme(f, false)
	case pto.PadMin:
		return num.Extreme(f, true)
	}
	return 0
}

// atMost returns the smaller of two numbers as a value of type index: the extent e, and
// the parameter bound. If e is constant, the returned value is a constant, too.
func (x *expander) atMost(e extent, bound int64) *ir.Value {
	if e.n != ir.Dynamic {
		return x.index(min(e.n, bound))
	}
	return x.before.Op(arith.MinSI, []*ir.Value{e.v, x.index(bound)}, []ir.Type{ir.Index}).Result(0)
}

// partial loads the elements of the tile o at the point p (one vector register of
// elements) and returns them as v. A line of the tile is a row, or a column of a
// column-major tile; the parameter length is its number of elements. The register can
// extend past the end of the line. The result mask selects the lanes with elements of the
// line.
func (x *expander) partial(n *nest, o *operand, p *point, length *ir.Value) (v, mask *ir.Value) {
	own := *p
	own.count = ir.Dynamic
	own.mask = x.below(n.bits(), length, p.at)
	return n.loadBlocks(o, &own), own.mask
}

// below returns a mask whose lanes have the given width in bits. Lane i is set if the sum
// of i and at is less than the parameter end.
func (x *expander) below(bits int, end, at *ir.Value) *ir.Value {
	left := x.at.Op(arith.SubI, []*ir.Value{end, at}, []ir.Type{ir.Index}).Result(0)
	left = x.at.Op(arith.MaxSI, []*ir.Value{left, x.index(0)}, []ir.Type{ir.Index}).Result(0)
	count := x.at.Op(arith.IndexCast, []*ir.Value{left}, []ir.Type{ir.I32}).Result(0)
	return x.at.Op(tailMasks[bits], []*ir.Value{count}, []ir.Type{pto.MaskType(bits), ir.I32}).Result(0)
}
