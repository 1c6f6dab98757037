// This file emits the state of queues and the instructions on their entries.

package llvm

import (
	"fmt"
	"iter"
	"slices"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// A queue is two rings of slots, one each way. A ring belongs to the block; each
// vector core has a lane in it, in which entries are counted. What a core has
// set up of it, its end, are states of the core.

const (
	// For each direction of a queue, every vector core of a block has an array of 64-bit
	// counters, called a lane. These constants are the indices of the counters: of the slots that
	// the producer has reserved and pushed, and of the slots that the consumer has popped
	// and freed. laneWords is the length of the array.
	laneReserved = iota
	lanePushed
	lanePopped
	laneFreed
	laneWords
)

// queueEnd is the producer end or the consumer end of a queue between the cube core and
// the vector cores, as one core uses it.
type queueEnd struct {
	f              *function
	*isasync.Queue // what sets it up
	way            int
	ring           string
}

// ringName returns the name of the ring buffer of queue q in the direction given by the
// parameter way. The name is unique within a block.
func ringName(q isasync.QueueName, way int) string {
	kind := "id"
	if q.Handle {
		kind = "handle"
	}
	return fmt.Sprintf("queue.%s%d.%d", kind, q.ID, way)
}

// key returns the name of the core register that holds a state of this queue end, such as
// the number of the next entry. It consists of the name of the ring buffer and the given
// name.
func (e *queueEnd) key(name string) string { return e.ring + "." + name }

// next emits the index of the next queue entry and increments the counter of entries.
func (e *queueEnd) next() value.Value {
	at := e.f.state(e.key("at"))
	e.f.setState(e.key("at"), e.f.Add(at, ll.Index(1)))
	return at
}

// slotIn emits the byte offset of the slot for the given entry number in the ring buffer
// r. Entries use the slots in rotation.
func (e *queueEnd) slotIn(r sem.QueueRing, entry value.Value) value.Value {
	return e.f.Add(ll.Index(r.Start), e.f.Mul(e.f.Rem(entry, r.Slots), ll.Index(r.SlotSize)))
}

// local emits the address of the queue entry with the given number in the local memory of
// the consumer. The address is an integer: the byte offset from the start of that memory.
func (e *queueEnd) local(entry value.Value) value.Value {
	return e.f.Add(e.f.state(e.key("local")), e.slotIn(e.LocalRing(e.f.opts.Target), entry))
}

// inGlobal emits the byte offset of a queue entry in global memory. The offset is
// relative to the start of the queue's memory, whose address the method memory returns.
// The parameter entry is the index of the entry.
func (e *queueEnd) inGlobal(entry value.Value) value.Value {
	return e.slotIn(e.GlobalRing(e.way), entry)
}

// hasMemory reports whether the entries of the queue pass through global memory.
func (e *queueEnd) hasMemory() bool { return e.Global(e.f.opts.Target) != nil }

// memory returns the LLVM values of the operand (a pointer or a view) that refers to the
// queue's slots in global memory.
func (e *queueEnd) memory() parts {
	ts, _ := partsOf(e.Global(e.f.opts.Target).Type())
	p := parts{e.f.pointer(sem.GM, e.f.state(e.key("gm.0")))}
	for i := 1; i < len(ts); i++ {
		p = append(p, e.f.state(e.key(fmt.Sprintf("gm.%d", i))))
	}
	return p
}

// queueInit emits the initialization of one end of a queue between the cube core and the
// vector cores.
func (f *function) queueInit(op *ir.Op) {
	q := f.queuesOf(op).Of(op)
	for way := range sem.QueueWays {
		if !q.Has(way) {
			continue
		}
		e := &queueEnd{f: f, Queue: q, way: way, ring: ringName(q.Name, way)}
		local := value.Value(ll.Index(0))
		if v := q.Arrives[way]; v != nil {
			local = f.Resize(f.val(v), ll.I64, false)
		}
		f.setState(e.key("set"), ll.Index(1))
		f.setState(e.key("at"), ll.Index(0))
		f.setState(e.key("local"), local)
		f.setState(e.key("scale"), ll.Index(0))
		if v := q.Global(f.opts.Target); v != nil {
			for i, x := range f.parts(v) {
				if i == 0 {
					x = f.addressOf(sem.GM, x)
				}
				f.setState(e.key(fmt.Sprintf("gm.%d", i)), x)
			}
		}
	}
}

// queueUse describes op, an instruction on the entries of a queue such as a push or a
// pop. It also describes the end of the queue that the instruction uses.
type queueUse struct {
	*queueEnd
	sem.QueueUse
	op *ir.Op
	// split describes which share of an entry each vector core transfers: the complete
	// entry, or one half of its rows or columns.
	split isasync.EntrySplit
}

// queueUse returns the description of op, an instruction on the entries of a queue. It
// returns nil after an error.
func (f *function) queueUse(op *ir.Op) *queueUse {
	q, ok := f.queuesOf(op).NameOf(op)
	if !ok {
		f.errorf(op, "gets its queue from a block argument, which the LLVM IR emitter does not support yet")
		return nil
	}
	first := sem.ToVector
	if len(f.setUps(q, first)) == 0 {
		first = sem.ToCube
	}
	use := sem.QueueUseOf(op)
	way := use.Way(f.unit, first)
	queues := f.setUps(q, way)
	if len(queues) == 0 {
		f.errorf(op, "uses a queue, but the program contains no instruction that sets it up")
		return nil
	}
	for _, other := range queues[1:] {
		if !sameSetUp(queues[0], other, f.opts.Target) {
			f.errorf(op, "uses a queue that several instructions set up differently, which the LLVM IR emitter does not support yet").
				Note(queues[0].Init.Loc(), "the queue is set up here").Note(other.Init.Loc(), "the queue is also set up here")
			return nil
		}
	}
	u := &queueUse{op: op, QueueUse: use, queueEnd: &queueEnd{f: f, Queue: queues[0], way: way, ring: ringName(q, way)}}
	u.split = isasync.EntrySplit(use.Split)
	f.TrapIf(f.ICmp(enum.IPredEQ, f.state(u.key("set")), ll.Index(0)))
	if u.SubCore != nil {
		f.AtMostOrTrap(u.part(), vectorCores-1)
	}
	return u
}

// queuesOf returns the queues of the program that contains op. The result is cached.
func (m *module) queuesOf(op *ir.Op) *isasync.Queues {
	if m.found == nil {
		m.found = isasync.FindQueues(op)
	}
	return m.found
}

// coreKind is a kind of core (cube or vector) in a launch. The field team is nil for
// functions that a single core runs.
type coreKind struct {
	team *team
	unit unit
}

// coreQueues lists the queue operations that one kind of core executes, in program order:
// initializations, and settings of quantization factors.
type coreQueues struct {
	// queues contains, for each queue name, the operations that initialize the queue.
	queues map[isasync.QueueName][]*isasync.Queue
	// scales contains, for each queue, the operations that set its quantization factors,
	// one per column.
	scales map[isasync.QueueName][]*ir.Op
}

// coreQueues returns the queue operations of the kind of core that executes f. The result
// is cached.
func (f *function) coreQueues() *coreQueues {
	kind := coreKind{f.team, f.unit}
	if known := f.perCore[kind]; known != nil {
		return known
	}
	c := &coreQueues{map[isasync.QueueName][]*isasync.Queue{}, map[isasync.QueueName][]*ir.Op{}}
	f.perCore[kind] = c
	for op := range f.onCore() {
		found := f.queuesOf(op)
		if q := found.Of(op); q != nil {
			c.queues[q.Name] = append(c.queues[q.Name], q)
		}
		if kind, ok := op.Def().Sem.(sem.ConfigSet); ok && kind.What == "quant_vector" {
			name, _ := found.NameOf(op)
			c.scales[name] = append(c.scales[name], op)
		}
	}
	return c
}

// setUps returns the operations that initialize a queue, for the kind of core that
// executes the current function. The queue is identified by its name and the direction of
// its transfers (the parameter way). Several functions of the module may initialize a
// queue of this name, each for its own launch.
//
// A team is a set of kernels that several cores of a block execute together. If the
// current function does not belong to a team and contains initializations of the queue,
// the result contains only these. In all other cases, the result contains the
// initializations in all functions.
func (f *function) setUps(name isasync.QueueName, way int) []*isasync.Queue {
	var queues []*isasync.Queue
	for _, q := range f.coreQueues().queues[name] {
		if q.Has(way) {
			queues = append(queues, q)
		}
	}
	here := func(q *isasync.Queue) bool { return isasync.FunctionOf(q.Init) == f.op }
	if f.team == nil && slices.ContainsFunc(queues, here) {
		queues = slices.DeleteFunc(queues, func(q *isasync.Queue) bool { return !here(q) })
	}
	return queues
}

// onCore yields all operations that the current core executes, in the function f and in
// all other functions of this core.
func (f *function) onCore() iter.Seq[*ir.Op] {
	fns := f.alone
	if f.team != nil {
		fns = f.team.reached(f.unit)
	}
	return func(yield func(*ir.Op) bool) {
		for _, g := range fns {
			for op := range g.Walk() {
				if sectionUnit(op)&f.unit != 0 && !yield(op) {
					return
				}
			}
		}
	}
}

// sectionUnit returns the kind of core that executes op. The innermost section that
// contains op determines it; without a section, the result is any kind.
func sectionUnit(op *ir.Op) unit {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if s, ok := p.Def().Sem.(sem.Scope); ok && sectionUnits[s.Kind] != 0 {
			return sectionUnits[s.Kind]
		}
	}
	return anyUnit
}

