// This file executes DMA copies: bursts of bytes in nested loops, with padding.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// bursts executes a DMA copy between memory spaces. The copy moves bursts (contiguous
// rows of bytes) in nested loops.
type bursts struct {
	op       *ir.Op
	src, dst burstEnd
	// length is the slot of the burst length.
	length slot
	// blocks means that lengths count blocks of 32 bytes, and that strides are the gaps
	// between bursts rather than the distances between their starts.
	blocks bool
	// levels are the loops, innermost first.
	levels []burstLevel
	// pad, if not nil, describes the padding of destination rows.
	pad *burstPad
}

// burstEnd is one of the two memory operands of a DMA copy, the source or the
// destination. It contains the slot of its pointer (the index in the frame) and its
// memory space.
type burstEnd struct {
	pointee
	ptr slot
	// sub returns the number of the vector core whose unified buffer the copy accesses.
	// It is nil if the memory is unambiguous.
	sub func(fr *frame) uint64
}

// row returns the n bytes at address addr in the memory of this source or destination
// operand. It returns a fault if the bytes are out of bounds.
func (e *burstEnd) row(fr *frame, addr uint64, n int) ([]byte, *Fault) {
	if e.sub == nil {
		return e.bytes(fr.core, addr, n)
	}
	sub := e.sub(fr)
	if sub >= vectorCores {
		return nil, faultAt(e.op, "writes to vector core %d, but a block has only %d vector cores, numbered from 0", int64(sub), vectorCores)
	}
	return e.unified(fr.core, int(sub), addr, n)
}

// burstLevel is one loop of a DMA copy. The function count returns its number of
// iterations. The functions src and dst return the number of bytes by which the source
// and destination addresses advance in each iteration.
type burstLevel struct {
	count, src, dst func(fr *frame) uint64
}

// burstPad describes the padding of each destination row in a DMA copy. Its functions
// read the current operands of the instruction and registers from a frame. Padding
// applies only if the function on returns true. The functions left and right return the
// number of padding elements to add before and after the data. The function value returns
// the padding element, which has size bytes.
type burstPad struct {
	value func(fr *frame) uint64
	// size is the number of bytes of the padding element.
	size        int
	left, right func(fr *frame) uint64
	on          func(fr *frame) bool
}

// copyBursts compiles op into a step, a function that copies bursts (contiguous rows of
// bytes) in nested loops.
func (p *planner) copyBursts(op *ir.Op, _ sem.CopyBursts) step {
	d := sem.BurstsOf(op)
	b := &bursts{
		op: op, src: p.burstEnd(op, d.Source, reads), dst: p.burstEnd(op, d.Destination, writes),
		length: p.slot(d.Length.Value), blocks: d.Blocks,
	}
	for _, l := range d.Levels {
		b.levels = append(b.levels, burstLevel{p.number(l.Count), p.number(l.Source), p.number(l.Destination)})
	}
	if b.src.space == sem.L1 && b.dst.space == sem.UB {
		b.dst.sub = p.number(d.Core)
	}
	if d.Loops != "" {
		b.levels = append(b.levels, p.loopRegisters(d.CopyBursts)...)
	}
	switch {
	case d.Pad.Given():
		b.pad = &burstPad{value: p.number(d.Pad), size: pto.ByteSize(d.Pad.Type()), on: func(*frame) bool { return true }}
	case d.PadOn.Given():
		at, value := p.slot(d.PadOn.Value), p.register(sem.RegPadValue)
		b.pad = &burstPad{
			value: func(fr *frame) uint64 { return fr.core.registers[value][0] },
			size:  p.elemSize(d.Destination.Value),
			on:    func(fr *frame) bool { return fr.x[at] != 0 },
		}
	}
	if b.pad != nil {
		b.pad.left, b.pad.right = p.number(d.Left), p.number(d.Right)
	}
	return b.exec
}

// loopRegisters returns descriptions of the two outer loops of a DMA copy. Special
// registers of the core contain the iteration counts and strides of these loops. The
// kernel may never have written a count; the register then contains zero, and the loop
// runs once.
func (p *planner) loopRegisters(kind sem.CopyBursts) []burstLevel {
	counts, strides := kind.LoopRegisters()
	size := p.register(counts)
	var levels []burstLevel
	for i, name := range strides {
		stride := p.register(name)
		levels = append(levels, burstLevel{
			count: func(fr *frame) uint64 { return max(fr.core.registers[size][i], 1) },
			src:   func(fr *frame) uint64 { return fr.core.registers[stride][0] },
			dst:   func(fr *frame) uint64 { return fr.core.registers[stride][1] },
		})
	}
	return levels
}

