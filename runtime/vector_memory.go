// This file compiles vector loads and stores with their distribution modes.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// blockBytes is the size in bytes of a block of local memory. Instructions count strides
// in these blocks, and most addresses must be aligned to them.
const blockBytes = 32

// vecAccess is the memory operand of a vector instruction: a pointer and an offset. In
// the post-update variant, the access is at the pointer itself, and the offset is added
// to the pointer afterwards.
type vecAccess struct {
	pointee
	ptr slot
	// offset is the slot of the offset, which counts units of scale bytes.
	offset slot
	format num.Format
	scale  uint64
	// fixed means that the instruction has no offset.
	fixed bool
	// moved is the slot of the updated pointer, if moves is set (post-update).
	moved slot
	moves bool
	align int
}

// vecAccess returns a description of the memory operand d of op. When op is executed, its
// step (a Go function) uses this description to access memory. The parameter how states
// whether op reads or writes the memory, and align is the required alignment in bytes.
// vecAccess reports an error and returns nil if the operand is not a pointer.
func (p *planner) vecAccess(op *ir.Op, d sem.PointerAccess, how access, align int) *vecAccess {
	v := d.Pointer
	if p.classOf(v.Type()) != scalarClass {
		p.errorf(op, "has an operand or result of type %s, which pto-run does not support", v.Type())
		return nil
	}
	a := &vecAccess{
		pointee: pointee{op: op, name: v.Name, how: how, space: pto.SpaceOf(v.Type())},
		ptr:     p.slot(v.Value), scale: uint64(p.elemSize(v.Value)), fixed: true, align: max(align, 1),
	}
	if d.Offset.Given() {
		a.format = p.types[d.Offset.Type()].format
		a.offset, a.fixed = p.slot(d.Offset.Value), false
	}
	if d.Updated != nil {
		a.moved, a.moves = p.slot(d.Updated), true
	}
	return a
}

// distance returns the number of bytes between the pointer operand and the accessed
// address.
func (a *vecAccess) distance(fr *frame) uint64 {
	if a.fixed {
		return 0
	}
	return uint64(far(num.Int(a.format, fr.x[a.offset]), int64(a.scale)))
}

// next returns the n bytes of memory that this execution of the instruction accesses. In
// the post-update variant, the instruction also returns an advanced pointer, which next
// stores. It returns a fault if the bytes are out of bounds or not aligned.
func (a *vecAccess) next(fr *frame, n int) ([]byte, *Fault) {
	addr, by := fr.x[a.ptr], a.distance(fr)
	if a.moves {
		fr.x[a.moved] = addr + by
	} else {
		addr += by
	}
	return a.aligned(fr.core, addr, n)
}

// aligned returns the n bytes at addr. It returns a fault if they are out of bounds or if
// addr is not aligned as the instruction requires.
func (a *vecAccess) aligned(c *core, addr uint64, n int) ([]byte, *Fault) {
	if addr&uint64(a.align-1) != 0 { // alignments are powers of two
		return nil, a.misaligned(addr, a.align)
	}
	return a.bytes(c, addr, n)
}

// distWidth returns the size in bytes of the memory elements that a vector instruction
// loads or stores in distribution mode d. The mode determines how elements in memory
// correspond to lanes of the register, for example every second element. lane is the size
// of a register lane in bytes.
func distWidth(d lanemap.Dist, lane int) int {
	if d.Bits == 0 {
		return lane
	}
	return d.Bits / 8
}

// distAlign returns the alignment in bytes that a vector instruction requires in
// distribution mode d, which determines how elements in memory correspond to lanes. The
// parameter width is the size of an element in bytes. The result is width if the mode
// reads or broadcasts single elements, and 32 for all other modes.
func distAlign(d lanemap.Dist, width int) int {
	switch d.Pattern {
	case lanemap.OneToAll, lanemap.ElementToBlock:
		return width
	}
	return blockBytes
}

// vecLoad compiles op into a step, a function that loads one or two vector registers from
// memory. The distribution mode of op determines which elements in memory fill which
// lanes, for example every second element or one element for all lanes.
func (p *planner) vecLoad(op *ir.Op, _ sem.VecLoad) step {
	dist := lanemap.DistOf(op)
	width := distWidth(dist, p.elemSize(op.Result(0)))
	align := distAlign(dist, width)
	if sem.IsUnaligned(op) {
		align = 1 // made for addresses that are not aligned
	}
	mem := p.vecAccess(op, sem.PointerAccessOf(op), reads, align)
	if mem == nil {
		return nil
	}
	d := p.slot(op.Result(0))
	if dist.Pair {
		return pairLoad(mem, dist, width, d, p.slot(op.Result(1)))
	}
	if dist.Pattern == lanemap.Contiguous {
		return func(fr *frame) *Fault {
			b, f := mem.next(fr, pto.VectorBytes)
			if f == nil {
				copy(fr.v[d].bytes(), b)
			}
			return f
		}
	}
	n, load := loader(dist, width)
	p.hearLoad(op, mem, dist, width)
	return func(fr *frame) *Fault {
		b, f := mem.next(fr, n)
		if f != nil {
			return f
		}
		load(fr.v[d].bytes(), b)
		return nil
	}
}

