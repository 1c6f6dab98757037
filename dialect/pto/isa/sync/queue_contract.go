// This file checks that both ends of a queue agree.

package sync

import (
	"fmt"
	"slices"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// hidden are the names of attributes that a copy out of the accumulator has, but that
// have no effect on an instruction that pushes to or pops from a queue. The rule
// NoFixpipeAttrs rejects these attributes on queue instructions.
var hidden = []string{
	"stPhase", "st_phase", "atomicType", "atomic_type", "subBlockId", "subBlockid", "sub_blockid", "clipReluMode",
	"clip_relu_mode", "isChannelSplit", "is_channel_split", "channelSplit", "channel_split",
}

// NoFixpipeAttrs is a rule that rejects attributes of other FIXPIPE instructions on an
// instruction on queues, where they would have no effect.
var NoFixpipeAttrs = Check(func(op *ir.Op, _ ir.Target) string {
	for _, a := range op.ExtraAttrs() {
		if slices.Contains(hidden, a.Name) {
			return "has attribute \"" + a.Name + "\", which queues do not offer"
		}
	}
	return ""
})

// AccEpilogue returns how accumulator elements are converted when they enter the queue.
// The bool result is false if the queue does not convert elements.
func (q *Queue) AccEpilogue() (AccPushEpilogue, bool) { return ir.AttrAs[AccPushEpilogue](q.Epilogue) }

// HasEpilogue reports whether accumulator elements are converted when they enter the
// queue.
func (q *Queue) HasEpilogue() bool {
	_, ok := q.AccEpilogue()
	return ok
}

// epilogueFault checks the conversion that queue q applies to accumulator elements. It
// returns a message if the conversion is invalid, or if it differs from the conversion
// that the other core declares for the queue. It returns "" otherwise.
func epilogueFault(qs *Queues, q *Queue, t ir.Target) string {
	e, ok := q.AccEpilogue()
	if !ok {
		return ""
	}
	buf, _ := q.buffer()
	switch {
	case q.Ways != 1<<sem.ToVector:
		return fmt.Sprintf("attribute \"dir_mask\" must be 1 with acc_push_epilogue, but is %d", q.Ways)
	case !q.Whole:
		return "needs nosplit = true with acc_push_epilogue"
	case q.Arrives[sem.ToVector] != nil && buf == nil:
		return "operand \"c2v_consumer_buf\" must be the result of 'pto.reserve_buffer' or 'pto.import_reserved_buffer', which identifies the other end"
	case e.Conversion().A5 && t != sem.A5:
		return "converts with " + e.Quant + ", which only a5 has"
	}
	if q.From == sem.CubeSide {
		return endsFault(qs.otherEnd(q), e, sem.VectorSide)
	}
	return qs.consumerEnd(q, e)
}

// endsFault compares the two ends of a queue whose entries are converted accumulator
// elements. e is the conversion at one end. The parameter other is the opposite end, and
// side is its core type. endsFault returns a message if the opposite end is missing or
// has a different conversion, and "" otherwise.
func endsFault(other *Queue, e AccPushEpilogue, side sem.QueueSide) string {
	if other == nil {
		return fmt.Sprintf("needs another end: exactly one queue of the %s core must share its buffer", side)
	}
	o, ok := other.AccEpilogue()
	switch {
	case !ok:
		return fmt.Sprintf("has acc_push_epilogue, but its other end on the %s core has none", side)
	case o.Layout != e.Layout:
		return fmt.Sprintf("has acc_push_epilogue with layout = %s, but its other end on the %s core has %s", e.Layout, side, o.Layout)
	case o.Quant != e.Quant:
		return fmt.Sprintf("has acc_push_epilogue with quant = %s, but its other end on the %s core has %s", e.Quant, side, o.Quant)
	case o.Relu != e.Relu:
		return fmt.Sprintf("has acc_push_epilogue with relu = %s, but its other end on the %s core has %s", e.Relu, side, o.Relu)
	}
	return ""
}

// consumerEnd checks the end of a queue from which the vector cores pop. e describes how
// the cube core converts the entries that it pushes. It returns a message if the popped
// entries do not match the converted entries, and "" otherwise.
func (qs *Queues) consumerEnd(queue *Queue, e AccPushEpilogue) string {
	if buf, kind := queue.buffer(); buf == nil || kind.Imported {
		return "needs operand \"c2v_consumer_buf\" from 'pto.reserve_buffer': the consumer owns the buffer"
	}
	other := qs.otherEnd(queue)
	if msg := endsFault(other, e, sem.CubeSide); msg != "" {
		return msg
	}
	entry, msg := qs.consumedType(queue)
	if msg != "" {
		return msg
	}
	elem := ir.ElementType(entry)
	q := e.Conversion()
	switch {
	case !q.To.Has(elem) || q.Signless(elem):
		return fmt.Sprintf("converts with %s to %s, but 'pto.tpop_from_aic' returns elements of type %s", e.Quant, q.Wants(), elem)
	case !layoutFits(e.Layout, entry):
		return fmt.Sprintf("writes %s, but 'pto.tpop_from_aic' returns %s", e.Layout, entry)
	}
	info, _ := TileOf(entry)
	bytes := int64(info.Rows) * int64(info.Cols) * int64(ByteSize(elem))
	for _, end := range []*Queue{queue, other} {
		if size := end.SlotSize; size < bytes {
			return fmt.Sprintf("attribute \"slot_size\" must be at least %d on both ends, the bytes of %s, but is %d", bytes, entry, size)
		}
	}
	return qs.producedFault(other, e, elem)
}

// consumedType returns the type of the tiles that the function with the queue pops from
// it. If pop instructions have different types, it returns an error message.
func (qs *Queues) consumedType(queue *Queue) (ir.Type, string) {
	var t ir.Type
	for _, o := range qs.uses[localID{functionOf(queue.Init), queue.Init.Attr("id")}] {
		if o.Def().Sem != any(sem.QueueEntry{Act: sem.QueuePop, From: sem.CubeSide}) || o.NumResults() == 0 {
			continue
		}
		switch typ := o.Result(0).Type(); {
		case t.IsZero():
			t = typ
		case t != typ:
			return t, fmt.Sprintf("needs entries of one type, but 'pto.tpop_from_aic' returns %s and %s", t, typ)
		}
	}
	switch {
	case t.IsZero():
		return t, "needs a 'pto.tpop_from_aic' of the queue, because its result type is the type of the entries"
	case !IsTile(t):
		return t, fmt.Sprintf("needs tiles as entries, but 'pto.tpop_from_aic' returns %s", t)
	}
	return t, ""
}

// producedFault checks the instructions with which the cube core pushes accumulator
// elements into a queue. The parameter other is the end of the queue on the cube core. e
// is the conversion of the pushed elements, and elem is the element type that the vector
// cores pop. The type of the pushed elements must be one that e accepts. If e is the
// conversion no_convert, this type must equal elem. producedFault returns a message for a
// violation, and "" otherwise.
func (qs *Queues) producedFault(other *Queue, e AccPushEpilogue, elem ir.Type) string {
	q := e.Conversion()
	for _, o := range qs.uses[localID{functionOf(other.Init), other.Init.Attr("id")}] {
		if o.Def().Sem != any(sem.QueueEntry{Act: sem.QueuePush, From: sem.CubeSide}) {
			continue
		}
		src := ir.ElementType(o.Operand(0).Type())
		if !q.From.Has(src) || e.Quant == "no_convert" && src != elem {
			return fmt.Sprintf("converts with %s, but 'pto.tpush_to_aiv' pushes %s and 'pto.tpop_from_aic' pops %s", e.Quant, src, elem)
		}
	}
	return ""
}

// layoutFits reports whether a tile of type t can receive queue entries that the cube
// core has converted to the given layout. The tile must be in the unified buffer and have
// the same layout, such as row-major without boxes for "nz2nd".
func layoutFits(layout string, t ir.Type) bool {
	info, ok := TileOf(t)
	if !ok || info.Space != sem.UB {
		return false
	}
	switch layout {
	case "nz2nd":
		return info.BLayout == RowMajor && info.SLayout == NoneBox
	case "nz2dn":
		return info.BLayout == ColMajor && info.SLayout == NoneBox
	}
	return info.BLayout == ColMajor && info.SLayout == RowMajor
}

// pushFault returns a message if the entry that op pushes does not match the conversion
// of its queue, and "" otherwise.
func pushFault(qs *Queues, op *ir.Op, _ ir.Target) string {
	if insideHelper(op) {
		return ""
	}
	queue, msg := qs.withID(op, false)
	if msg != "" || queue.From != sem.CubeSide {
		return ""
	}
	e, ok := queue.AccEpilogue()
	if !ok {
		return ""
	}
	t := op.Operand(0).Type()
	q := e.Conversion()
	switch elem := ir.ElementType(t); {
	case !IsTile(t) || SpaceOf(t) != sem.L0C:
		return fmt.Sprintf("operand \"tile\" must be a !pto.tile_buf in acc, because the queue has acc_push_epilogue, but is %s", t)
	case !q.From.Has(elem):
		return fmt.Sprintf("operand \"tile\" must have elements of type %s for the conversion %s of the queue, but has %s", q.From, e.Quant, elem)
	}
	what, set := "quant_scalar", qs.scaled[op].scalar
	if e.Fixpipe().Quant.Vector {
		what, set = "quant_vector", qs.scaled[op].vector
	}
	if e.Fixpipe().Quant.Scaled && !set {
		id, _ := op.Attr("id").AsInt()
		return fmt.Sprintf("needs 'pto.set_%s' with id = %d before it in its block, because the queue converts with %s", what, id, e.Quant)
	}
	return ""
}

// QuantQueue returns a rule that requires a queue whose conversion uses quantization
// factors. If the parameter vector is true, the conversion must use one factor per
// column. If it is false, the conversion must use one factor for all columns.
func QuantQueue(vector bool) Rule {
	return queueCheck(func(qs *Queues, op *ir.Op, t ir.Target) string {
		queue, msg := qs.withID(op, true)
		if msg != "" {
			return msg
		}
		e, ok := queue.AccEpilogue()
		id, _ := op.Attr("id").AsInt()
		switch {
		case queue.From == sem.VectorSide:
			return fmt.Sprintf("needs the producer end of queue %d, but the function has the consumer end", id)
		case !ok:
			return fmt.Sprintf("needs a queue with acc_push_epilogue, but queue %d has none", id)
		case e.Fixpipe().Quant != (sem.Quant{Scaled: true, Vector: vector}):
			return fmt.Sprintf("sets a scale that queue %d does not use: it converts with %s", id, e.Quant)
		case !vector:
			return ""
		}
		want := F16 | BF16 | F32
		if t != sem.A5 {
			want = I64 | U64
		}
		if elem := ir.ElementType(op.Operand(0).Type()); !want.Has(elem) {
			return fmt.Sprintf("operand \"scaling_tile\" must have elements of type %s, but has %s", want, elem)
		}
		return ""
	})
}
