// This file emits loads and stores of logical vectors.

package llvm

import (
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// rowAccess maps the lanes of logical vectors (VMI) to memory addresses for a load or
// store.
type rowAccess struct {
	f *function
	// way determines how lanes map to memory: contiguous elements, alternating vectors,
	// groups or blocks at a distance, or one element for all lanes.
	way sem.Way
	// r is the element type and the number of lanes of a vector.
	r row
	// base is the address from which the distances of the lanes are counted.
	base value.Value
	// size is the size of an element in memory, in bytes.
	size int64
	// per is the number of lanes of a group.
	per int64
	// stride is the distance between consecutive groups in elements, or between
	// consecutive blocks in blocks of 32 bytes. skip is the number of blocks before the
	// first one.
	stride, skip value.Value
	// on is the stack copy of the mask. If it is nil, all lanes are selected.
	on *array
	// vectors are the stack copies of the vectors to load or store.
	vectors []array
}

func (f *function) rowAccess(op *ir.Op, vs []*ir.Value) *rowAccess {
	o := sem.VectorAccessOf(op)
	r, _ := rowOf(vs[0].Type())
	a := &rowAccess{f: f, way: sem.WayOf(op), r: r, size: pointee(o.Pointer.Value), skip: ll.Index(0)}
	a.base = f.vecAddress(o.PointerAccess, a.size)
	a.per = int64(max(r.lanes/sem.GroupsOf(op), 1))
	blocks := a.way == sem.WayBlocks
	if o.Stride.Given() {
		a.stride = f.strideOf(o.Stride.Value, blocks)
	}
	if o.Skip.Given() {
		a.skip = f.strideOf(o.Skip.Value, blocks)
	}
	return a
}

// strideOf emits the stride v as i64. If blocks is set, the stride is in blocks of 32
// bytes and has only 16 significant bits, which are sign-extended.
func (f *function) strideOf(v *ir.Value, blocks bool) value.Value {
	if blocks {
		return f.SExt(f.Resize(f.val(v), ll.I16, true), ll.I64)
	}
	return f.Resize(f.val(v), ll.I64, false)
}

// plain reports whether the access can be a single load or store of the whole vector:
// memory contains all lanes as contiguous elements, and the elements have the same size
// as the lanes. It returns false if the access has a mask, the parameter on.
func (a *rowAccess) plain(on value.Value) bool {
	return a.way == sem.WayContinuous && int(a.size) == a.r.size && on == nil
}

// rowLoad emits a load of one or more logical vectors from memory.
func (f *function) rowLoad(op *ir.Op, _ sem.LaneLoad) {
	var vs []*ir.Value
	for _, v := range op.Results() {
		if ir.Is[pto.VMIVReg](v.Type()) {
			vs = append(vs, v)
		}
	}
	a := f.rowAccess(op, vs)
	on := f.rowMask(op, vs[0])
	if a.plain(on) {
		f.set(vs[0], f.fromMemory(a.r, f.Load(ll.VectorOf(a.r.lanes, a.r.mem), a.base, a.r.size)))
		return
	}
	for range vs {
		a.vectors = append(a.vectors, f.emptyArray(a.r.mem, a.r.lanes))
	}
	a.each(on, func(memory, lane value.Value) { f.copyBytes(lane, memory, ll.Index(min(a.size, int64(a.r.size)))) })
	for i, v := range vs {
		f.set(v, f.selected(op, v, f.fromMemory(a.r, a.vectors[i].vector())))
	}
}

// fromMemory emits the lanes of type r from elements x as they are stored in memory,
// where an element of less than a byte occupies a byte.
func (f *function) fromMemory(r row, x value.Value) value.Value {
	return f.Trunc(x, r.t)
}

// rowStore emits a store of one or more logical vectors to memory.
func (f *function) rowStore(op *ir.Op, _ sem.LaneStore) {
	var vs []*ir.Value
	for _, v := range op.Operands() {
		if ir.Is[pto.VMIVReg](v.Type()) {
			vs = append(vs, v)
		}
	}
	a := f.rowAccess(op, vs)
	on := f.rowMask(op, nil)
	if a.plain(on) {
		f.Store(f.val(vs[0]), a.base, a.r.size)
		return
	}
	for _, v := range vs {
		a.vectors = append(a.vectors, f.arrayOf(f.val(v)))
	}
	a.each(on, func(memory, lane value.Value) { f.copyBytes(memory, lane, ll.Index(min(a.size, int64(a.r.size)))) })
}

// each emits loops over lanes of a vector. The parameter on is a mask that selects the
// lanes, or nil for all lanes. For each selected lane, it calls the function move with
// two addresses: the address of the lane in memory, and its address in the stack copy of
// the vector.
func (a *rowAccess) each(on value.Value, move func(memory, lane value.Value)) {
	f := a.f
	if on != nil {
		m := f.arrayOf(on)
		a.on = &m
	}
	f.Reduce("lane", ll.Index(int64(a.r.lanes)), []value.Value{ll.Index(0)}, func(i value.Value, acc []value.Value) []value.Value {
		body := func() {
			for k := range a.vectors {
				at := a.distance(i, int64(k))
				if a.way == sem.WayPacked {
					at = f.Mul(acc[0], ll.Index(a.size))
				}
				move(f.offset(a.base, at), a.vectors[k].at(i))
			}
		}
		if a.on == nil {
			body()
			return []value.Value{f.Add(acc[0], ll.Index(1))}
		}
		which := i
		if a.way == sem.WayBlocks { // of a block, its first lane says so
			which = f.Sub(i, f.Rem(i, int64(blockBytes/a.r.size)))
		}
		bit := a.on.get(which)
		f.When("selected", f.Trunc(bit, ll.I1), body)
		return []value.Value{f.Add(acc[0], f.ZExt(bit, ll.I64))}
	})
}

// distance emits the distance in bytes of lane i of vector k from the base address.
func (a *rowAccess) distance(i value.Value, k int64) value.Value {
	f, size := a.f, ll.Index(a.size)
	switch a.way {
	case sem.WayEverywhere:
		return ll.Index(0)
	case sem.WayAlternating:
		return f.Mul(f.Add(f.Mul(i, ll.Index(int64(len(a.vectors)))), ll.Index(k)), size)
	case sem.WayGrouped:
		return f.Mul(f.Add(f.Mul(f.Quo(i, a.per), a.stride), f.Rem(i, a.per)), size)
	case sem.WayGroupElement:
		return f.Mul(f.Mul(f.Quo(i, a.per), a.stride), size)
	case sem.WayBlocks:
		per := int64(blockBytes / a.r.size)
		block := f.Add(f.Mul(f.Quo(i, per), a.stride), a.skip)
		return f.Add(f.Mul(block, ll.Index(blockBytes)), f.Mul(f.Rem(i, per), size))
	}
	return f.Mul(i, size)
}

// rowOffsets emits an array of the unsigned offsets of a gather or scatter, one per lane.
func (f *function) rowOffsets(o sem.VectorAccess) array {
	return f.arrayOf(f.ZExt(f.val(o.Offsets.Value), ll.I64))
}

// selectedLanes emits a loop over n lanes. The function body emits the code for one lane.
// The parameter on is a mask with one bit for each lane: the code executes only for lanes
// whose bit is set. If on is nil, the code executes for all lanes.
func (f *function) selectedLanes(n int, on value.Value, body func(i value.Value)) {
	if on == nil {
		f.Loop("lane", ll.Index(int64(n)), body)
		return
	}
	m := f.arrayOf(on)
	f.Loop("lane", ll.Index(int64(n)), func(i value.Value) {
		f.When("selected", f.Trunc(m.get(i), ll.I1), func() { body(i) })
	})
}

// rowGather emits a load in which each lane of a logical vector has its own memory
// offset.
func (f *function) rowGather(op *ir.Op, kind sem.LaneGather) {
	v := op.Result(0)
	r, _ := rowOf(v.Type())
	o := sem.VectorAccessOf(op)
	size := pointee(o.Pointer.Value)
	unit := size
	if kind.Bytes {
		unit = 1
	}
	base, offsets, out := f.val(o.Pointer.Value), f.rowOffsets(o), f.emptyArray(r.mem, r.lanes)
	f.selectedLanes(min(r.lanes, offsets.n), f.rowMask(op, v), func(i value.Value) {
		from := f.offset(base, f.Mul(offsets.get(i), ll.Index(unit)))
		f.copyBytes(out.at(i), from, ll.Index(min(size, int64(r.size))))
	})
	f.set(v, f.selected(op, v, f.fromMemory(r, out.vector())))
}

// rowScatter emits a store in which each lane of a logical vector has its own memory
// offset.
func (f *function) rowScatter(op *ir.Op, _ sem.LaneScatter) {
	o := sem.VectorAccessOf(op)
	v := o.Value.Value
	r, _ := rowOf(v.Type())
	size := pointee(o.Pointer.Value)
	base, offsets, x := f.val(o.Pointer.Value), f.rowOffsets(o), f.arrayOf(f.val(v))
	f.selectedLanes(r.lanes, f.rowMask(op, nil), func(i value.Value) {
		to := f.offset(base, f.Mul(offsets.get(i), ll.Index(size)))
		f.copyBytes(to, x.at(i), ll.Index(min(size, int64(r.size))))
	})
}