// sameSetUp reports whether two initializations of a queue are equal except for
// addresses.
func sameSetUp(a, b *isasync.Queue, t ir.Target) bool {
	memory := func(q *isasync.Queue) ir.Type {
		if v := q.Global(t); v != nil {
			return v.Type()
		}
		return ir.Type{}
	}
	return a.Shape() == b.Shape() && memory(a) == memory(b) && a.Epilogue == b.Epilogue
}

// lanes returns the numbers of the vector cores whose counters the instruction u uses. A
// vector core uses only its own counters. The cube core uses the counters of every vector
// core with which it exchanges the entry.
func (u *queueUse) lanes() []value.Value {
	n := int64(1)
	if u.f.team != nil {
		n = u.f.team.vectors()
	}
	switch {
	case u.f.unit == vectorUnit:
		return []value.Value{u.f.vectorCore}
	case u.split == isasync.WholeEntry && u.OneCore(u.f.opts.Target):
		n = 1
	}
	all := make([]value.Value, n)
	for i := range all {
		all[i] = ll.Index(int64(i))
	}
	return all
}

// word emits the address of one counter of the queue. Each vector core has an array of
// counters. The parameter lane is the number of the vector core, and the parameter word
// is the index in its array.
func (u *queueUse) word(lane value.Value, word int64) value.Value {
	ring := u.f.module.memory(u.ring, 8*laneWords*vectorCores)
	return u.f.At(ll.I64, ring, u.f.Add(u.f.Mul(lane, ll.Index(laneWords)), ll.Index(word)))
}

