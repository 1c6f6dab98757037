package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// bursts executes a copy of rows of bytes between memory spaces: rows in a
// loop, that in further loops.
type bursts struct {
	op       *ir.Op
	src, dst burstEnd
	length   slot
	blocks   bool // lengths count blocks, the strides of bursts are gaps
	levels   []burstLevel
	pad      *burstPad
}

// burstEnd is the source or the destination.
type burstEnd struct {
	pointee
	ptr slot
	// sub selects one of the unified buffers, if there are several.
	sub func(fr *frame) uint64
}

// row returns n bytes from an address.
func (e *burstEnd) row(fr *frame, addr uint64, n int) ([]byte, *Fault) {
	if e.sub == nil {
		return e.bytes(fr.core, addr, n)
	}
	sub := e.sub(fr)
	if sub >= vectorCores {
		return nil, faultAt(e.op, "writes to vector core %d, but there are %d", int64(sub), vectorCores)
	}
	return e.unified(fr.core, int(sub), addr, n)
}

// burstLevel is a loop: how often, and how far each side moves per turn. The
// innermost comes first.
type burstLevel struct {
	count, src, dst func(fr *frame) uint64
}

// burstPad is what fills up rows of the destination.
type burstPad struct {
	value       func(fr *frame) uint64
	size        int // bytes of the value
	left, right func(fr *frame) uint64
	on          func(fr *frame) bool
}

// copyBursts returns the step that copies bursts.
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

// loopRegisters are the two loops that registers hold. A count of zero is a
// loop that was never set up.
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

// number returns how to read a scalar operand; it is 0 where it is left out.
func (p *planner) number(o sem.Operand) func(fr *frame) uint64 {
	if o.Given() {
		return readSlot(p.slot(o.Value))
	}
	return func(*frame) uint64 { return 0 }
}

func readSlot(at slot) func(fr *frame) uint64 {
	return func(fr *frame) uint64 { return fr.x[at] }
}

func (p *planner) burstEnd(op *ir.Op, o sem.Operand, how access) burstEnd {
	if p.classOf(o.Type()) != scalarClass {
		p.errorf(op, "works on %s, which pto-run cannot execute", o.Type())
	}
	return burstEnd{pointee: pointee{op: op, name: o.Name, how: how, space: pto.SpaceOf(o.Type())}, ptr: p.slot(o.Value)}
}

func (b *bursts) exec(fr *frame) *Fault {
	n := fr.x[b.length]
	if b.blocks {
		n *= blockBytes
	}
	if n > 1<<32 {
		return faultAt(b.op, "copies bursts of %d bytes", int64(n))
	}
	for _, e := range []*burstEnd{&b.src, &b.dst} {
		if a := fr.x[e.ptr]; e.space != sem.GM && a%blockBytes != 0 {
			return e.misaligned(a, blockBytes)
		}
	}
	return b.level(fr, len(b.levels)-1, fr.x[b.src.ptr], fr.x[b.dst.ptr], int(n))
}

// level executes loop i and the loops inside it.
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
		if f := b.level(fr, i-1, src, dst, n); f != nil {
			return f
		}
		src += s
		dst += d
	}
	return nil
}

// row copies one burst and fills it up.
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

// padding returns how many bytes to fill on either side: as many elements as
// the instruction says, then to the end of a block.
func (b *bursts) padding(fr *frame, n int) (left, right int, f *Fault) {
	l, r := b.pad.left(fr), b.pad.right(fr)
	if l > pto.VectorBytes || r > pto.VectorBytes {
		return 0, 0, faultAt(b.op, "pads with %d and %d elements, but at most %d are possible", int64(l), int64(r), pto.VectorBytes)
	}
	left, right = int(l)*b.pad.size, int(r)*b.pad.size
	return left, right + -(left+n+right)&(blockBytes-1), nil
}

// fillAny sets elements that need not be aligned.
func fillAny(row []byte, size int, bits uint64) {
	for i := range row {
		row[i] = byte(bits >> (8 * (i % size)))
	}
}
