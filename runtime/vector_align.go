// This file compiles unaligned vector loads and stores.

package runtime

import (
	"encoding/binary"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// alignState holds the pending bytes of an unaligned store: those after the last complete
// block of 32 bytes, which are not yet written. For unaligned loads it is empty, because
// this runtime can read memory at any address.
type alignState struct {
	held [blockBytes]byte
	n    int
}

// alignInit compiles op into a step, a function that creates an empty alignment register,
// the state of an unaligned access.
func (p *planner) alignInit(op *ir.Op, _ sem.AlignInit) step {
	d := p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		fr.a[d] = alignState{}
		return nil
	}
}

// alignLoad compiles op into a step, a function that loads a vector register from an
// unaligned address.
func (p *planner) alignLoad(op *ir.Op, _ sem.AlignLoad) step {
	o := sem.AlignAccessOf(op)
	mem := p.vecAccess(op, o.PointerAccess, reads, 1)
	if mem == nil {
		return nil
	}
	d, before, after := p.slot(op.Result(0)), p.slot(o.State.Value), p.slot(op.Result(1))
	return func(fr *frame) *Fault {
		b, f := mem.next(fr, pto.VectorBytes)
		if f != nil {
			return f
		}
		copy(fr.v[d].bytes(), b)
		fr.a[after] = fr.a[before]
		return nil
	}
}

// alignStore compiles op into a step, a function that stores lanes of a vector register
// to an unaligned address.
func (p *planner) alignStore(op *ir.Op, kind sem.AlignStore) step {
	d := sem.AlignAccessOf(op)
	mem := p.vecAccess(op, d.PointerAccess, writes, 1)
	if mem == nil {
		return nil
	}
	before, after := p.slot(d.State.Value), p.slot(op.Result(0))
	what := p.appended(op, d, kind, mem)
	var next slot
	if d.Moved != nil {
		next = p.slot(d.Moved)
	}
	return func(fr *frame) *Fault {
		at, data := what(fr)
		s := fr.a[before]
		if f := s.append(fr.core, mem, at, data); f != nil {
			return f
		}
		fr.a[after] = s
		if d.Moved != nil {
			fr.x[next] = at + uint64(len(data))
		}
		return nil
	}
}

// appended returns a function for the execution of an instruction in a sequence of
// unaligned stores. Each instruction of the sequence stores bytes after those of the
// previous instruction. The returned function reads these bytes from a register. It
// returns the memory address for the first of them, and the bytes.
func (p *planner) appended(op *ir.Op, d sem.AlignAccess, kind sem.AlignStore, mem *vecAccess) func(fr *frame) (uint64, []byte) {
	from := p.slot(d.Value.Value)
	switch {
	case kind.Count == sem.ByCompact:
		return func(fr *frame) (uint64, []byte) {
			c := fr.core
			at, n := fr.x[mem.ptr]+c.ar, min(c.compacted, pto.VectorBytes)
			if d.Advances {
				c.ar += uint64(n)
			}
			return at, fr.v[from].bytes()[:n]
		}
	case kind.Count == sem.WholeMask:
		size := int(maskBits(d.Value.Type())) / 8
		return func(fr *frame) (uint64, []byte) {
			b := fr.m[from].packed(size)
			return fr.x[mem.ptr], b[:pto.VectorBytes/size/8]
		}
	case d.From.Given(): // the older form appends all lanes
		by, next := p.slot(d.From.Value), p.slot(op.Result(1))
		return func(fr *frame) (uint64, []byte) {
			at := fr.x[by]
			fr.x[next] = at
			if d.Advances {
				fr.x[next] += pto.VectorBytes / mem.scale
			}
			return fr.x[mem.ptr] + at*mem.scale, fr.v[from].bytes()
		}
	}
	return func(fr *frame) (uint64, []byte) {
		n := min(max(int64(mem.distance(fr)), 0), pto.VectorBytes)
		return fr.x[mem.ptr], fr.v[from].bytes()[:n]
	}
}

// append adds data to the pending bytes of an unaligned store to the memory operand mem.
// at is the memory address of the first byte of data. It writes all complete blocks of 32
// bytes to memory and retains the remaining bytes. It returns a fault if a write is out
// of bounds.
func (s *alignState) append(c *core, mem *vecAccess, at uint64, data []byte) *Fault {
	var all [blockBytes + pto.VectorBytes]byte
	n := copy(all[:], s.held[:s.n])
	n += copy(all[n:], data)
	start := at - uint64(s.n)
	keep := int((start + uint64(n)) % blockBytes)
	written := max(n-keep, 0)
	if written > 0 {
		b, f := mem.bytes(c, start, written)
		if f != nil {
			return f
		}
		copy(b, all[:])
	}
	s.n = copy(s.held[:], all[written:n])
	return nil
}

// alignFlush compiles op into a step, a function that writes the pending bytes of an
// unaligned store to memory.
func (p *planner) alignFlush(op *ir.Op, _ sem.AlignFlush) step {
	d := sem.AlignAccessOf(op)
	mem := p.vecAccess(op, d.PointerAccess, writes, 1)
	if mem == nil {
		return nil
	}
	state := p.slot(d.State.Value)
	return func(fr *frame) *Fault {
		end := fr.x[mem.ptr] + mem.distance(fr)
		if mem.fixed {
			end += fr.core.ar
		}
		if mem.moves {
			fr.x[mem.moved] = end
		}
		s := &fr.a[state]
		if s.n == 0 {
			return nil
		}
		b, f := mem.bytes(fr.core, end-uint64(s.n), s.n)
		if f != nil {
			return f
		}
		copy(b, s.held[:])
		return nil
	}
}

// streamEnd compiles op into a step, a function that ends an unaligned store. The special
// register AR holds the length of the store. Depending on kind, the step either sets AR
// to zero or stores AR to memory.
func (p *planner) streamEnd(op *ir.Op, kind sem.StreamEnd) step {
	if !kind.Store {
		return func(fr *frame) *Fault { fr.core.ar = 0; return nil }
	}
	mem := p.vecAccess(op, sem.PointerAccessOf(op), writes, 4)
	if mem == nil {
		return nil
	}
	mem.scale = uint64(kind.Scale)
	return func(fr *frame) *Fault {
		b, f := mem.next(fr, 4)
		if f != nil {
			return f
		}
		binary.LittleEndian.PutUint32(b, uint32(fr.core.ar))
		return nil
	}
}