// loader returns the number of bytes that a vector load reads in distribution mode dist,
// and a function that distributes these bytes over a register. The mode determines which
// elements in memory fill which lanes.
func loader(dist lanemap.Dist, elemBytes int) (n int, load func(d, mem []byte)) {
	const all = pto.VectorBytes
	k := dist.Factor
	switch dist.Pattern {
	case lanemap.OneToAll:
		return elemBytes, repeat
	case lanemap.BlockToAll:
		return blockBytes, repeat
	case lanemap.Repeat:
		return all / k, func(d, mem []byte) {
			for i := range all / elemBytes {
				copy(d[i*elemBytes:(i+1)*elemBytes], mem[i/k*elemBytes:])
			}
		}
	case lanemap.Every:
		return all * k, func(d, mem []byte) { every(d, mem, elemBytes, k, 0) }
	case lanemap.Spaced:
		return all / k, func(d, mem []byte) {
			clear(d)
			for i := range all / (elemBytes * k) {
				copy(d[i*elemBytes*k:], mem[i*elemBytes:(i+1)*elemBytes])
			}
		}
	case lanemap.ElementToBlock:
		return all / blockBytes * elemBytes, func(d, mem []byte) {
			for i := range all / blockBytes {
				repeat(d[i*blockBytes:(i+1)*blockBytes], mem[i*elemBytes:(i+1)*elemBytes])
			}
		}
	}
	return all, func(d, mem []byte) { copy(d, mem) }
}

// repeat fills the destination d with copies of the bytes in mem, one after another. The
// last copy is cut off if the length of d is not a multiple of that of mem.
func repeat(d, mem []byte) {
	for n := copy(d, mem); n < len(d); n *= 2 {
		copy(d[n:], d[:n])
	}
}

// every copies equally spaced elements of mem to adjacent elements of d. The copied
// elements have the numbers first, first+k, first+2*k, and so on. An element has width
// bytes.
func every(d, mem []byte, width, k, first int) {
	for i := range len(d) / width {
		copy(d[i*width:(i+1)*width], mem[(i*k+first)*width:])
	}
}

// pairLoad returns a step that loads two registers whose elements alternate in memory.
// low and high are the slots of the registers. An element has width bytes, or is a block
// of 32 bytes, depending on the distribution mode dist.
func pairLoad(mem *vecAccess, dist lanemap.Dist, width int, low, high slot) step {
	if dist.Pattern == lanemap.BlockEvery {
		width = blockBytes
	}
	return func(fr *frame) *Fault {
		b, f := mem.next(fr, 2*pto.VectorBytes)
		if f != nil {
			return f
		}
		every(fr.v[low].bytes(), b, width, 2, 0)
		every(fr.v[high].bytes(), b, width, 2, 1)
		return nil
	}
}

// vecStore compiles op into a step, a function that stores one or two vector registers to
// memory. The distribution mode of op determines which lanes are stored where, for
// example only every second lane.
func (p *planner) vecStore(op *ir.Op, _ sem.VecStore) step {
	dist := lanemap.DistOf(op)
	d := sem.VectorAccessOf(op)
	v := d.Value.Value
	width := distWidth(dist, p.elemSize(v))
	mem := p.vecAccess(op, d.PointerAccess, writes, distAlign(dist, width))
	if mem == nil {
		return nil
	}
	if dist.Pair {
		return pairStore(mem, width, p.slot(v), p.slot(d.High.Value))
	}
	from := p.slot(v)
	var m slot
	masked := d.Mask.Given() && dist.Pattern != lanemap.OneToAll
	if masked {
		m = p.slot(d.Mask.Value)
	}
	n, store := storer(dist, width)
	p.hearStore(op, mem, dist, width, func(fr *frame) *mask {
		if masked {
			return &fr.m[m]
		}
		return &everyLane
	})
	return func(fr *frame) *Fault {
		b, f := mem.next(fr, n)
		if f != nil {
			return f
		}
		active := &everyLane
		if masked {
			active = &fr.m[m]
		}
		store(b, fr.v[from].bytes(), active)
		return nil
	}
}

// everyLane is a mask that selects all lanes, for any lane size.
var everyLane = first(pto.VectorBytes, 1)