// every emits a test of the state of a queue. Each vector core has several counters in
// memory. For all vector cores that take part in the transfer, the test compares two
// counters: it is true if counter number less is smaller than counter number than plus
// the constant ahead, for every one of these vector cores.
func (u *queueUse) every(less, than, ahead int64) value.Value {
	all := value.Value(ll.Integer(ll.I1, 1))
	for _, lane := range u.lanes() {
		x, y := u.f.Load(ll.I64, u.word(lane, less), 8), u.f.Load(ll.I64, u.word(lane, than), 8)
		all = u.f.And(all, u.f.ICmp(enum.IPredSLT, x, u.f.Add(y, ll.Index(ahead))))
	}
	return all
}

// counted emits code that increments a counter of each vector core that takes part in the
// transfer of a queue entry. The parameter word selects the counter: it is the index in
// the group of counters of a core.
func (u *queueUse) counted(word int64) {
	for _, lane := range u.lanes() {
		u.f.count(u.word(lane, word))
	}
}

// reserve emits code that waits for a free queue slot and counts the slot as reserved.
func (u *queueUse) reserve() {
	u.f.until(func() value.Value { return u.every(laneReserved, laneFreed, u.Slots) })
	u.counted(laneReserved)
}

// take emits code that waits for the next queue entry. It returns the number of the
// entry.
func (u *queueUse) take() value.Value {
	u.f.until(func() value.Value { return u.every(lanePopped, lanePushed, 0) })
	u.counted(lanePopped)
	return u.next()
}

