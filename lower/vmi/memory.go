// This file lowers loads of neighbouring elements, of blocks and of groups.

package vmi

import (
	"strconv"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// blockBytes is the size in bytes of a block of memory. Aligned loads and stores require
// addresses that are multiples of this size.
const blockBytes = 32

// place is a memory location: offset elements after pointer. A nil offset is 0.
type place struct{ pointer, offset *ir.Value }

// place returns the memory location that the load or store accesses.
func (c *call) place() place {
	p := place{pointer: c.arg("source", "destination").v}
	if off := c.arg("offset"); off != nil {
		p.offset = off.v
	}
	return p
}

// at returns the offset of the location p plus the constant n, in elements.
func (c *call) at(p place, n int64) *ir.Value {
	if p.offset == nil {
		return c.index(n)
	}
	return c.add(p.offset, n)
}

// after returns the memory location n elements after p.
func (c *call) after(p place, n int64) place { return place{p.pointer, c.at(p, n)} }

// group returns the memory location of group g. The groups start at p, and consecutive
// groups are stride elements apart.
func (c *call) group(p place, g int64, stride *ir.Value) place {
	if k, ok := arith.ConstantInt(stride); ok {
		return c.after(p, g*k)
	}
	if g == 0 {
		return p
	}
	return place{p.pointer, c.sum(c.at(p, 0), c.times(stride, g))}
}

// distance returns the constant value of stride, a number of elements. If stride is not
// constant, it returns 0. The result 0 therefore means that the stride is 0 or unknown.
func distance(stride *ir.Value) int64 {
	k, _ := arith.ConstantInt(stride)
	return k
}

// vlds emits the instruction vlds, which loads one register of elements of type elem from
// p. dist is the distribution mode, which determines the memory element for each lane; ""
// means consecutive elements.
func (c *call) vlds(elem ir.Type, p place, dist string) *ir.Value {
	var attrs []ir.NamedAttr
	if dist != "" {
		attrs = append(attrs, str("dist", dist))
	}
	return c.one(isavector.VLds, pto.VregType(elem), []*ir.Value{p.pointer, c.at(p, 0)}, attrs...)
}

// vsts emits the instruction vsts, which stores lanes of the register v to memory at p.
// The predicate in the parameter mask selects the lanes to store. dist is the
// distribution mode, which determines the memory element for each lane; "" means
// consecutive elements.
func (c *call) vsts(v *ir.Value, p place, mask *ir.Value, dist string) {
	var attrs []ir.NamedAttr
	if dist != "" {
		attrs = append(attrs, str("dist", dist))
	}
	c.emitter.op(isavector.VSts, []*ir.Value{v, p.pointer, c.at(p, 0), mask}, nil, attrs...)
}

// dist returns the complete name of a distribution mode (a mapping from memory elements
// to lanes) for elements of type elem. name is the name of the mode without the element
// width. For example, NORM becomes NORM_B16 for elements of 16 bits.
func dist(name string, elem ir.Type) string { return name + "_B" + strconv.Itoa(bitsOf(elem)) }

// The distribution modes (mappings from memory elements to lanes) for lanes with a stride:
// consecutive elements in memory correspond to every second or every fourth lane.
var (
	// spacedLoads holds the modes of loads, and spacedStores those of stores. The key is
	// a pair: the width of an element in bits, and the stride in lanes.
	spacedLoads  = map[[2]int64]string{{8, 2}: "UNPK_B8", {16, 2}: "UNPK_B16", {32, 2}: "UNPK_B32", {8, 4}: "UNPK4"}
	spacedStores = map[[2]int64]string{{8, 2}: "PK_B16", {16, 2}: "PK_B32", {8, 4}: "PK4_B32"}
)

// load lowers a VMI load to vector loads. The access mode of the instruction selects
// among them: consecutive elements, groups, blocks or alternating elements.
func (c *call) load(op *ir.Op, _ sem.LaneLoad) lowered {
	t, p := c.outs[0], c.place()
	var loaded []*ir.Value
	var why string
	switch way := sem.WayOf(op); way {
	case sem.WayContinuous:
		loaded = c.neighbours(t, p)
	case sem.WayUnpacked:
		loaded, why = c.unpacked(t, p)
	case sem.WayEverywhere:
		for range partTypes(t) {
			loaded = append(loaded, c.vlds(ir.ElementType(t), p, dist("BRC", ir.ElementType(t))))
		}
	case sem.WayAlternating:
		return c.alternatingLoad(p)
	case sem.WayGrouped:
		loaded = c.groups(t, p, c.arg("stride", "row_stride").v, int64(sem.GroupsOf(op)))
	case sem.WayGroupElement:
		loaded = c.groupElements(t, p, c.arg("stride", "source_group_stride").v, int64(sem.GroupsOf(op)))
	case sem.WayBlocks:
		loaded, why = c.blocks(t, p)
	case sem.WayPacked:
		loaded, why = c.expanded(t, p)
	}
	if why != "" {
		return refused("%s", why)
	}
	sel := sem.LaneSelectionOf(op, op.Result(0))
	if !sel.Mask.Given() || sem.WayOf(op) == sem.WayPacked || sem.WayOf(op) == sem.WayBlocks && !sel.Other.Given() {
		return gives(loaded)
	}
	if layoutOf(c.of(sel.Mask.Value).t) != layoutOf(t) || sel.Other.Given() && layoutOf(c.of(sel.Other.Value).t) != layoutOf(t) {
		return refused(layoutsDiffer)
	}
	for r := range loaded {
		loaded[r] = c.rest(sel, loaded[r], c.of(sel.Mask.Value).parts[r], r)
	}
	return gives(loaded)
}

// neighbours emits loads of adjacent elements, of which the first is at the location p.
// The elements form a value of type t. The result contains the registers of this value.
func (c *call) neighbours(t ir.Type, p place) []*ir.Value {
	l, elem := layoutOf(t), ir.ElementType(t)
	w := width(elem)
	n, _ := parts(t)
	out := make([]*ir.Value, n)
	spaced := spacedLoads[[2]int64{int64(bitsOf(elem)), l.LaneStride}]
	switch {
	case l.Kind == pto.LayoutGroupSlots && l.Slots > 0:
		return c.groupElements(t, p, c.index(1), lanesOf(t))
	case l == contiguous:
		for r := range out {
			out[r] = c.vlds(elem, c.after(p, int64(r)*w), "")
		}
	case l.Kind == pto.LayoutContiguous && spaced != "":
		for r := range out {
			out[r] = c.vlds(elem, c.after(p, int64(r)*w/l.LaneStride), spaced)
		}
	case l == split2 && full(t):
		for r := range n / 2 {
			both := c.pairLoad(elem, c.after(p, 2*r*w))
			out[r], out[n/2+r] = both[0], both[1]
		}
	case l == split4 && full(t):
		half := withLayout(t, split2)
		return c.relayout(c.neighbours(half, p), half, t)
	default:
		plain := withLayout(t, contiguous)
		return c.relayout(c.neighbours(plain, p), plain, t)
	}
	return out
}

// pairLoad loads two registers from p. The first receives the elements with even indices,
// the second those with odd indices.
func (c *call) pairLoad(elem ir.Type, p place) []*ir.Value {
	reg := pto.VregType(elem)
	return c.emitter.op(isavector.VLdsX2, []*ir.Value{p.pointer, c.at(p, 0)}, []ir.Type{reg, reg}, str("dist", dist("DINTLV", elem))).Results()
}

// unpacked loads consecutive elements and widens each of them to a lane of type t, which
// is wider than the element. p is the location of the first element. unpacked returns the
// registers with the lanes. If no instruction loads elements of this width into lanes of
// this width, it returns the reason as a string.
func (c *call) unpacked(t ir.Type, p place) ([]*ir.Value, string) {
	elem := ir.ElementType(t)
	narrow := ir.ElementType(p.pointer.Type())
	k := int64(bitsOf(elem) / bitsOf(narrow))
	spaced := spacedLoads[[2]int64{int64(bitsOf(narrow)), k}]
	if layoutOf(t) != contiguous || spaced == "" {
		return nil, "no instruction loads its elements into lanes of " + elem.String() + " in this layout"
	}
	n, _ := parts(t)
	out := make([]*ir.Value, n)
	for r := range out {
		out[r] = c.cast(c.vlds(narrow, c.after(p, int64(r)*width(elem)), spaced), elem)
	}
	return out, ""
}

// alternatingLoad lowers a load of two vectors from memory in which their elements
// alternate.
func (c *call) alternatingLoad(p place) lowered {
	if !c.contiguousOnly() {
		return refused(needsContiguous)
	}
	n, _ := parts(c.outs[0])
	elem := ir.ElementType(c.outs[0])
	low, high := make([]*ir.Value, n), make([]*ir.Value, n)
	for r := range low {
		both := c.pairLoad(elem, c.after(p, int64(r)*2*width(elem)))
		low[r], high[r] = both[0], both[1]
	}
	return gives(low, high)
}

// groups loads groups of consecutive elements into the registers of a value of type t,
// and returns the registers. The first group starts at the location p, and adjacent
// groups start stride elements apart.
func (c *call) groups(t ir.Type, p place, stride *ir.Value, groups int64) []*ir.Value {
	l, elem := layoutOf(t), ir.ElementType(t)
	w, size := width(elem), lanesOf(t)/groups
	block := int64(blockBytes / pto.ByteSize(elem))
	by := distance(stride)
	n, _ := parts(t)
	out := make([]*ir.Value, n)
	switch {
	case size == 1:
		return c.groupElements(t, p, stride, groups)
	case by == size:
		return c.neighbours(t, p)
	case l == contiguous && size%w == 0:
		for r := range out {
			g := int64(r) * w / size
			out[r] = c.vlds(elem, c.after(c.group(p, g, stride), int64(r)*w%size), "")
		}
	case l == split2 && size%(2*w) == 0:
		for r := range n / 2 {
			both := c.pairLoad(elem, c.after(c.group(p, 2*r*w/size, stride), 2*r*w%size))
			out[r], out[n/2+r] = both[0], both[1]
		}
	case by > 0 && by%block == 0 && (l == contiguous && size == block || l.Kind == pto.LayoutBlockDeinterleaved && size == l.Factor*block):
		perPart := n / (size / block)
		for r := range out {
			part, k := int64(r)/perPart, int64(r)%perPart
			from := c.after(p, part*block+8*k*by)
			out[r] = c.vsldb(elem, from, c.integer(ir.I16, by/block), c.integer(ir.I16, 0), c.held(t, r))
		}
	case l != contiguous:
		plain := withLayout(t, contiguous)
		return c.relayout(c.groups(plain, p, stride, groups), plain, t)
	default:
		return c.groupByGroup(t, p, stride, groups)
	}
	return out
}

// vsldb emits the instruction vsldb, which loads selected blocks of 32 bytes into one
// register. mask selects the blocks. blockStride is the distance between blocks, and skip
// is the distance to the first block; both are counted in blocks.
func (c *call) vsldb(elem ir.Type, p place, blockStride, skip, mask *ir.Value) *ir.Value {
	return c.one(isavector.VSldB, pto.VregType(elem), []*ir.Value{c.moved(p.pointer, p.offset), blockStride, skip, mask})
}

// groupByGroup loads a value of the VMI type t from the location p, one group of elements
// after the other. groups is the number of groups, and the groups start stride elements
// apart. groupByGroup first loads each group into registers of its own. It then moves the
// lanes to the registers that the layout of t prescribes, and returns these registers.
func (c *call) groupByGroup(t ir.Type, p place, stride *ir.Value, groups int64) []*ir.Value {
	elem := ir.ElementType(t)
	w, size := width(elem), lanesOf(t)/groups
	each := (size-1)/w + 1
	aligned := distance(stride) > 0 && distance(stride)*int64(pto.ByteSize(elem))%blockBytes == 0
	var loaded []*ir.Value
	for g := range groups {
		from := c.group(p, g, stride)
		for k := range each {
			loaded = append(loaded, c.anywhere(elem, c.after(from, k*w), aligned))
		}
	}
	var dst [][]ref
	for _, held := range contents(t) {
		lanes := make([]ref, len(held))
		for i, n := range held {
			if lanes[i] = nowhere; n >= 0 {
				lanes[i] = ref{n/size*each + n%size/w, n % size % w}
			}
		}
		dst = append(dst, lanes)
	}
	return c.move(loaded, dst)
}

// anywhere loads a register of elements from p. If aligned is false, p need not be a
// multiple of 32 bytes, and anywhere emits an unaligned load.
func (c *call) anywhere(elem ir.Type, p place, aligned bool) *ir.Value {
	if aligned {
		return c.vlds(elem, p, "")
	}
	from := c.moved(p.pointer, p.offset)
	state := c.one(isavector.VLdas, alignType(), []*ir.Value{from})
	return c.emitter.op(isavector.VLdus, []*ir.Value{from, state}, []ir.Type{pto.VregType(elem), alignType()}).Result(0)
}

// alignType returns the type of the alignment state that unaligned loads and stores pass
// from one to the next.
func alignType() ir.Type { return ir.TypeOf(pto.Handle{Name: "align"}) }

// groupElements loads one element for each group into a value of type t; the parameter
// groups is the number of groups. The layout of t determines whether one lane or all
// lanes of the group receive the element. The elements are stride elements apart in
// memory, starting at the location p.
func (c *call) groupElements(t ir.Type, p place, stride *ir.Value, groups int64) []*ir.Value {
	l, elem := layoutOf(t), ir.ElementType(t)
	w, size := width(elem), lanesOf(t)/groups
	block := int64(blockBytes / pto.ByteSize(elem))
	by := distance(stride)
	n, _ := parts(t)
	out := make([]*ir.Value, n)
	brc := dist("BRC", elem)
	slotted := l.Kind == pto.LayoutGroupSlots && l.Slots > 0 && size == 1
	switch {
	case slotted && l.Slots == 1, groups == 1, !slotted && l == contiguous && size%w == 0:
		each := max(n/groups, 1)
		for r := range out {
			out[r] = c.vlds(elem, c.group(p, int64(r)/each, stride), brc)
		}
	case slotted && l.LaneStride == 1 && by == 1 && (n == 1 || l.Slots*int64(pto.ByteSize(elem))%blockBytes == 0):
		for r := range out {
			mask := c.prefix(bitsOf(elem), min(l.Slots, groups-int64(r)*l.Slots))
			out[r] = c.vsldb(elem, c.after(p, int64(r)*l.Slots), c.integer(ir.I16, 1), c.integer(ir.I16, 0), mask)
		}
	case !slotted && by == 1 && bitsOf(elem) >= 16 && full(t) && (l == contiguous && size == block || l.Kind == pto.LayoutDeinterleaved && size == l.Factor*block):
		blocks := dist("E2B", elem)
		each := n
		if l != contiguous {
			each = n / l.Factor
		}
		for r := range each {
			v := c.vlds(elem, c.after(p, 8*r), blocks)
			for k := r; k < n; k += each {
				out[k] = v
			}
		}
	default:
		single := c.best(t, groups, p, stride)
		return c.spread(c.groupElements(single, p, stride, groups), single, t)
	}
	return out
}

// best chooses the type of an intermediate vector for a broadcast. The vector has one
// lane for each group. It is loaded from location p; the parameter stride is the distance
// of adjacent lanes in memory, in elements. The cost of loading it and of broadcasting
// its lanes to all lanes of type t is minimal.
func (c *call) best(t ir.Type, groups int64, p place, stride *ir.Value) ir.Type {
	d, _ := ir.As[pto.VMIVReg](t)
	d.Lanes, d.Layout = groups, slots(groups, 1, 1)
	one := ir.TypeOf(d)
	if distance(stride) != 1 || layoutOf(t) == slots(groups, 8, 1) {
		return one
	}
	d.Layout = slots(groups, 8, 1)
	if groups > 8 && 8*pto.ByteSize(d.Elem)%blockBytes != 0 {
		return one
	}
	return ir.TypeOf(d)
}

// blocks loads blocks of 32 bytes with a stride, starting at p, into the registers of a
// value of type t. If the mask selects only some lanes of a block, the other lanes of the
// block become 0. If no instruction can load such blocks, the string result is the
// reason.
func (c *call) blocks(t ir.Type, p place) ([]*ir.Value, string) {
	mask := c.arg("mask")
	if !c.contiguousOnly() {
		return nil, needsContiguous
	}
	elem := ir.ElementType(t)
	n, _ := parts(t)
	out := make([]*ir.Value, n)
	for r := range out {
		step, skip := c.blockStrides(r)
		sel := c.held(t, r)
		if mask != nil {
			sel = c.valid(mask, r)
		}
		v := c.vsldb(elem, p, step, skip, sel)
		if mask != nil && !wholeBlocks(mask) {
			v = c.selected(v, c.zeros(elem), mask.parts[r])
		}
		out[r] = v
	}
	return out, ""
}

// wholeBlocks reports whether the mask provably selects either all lanes or no lane of
// each block of 32 bytes.
func wholeBlocks(mask *arg) bool {
	op := mask.v.Op()
	if op == nil {
		return false
	}
	n, known := activeLanes(op)
	block := int64(blockBytes * 8 / laneBits(mask.t))
	return known && sem.GroupsOf(op) == 1 && (n%block == 0 || n >= lanesOf(mask.t))
}

// blockStrides returns two distances for register r of a strided access, counted in
// blocks of 32 bytes. The result step is the distance between consecutive blocks of the
// register. The result skip is the distance from the start of the access to the first
// block of the register.
func (c *call) blockStrides(r int) (step, skip *ir.Value) {
	step = c.arg("block_stride").v
	if s := c.arg("repeat_stride"); s != nil {
		skip = s.v
	}
	if r == 0 {
		if skip == nil {
			skip = c.integer(ir.I16, 0)
		}
		return step, skip
	}
	by := c.times(step, int64(8*r))
	if skip == nil {
		return step, by
	}
	return step, c.sum(skip, by)
}

// aligned reports whether the location p is known to be a multiple of 32 bytes.
func aligned(p place) bool {
	size := int64(pto.ByteSize(ir.ElementType(p.pointer.Type())))
	return multiple(p.pointer)%blockBytes == 0 && (p.offset == nil || multiple(p.offset)*size%blockBytes == 0)
}

// multiple returns a number that is known to divide v. If v is an index, the number
// divides the index; if v is a pointer, it divides the address in bytes.
func multiple(v *ir.Value) int64 {
	if n, ok := arith.ConstantInt(v); ok {
		if n == 0 {
			return blockBytes
		}
		return n & -n
	}
	op := v.Op()
	if op == nil {
		return 1
	}
	switch op.Def() {
	case arith.AddI, arith.SubI:
		return min(multiple(op.Operand(0)), multiple(op.Operand(1)))
	case arith.MulI:
		return min(multiple(op.Operand(0))*multiple(op.Operand(1)), 1<<20)
	case arith.IndexCast, isabase.CastPtr:
		return multiple(op.Operand(0))
	case isabase.AddPtr:
		size := int64(pto.ByteSize(ir.ElementType(v.Type())))
		return min(multiple(op.Operand(0)), multiple(op.Operand(1))*size)
	}
	return 1
}