// number returns a function that reads the scalar operand o at run time. The function
// returns 0 if the instruction does not have the operand.
func (p *planner) number(o sem.Operand) func(fr *frame) uint64 {
	if o.Given() {
		return readSlot(p.slot(o.Value))
	}
	return func(*frame) uint64 { return 0 }
}

// readSlot returns a function that reads a scalar from a frame, the storage of a function
// call. at is the slot of the scalar, which is its index in the frame.
func readSlot(at slot) func(fr *frame) uint64 {
	return func(fr *frame) uint64 { return fr.x[at] }
}

// burstEnd returns a description of one memory operand of a DMA copy: the source or the
// destination. When the copy is executed, its step (a Go function) uses this description
// to access memory. o is the operand. The parameter how states whether the copy reads or
// writes the memory of the operand. burstEnd reports an error if the operand is not a
// pointer.
func (p *planner) burstEnd(op *ir.Op, o sem.Operand, how access) burstEnd {
	if p.classOf(o.Type()) != scalarClass {
		p.errorf(op, "has an operand or result of type %s, which pto-run does not support", o.Type())
	}
	return burstEnd{pointee: pointee{op: op, name: o.Name, how: how, space: pto.SpaceOf(o.Type())}, ptr: p.slot(o.Value)}
}

// exec executes the complete DMA copy. It returns a fault if an access is out of bounds.
func (b *bursts) exec(fr *frame) *Fault {
	n := fr.x[b.length]
	if b.blocks {
		n *= blockBytes
	}
	if n > 1<<32 {
		return faultAt(b.op, "copies bursts of %d bytes, but a burst can have at most 4294967296 bytes", int64(n))
	}
	for _, e := range []*burstEnd{&b.src, &b.dst} {
		if a := fr.x[e.ptr]; e.space != sem.GM && a%blockBytes != 0 {
			return e.misaligned(a, blockBytes)
		}
	}
	return b.level(fr, len(b.levels)-1, fr.x[b.src.ptr], fr.x[b.dst.ptr], int(n))
}

// level executes loop number i of a copy and all loops nested in it; loop 0 is the
// innermost. Each iteration of the innermost loop copies one burst, a contiguous row of n
// bytes. src and dst are the addresses of the first burst.
func (b *bursts) level(fr *frame, i int, src, dst uint64, n int) *Fault {
	if i < 0 {
		return b.row(fr, src, dst, n)
	}
	l := &b.levels[i]
	s, d := l.src(fr), l.dst(fr)
	if b.blocks && i == 0 {
		s, d = uint64(n)+s*blockBytes, uint64(n)+d*blockBytes
	}
	for range int64(l.count(fr)) {
		if f := fr.core.round(b.op); f != nil {
			return f
		}
		if f := b.level(fr, i-1, src, dst, n); f != nil {
			return f
		}
		src += s
		dst += d
	}
	return nil
}

// row copies one burst of n bytes from address src to address dst and writes the padding
// before and after it.
func (b *bursts) row(fr *frame, src, dst uint64, n int) *Fault {
	from, f := b.src.row(fr, src, n)
	if f != nil {
		return f
	}
	left, right := 0, 0
	pads := b.pad != nil && b.pad.on(fr)
	if pads {
		if left, right, f = b.padding(fr, n); f != nil {
			return f
		}
	}
	to, f := b.dst.row(fr, dst, left+n+right)
	if f != nil {
		return f
	}
	if b.dst.space == sem.GM {
		fr.core.put(to[left:left+n], from)
	} else {
		copy(to[left:], from)
	}
	if pads {
		value := b.pad.value(fr)
		fillAny(to[:left], b.pad.size, value)
		fillAny(to[left+n:], b.pad.size, value)
	}
	return nil
}

// padding returns the number of bytes to write before (left) and after (right) a burst of
// n bytes. Both numbers include the padding elements that op requests. The number right
// includes the bytes that fill the last block of 32 bytes, too. It returns a fault if too
// many elements are requested.
func (b *bursts) padding(fr *frame, n int) (left, right int, f *Fault) {
	l, r := b.pad.left(fr), b.pad.right(fr)
	if l > pto.VectorBytes || r > pto.VectorBytes {
		return 0, 0, faultAt(b.op, "pads each row with %d elements on the left and %d on the right, but each number must be at most %d", int64(l), int64(r), pto.VectorBytes)
	}
	left, right = int(l)*b.pad.size, int(r)*b.pad.size
	return left, right + -(left+n+right)&(blockBytes-1), nil
}

// fillAny fills row with copies of an element. The element has size bytes, and its value
// is given by bits. The length of row need not be a multiple of size; the last copy is
// then incomplete.
func fillAny(row []byte, size int, bits uint64) {
	for i := range row {
		row[i] = byte(bits >> (8 * (i % size)))
	}
}
