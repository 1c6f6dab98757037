// This file compiles arrays of event IDs.

package runtime

import (
	"encoding/binary"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Arrays of event IDs are stored as byte slices of the frame, like other arrays on the
// stack.

// declareEvents compiles op into a step, a function that creates an array of event IDs.
// The elements are invalid until they are written, so that the use of an unwritten
// element is a fault.
func (p *planner) declareEvents(op *ir.Op) step {
	at := p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		for i := range fr.r[at] {
			fr.r[at][i] = 0xff
		}
		return nil
	}
}

// eventPlace returns a function that returns the storage of the element of an event ID
// array that op accesses. The function faults if the index is out of bounds.
func (p *planner) eventPlace(op *ir.Op) func(fr *frame) ([]byte, *Fault) {
	d := sem.EventUseOf(op)
	t, _ := ir.As[pto.EventIDArray](d.Array.Type())
	array, index := p.slot(d.Array.Value), p.slot(d.Index.Value)
	return func(fr *frame) ([]byte, *Fault) {
		i := int64(fr.x[index])
		if i < 0 || i >= int64(t.Size) {
			return nil, faultAt(op, "has index %d, which is out of range: the array has %d events", i, t.Size)
		}
		return fr.r[array][i*pto.EventBytes : (i+1)*pto.EventBytes], nil
	}
}

// eventGet compiles op into a step, a function that reads an event ID from an array.
func (p *planner) eventGet(op *ir.Op) step {
	find, d := p.eventPlace(op), p.slot(op.Result(0))
	return func(fr *frame) *Fault {
		b, f := find(fr)
		if f == nil {
			fr.x[d] = binary.LittleEndian.Uint64(b)
		}
		return f
	}
}

// eventSet compiles op into a step, a function that writes an event ID to an array.
func (p *planner) eventSet(op *ir.Op) step {
	find, x := p.eventPlace(op), p.slot(sem.EventUseOf(op).Value.Value)
	return func(fr *frame) *Fault {
		b, f := find(fr)
		if f == nil {
			binary.LittleEndian.PutUint64(b, fr.x[x])
		}
		return f
	}
}
