package pto

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// queuesOf returns the set-ups of queues in a function that accept takes.
func queuesOf(f *ir.Op, accept func(*ir.Op, sem.QueueInit) bool) []*ir.Op {
	var list []*ir.Op
	for o := range f.Walk() {
		if s, ok := o.Def().Sem.(sem.QueueInit); ok && accept(o, s) {
			list = append(list, o)
		}
	}
	return list
}

// loweredID is the attribute that keeps the id of a queue after it has got a
// handle.
const loweredID = "__pto.frontend_id"

// queueWithID returns the queue of the function of op that has the id of op,
// or says what is wrong. Those with a handle count if lowered is set.
func queueWithID(op *ir.Op, lowered bool) (*ir.Op, string) {
	id := op.Attr("id")
	list := queuesOf(functionOf(op), func(o *ir.Op, s sem.QueueInit) bool { return s.From != sem.QueueHandle && o.Attr("id") == id })
	if len(list) == 0 && lowered {
		list = queuesOf(functionOf(op), func(o *ir.Op, _ sem.QueueInit) bool { return o.Attr(loweredID) == id })
	}
	n, _ := id.AsInt()
	switch len(list) {
	case 0:
		return nil, "needs a queue with id = " + itoa(n) + " that the function sets up, but there is none"
	case 1:
		return list[0], ""
	}
	return nil, "needs one queue with id = " + itoa(n) + ", but the function sets up " + itoa(int64(len(list)))
}

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
// imports the buffer that the other reserves.
func otherEnd(queue *ir.Op) *ir.Op {
	buf := bufferOf(queue)
	if buf == nil {
		return nil
	}
	if _, imports := buf.Def().Sem.(sem.ImportBuffer); imports {
		return onlyEnd(peerFunction(buf), sem.VectorSide, func(b *ir.Op) bool {
			_, reserves := b.Def().Sem.(sem.ReserveBuffer)
			return reserves && b.Attr("name") == buf.Attr("name")
		})
	}
	here := functionOf(queue)
	return onlyEnd(outermost(here), sem.CubeSide, func(b *ir.Op) bool {
		_, imports := b.Def().Sem.(sem.ImportBuffer)
		return imports && b.Attr("name") == buf.Attr("name") && peerFunction(b) == here
	})
}

// onlyEnd returns the queue of a core below root whose buffer accept takes, if
// there is exactly one.
func onlyEnd(root *ir.Op, side sem.QueueSide, accept func(buf *ir.Op) bool) *ir.Op {
	if root == nil {
		return nil
	}
	list := queuesOf(root, func(o *ir.Op, s sem.QueueInit) bool {
		b := bufferOf(o)
		return s.From == side && b != nil && accept(b)
	})
	if len(list) != 1 {
		return nil
	}
	return list[0]
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

// QueueEntry returns the type of the tiles that the vector cores take out of a
// queue, or no type if that cannot be seen from its set-up.
func QueueEntry(queue *ir.Op) ir.Type {
	if queue.Def().Sem == any(sem.QueueInit{From: sem.CubeSide}) {
		if queue = otherEnd(queue); queue == nil {
			return ir.Type{}
		}
	}
	if hasHandle(queue) {
		return handleEntry(queue)
	}
	t, _ := consumedType(queue)
	return t
}

// handleEntry is QueueEntry of a queue with a handle: the vector cores take
// entries out of the one with the same first signal.
func handleEntry(queue *ir.Op) ir.Type {
	base := queue.Attr("flag_base")
	if base.IsZero() {
		return ir.Type{}
	}
	for o := range outermost(queue).Walk() {
		if o.Def().Sem != any(sem.QueuePop{From: sem.QueueHandle}) || coreOf(o) != sem.VectorSide {
			continue
		}
		if end := queueOfHandle(o.Arg("pipe_handle")); end != nil && end.Attr("flag_base") == base {
			return o.Arg("tile").Type()
		}
	}
	return ir.Type{}
}

// FunctionOf returns the function around an operation, or what is outermost.
func FunctionOf(op *ir.Op) *ir.Op { return functionOf(op) }
