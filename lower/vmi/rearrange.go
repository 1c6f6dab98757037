// This file lowers instructions that move lanes.

package vmi

import (
	"slices"

	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// from identifies a source lane. The field operand is the index of an operand, and lane
// is the index of a lane of its value.
type from struct{ operand, lane int64 }

// rearranged returns the registers of a result of type t, whose lanes are lanes of the
// operands. source is a function that returns, for lane i of the result, the operand and
// the lane that it comes from.
func (c *call) rearranged(t ir.Type, operands []*arg, source func(i int64) from) []*ir.Value {
	var src []*ir.Value
	starts, at := make([]int64, len(operands)), make([][]ref, len(operands))
	for k, a := range operands {
		starts[k], at[k] = int64(len(src)), placesOf(a.t)
		src = append(src, a.parts...)
	}
	var dst [][]ref
	for _, held := range contents(t) {
		lanes := make([]ref, len(held))
		for i, n := range held {
			if lanes[i] = nowhere; n >= 0 {
				f := source(n)
				r := at[f.operand][f.lane]
				lanes[i] = ref{starts[f.operand] + r.reg, r.lane}
			}
		}
		dst = append(dst, lanes)
	}
	return c.move(src, dst)
}

// rearrange lowers an instruction that moves lanes: interleave, deinterleave, compaction,
// permutation or reinterpretation.
func (c *call) rearrange(op *ir.Op, kind sem.VecRearrange) lowered {
	switch kind.Kind {
	case sem.Interleave, sem.Deinterleave:
		return c.paired(op, kind.Kind == sem.Interleave)
	case sem.Compact:
		return c.compacted(op)
	case sem.CountBefore:
		return gives(c.countsBefore(c.arg("mask"), c.outs[0]))
	case sem.Permute:
		return c.permuted(op)
	case sem.Reinterpret:
		return c.reinterpreted()
	}
	return refused("its kind of rearrangement is unknown")
}

// paired lowers the interleaving of two vectors, or its inverse if interleaves is false.
func (c *call) paired(op *ir.Op, interleaves bool) lowered {
	vs := c.vectors()
	n := lanesOf(vs[0].t)
	if vs[0].layout() != vs[1].layout() || layoutOf(c.outs[0]) != layoutOf(c.outs[1]) {
		return refused(layoutsDiffer)
	}
	var outs [][]*ir.Value
	// One call of move makes both results, so that they share instructions.
	both := c.rearrangedPair(vs, n, interleaves)
	each, _ := parts(c.outs[0])
	outs = append(outs, both[:each], both[each:])
	for k := range outs {
		sel := sem.LaneSelectionOf(op, op.Result(k))
		if !sel.Mask.Given() || selectsAll(sel.Mask.Value) {
			continue
		}
		mask := c.of(sel.Mask.Value)
		if mask.layout() != layoutOf(c.outs[k]) {
			mask = c.as(mask, layoutOf(c.outs[k]))
		}
		for r, v := range outs[k] {
			if sel.Merges && layoutOf(c.outs[k]) == vs[0].layout() {
				outs[k][r] = c.selected(v, vs[0].parts[r], mask.parts[r])
			} else if sel.Merges {
				outs[k][r] = c.selected(v, c.as(vs[0], layoutOf(c.outs[k])).parts[r], mask.parts[r])
			} else {
				outs[k][r] = c.selected(v, c.zeros(vs[0].elem()), mask.parts[r])
			}
		}
	}
	return gives(outs...)
}

// rearrangedPair returns the registers of the two results of the instruction: first those
// of the first result, then those of the second. If interleaves is true, the results are
// the interleaved lanes of the two vectors in vs, which have n lanes each. If interleaves
// is false, the first result has the even lanes of the two vectors, and the second result
// the odd lanes.
func (c *call) rearrangedPair(vs []*arg, n int64, interleaves bool) []*ir.Value {
	var src []*ir.Value
	var at [2][]ref
	for k, a := range vs {
		at[k] = slices.Clone(placesOf(a.t))
		for i := range at[k] {
			at[k][i].reg += int64(len(src))
		}
		src = append(src, a.parts...)
	}
	var dst [][]ref
	for half, t := range c.outs {
		for _, held := range contents(t) {
			lanes := make([]ref, len(held))
			for i, m := range held {
				switch {
				case m < 0:
					lanes[i] = nowhere
				case interleaves:
					k := int64(half)*n + m
					lanes[i] = at[k%2][k/2]
				default:
					k := 2*m + int64(half)
					lanes[i] = at[k/n][k%n]
				}
			}
			dst = append(dst, lanes)
		}
	}
	return c.move(src, dst)
}

// selectsAll reports whether the mask v is known to select all lanes.
func selectsAll(v *ir.Value) bool {
	op := v.Op()
	if op == nil {
		return false
	}
	if d, ok := ir.AttrAs[ir.DenseAttr](op.Attr("value")); ok {
		bits, known := d.Numbers()
		return known && len(bits) == 1 && bits[0] != 0
	}
	n, known := activeLanes(op)
	return known && n >= lanesOf(v.Type())/int64(sem.GroupsOf(op))
}

// compacted lowers an instruction that moves the lanes which its mask selects to the
// first lanes of the result.
func (c *call) compacted(op *ir.Op) lowered {
	t, mask := c.outs[0], c.of(sem.MaskOf(op).Value)
	if !c.contiguousOnly() {
		return refused(needsContiguous)
	}
	if n, _ := parts(t); n > 1 {
		return refused("selected lanes of several registers cannot be moved to the front, because no instruction moves lanes by a distance that depends on data")
	}
	lane := ir.ElementType(t)
	if !(pto.Ints | pto.Floats).Has(lane) {
		lane = uints(lane)
	}
	v := c.one(isavector.VSqz, pto.VregType(lane), []*ir.Value{c.cast(c.args[0].parts[0], lane), c.valid(mask, 0)})
	return gives([]*ir.Value{c.cast(v, ir.ElementType(t))})
}

// countsBefore returns the registers of a value of type t. Lane i of the value contains
// the number of lanes before lane i that the parameter mask selects.
func (c *call) countsBefore(mask *arg, t ir.Type) []*ir.Value {
	elem := ir.ElementType(t)
	if layoutOf(t) != contiguous || mask.layout() != contiguous {
		plain := withLayout(t, contiguous)
		return c.relayout(c.countsBefore(c.as(mask, contiguous), plain), plain, t)
	}
	reg := pto.VregType(elem)
	var out []*ir.Value
	var before *ir.Value
	zero := c.integer(ir.WithoutSign(elem), 0)
	for r, m := range mask.parts {
		v := c.one(isavector.VUsqz, reg, []*ir.Value{c.splat(elem, zero), m})
		if before != nil {
			v = c.one(isavector.VAdd, reg, []*ir.Value{v, before, c.all(bitsOf(elem))})
		}
		out = append(out, v)
		if r == len(mask.parts)-1 {
			break
		}
		here := c.first(c.selectedCount(m, elem))
		if before != nil {
			here = c.one(isavector.VAdd, reg, []*ir.Value{here, before, c.all(bitsOf(elem))})
		}
		before = here
	}
	return out
}

// selectedCount returns a register whose lane 0 is the number of lanes that the mask m
// selects.
func (c *call) selectedCount(m *ir.Value, elem ir.Type) *ir.Value {
	ones := c.splat(elem, c.integer(ir.WithoutSign(elem), 1))
	t := elem
	if d, _ := ir.As[ir.IntegerType](elem); d.Width < 32 {
		t = ir.TypeOf(ir.IntegerType{Width: 2 * d.Width, Sign: d.Sign})
	}
	return c.cast(c.one(isavector.VCAdd, pto.VregType(t), []*ir.Value{ones, m}), elem)
}

// permuted lowers an instruction that selects source lanes by a vector of indices. An
// index beyond the last lane wraps around. This is implemented only for a number of lanes
// that is a power of two; permuted refuses all other vectors.
func (c *call) permuted(op *ir.Op) lowered {
	o := sem.PermutationOf(op)
	src, index := c.of(o.Source.Value), c.of(o.Index.Value)
	if !c.contiguousOnly() {
		return refused(needsContiguous)
	}
	n, w := lanesOf(src.t), width(src.elem())
	if n&(n-1) != 0 {
		return refused("numbers of lanes wrap around, which is possible for vectors of 1, 2, 4 and more lanes, but not of %d", n)
	}
	elem := uints(src.elem())
	var out []*ir.Value
	for _, ix := range index.parts {
		ix = c.cast(ix, elem)
		if len(src.parts) == 1 && n == w {
			out = append(out, c.one(isavector.VSelR, src.parts[0].Type(), []*ir.Value{src.parts[0], ix}))
			continue
		}
		if n < 1<<bitsOf(elem) {
			ix = c.one(isavector.VAnd, ix.Type(), []*ir.Value{ix, c.splat(elem, c.integer(ir.WithoutSign(elem), n-1)), c.all(bitsOf(elem))})
		}
		var sum *ir.Value
		for r, v := range src.parts {
			local := ix
			if r > 0 {
				local = c.one(isavector.VAnd, ix.Type(), []*ir.Value{ix, c.splat(elem, c.integer(ir.WithoutSign(elem), w-1)), c.all(bitsOf(elem))})
			}
			v = c.one(isavector.VSelR, v.Type(), []*ir.Value{v, local})
			if sum == nil {
				sum = v
				continue
			}
			from := c.one(isavector.VCmpS, pto.MaskType(bitsOf(elem)), []*ir.Value{ix, c.integer(ir.WithoutSign(elem), int64(r)*w), c.all(bitsOf(elem))}, str("cmp_mode", "ge"))
			sum = c.selected(v, sum, from)
		}
		out = append(out, sum)
	}
	return gives(out)
}

// reinterpreted lowers a bitcast to another element type.
func (c *call) reinterpreted() lowered {
	src, t := &c.args[0], c.outs[0]
	if src.layout() != layoutOf(t) || laneBits(src.t) != laneBits(t) && src.layout() != contiguous {
		return refused("the places of its lanes would change")
	}
	var out []*ir.Value
	for _, v := range src.parts {
		out = append(out, c.cast(v, ir.ElementType(t)))
	}
	return gives(out)
}

// shuffle lowers an instruction that selects source lanes by constant indices.
func (c *call) shuffle(op *ir.Op, _ sem.PermuteBy) lowered {
	numbers := sem.PermutationOf(op).Numbers
	return gives(c.rearranged(c.outs[0], c.vectors(), func(i int64) from { return from{0, numbers[i]} }))
}

// channels lowers an instruction that distributes the lanes of one vector cyclically to
// several vectors. If kind.Merge is set, it lowers the reverse instruction, which
// interleaves the lanes of several vectors in one vector.
func (c *call) channels(_ *ir.Op, kind sem.LaneChannels) lowered {
	if kind.Merge {
		n := int64(len(c.args))
		if n == 4 && layoutOf(c.outs[0]) == contiguous { // in two steps
			return c.mergeFour()
		}
		return gives(c.rearranged(c.outs[0], c.vectors(), func(i int64) from { return from{i % n, i / n} }))
	}
	n := int64(len(c.outs))
	whole := c.args[0]
	if split := withLayout(whole.t, split4); n == 4 && layoutOf(whole.t) == contiguous && lanesOf(whole.t)%4 == 0 {
		return c.dealt(c.as(&whole, split4), split, n)
	}
	return c.dealt(&whole, whole.t, n)
}

// dealt distributes the lanes of one vector, the parameter whole, to n result vectors.
// Lane i of this vector becomes lane i/n of result i%n.
func (c *call) dealt(whole *arg, _ ir.Type, n int64) lowered {
	var dst [][]ref
	at := placesOf(whole.t)
	var counts []int64
	for k, t := range c.outs {
		for _, held := range contents(t) {
			lanes := make([]ref, len(held))
			for i, m := range held {
				if lanes[i] = nowhere; m >= 0 {
					lanes[i] = at[m*n+int64(k)]
				}
			}
			dst = append(dst, lanes)
		}
		count, _ := parts(t)
		counts = append(counts, count)
	}
	all := c.move(whole.parts, dst)
	var outs [][]*ir.Value
	for _, n := range counts {
		outs = append(outs, all[:n])
		all = all[n:]
	}
	return gives(outs...)
}

// mergeFour interleaves four vectors in two steps, through an intermediate value whose
// lanes are split over four groups of registers.
func (c *call) mergeFour() lowered {
	split := withLayout(c.outs[0], split4)
	part := c.rearranged(split, c.vectors(), func(i int64) from { return from{i % 4, i / 4} })
	return gives(c.relayout(part, split, c.outs[0]))
}

// expanded loads consecutive elements, starting at p, into the lanes that the mask
// operand selects. It returns the registers of the result, a value of type t. If the
// target has no instructions for this load, it returns the reason as a string.
func (c *call) expanded(t ir.Type, p place) ([]*ir.Value, string) {
	mask, other := c.arg("mask"), c.arg("passthru")
	elem := ir.ElementType(t)
	switch {
	case !c.contiguousOnly():
		return nil, needsContiguous
	case mask.v != nil && selectsAll(mask.v):
		return c.neighbours(t, p), ""
	case bitsOf(elem) != 32 && elem != pto.UintType(16):
		return nil, "no instruction gathers lanes of " + elem.String()
	}
	counts := withElem(t, ir.WithoutSign(uints(elem)))
	if bitsOf(elem) == 16 {
		counts = withElem(t, ir.I16)
	}
	index := c.countsBefore(mask, counts)
	base := c.moved(p.pointer, p.offset)
	var out []*ir.Value
	for r, ix := range index {
		sel := c.valid(mask, r)
		v := c.gathered(base, ix, sel, elem)
		out = append(out, c.selected(v, other.parts[r], mask.parts[r]))
	}
	return out, ""
}

// withElem returns the vector type t with elements of type elem.
func withElem(t, elem ir.Type) ir.Type {
	d, _ := ir.As[pto.VMIVReg](t)
	d.Elem = elem
	return ir.TypeOf(d)
}

// gathered loads a register of elements of type elem. index holds the offset from base
// for each lane, in elements; only lanes that mask selects are loaded.
func (c *call) gathered(base, index, mask *ir.Value, elem ir.Type) *ir.Value {
	def := isavector.VGather2BC
	if bitsOf(elem) == 16 {
		def = isavector.VGather2
		index = c.cast(index, pto.UintType(16))
	}
	return c.one(def, pto.VregType(elem), []*ir.Value{base, index, mask})
}

// gather lowers a VMI gather to vector gather instructions.
func (c *call) gather(op *ir.Op, kind sem.LaneGather) lowered {
	p, t := c.place(), c.outs[0]
	elem := ir.ElementType(t)
	index := c.arg("offsets", "indices")
	sel := sem.LaneSelectionOf(op, op.Result(0))
	switch {
	case bitsOf(index.elem()) != bitsOf(elem):
		return refused("no instruction gathers lanes of %s by offsets of %s", elem, index.elem())
	case bitsOf(elem) == 16 && !(pto.B16.Has(elem)), bitsOf(elem) == 8:
		return refused("no instruction gathers lanes of %s", elem)
	case lanesOf(index.t) != lanesOf(t):
		return refused("the number of its offsets differs from that of its lanes")
	}
	base := c.moved(p.pointer, p.offset)
	return c.eachRegister(t, func(r int) *ir.Value {
		ix := index.parts[r]
		if kind.Bytes {
			shift := c.integer(ir.I16, map[int]int64{16: 1, 32: 2}[bitsOf(elem)])
			u := uints(index.elem())
			ix = c.cast(c.one(isavector.VShrS, pto.VregType(u), []*ir.Value{c.cast(ix, u), shift, c.all(bitsOf(u))}), index.elem())
		}
		v := c.gathered(base, ix, c.over(elem, c.of(sel.Mask.Value), r), elem)
		if !sel.Other.Given() && !sel.Merges {
			return v
		}
		return c.rest(sel, v, c.of(sel.Mask.Value).parts[r], r)
	})
}

// scatter lowers the VMI instruction that stores each lane of a vector of any length at a
// separate memory offset. The result is one vector scatter instruction per register.
func (c *call) scatter(*ir.Op, sem.LaneScatter) lowered {
	p := c.place()
	value, index, mask := c.arg("value"), c.arg("offsets", "indices"), c.arg("mask")
	switch {
	case !c.sameLayouts():
		return refused(layoutsDiffer)
	case bitsOf(index.elem()) != bitsOf(value.elem()):
		return refused("no instruction scatters lanes of %s by offsets of %s", value.elem(), index.elem())
	}
	base := c.moved(p.pointer, p.offset)
	for r, v := range value.parts {
		c.emitter.op(isavector.VScatter, []*ir.Value{v, base, index.parts[r], c.over(value.elem(), mask, r)}, nil)
	}
	return gives()
}
