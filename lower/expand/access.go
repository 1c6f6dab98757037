// This file emits loads and stores of tile operands.

package expand

import (
	"strconv"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isasync "ptogo/dialect/pto/isa/sync"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/order"
	"ptogo/ir"
)

// Registers hold one element for each lane of the widest elements. Narrower elements
// are at the start of such a lane, and zeros follow.

// factor returns how many elements of a tile fit into a lane of the widest elements.
func (n *nest) factor(o *operand) int64 { return pto.VectorBytes / n.lanes / o.size }

// load returns a register with the elements of a tile at a point.
func (n *nest) load(o *operand, p *point) *ir.Value {
	x, reg := n.x, pto.VregType(o.info.Elem)
	if v := x.registers[o.place()]; v != nil {
		return x.bitcast(v, o.info.Elem)
	}
	v := n.fetch(o, p, reg)
	if x.registers != nil {
		x.registers[o.place()] = v
	}
	return v
}

// fetch loads the elements of a tile at a point from memory.
func (n *nest) fetch(o *operand, p *point, reg ir.Type) *ir.Value {
	x := n.x
	if !n.reads(o, p) {
		return n.loadBlocks(o, p)
	}
	var attrs []ir.NamedAttr
	if k := n.factor(o); k > 1 {
		attrs = dist(map[int64]string{2: "UNPK_B" + strconv.FormatInt(8*o.size, 10), 4: "UNPK4"}[k])
	}
	return x.at.Op(isavector.VLds, []*ir.Value{x.pointer(o), n.offset(o, p)}, []ir.Type{reg}, attrs...).Result(0)
}

// loadCount is load for a point at which the tile has only the first count elements.
func (n *nest) loadCount(o *operand, p *point, count int64) *ir.Value {
	if count == n.lanes {
		return n.load(o, p)
	}
	own := *p
	own.count = count
	return n.loadBlocks(o, &own)
}

// choose inserts a selection: lanes of a where the mask is set, and lanes of b elsewhere.
func (x *expander) choose(a, b, mask *ir.Value) *ir.Value {
	return x.at.Op(isavector.VSel, []*ir.Value{a, b, mask}, []ir.Type{a.Type()}).Result(0)
}

// dist is the attribute of a distribution.
func dist(token string) []ir.NamedAttr {
	return []ir.NamedAttr{{Name: "dist", Attr: ir.Str(token)}}
}

// reads reports whether all elements of a whole register are inside the storage of a tile
// at every point like p. Bytes past the storage may belong to another tile that another
// pipe writes at the same time.
func (n *nest) reads(o *operand, p *point) bool {
	if p.count == n.lanes {
		return true
	}
	for _, out := range n.written { // which may begin within the storage of the tile
		if o.value != out.value && !apart(o, out) {
			return false
		}
	}
	lines, length := o.stored()
	if o.window {
		start, ok := arith.ConstantInt(o.col)
		if !ok {
			return false
		}
		length -= start
	}
	if n.flat {
		length *= lines
	}
	if n.length.n == ir.Dynamic {
		return length%n.lanes == 0
	}
	return pto.CeilDiv(n.length.n, n.lanes)*n.lanes <= length
}

// loadBlocks is load for a partially used register: it reads only the blocks of 32 bytes
// that contain elements.
func (n *nest) loadBlocks(o *operand, p *point) *ir.Value {
	x, elem := n.x, o.info.Elem
	reg := pto.VregType(elem)
	from := x.at.Op(isabase.AddPtr, []*ir.Value{x.pointer(o), n.offset(o, p)}, []ir.Type{x.pointer(o).Type()}).Result(0)
	v := x.at.Op(isavector.VSldB, []*ir.Value{from, x.integer(ir.I16, 1), x.integer(ir.I16, 0), n.packedMask(o, p)}, []ir.Type{reg}).Result(0)
	for k := n.factor(o); k > 1; k /= 2 { // elements move apart, with zeros between
		v = x.at.Op(isavector.VIntlv, []*ir.Value{v, x.fill(elem, 0)}, []ir.Type{reg, reg}).Result(0)
	}
	return v
}

