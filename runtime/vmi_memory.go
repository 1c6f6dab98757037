// This file executes loads, stores, gathers and scatters of logical vectors (VMI), which
// can have any number of lanes. An access processes lane by lane, unless memory and
// vector have the same order and all lanes are selected.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// rowAccess executes a load or store of logical vectors.
type rowAccess struct {
	mem *vecAccess
	// way determines which memory element each lane corresponds to: consecutive elements,
	// every second one, blocks, and so on.
	way sem.Way
	// vs are the slots of the vectors, and t their type.
	vs []slot
	t  rowType
	// size is the size in bytes of a memory element.
	size int
	// per is the number of lanes in a group.
	per int
	// stride is the slot of the distance between groups in elements, or between blocks in
	// blocks of 32 bytes.
	stride slot
	// skip is the slot of the number of blocks before the first accessed block.
	skip slot
	// skips means that the instruction has the operand skip.
	skips bool
	// by selects the lanes that access memory.
	by    selection
	store bool
}

// rowLoad compiles op into a step, a function that loads logical vectors from memory. The
// access pattern of op, for example "every second element", determines which memory
// element each lane receives.
func (p *planner) rowLoad(op *ir.Op, _ sem.LaneLoad) step {
	a := p.rowAccess(op, reads, op.Results())
	if a == nil {
		return nil
	}
	a.by = p.selection(op, op.Result(0))
	if a.plain() {
		return a.loadPlain
	}
	return a.load
}

// rowStore compiles op into a step, a function that stores logical vectors to memory. The
// access pattern of op, for example "every second element", determines where each lane is
// stored.
func (p *planner) rowStore(op *ir.Op, _ sem.LaneStore) step {
	var vs []*ir.Value
	for _, v := range op.Operands() {
		if ir.Is[pto.VMIVReg](v.Type()) {
			vs = append(vs, v)
		}
	}
	a := p.rowAccess(op, writes, vs)
	if a == nil {
		return nil
	}
	a.store, a.by = true, p.selection(op, nil)
	if a.plain() {
		return a.storePlain
	}
	return a.each
}

// rowAccess returns the description of a load or store of the logical vectors vs. The
// parameter how states whether op reads or writes memory. It reports an error and returns
// nil if the runtime does not support the operands.
func (p *planner) rowAccess(op *ir.Op, how access, vs []*ir.Value) *rowAccess {
	d := sem.VectorAccessOf(op)
	size := p.elemSize(d.Pointer.Value)
	a := &rowAccess{mem: p.vecAccess(op, d.PointerAccess, how, size), way: sem.WayOf(op), t: p.rowType(op, vs[0]), size: size}
	if a.mem == nil {
		return nil
	}
	a.per = max(a.t.lanes/sem.GroupsOf(op), 1)
	for _, v := range vs {
		a.vs = append(a.vs, p.slot(v))
	}
	if d.Stride.Given() {
		a.stride = p.slot(d.Stride.Value)
	}
	if d.Skip.Given() {
		a.skip, a.skips = p.slot(d.Skip.Value), true
	}
	return a
}

// plain reports whether the access copies bytes without any change. It returns false if
// the access rearranges or widens elements, or has a mask.
func (a *rowAccess) plain() bool {
	return a.way == sem.WayContinuous && a.size == a.t.size && !a.by.masked
}

// base returns the base address of the access. The memory location of each lane is
// relative to this address; the method distance computes it.
func (a *rowAccess) base(fr *frame) uint64 { return fr.x[a.mem.ptr] + a.mem.distance(fr) }

// loadPlain executes a load that is a plain copy, because the layout in memory equals the
// layout in the runtime.
func (a *rowAccess) loadPlain(fr *frame) *Fault {
	b, f := a.mem.aligned(fr.core, a.base(fr), a.t.bytes())
	if f == nil {
		copy(fr.r[a.vs[0]], b)
	}
	return f
}

// storePlain executes a store that is a plain copy, because the layout in memory equals
// the layout in the runtime.
func (a *rowAccess) storePlain(fr *frame) *Fault {
	b, f := a.mem.aligned(fr.core, a.base(fr), a.t.bytes())
	if f == nil {
		copy(b, fr.r[a.vs[0]])
	}
	return f
}

// load executes a load that is not a plain copy: the lanes are not adjacent in memory,
// the memory elements have another size than the lanes, or a mask excludes lanes. It
// copies lane by lane. It returns a fault if an address is invalid.
func (a *rowAccess) load(fr *frame) *Fault {
	for _, v := range a.vs {
		clear(fr.r[v]) // elements may be narrower than lanes
	}
	if f := a.each(fr); f != nil {
		return f
	}
	for _, v := range a.vs {
		a.by.rest(fr, fr.r[v], a.t.size)
	}
	return nil
}