// queueEntry emits an instruction on a queue entry: a push, a pop, a reservation or a
// release.
func (f *function) queueEntry(op *ir.Op, kind sem.QueueEntry) {
	u := f.queueUse(op)
	if u == nil {
		return
	}
	switch kind.Act {
	case sem.QueueAlloc:
		u.reserve()
		u.fill(u.Entry, u.next())
	case sem.QueuePush:
		u.push()
	case sem.QueuePop:
		u.pop()
	case sem.QueueFree:
		f.TrapIf(f.Not(u.every(laneFreed, lanePopped, 0)))
		u.counted(laneFreed)
	}
}

// part emits the number of the vector core whose share of the queue entry the instruction
// accesses: 0 or 1.
func (u *queueUse) part() value.Value {
	if u.SubCore != nil {
		return u.f.val(u.SubCore)
	}
	return u.f.vectorCore
}

// fill makes the program value v a view of the queue entry with the given number. The
// strides of the view are the strides of the queue slot, or the strides of a dense tensor
// if the slot has none.
func (u *queueUse) fill(v *ir.Value, entry value.Value) {
	if problem := analysis.CheckSlotView(v); problem != "" {
		u.f.errorf(u.op, "%s", problem)
		return
	}
	t, _ := ir.As[pto.TensorView](v.Type())
	e, known := elementOfType(t.Elem)
	if !known || !u.hasMemory() {
		u.f.errorf(u.op, "accesses a queue entry with elements of type %s, which the LLVM IR emitter does not support", t.Elem)
		return
	}
	gm, n := u.memory(), t.Shape.Len()
	slot := view{e: e, base: gm[0], size: make([]value.Value, n), strides: make([]value.Value, n)}
	dense := value.Value(ll.Index(1))
	for i := n - 1; i >= 0; i-- {
		slot.size[i], slot.strides[i] = ll.Index(t.Shape.At(i)), dense
		if len(gm) == 1+2*n {
			if t.Shape.At(i) == ir.Dynamic {
				slot.size[i] = gm[1+i]
			}
			slot.strides[i] = gm[1+n+i]
		} else if t.Shape.At(i) == ir.Dynamic {
			slot.size[i] = ll.Index(0)
		}
		dense = u.f.Mul(dense, slot.size[i])
	}
	at := u.inGlobal(entry)
	if u.f.unit == vectorUnit && u.split != isasync.WholeEntry {
		part := dimension(slot.size, 0, 1)
		if u.split == isasync.EntryRows {
			part = u.f.Mul(dimension(slot.size, 1, 1), part)
		}
		at = u.f.Add(at, u.f.Mul(u.f.Mul(u.part(), part), ll.Index(int64(e.size))))
	}
	slot.base = u.f.offset(slot.base, at)
	u.f.setView(v, slot)
}

// bufferAddress emits the integer address of a local buffer that a function reserves for
// a queue.
func (f *function) bufferAddress(op *ir.Op) {
	from := isasync.ReservedBuffer(op)
	if from == nil {
		f.errorf(op, analysis.NotReserved)
		return
	}
	r := analysis.ReservedOf(from)
	at := r.Base
	if !r.Placed {
		at = f.tiles.at(from)
	}
	f.set(op.Result(0), ll.Integer(intTypeOf(op.Result(0).Type()), at))
}
