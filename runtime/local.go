// This file compiles arrays and structs on the stack of a function.

package runtime

import (
	"encoding/binary"

	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Arrays and structs on the stack of a core are stored as byte slices of the frame. Each
// scalar occupies an integral number of bytes.

// maxLocal is the maximum total size in bytes of the stack arrays and structs of one
// function. The limit protects the host, because each call of the function allocates this
// memory.
const maxLocal = 64 << 20

// local compiles an operation on a stack array or struct into a step, the function that
// executes it.
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

// declareLocal compiles the allocation of a stack array or struct. For the program, its
// initial contents are undefined; this runtime always uses the same contents, so that
// runs are reproducible.
func (p *planner) declareLocal(op *ir.Op) step {
	at := p.slot(op.Result(0))
	total := 0
	for _, n := range p.cur.rows {
		total += n
	}
	if total > maxLocal {
		p.errorf(op, "needs %d bytes of stack together with earlier allocations, but the stack has only %d bytes", total, maxLocal)
	}
	if p.opts.Seed != 0 { // a pipe that executes later can still access the previous memory
		return func(fr *frame) *Fault { fr.r[at] = make([]byte, len(fr.r[at])); return nil }
	}
	return func(fr *frame) *Fault { clear(fr.r[at]); return nil }
}

// localScalar is the location of a scalar that an operation accesses: an element of a
// stack array, or a field of a stack struct.
type localScalar struct {
	op      *ir.Op
	storage slot
	// at is the byte offset of the field in a struct.
	at   int
	size int
	// indices are the slots of the array indices. extents are the extents of the array,
	// for the bounds check.
	indices []slot
	extents []int64
}

// localScalar returns the location of the scalar that op accesses. It reports an error
// and returns nil if the array or struct is not allocated in the same function.
func (p *planner) localScalar(op *ir.Op) *localScalar {
	v := op.Operand(0)
	if v.Op() == nil {
		p.errorf(op, "uses storage that was not allocated in this function, which pto-run does not support")
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

// bytes returns the storage of the scalar s, whose indices are read from the frame fr. It
// returns a fault if an index is negative or not less than the extent of its dimension.
func (s *localScalar) bytes(fr *frame) ([]byte, *Fault) {
	at := int64(0)
	for i, x := range s.indices {
		n := int64(fr.x[x])
		if n < 0 || n >= s.extents[i] {
			return nil, faultAt(s.op, "has index #%d equal to %d, but the extent of this dimension is %d", i, n, s.extents[i])
		}
		at = at*s.extents[i] + n
	}
	from := s.at + int(at)*s.size
	return fr.r[s.storage][from : from+s.size], nil
}

// localGet compiles op into a step, a function that reads an array element or struct
// field.
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

// localSet compiles op into a step, a function that writes an array element or struct
// field.
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