// The method each copies the selected lanes between the logical vectors and memory, one
// by one. Lanes that are not selected do not access memory, so their addresses can be out
// of bounds. If the access packs the selected lanes in memory, the address of a lane
// depends on the number of selected lanes before it.
func (a *rowAccess) each(fr *frame) *Fault {
	base, n := a.base(fr), min(a.size, a.t.size)
	packed := 0
	for i := range a.t.lanes {
		if !a.on(fr, i) {
			continue
		}
		for k, v := range a.vs {
			at := a.distance(fr, i, k)
			if a.way == sem.WayPacked {
				at = int64(packed * a.size)
				packed++
			}
			b, f := a.mem.aligned(fr.core, base+uint64(at), a.size)
			if f != nil {
				return f
			}
			lane := fr.r[v][i*a.t.size : (i+1)*a.t.size]
			if a.store {
				copy(b[:n], lane)
			} else {
				copy(lane, b[:n])
			}
		}
	}
	return nil
}

// on reports whether the access loads or stores lane i. This depends on the mask of the
// instruction, which is in the frame fr. If the instruction moves complete blocks of 32
// bytes, the mask bit of the first lane of a block applies to all lanes of the block.
func (a *rowAccess) on(fr *frame, i int) bool {
	if a.way == sem.WayBlocks {
		i -= i % (blockBytes / a.t.size)
	}
	return a.by.on(fr, i)
}

// distance returns the distance in bytes from the base address to the memory element of
// lane i. k is the number of the vector, for instructions that load or store several
// vectors. If the instruction accesses blocks of 32 bytes, distance uses only the lower
// 16 bits of the stride between blocks, as a signed number. The hardware instruction has
// a field of this size for the stride.
func (a *rowAccess) distance(fr *frame, i, k int) int64 {
	size := int64(a.size)
	switch a.way {
	case sem.WayEverywhere:
		return 0
	case sem.WayAlternating:
		return int64(len(a.vs)*i+k) * size
	case sem.WayGrouped:
		return (int64(i/a.per)*int64(fr.x[a.stride]) + int64(i%a.per)) * size
	case sem.WayGroupElement:
		return int64(i/a.per) * int64(fr.x[a.stride]) * size
	case sem.WayBlocks:
		per := blockBytes / a.t.size
		at := int64(i/per) * int64(int16(fr.x[a.stride]))
		if a.skips {
			at += int64(int16(fr.x[a.skip]))
		}
		return at*blockBytes + int64(i%per)*size
	}
	return int64(i) * size
}

// rowGather compiles op into a step, a function that loads each lane of a logical vector
// from a separate offset, in elements or bytes. Lanes that are not selected become zero.
func (p *planner) rowGather(op *ir.Op, kind sem.LaneGather) step {
	o := sem.VectorAccessOf(op)
	v := op.Result(0)
	t, size := p.rowType(op, v), p.elemSize(o.Pointer.Value)
	mem := p.vecAccess(op, o.PointerAccess, reads, size)
	if mem == nil {
		return nil
	}
	unit := uint64(size)
	if kind.Bytes {
		unit = 1
	}
	index := p.offsets(op, o.Offsets)
	d, by := p.slot(v), p.selection(op, v)
	return func(fr *frame) *Fault {
		out := fr.r[d]
		clear(out)
		for i := range min(t.lanes, index.lanes) {
			if !by.on(fr, i) {
				continue
			}
			b, f := mem.aligned(fr.core, fr.x[mem.ptr]+index.offsetOf(fr, i)*unit, size)
			if f != nil {
				return f
			}
			copy(out[i*t.size:(i+1)*t.size], b)
		}
		by.rest(fr, out, t.size)
		return nil
	}
}

// rowScatter compiles op into a step, a function that stores each lane of a logical
// vector at a separate offset.
func (p *planner) rowScatter(op *ir.Op, _ sem.LaneScatter) step {
	o := sem.VectorAccessOf(op)
	v := o.Value.Value
	t, size := p.rowType(op, v), p.elemSize(o.Pointer.Value)
	mem := p.vecAccess(op, o.PointerAccess, writes, size)
	if mem == nil {
		return nil
	}
	index := p.offsets(op, o.Offsets)
	from, by := p.slot(v), p.selection(op, nil)
	return func(fr *frame) *Fault {
		for i := range t.lanes {
			if !by.on(fr, i) {
				continue
			}
			b, f := mem.aligned(fr.core, fr.x[mem.ptr]+index.offsetOf(fr, i)*uint64(size), size)
			if f != nil {
				return f
			}
			copy(b, fr.r[from][i*t.size:(i+1)*t.size])
		}
		return nil
	}
}

// rowOffsets is an operand that contains an unsigned memory offset for each lane.
type rowOffsets struct {
	rowType
	slot slot
}

// offsets returns the row type and the slot of operand o. The operand is a vector that
// contains a memory offset for each lane. A step uses both to read the offsets.
func (p *planner) offsets(op *ir.Op, o sem.Operand) rowOffsets {
	return rowOffsets{p.rowType(op, o.Value), p.slot(o.Value)}
}

// offsetOf returns the offset of the memory access of lane i. The offset is an unsigned
// integer in lane i of the offset operand.
func (o *rowOffsets) offsetOf(fr *frame, i int) uint64 {
	return num.Load(wordFormats[o.size], fr.r[o.slot][i*o.size:])
}