// storer returns the number of bytes that a vector store writes in distribution mode
// dist, and a function that collects these bytes from a register. The mode determines
// which lanes are stored where. An element is stored if the mask bit of its first byte in
// the register is set.
func storer(dist lanemap.Dist, elemBytes int) (n int, store func(mem, v []byte, m *mask)) {
	const all = pto.VectorBytes
	k := dist.Factor
	switch dist.Pattern {
	case lanemap.OneToAll:
		return elemBytes, func(mem, v []byte, _ *mask) { copy(mem, v) }
	case lanemap.Every: // in a stride
		return all*k - (k-1)*elemBytes, func(mem, v []byte, m *mask) {
			for i := range all / elemBytes {
				if m.has(i, elemBytes) {
					copy(mem[i*k*elemBytes:], v[i*elemBytes:(i+1)*elemBytes])
				}
			}
		}
	case lanemap.Spaced:
		return all / k, func(mem, v []byte, m *mask) {
			for i := range all / (elemBytes * k) {
				if m.has(i, elemBytes*k) {
					copy(mem[i*elemBytes:], v[i*elemBytes*k:i*elemBytes*k+elemBytes])
				}
			}
		}
	case lanemap.Channels:
		return all, func(mem, v []byte, m *mask) { mergeChannels(mem, v, m, elemBytes, k, dist.Mask/8) }
	}
	return all, func(mem, v []byte, m *mask) {
		if m.all(elemBytes) {
			copy(mem, v)
			return
		}
		for i := range all / elemBytes {
			if m.has(i, elemBytes) {
				copy(mem[i*elemBytes:], v[i*elemBytes:(i+1)*elemBytes])
			}
		}
	}
}

// mergeChannels stores the register v to mem and interleaves its channels. Each block of
// 32 bytes of the register consists of equal parts, one for each channel; the parameter
// planes is the number of channels. In memory, element 0 of all channels comes first,
// then element 1 of all channels, and so on. An element has width bytes. The mask m
// selects the elements to write. The last argument is the number of bytes in memory to
// which one mask bit applies.
func mergeChannels(mem, v []byte, m *mask, width, planes, masked int) {
	per := blockBytes / width / planes // elements of a plane
	for at := 0; at < pto.VectorBytes; at += width {
		if !m.has(at/masked, masked) {
			continue
		}
		i := at % blockBytes / width // place in the block
		from := at - at%blockBytes + (i%planes*per+i/planes)*width
		copy(mem[at:at+width], v[from:])
	}
}

// pairStore returns a step that stores two registers to the memory operand mem, where
// their elements alternate. low and high are the slots of the registers, and width is the
// size of an element in bytes.
func pairStore(mem *vecAccess, width int, low, high slot) step {
	return func(fr *frame) *Fault {
		b, f := mem.next(fr, 2*pto.VectorBytes)
		if f != nil {
			return f
		}
		x, y := fr.v[low].bytes(), fr.v[high].bytes()
		for i := 0; i < pto.VectorBytes; i += width {
			copy(b[2*i:], x[i:i+width])
			copy(b[2*i+width:], y[i:i+width])
		}
		return nil
	}
}

// vecBlocks compiles op into a step, a function that loads or stores blocks of 32 bytes
// at regular distances.
func (p *planner) vecBlocks(op *ir.Op, kind sem.VecBlocks) step {
	d := sem.VectorAccessOf(op)
	how, v := reads, d.Value.Value
	if kind.Store {
		how = writes
	} else {
		v = op.Result(0)
	}
	mem := p.vecAccess(op, d.PointerAccess, how, blockBytes)
	if mem == nil {
		return nil
	}
	reg, m := p.slot(v), p.slot(d.Mask.Value)
	stride, skip := p.slot(d.Stride.Value), p.slot(d.Skip.Value)
	return func(fr *frame) *Fault {
		addr, by := fr.x[mem.ptr], uint64(int64(int16(fr.x[skip]))*blockBytes)
		if mem.moves {
			fr.x[mem.moved] = addr + by
		} else {
			addr += by
		}
		active := fr.m[m]
		for b := range pto.VectorBytes / blockBytes {
			local := fr.v[reg].bytes()[b*blockBytes : (b+1)*blockBytes]
			if !active.has(b, blockBytes) {
				if !kind.Store {
					clear(local)
				}
				continue
			}
			at := addr + uint64(int64(b)*int64(int16(fr.x[stride]))*blockBytes)
			there, f := mem.aligned(fr.core, at, blockBytes)
			if f != nil {
				return f
			}
			if kind.Store {
				copy(there, local)
			} else {
				copy(local, there)
			}
		}
		return nil
	}
}
