// This file checks single queue instructions.

package sync

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// onCore returns a rule on the core type that executes an instruction. If the parameter
// side is a core type, the surrounding function or section must be for this type. If side
// is QueueHandle, either core type is legal, but the surrounding section or function must
// determine it. Helper functions may contain the instruction, too.
func onCore(side sem.QueueSide) Rule {
	return PlaceRule(func(op *ir.Op) string {
		if insideHelper(op) {
			return ""
		}
		switch got := CoreOf(op); {
		case got == sem.QueueHandle && side == sem.QueueHandle:
			return "must be inside 'pto.section.cube', 'pto.section.vector' or a function with pto.kernel_kind"
		case side != sem.QueueHandle && got != side:
			return "must be inside a function or section of the " + side.String() + " core"
		}
		return ""
	})
}

// insideHelper reports whether op is in a helper function. The core type of such an
// operation is not known yet, because the helper can be inlined into functions for either
// core type.
func insideHelper(op *ir.Op) bool {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if p.HasAttr(TileopHelper) {
			return true
		}
	}
	return false
}

// queueInitFault returns a message if the buffers of op, which creates a queue, do not
// match its directions and target, and "" otherwise.
func queueInitFault(qs *Queues, op *ir.Op, t ir.Target) string {
	q := qs.Of(op)
	dir, tensor := q.Ways, q.Tensor
	c2v, v2c := q.Arrives[sem.ToVector] != nil, q.Arrives[sem.ToCube] != nil
	tilesArrive := tensor == nil || c2v || v2c // entries are not views of global memory
	switch {
	case tensor != nil && q.Pointer != nil:
		return "has both \"gm_slot_tensor\" and \"gm_slot_buffer\""
	case tensor != nil && (c2v || v2c) && dir != 1:
		return "keeps tiles in global memory, which needs dir_mask = 1, but it is " + Itoa(dir)
	case tensor != nil && !c2v && q.SaysLocals:
		return "keeps its slots only in global memory, so it must not have \"local_slot_num\""
	case tilesArrive && dir&1 != 0 && !c2v:
		return "needs operand \"c2v_consumer_buf\" for dir_mask = " + Itoa(dir)
	case tilesArrive && dir&2 != 0 && !v2c:
		return "needs operand \"v2c_consumer_buf\" for dir_mask = " + Itoa(dir)
	}
	if msg := localSlotsFault(q, t); msg != "" {
		return msg
	}
	if n := len(qs.byID[localID{functionOf(op), op.Attr("id")}]); n > 1 {
		return "must have a unique id, but " + Itoa(int64(n)) + " queues of the function have it"
	}
	if tensor != nil {
		if msg := slotFault(q, tensor.Type()); msg != "" {
			return msg
		}
	}
	return epilogueFault(qs, q, t)
}

// localSlotsFault returns a message if the number of slots in local memory is invalid,
// and "" otherwise.
func localSlotsFault(q *Queue, t ir.Target) string {
	switch {
	case !q.SaysLocals:
	case t == sem.A5:
		return "has \"local_slot_num\", which only a2 and a3 have"
	case q.Locals > q.Slots:
		return "attribute \"local_slot_num\" must be at most the number of slots, " + Itoa(q.Slots) + ", but is " + Itoa(q.Locals)
	}
	return ""
}

// functionOf returns the function that contains the operation op. If op is not in a
// function, it returns the outermost operation around op.
func functionOf(op *ir.Op) *ir.Op {
	f := op
	for f.Parent() != nil && !f.HasTrait(ir.IsSymbol) {
		f = f.Parent()
	}
	return f
}

// slotFault checks the size of a slot of queue q. The slot must be as large as the tensor
// type t of its contents, or twice as large if two vector cores share it. slotFault
// returns a message for a violation, and "" otherwise.
func slotFault(q *Queue, t ir.Type) string {
	size := q.SlotSize
	n, static := staticElements(t)
	bytes := n * int64(ByteSize(ir.ElementType(t)))
	if static && bytes != size && 2*bytes != size {
		return "attribute \"slot_size\" must be " + Itoa(bytes) + ", the bytes of " + t.String() + ", or twice that, but is " + Itoa(size)
	}
	return ""
}
