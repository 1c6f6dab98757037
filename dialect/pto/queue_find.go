package pto

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// loweredID is the attribute that keeps the id of a queue after it has got a
// handle.
const loweredID = "__pto.frontend_id"

// queueOfHandle returns what sets up the queue of a handle, or nil.
func queueOfHandle(v *ir.Value) *ir.Op {
	if v == nil || v.Op() == nil {
		return nil
	}
	if _, ok := v.Op().Def().Sem.(sem.QueueInit); !ok {
		return nil
	}
	return v.Op()
}

// peerFunction returns the function that attribute peer_func names: one of the
// module, or the only public one of that name in modules beside it.
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

// bufferOf returns the instruction that reserves or imports the local memory
// in which the vector cores receive the entries of a queue, or nil.
func bufferOf(queue *ir.Op) *ir.Op {
	v := queue.Arg("c2v_consumer_buf")
	if v == nil || v.Op() == nil {
		return nil
	}
	switch v.Op().Def().Sem.(type) {
	case sem.ReserveBuffer, sem.ImportBuffer:
		return v.Op()
	}
	return nil
}

// otherEnd returns the set-up of a queue on the other core: where one of them
// imports the buffer that the other reserves. There must be exactly one.
func (qs *Queues) otherEnd(queue *ir.Op) *ir.Op {
	buf := bufferOf(queue)
	if buf == nil {
		return nil
	}
	owner, side := functionOf(queue), sem.CubeSide
	_, imported := buf.Def().Sem.(sem.ImportBuffer)
	if imported {
		if owner, side = peerFunction(buf), sem.VectorSide; owner == nil {
			return nil
		}
	}
	var found *ir.Op
	for _, q := range qs.buffer[bufferName{owner, buf.Attr("name")}] {
		_, imports := bufferOf(q.Init).Def().Sem.(sem.ImportBuffer)
		if imports == imported || q.Init.Def().Sem != any(sem.QueueInit{From: side}) {
			continue
		}
		if found != nil {
			return nil
		}
		found = q.Init
	}
	return found
}

// ReservedBuffer returns the instruction that reserves the local memory which
// import gives the address of, or nil.
func ReservedBuffer(imported *ir.Op) *ir.Op {
	peer := peerFunction(imported)
	if peer == nil {
		return nil
	}
	for o := range peer.Walk() {
		if o.Def().Sem == any(sem.ReserveBuffer{}) && o.Attr("name") == imported.Attr("name") {
			return o
		}
	}
	return nil
}

// Entry returns the type of the tiles that the vector cores take out of a
// queue, or no type if that cannot be seen from its set-up.
func (qs *Queues) Entry(queue *ir.Op) ir.Type {
	if queue.Def().Sem == any(sem.QueueInit{From: sem.CubeSide}) {
		if queue = qs.otherEnd(queue); queue == nil {
			return ir.Type{}
		}
	}
	if hasHandle(queue) {
		return qs.handleEntry(queue)
	}
	t, _ := qs.consumedType(queue)
	return t
}

// handleEntry is Entry of a queue with a handle: the vector cores take entries
// out of the one with the same first signal.
func (qs *Queues) handleEntry(queue *ir.Op) ir.Type {
	base := queue.Attr("flag_base")
	if base.IsZero() || qs.pops[base] == nil {
		return ir.Type{}
	}
	return qs.pops[base].Arg("tile").Type()
}

// FunctionOf returns the function around an operation, or what is outermost.
func FunctionOf(op *ir.Op) *ir.Op { return functionOf(op) }
