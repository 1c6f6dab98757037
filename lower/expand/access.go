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
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Registers hold one element for each lane of the widest elements. Narrower elements
// are at the start of such a lane, and zeros follow.

// factor returns the size of the widest element type of the tile instruction divided by
// the element size of its operand o. A vector register holds this many elements of o for
// each element of the widest type.
func (n *nest) factor(o *operand) int64 { return pto.VectorBytes / n.lanes / o.size }

// load returns a register with the elements of the tile o at the point p (one vector
// register of elements). It reuses a register that already holds these elements.
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

// fetch loads the elements of the tile o at the point p (one vector register of elements)
// from memory into a register of type reg.
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

// loadCount returns a register with elements of the tile operand o, beginning with the
// element at the point p. count is the number of elements to load. If count is smaller
// than the number of lanes, loadCount reads only the blocks of 32 bytes that contain
// these elements.
func (n *nest) loadCount(o *operand, p *point, count int64) *ir.Value {
	if count == n.lanes {
		return n.load(o, p)
	}
	own := *p
	own.count = count
	return n.loadBlocks(o, &own)
}

// choose inserts a select instruction. Its result has the lanes of register a where the
// mask is set, and the lanes of register b elsewhere.
func (x *expander) choose(a, b, mask *ir.Value) *ir.Value {
	return x.at.Op(isavector.VSel, []*ir.Value{a, b, mask}, []ir.Type{a.Type()}).Result(0)
}

// dist returns the attribute dist with the value token. This attribute sets the
// distribution mode of a vector load or store, which determines the memory element for
// each lane.
func dist(token string) []ir.NamedAttr {
	return []ir.NamedAttr{{Name: "dist", Attr: ir.Str(token)}}
}

// reads reports whether the loop can load full registers from the tile o. At the end of a
// line (row or column), a full register may extend past the storage of the tile. The
// bytes there may belong to another tile, which another pipe writes concurrently, so that
// loading them would be a data race.
//
// p is the point of the iteration space at which the register is loaded. If all lanes of
// the register are used at this point, the result is true. If some lanes may be unused,
// two conditions must hold: even the last register of each line stays within the storage,
// and the loop writes no other tile that may overlap o.
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
	if n.whole(o) {
		return true
	}
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

// whole reports whether a load of a full register is safe at every position of the tile
// o. A register may extend beyond the end of a row (or column, if column-major) and then
// contains elements of the next one. The register must therefore stay within the storage
// of the tile. Furthermore, the loop must not overwrite elements of the next row before
// it loads them, so o must not overlap a tile that the loop writes. The function can
// verify these conditions only for a tile with an allocation of its own, and not for a
// part of another tile.
func (n *nest) whole(o *operand) bool {
	lines, length := o.stored()
	if _, allocates := definingKind(o.value).(sem.AllocTile); !allocates || o.pitch != length || n.lines.n == ir.Dynamic || n.length.n == ir.Dynamic {
		return false
	}
	for _, out := range n.written {
		if !apart(o, out) {
			return false // a store may precede the load of a line before it
		}
	}
	first := int64(0)
	if o.window {
		row, ok := arith.ConstantInt(o.row)
		col, ok2 := arith.ConstantInt(o.col)
		if !ok || !ok2 {
			return false
		}
		first = row*o.pitch + col
	}
	return first+(n.lines.n-1)*o.pitch+pto.CeilDiv(n.length.n, n.lanes)*n.lanes <= lines*length
}

// definingKind returns the meaning of the operation that defines v. It returns nil if v
// is a block argument or if the operation has no meaning.
func definingKind(v *ir.Value) ir.Meaning {
	if v.Op() == nil {
		return nil
	}
	return v.Op().Def().Sem
}

// loadBlocks loads the elements of the tile o that one iteration of the inner loop, the
// point p, processes. It is for an iteration that fills only a part of the vector
// register. loadBlocks reads only the 32-byte blocks that contain these elements. It
// returns the register.
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

// packedMask returns the mask of the elements of the tile o at the point p (one vector
// register of elements), for a register that holds these elements in consecutive lanes.
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

// mask returns the mask of the elements at the point p (one vector register of elements),
// with the lane width of the element type elem.
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

// store writes the register v to the elements of the tile o at the point p (one vector
// register of elements). It records v as the current value of the tile at this point.
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

// loaded is called between the loads and the stores of the loop body. If a loaded tile
// may share bytes with a stored one, loaded emits a barrier, so that the stores wait for
// the loads.
func (n *nest) loaded() {
	if n.bars {
		n.x.bar(order.VectorLoad, order.VectorStore)
	}
}

// bar emits a memory barrier between two classes of accesses. Earlier accesses of the
// class in the parameter before must complete before later accesses of the class in the
// parameter after start.
func (x *expander) bar(before, after order.AccessClass) {
	x.at.Op(isasync.MemBar, nil, nil, ir.NamedAttr{Name: "kind", Attr: pto.MemBarEnum.Attr(order.BarrierFor(before, after))})
}

// fill returns a register whose lanes have type elem and all contain the same constant
// element, given by its bits. Repeated calls with equal arguments return the same
// register.
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

// arithmetic returns elem if vector instructions compute on this element type. Otherwise
// they can only convert elem, and arithmetic returns the integer type of the same size.
func arithmetic(elem ir.Type) ir.Type {
	if (pto.Ints | pto.Floats).Has(elem) {
		return elem
	}
	return ir.Int(uint32(8 * pto.ByteSize(elem)))
}

// filled is the key under which an expander caches a constant register: the element type
// and the bits that every lane holds.
type filled struct {
	elem ir.Type
	bits uint64
}

// duplicate returns a register with the scalar v in every lane. It emits the instruction
// VDup, as the public compiler does if another operation computes the scalar.
func (x *expander) duplicate(elem ir.Type, v *ir.Value) *ir.Value {
	return x.duplicateAt(x.top, elem, v)
}

// duplicateAt emits the instruction VDup with the builder at. Every lane of the result has
// the value of v, which is a scalar or the first lane of a register.
func (x *expander) duplicateAt(at *ir.Builder, elem ir.Type, v *ir.Value) *ir.Value {
	bits := pto.LaneBits(elem)
	all := x.maskOf(bits, int64(8*pto.VectorBytes/bits))
	return at.Op(isavector.VDup, []*ir.Value{v, all}, []ir.Type{pto.VregType(elem)}).Result(0)
}

// broadcast returns a register with the scalar v in every lane, by instruction VBr.
func (x *expander) broadcast(elem ir.Type, v *ir.Value) *ir.Value {
	return x.top.Op(isavector.VBr, []*ir.Value{v}, []ir.Type{pto.VregType(elem)}).Result(0)
}

// number returns a constant with the given bits of an element of type elem. An integer
// constant is signless, because scalars have no sign.
func (x *expander) number(elem ir.Type, bits uint64) *ir.Value {
	if d, ok := ir.As[ir.IntegerType](elem); ok {
		elem = ir.Int(d.Width)
	}
	a, _ := ir.NumberAttr(elem, bits)
	return arith.Materialize(x.before, a)
}
