// This file finds the queue that an instruction uses.

package sync

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// loweredID is the attribute with the original number of a queue for which a pass has
// created a handle.
const loweredID = "__pto.frontend_id"

// queueOfHandle returns the instruction that creates the queue with handle v, or nil.
func queueOfHandle(v *ir.Value) *ir.Op {
	if v == nil || v.Op() == nil {
		return nil
	}
	if _, ok := v.Op().Def().Sem.(sem.QueueInit); !ok {
		return nil
	}
	return v.Op()
}

// peerFunction returns the function that attribute peer_func names: a function of the
// module, or the only public function of this name in neighbouring modules.
func peerFunction(op *ir.Op) *ir.Op {
	ref := op.Attr("peer_func")
	if f := ir.LookupSymbol(op, ref); f != nil {
		return f
	}
	outer := functionOf(op).Parent()
	if outer == nil || outer.Parent() == nil {
		return nil
	}
	var found *ir.Op
	for o := range outer.Parent().Walk() {
		name, _ := ir.SymbolName(o)
		visibility, _ := o.Attr("sym_visibility").AsString()
		if name == "" || "@"+name != ref.String() || visibility == "private" {
			continue
		}
		if found != nil {
			return nil
		}
		found = o
	}
	return found
}

// localBuffer returns the instruction that returned the address v of a named buffer in
// local memory, together with the kind of this instruction. The first result is nil if
// another instruction defines v.
func localBuffer(v *ir.Value) (*ir.Op, sem.LocalBuffer) {
	if v == nil || v.Op() == nil {
		return nil, sem.LocalBuffer{}
	}
	kind, ok := v.Op().Def().Sem.(sem.LocalBuffer)
	if !ok {
		return nil, kind
	}
	return v.Op(), kind
}

// NamedBuffer reports whether v is the address of a named buffer in local memory.
func NamedBuffer(v *ir.Value) bool {
	buffer, _ := localBuffer(v)
	return buffer != nil
}

// buffer returns the instruction that determines the address of the local memory in which
// the vector cores receive entries. The second result is the description of this memory.
// Both results are zero if the queue is identified by a handle instead of a number.
func (q *Queue) buffer() (*ir.Op, sem.LocalBuffer) {
	if q.Handle() {
		return nil, sem.LocalBuffer{}
	}
	return localBuffer(q.Arrives[sem.ToVector])
}

// otherEnd returns the end of the queue on the opposite core type. One end of a queue
// reserves a buffer, and the other end imports it. otherEnd returns nil if it does not
// find exactly one end that uses the same buffer.
func (qs *Queues) otherEnd(queue *Queue) *Queue {
	buf, kind := queue.buffer()
	if buf == nil {
		return nil
	}
	owner, side := functionOf(queue.Init), sem.CubeSide
	if kind.Imported {
		if owner, side = peerFunction(buf), sem.VectorSide; owner == nil {
			return nil
		}
	}
	var found *Queue
	for _, q := range qs.buffer[bufferName{owner, buf.Attr("name")}] {
		if _, other := q.buffer(); other.Imported == kind.Imported || q.From != side {
			continue
		}
		if found != nil {
			return nil
		}
		found = q
	}
	return found
}

// ReservedBuffer returns the instruction that reserves the local memory that op names. If
// op reserves the memory, it returns op. If op imports memory that a function of another
// core reserves, it returns the reserving instruction of that function, or nil if there
// is none.
func ReservedBuffer(op *ir.Op) *ir.Op {
	if !op.Def().Sem.(sem.LocalBuffer).Imported {
		return op
	}
	peer := peerFunction(op)
	if peer == nil {
		return nil
	}
	return reserves(peer, op.Attr("name"), nil)
}

// reserves returns the first instruction of the function f that reserves local memory
// under the given name, or nil. It ignores the instruction in the parameter but.
func reserves(f *ir.Op, name ir.Attr, but *ir.Op) *ir.Op {
	for o := range f.Walk() {
		if o != but && o.Def().Sem == any(sem.LocalBuffer{}) && o.Attr("name") == name {
			return o
		}
	}
	return nil
}

// Entry returns the type of the tiles that vector cores pop from the queue. It returns
// the zero Type if the program does not determine this type.
func (qs *Queues) Entry(queue *Queue) ir.Type {
	if queue.From == sem.CubeSide {
		if queue = qs.otherEnd(queue); queue == nil {
			return ir.Type{}
		}
	}
	if !queue.Handle() {
		t, _ := qs.consumedType(queue)
		return t
	}
	// The vector cores take entries out of the one with the same first signal.
	if pop := qs.pops[queue.Signal]; queue.SaysSignal && pop != nil {
		return sem.QueueUseOf(pop).Entry.Type()
	}
	return ir.Type{}
}

// FunctionOf returns the function that contains the operation op. If op is not in a
// function, it returns the outermost operation around op.
func FunctionOf(op *ir.Op) *ir.Op { return functionOf(op) }