// packedMask returns the mask of the elements of a tile at a point, one next to the
// other.
func (n *nest) packedMask(o *operand, p *point) *ir.Value {
	if p.count != ir.Dynamic {
		return n.x.maskOf(int(8*o.size), p.count)
	}
	m := p.mask
	for bits := n.bits(); bits > int(8*o.size); bits /= 2 {
		m = n.x.at.Op(isavector.PPack, []*ir.Value{m}, []ir.Type{pto.MaskType(bits / 2)}, ir.NamedAttr{Name: "part", Attr: ir.Str("LOWER")}).Result(0)
	}
	return m
}

// mask returns the mask of the elements at a point for registers of elem.
func (n *nest) mask(elem ir.Type, p *point) *ir.Value {
	bits := pto.LaneBits(elem)
	switch {
	case bits == n.bits():
		return p.mask
	case p.count == n.lanes:
		return n.x.maskOf(bits, int64(8*pto.VectorBytes/bits))
	}
	return n.x.at.Op(isavector.PBitcast, []*ir.Value{p.mask}, []ir.Type{pto.MaskType(bits)}).Result(0)
}

// store writes the elements of a register to a tile at a point.
func (n *nest) store(o *operand, p *point, v *ir.Value) {
	x := n.x
	if x.registers != nil {
		x.registers[o.place()] = v
	}
	if x.omitted[x.op] {
		return
	}
	var attrs []ir.NamedAttr
	if k := n.factor(o); k > 1 {
		attrs = dist(map[int64]string{2: "PK_B", 4: "PK4_B"}[k] + strconv.Itoa(n.bits()))
	}
	x.at.Op(isavector.VSts, []*ir.Value{v, x.pointer(o), n.offset(o, p), p.mask}, nil, attrs...)
}

// loaded ends the loads of a point. If tiles may share bytes, the stores that follow
// wait for them.
func (n *nest) loaded() {
	if n.bars {
		n.x.bar(order.VectorLoad, order.VectorStore)
	}
}

// bar emits a barrier between accesses of two classes.
func (x *expander) bar(before, after order.AccessClass) {
	x.at.Op(isasync.MemBar, nil, nil, ir.NamedAttr{Name: "kind", Attr: pto.MemBarEnum.Attr(order.BarrierFor(before, after))})
}

// fill returns a register with the same bits in every lane. It creates each such register
// once.
func (x *expander) fill(elem ir.Type, bits uint64) *ir.Value {
	key := filled{elem, bits}
	if v := x.fills[key]; v != nil {
		return v
	}
	of := arithmetic(elem)
	v := x.broadcast(of, x.number(of, bits))
	if of != elem {
		v = x.top.Op(isavector.VBitcast, []*ir.Value{v}, []ir.Type{pto.VregType(elem)}).Result(0)
	}
	x.fills[key] = v
	return v
}

// arithmetic returns elem, or the integer type of the same size if vector instructions
// can only convert elements of this type.
func arithmetic(elem ir.Type) ir.Type {
	if (pto.Ints | pto.Floats).Has(elem) {
		return elem
	}
	return ir.Int(uint32(8 * pto.ByteSize(elem)))
}

// filled identifies a register with the same bits in every lane.
type filled struct {
	elem ir.Type
	bits uint64
}

// duplicate returns a register with a scalar in every lane, as the public compiler makes
// it of scalars that are results themselves.
func (x *expander) duplicate(elem ir.Type, v *ir.Value) *ir.Value {
	bits := pto.LaneBits(elem)
	return x.top.Op(isavector.VDup, []*ir.Value{v, x.maskOf(bits, int64(8*pto.VectorBytes/bits))}, []ir.Type{pto.VregType(elem)}).Result(0)
}

// broadcast returns a register with a scalar in every lane.
func (x *expander) broadcast(elem ir.Type, v *ir.Value) *ir.Value {
	return x.top.Op(isavector.VBr, []*ir.Value{v}, []ir.Type{pto.VregType(elem)}).Result(0)
}

// number returns a constant of the bits of an element, as a signless number.
func (x *expander) number(elem ir.Type, bits uint64) *ir.Value {
	if d, ok := ir.As[ir.IntegerType](elem); ok {
		elem = ir.Int(d.Width)
	}
	a, _ := ir.NumberAttr(elem, bits)
	return arith.Materialize(x.before, a)
}
