// This file plans arrays and structs on the stack of a function.

package runtime

import (
	"encoding/binary"

	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Arrays and structs on the stack of a core live in rows of bytes of the
// frame, each scalar in as many whole bytes as it needs.

// maxLocal is the maximum size in bytes of the arrays and structs on the stack of one
// function.
const maxLocal = 64 << 20

// local returns the step of an operation on arrays and structs on the stack.
func (p *planner) local(op *ir.Op, kind sem.Local) step {
	switch kind {
	case sem.Local{}:
		return p.declareLocal(op)
	case sem.Local{Act: sem.LocalGet}:
		return p.localGet(op)
	case sem.Local{Act: sem.LocalSet}:
		return p.localSet(op)
	case sem.Local{Events: true}:
		return p.declareEvents(op)
	case sem.Local{Act: sem.LocalGet, Events: true}:
		return p.eventGet(op)
	case sem.Local{Act: sem.LocalSet, Events: true}:
		return p.eventSet(op)
	}
	return nil
}

// declareLocal returns the step that allocates an array or struct. Its initial contents
// are undefined for the program, but this runtime always uses the same contents.
func (p *planner) declareLocal(op *ir.Op) step {
	at := p.slot(op.Result(0))
	total := 0
	for _, n := range p.cur.rows {
		total += n
	}
	if total > maxLocal {
		p.errorf(op, "needs %d bytes of stack including earlier allocations, but there are %d", total, maxLocal)
	}
	return func(fr *frame) *Fault { clear(fr.r[at]); return nil }
}

// localScalar locates an element of an array or a field of a struct.
type localScalar struct {
	op      *ir.Op
	storage slot
	// at is the offset of the field in a struct.
	at   int
	size int
	// indices are the indices into an array, and extents the extents of the array for the
	// bounds check.
	indices []slot
	extents []int64
}

// localScalar returns the location of the scalar that op accesses, or nil after an error.
func (p *planner) localScalar(op *ir.Op) *localScalar {
	v := op.Operand(0)
	if v.Op() == nil {
		p.errorf(op, "uses storage that was not allocated in this function, which pto-run cannot execute")
		return nil
	}
	s := &localScalar{op: op, storage: p.slot(v)}
	if array, ok := ir.As[pto.LocalArray](v.Type()); ok {
		s.size, s.extents = pto.ByteSize(array.Elem), array.Shape.Slice()
		for _, x := range sem.LocalUseOf(op).Indices {
			s.indices = append(s.indices, p.slot(x))
		}
		return s
	}
	at, t := isabase.FieldOf(op)
	s.at, s.size = int(at), pto.ByteSize(t)
	return s
}

// bytes returns the memory of the scalar, or a fault if an index is out of bounds.
func (s *localScalar) bytes(fr *frame) ([]byte, *Fault) {
	at := int64(0)
	for i, x := range s.indices {
		n := int64(fr.x[x])
		if n < 0 || n >= s.extents[i] {
			return nil, faultAt(s.op, "has index %d = %d, which is out of range: the extent is %d", i, n, s.extents[i])
		}
		at = at*s.extents[i] + n
	}
	from := s.at + int(at)*s.size
	return fr.r[s.storage][from : from+s.size], nil
}

// localGet returns the step that reads a scalar.
func (p *planner) localGet(op *ir.Op) step {
	s, d := p.localScalar(op), p.slot(op.Result(0))
	if s == nil {
		return nil
	}
	return func(fr *frame) *Fault {
		from, f := s.bytes(fr)
		if f != nil {
			return f
		}
		var word [8]byte
		copy(word[:], from)
		fr.x[d] = binary.LittleEndian.Uint64(word[:])
		return nil
	}
}

// localSet returns the step that writes a scalar.
func (p *planner) localSet(op *ir.Op) step {
	s, x := p.localScalar(op), p.slot(sem.LocalUseOf(op).Value.Value)
	if s == nil {
		return nil
	}
	return func(fr *frame) *Fault {
		to, f := s.bytes(fr)
		if f != nil {
			return f
		}
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], fr.x[x])
		copy(to, word[:])
		return nil
	}
}
