// This file lowers stores of neighbouring elements, of blocks and of groups.

package vmi

import (
	"strconv"

	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// store lowers a VMI store to vector store instructions. The access mode of op, such as
// continuous, determines which store instructions it uses. store refuses a mask with a
// different layout than the vector.
func (c *call) store(op *ir.Op, _ sem.LaneStore) lowered {
	p := c.place()
	vs := c.vectors()
	mask := c.arg("mask")
	if mask != nil && mask.layout() != vs[0].layout() {
		return refused(layoutsDiffer)
	}
	var why string
	switch sem.WayOf(op) {
	case sem.WayContinuous:
		why = c.storeNeighbours(vs[0], p, mask)
	case sem.WayAlternating:
		why = c.storeAlternating(vs, p)
	case sem.WayGrouped:
		why = c.storeGroups(vs[0], p, c.arg("stride", "row_stride").v, int64(sem.GroupsOf(op)))
	case sem.WayBlocks:
		why = c.storeBlocks(vs[0], p, mask)
	case sem.WayPacked:
		why = c.storePacked(vs[0], p, mask)
	}
	if why != "" {
		return refused("%s", why)
	}
	return gives()
}

// storeNeighbours stores lanes of the vector operand a into consecutive elements of
// memory, starting at the location p. mask selects the lanes to store; nil means all
// lanes. storeNeighbours returns "", or the reason why it cannot lower the store.
func (c *call) storeNeighbours(a *arg, p place, mask *arg) string {
	l, elem := a.layout(), a.elem()
	w := width(elem)
	n := int64(len(a.parts))
	spaced := spacedStores[[2]int64{int64(bitsOf(elem)), l.LaneStride}]
	masks := func(r int) *ir.Value {
		if mask != nil {
			return c.valid(mask, r)
		}
		count := min(lanesOf(a.t)-int64(r)*w/l.LaneStride, w/l.LaneStride)
		return c.prefix(bitsOf(elem)*int(l.LaneStride), count)
	}
	switch {
	case l.Kind == pto.LayoutGroupSlots && l.Slots > 0 && mask == nil:
		return c.storeGroups(a, p, c.index(1), lanesOf(a.t))
	case l == contiguous:
		for r, v := range a.parts {
			c.vsts(v, c.after(p, int64(r)*w), masks(r), "")
		}
	case l.Kind == pto.LayoutContiguous && spaced != "":
		for r, v := range a.parts {
			c.vsts(v, c.after(p, int64(r)*w/l.LaneStride), masks(r), spaced)
		}
	case l == split2 && full(a.t) && mask == nil:
		for r := range n / 2 {
			c.pairStore(a.parts[r], a.parts[n/2+r], c.after(p, 2*r*w))
		}
	default:
		plain, plainMask := c.as(a, contiguous), (*arg)(nil)
		if mask != nil {
			plainMask = c.as(mask, contiguous)
		}
		return c.storeNeighbours(plain, p, plainMask)
	}
	return ""
}

// The method as returns the vector operand a in the layout l. If a has a different
// layout, as emits instructions that move its lanes to other registers. The result then
// describes these registers.
func (c *call) as(a *arg, l pto.VMILayout) *arg {
	t := withLayout(a.t, l)
	return &arg{t: t, parts: c.relayout(a.parts, a.t, t)}
}

// pairStore stores the lanes of two registers, the parameters low and high, to p. In
// memory, the elements of the two registers alternate.
func (c *call) pairStore(low, high *ir.Value, p place) {
	elem := ir.ElementType(low.Type())
	c.emitter.op(isavector.VStsX2, []*ir.Value{low, high, p.pointer, c.at(p, 0), c.all(bitsOf(elem))}, nil, str("dist", dist("INTLV", elem)))
}

// storeAlternating stores the two vectors in the list vs to p, so that their elements
// alternate in memory. It returns "", or the reason why it cannot.
func (c *call) storeAlternating(vs []*arg, p place) string {
	if !c.contiguousOnly() {
		return needsContiguous
	}
	elem := vs[0].elem()
	w, rest := width(elem), lanesOf(vs[0].t)
	for r := range vs[0].parts {
		low, high, at := vs[0].parts[r], vs[1].parts[r], c.after(p, int64(r)*2*w)
		if rest >= w {
			c.pairStore(low, high, at)
			rest -= w
			continue
		}
		both := c.emitter.op(isavector.VIntlv, []*ir.Value{low, high}, []ir.Type{low.Type(), low.Type()})
		for k, v := range both.Results() {
			if n := min(2*rest-int64(k)*w, w); n > 0 {
				c.vsts(v, c.after(at, int64(k)*w), c.prefix(bitsOf(elem), n), "")
			}
		}
	}
	return ""
}

// storeGroups stores groups of consecutive lanes of the vector operand a, starting at the
// location p. The groups are stride elements apart in memory. It returns "", or the
// reason why it cannot.
func (c *call) storeGroups(a *arg, p place, stride *ir.Value, groups int64) string {
	elem := a.elem()
	to := ir.ElementType(p.pointer.Type())
	if packs := bitsOf(to) < bitsOf(elem); packs { // only the low bytes of lanes are stored
		k := int64(bitsOf(elem) / bitsOf(to))
		a = c.lowBytes(a, to, k)
		if a == nil {
			return "no instruction stores the low bytes of lanes in this layout"
		}
		elem = to
	}
	l := a.layout()
	w, size := width(elem), lanesOf(a.t)/groups
	block := int64(blockBytes / pto.ByteSize(elem))
	by := distance(stride)
	slotted := l.Kind == pto.LayoutGroupSlots && l.Slots > 0 && size == 1
	n := int64(len(a.parts))
	switch {
	case slotted && (l.Slots == 1 || groups == 1):
		mask := c.prefix(bitsOf(elem), 1)
		for g, v := range a.parts {
			c.vsts(v, c.group(p, int64(g), stride), mask, dist("1PT", elem))
		}
	case slotted && by == 1 && n > 1 && fillBlocks(groups, elem) && !fillBlocks(l.Slots, elem):
		return c.storeNeighbours(c.as(a, pto.VMILayout{Kind: pto.LayoutContiguous, Factor: 1, LaneStride: l.LaneStride}), p, nil)
	case slotted && by == 1 && l.LaneStride == 1:
		c.storeSlots(a, p, groups)
	case slotted && by == 1:
		return c.storeGroups(c.as(a, slots(groups, l.Slots, 1)), p, stride, groups)
	case slotted:
		return c.storeGroups(c.as(a, slots(groups, 1, 1)), p, stride, groups)
	case by == size:
		return c.storeNeighbours(a, p, nil)
	case l == contiguous && size%w == 0:
		for r, v := range a.parts {
			at := c.after(c.group(p, int64(r)*w/size, stride), int64(r)*w%size)
			c.vsts(v, at, c.all(bitsOf(elem)), "")
		}
	case l == split2 && size%(2*w) == 0:
		for r := range n / 2 {
			c.pairStore(a.parts[r], a.parts[n/2+r], c.after(c.group(p, 2*r*w/size, stride), 2*r*w%size))
		}
	case l == contiguous && size == block && by > 0 && by%block == 0:
		for r, v := range a.parts {
			at := c.after(p, int64(r)*8*by)
			c.vsstb(v, at, c.integer(ir.I16, by/block), c.integer(ir.I16, 0), c.held(a.t, r))
		}
	case l != contiguous:
		return c.storeGroups(c.as(a, contiguous), p, stride, groups)
	default:
		c.storeGroupByGroup(a, p, stride, groups)
	}
	return ""
}

// fillBlocks reports whether the size of n elements is a multiple of 32 bytes.
func fillBlocks(n int64, elem ir.Type) bool { return n*int64(pto.ByteSize(elem))%blockBytes == 0 }

// lowBytes reinterprets the lanes of a, a vector with one lane per group, as lanes of
// type elem. This type is narrower than the old element type by the factor k, and each
// new lane holds the low bytes of an old lane. lowBytes returns nil for layouts in which
// this would select other lanes.
func (c *call) lowBytes(a *arg, elem ir.Type, k int64) *arg {
	d, _ := ir.As[pto.VMIVReg](a.t)
	if d.Layout.Kind != pto.LayoutContiguous && d.Layout.Kind != pto.LayoutGroupSlots {
		return nil
	}
	d.Elem = elem
	d.Layout.LaneStride *= k
	b := &arg{t: ir.TypeOf(d)}
	for _, v := range a.parts {
		b.parts = append(b.parts, c.cast(v, elem))
	}
	return b
}

// vsstb emits the instruction vsstb, which stores blocks of 32 bytes of the register v at
// location p. The last three arguments are the operands of the instruction: the distance
// between blocks in memory, the distance from p to the first block, and a mask that
// selects the stored blocks. Both distances are counted in blocks.
func (c *call) vsstb(v *ir.Value, p place, blockStride, skip, mask *ir.Value) {
	c.emitter.op(isavector.VSstB, []*ir.Value{v, c.moved(p.pointer, p.offset), blockStride, skip, mask}, nil)
}

// storeSlots stores the vector a, in which each of the given number of groups has one
// lane. The lanes become consecutive elements in memory, starting at p.
func (c *call) storeSlots(a *arg, p place, groups int64) {
	l, elem := a.layout(), a.elem()
	for r, v := range a.parts {
		n := min(l.Slots, groups-int64(r)*l.Slots)
		at := c.after(p, int64(r)*l.Slots)
		if fillBlocks(n, elem) || aligned(at) {
			dist := ""
			if bitsOf(elem) < 32 {
				dist = "NORM_B" + strconv.Itoa(bitsOf(elem))
			}
			c.vsts(v, at, c.prefix(bitsOf(elem), n), dist)
			continue
		}
		c.storeUnaligned(at, []*ir.Value{v}, n)
	}
}

// storeUnaligned stores the first n lanes of the registers vs at the location p. The
// address of p need not be a multiple of 32 bytes.
func (c *call) storeUnaligned(p place, vs []*ir.Value, n int64) {
	w := width(ir.ElementType(vs[0].Type()))
	base := c.moved(p.pointer, p.offset)
	state := c.one(isavector.InitAlign, alignType(), nil)
	for r, v := range vs {
		count := c.integer(ir.I32, min(w, n-int64(r)*w))
		to := c.moved(base, c.index(int64(r)*w))
		if r == 0 {
			to = base
		}
		state = c.one(isavector.VStus, alignType(), []*ir.Value{state, count, v, to})
	}
	c.emitter.op(isavector.VStas, []*ir.Value{state, base, c.integer(ir.I32, n)}, nil)
}

// storeGroupByGroup stores the vector operand a, whose lanes form groups, starting at p.
// It moves the lanes of each group to separate registers and stores these registers. The
// distance between the starts of adjacent groups in memory is stride elements.
func (c *call) storeGroupByGroup(a *arg, p place, stride *ir.Value, groups int64) {
	elem := a.elem()
	w, size := width(elem), lanesOf(a.t)/groups
	each := (size-1)/w + 1
	inBlocks := distance(stride) > 0 && distance(stride)*int64(pto.ByteSize(elem))%blockBytes == 0
	places := placesOf(a.t)
	for g := range groups {
		dst := make([][]ref, each)
		for k := range dst {
			dst[k] = make([]ref, w)
			for i := range dst[k] {
				if n := int64(k)*w + int64(i); n < size {
					dst[k][i] = places[g*size+n]
				} else {
					dst[k][i] = nowhere
				}
			}
		}
		vs := c.move(a.parts, dst)
		at := c.group(p, g, stride)
		switch {
		case size == 1:
			c.vsts(vs[0], at, c.prefix(bitsOf(elem), 1), dist("1PT", elem))
		case inBlocks:
			for k, v := range vs {
				c.vsts(v, c.after(at, int64(k)*w), c.prefix(bitsOf(elem), size-int64(k)*w), "")
			}
		default:
			c.storeUnaligned(at, vs, size)
		}
	}
}

// storeBlocks stores the vector operand a as blocks of 32 bytes, starting at the location
// p. Operands of the instruction contain the distances between the blocks. mask selects
// the lanes to store; if it is nil, all lanes are stored. storeBlocks returns "", or the
// reason why it cannot lower the instruction.
func (c *call) storeBlocks(a *arg, p place, mask *arg) string {
	if !c.contiguousOnly() {
		return needsContiguous
	}
	for r, v := range a.parts {
		step, skip := c.blockStrides(r)
		sel := c.held(a.t, r)
		if mask != nil {
			sel = c.valid(mask, r)
		}
		c.vsstb(v, p, step, skip, sel)
	}
	return ""
}

// storePacked stores the lanes of the vector operand a that the mask selects to
// consecutive elements, starting at the location p, without gaps. It returns "", or the
// reason why it cannot.
func (c *call) storePacked(a *arg, p place, mask *arg) string {
	if !c.contiguousOnly() {
		return needsContiguous
	}
	lane := a.elem()
	if !(pto.Ints | pto.Floats).Has(lane) {
		lane = uints(lane)
	}
	base := c.moved(p.pointer, p.offset)
	if c.op.ParentOf(isabase.VecScope) != nil {
		c.emitter.op(isavector.SprClr, nil, nil, str("spr", "AR"))
	}
	state := c.one(isavector.InitAlign, alignType(), nil)
	for r, v := range a.parts {
		squeezed := c.one(isavector.VSqz, pto.VregType(lane), []*ir.Value{c.cast(v, lane), c.valid(mask, r)})
		state = c.one(isavector.VStur, alignType(), []*ir.Value{state, c.cast(squeezed, a.elem()), base}, str("mode", "POST_UPDATE"))
	}
	c.emitter.op(isavector.VStar, []*ir.Value{state, base}, nil)
	return ""
}
