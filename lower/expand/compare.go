// This file expands comparisons and selections.

package expand

import (
	"fmt"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// A row of a tile of masks has a bit for each column. A group of columns is as many as one
// access of a mask has bits: those of one register of 8 or 16 bits, or of two registers of
// 32 bits.

// bitGroup returns the number of columns whose mask bits one load or store of a mask tile
// accesses. These columns form a group.
func (n *nest) bitGroup() int64 { return max(n.lanes, pto.VectorBytes/2) }

// eachGroup emits the loop over the groups of columns of the line l (a row, or a column
// of a column-major tile). A group consists of the columns whose mask bits one
// instruction accesses. The function body emits the code for one group. It receives the
// index of the first column (its parameter at), and a list of points. Each point
// describes the columns that one vector register holds.
func (n *nest) eachGroup(l *line, body func(at *ir.Value, points []*point)) {
	x, size, all := n.x, n.bitGroup(), n.length.n
	group := func(at *ir.Value, count int64) {
		var points []*point
		for from := int64(0); from < count; from += n.lanes {
			own := min(n.lanes, count-from)
			start := at
			if from > 0 {
				start = x.at.Op(arith.AddI, []*ir.Value{at, x.index(from)}, []ir.Type{ir.Index}).Result(0)
			}
			points = append(points, &point{line: l, at: start, count: own, mask: x.maskOf(n.bits(), own)})
		}
		body(at, points)
	}
	if whole := all / size * size; whole > 0 {
		x.segment(whole, size, func(at *ir.Value) { group(at, size) })
	}
	if rest := all % size; rest > 0 {
		group(x.index(all/size*size), rest)
	}
}

// bitsAt returns a byte offset in the mask tile o, which holds one bit for each element.
// It is the offset of the bit for column at in row l (or for row at in column l, in a
// column-major tile). The number at is a multiple of 8.
func (n *nest) bitsAt(o *operand, l *line, at *ir.Value) *ir.Value {
	x := n.x
	bytes := x.at.Op(arith.DivUI, []*ir.Value{at, x.index(8)}, []ir.Type{ir.Index}).Result(0)
	if l.number == nil {
		return bytes
	}
	row := x.at.Op(arith.MulI, []*ir.Value{l.number, x.index(o.pitch * o.size)}, []ir.Type{ir.Index}).Result(0)
	return x.at.Op(arith.AddI, []*ir.Value{row, bytes}, []ir.Type{ir.Index}).Result(0)
}

// maskDist returns the distribution mode with which an access maps stored mask bits to
// the bits of a mask register. It is NORM for elements of 8 bits; for wider elements it
// is the parameter other.
func (n *nest) maskDist(other string) []ir.NamedAttr {
	if n.bits() == 8 {
		return dist("NORM")
	}
	return dist(other)
}

// groupBits returns the lane width of the masks in which a comparison combines its
// results, in bits. It is the width of the compared elements, but at most 16.
func (n *nest) groupBits() int { return min(n.bits(), 16) }

// loadBits loads the mask bits of a group of columns from the tile o into a mask
// register. at is the distance of these bits from the start of the tile, in bytes.
func (n *nest) loadBits(o *operand, at *ir.Value) *ir.Value {
	return n.x.at.Op(isavector.PLdS, []*ir.Value{n.x.pointer(o), at}, []ir.Type{pto.MaskType(n.groupBits())}, n.maskDist("US")...).Result(0)
}

// half returns the mask bits for one register of a group of columns; m contains the mask
// bits of the whole group. A group is the set of columns whose mask bits one load or
// store accesses. Its elements fill up to two registers if they have 32 bits; the
// parameter number, 0 or 1, is the index of the register. Smaller elements need only one
// register, so half returns m unchanged.
func (n *nest) half(m *ir.Value, number int) *ir.Value {
	if n.bits() < 32 {
		return m
	}
	return n.x.at.Op(isavector.PUnpack, []*ir.Value{m}, []ir.Type{pto.MaskType(32)}, halves[number]).Result(0)
}

// halves holds the attributes that select one half of a mask. The lower half has index 0,
// and the higher half has index 1.
var halves = [2]ir.NamedAttr{{Name: "part", Attr: ir.Str("LOWER")}, {Name: "part", Attr: ir.Str("HIGHER")}}

// join emits the mask for a group of columns, the columns whose mask bits one load or
// store accesses. The elements of the group need up to two registers if they have 32
// bits, and ms contains the mask of each register. join packs these masks into a single
// mask. For smaller elements it returns the only mask in ms.
func (n *nest) join(ms []*ir.Value) *ir.Value {
	if n.bits() < 32 {
		return ms[0]
	}
	x, t := n.x, pto.MaskType(16)
	var parts []*ir.Value
	for i, m := range ms {
		parts = append(parts, x.at.Op(isavector.PPack, []*ir.Value{m}, []ir.Type{t}, halves[i]).Result(0))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return x.at.Op(isavector.POr, []*ir.Value{parts[0], parts[1], x.maskOf(16, pto.VectorBytes/2)}, []ir.Type{t}).Result(0)
}

// maskTile checks whether vector instructions can access o, a tile of masks. It returns
// "" if they can, and the reason if they cannot.
func (n *nest) maskTile(o *operand) string {
	switch {
	case n.length.n == ir.Dynamic:
		return "the number of columns is not constant"
	case o.byCols():
		return fmt.Sprintf("columns come first in \"%s\"", o.name)
	case o.pitch*o.size%pto.TileAlign != 0:
		return fmt.Sprintf("the rows of \"%s\" do not start at multiples of %d bytes", o.name, pto.TileAlign)
	case (n.length.n+n.bitGroup()-1)/n.bitGroup()*n.bitGroup() > 8*o.info.Cols*o.size:
		return fmt.Sprintf("the rows of \"%s\" have no room for the bits of whole registers", o.name)
	}
	return ""
}

// tileCompare replaces op, an elementwise comparison whose result is a tile of mask bits
// (kind TileCompare), by vector instructions. It returns "" or the reason why it cannot.
// Mask bytes of a row past the last column remain unchanged.
func (x *expander) tileCompare(op *ir.Op, _ sem.TileCompare) string {
	names := sources(op)
	src, why := x.tile(names[0])
	if why != "" {
		return why
	}
	dst, why := x.tile(destination(op))
	if why != "" {
		return why
	}
	elem, def := src.info.Elem, isavector.VCmp
	ins := []*operand{src}
	rhs := op.Arg(names[1])
	if pto.IsTile(rhs.Type()) {
		o, why := x.tile(names[1])
		if why == "" && o.info.Elem != elem {
			why = fmt.Sprintf("it compares %s with %s", elem, o.info.Elem)
		}
		if why != "" {
			return why
		}
		ins = append(ins, o)
	} else if def = isavector.VCmpS; !pto.SameElement(rhs.Type(), elem) {
		return fmt.Sprintf("\"%s\" is %s, which must be converted to %s first", names[1], rhs.Type(), elem)
	}
	relation, ok := sem.TilePredicate(op)
	if !ok {
		return "the relation is not known"
	}
	n, why := x.nest(src, ins, nil)
	if why != "" {
		return why
	}
	n.flat, n.written = n.flat && n.lines.n == 1, []*operand{dst}
	if why := n.maskTile(dst); why != "" {
		return why
	}
	for _, o := range ins {
		n.bars = n.bars || waits(o, dst, n.places(n.bitGroup()), nil, nil)
	}
	n.begin(src)
	mode := ir.NamedAttr{Name: "cmp_mode", Attr: ir.Str(relation.String())}
	n.eachLine(func(l *line) {
		n.eachGroup(l, func(at *ir.Value, points []*point) {
			var ms []*ir.Value
			count := int64(0)
			for _, p := range points {
				right := rhs
				if len(ins) > 1 {
					right = n.load(ins[1], p)
				}
				m := n.mask(elem, p)
				ms = append(ms, x.at.Op(def, []*ir.Value{n.load(src, p), right, m}, []ir.Type{m.Type()}, mode).Result(0))
				count += p.count
			}
			n.storeBits(dst, n.bitsAt(dst, l, at), n.join(ms), count)
		})
	})
	return ""
}

// storeBits stores the mask m of a group of columns to the tile o. count is the number of
// columns. at is the address of the mask bits, in bytes from the start of the tile. Mask
// bytes that belong to no column of the group remain unchanged.
func (n *nest) storeBits(o *operand, at, m *ir.Value, count int64) {
	x := n.x
	if used := (count + 7) / 8 * 8; used < n.bitGroup() {
		old := n.loadBits(o, at)
		m = x.at.Op(isavector.PSel, []*ir.Value{m, old, x.maskOf(n.groupBits(), used)}, []ir.Type{m.Type()}).Result(0)
	}
	n.loaded()
	x.at.Op(isavector.PStS, []*ir.Value{m, x.pointer(o), at}, nil, n.maskDist("PK")...)
}

// tileSelect replaces op, which chooses between the elements of two tiles by mask bits
// (kind TileSelect), by vector instructions. It returns "", or the reason why it cannot.
func (x *expander) tileSelect(op *ir.Op, _ sem.TileSelect) string {
	dst, why := x.tile(destination(op))
	if why != "" {
		return why
	}
	mask, why := x.tile("mask")
	if why != "" {
		return why
	}
	elem := dst.info.Elem
	var ins []*operand
	var scalar *ir.Value
	for _, name := range sources(op) {
		v := op.Arg(name)
		switch {
		case name == "mask":
		case !pto.IsTile(v.Type()):
			if scalar = v; !pto.SameElement(v.Type(), elem) {
				return fmt.Sprintf("\"%s\" is %s, which must be converted to %s first", name, v.Type(), elem)
			}
		default:
			o, why := x.tile(name)
			if why == "" && o.info.Elem != elem {
				why = fmt.Sprintf("the elements of \"%s\" are %s, but those of the result are %s", name, o.info.Elem, elem)
			}
			if why != "" {
				return why
			}
			ins = append(ins, o)
		}
	}
	n, why := x.nest(dst, ins, []*operand{dst})
	if why != "" {
		return why
	}
	n.flat = n.flat && n.lines.n == 1
	if why := n.maskTile(mask); why != "" {
		return why
	}
	for _, o := range ins { // each register of a group has a store
		n.bars = n.bars || waits(o, dst, n.places(n.lanes)+n.bitGroup()/n.lanes-1, nil, nil)
	}
	n.begin(dst)
	var other *ir.Value
	if scalar != nil {
		other = x.duplicate(elem, scalar)
	}
	n.eachLine(func(l *line) {
		n.eachGroup(l, func(at *ir.Value, points []*point) {
			bits := n.loadBits(mask, n.bitsAt(mask, l, at))
			for i, p := range points {
				rhs := other
				if scalar == nil {
					rhs = n.load(ins[1], p)
				}
				lhs := n.load(ins[0], p)
				n.loaded()
				n.store(dst, p, x.choose(lhs, rhs, n.half(bits, i)))
			}
		})
	})
	return ""
}
