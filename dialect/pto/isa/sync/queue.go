// This file describes a queue with both of its ends.

package sync

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Queue is one end of a queue between cores. It holds the instruction that creates the
// end, and what the rest of the program determines: the name of the queue, the
// instructions that use it, and the other ends in the same memory. The verifier, passes,
// runtime and code generation all use it.
type Queue struct {
	sem.QueueSetUp
	Init *ir.Op
	// Name identifies the queue within a block, also for instructions of other functions.
	Name QueueName
	// Users are the instructions on entries of the queue, in textual order.
	Users []*ir.Op
	// Ends are all ends of queues that share memory with this end, including this end, in
	// textual order.
	Ends []*Queue
}

// Pipes returns the pipes that execute the operations on the queue in one direction on
// target t. way is the index of the direction.
func (q *Queue) Pipes(way int, t ir.Target) QueuePipes {
	return QueuePipesOf(way, q.Global(t) != nil, t)
}

// OneCore concerns queues whose entries are not divided between the two vector cores of a
// block. It reports whether only the first vector core pushes and pops the entries. This
// holds on A5. On other targets, both vector cores use each entry.
func (q *Queue) OneCore(t ir.Target) bool { return t == sem.A5 }

// QueueName identifies a queue within a block. The ID of a queue with a handle is the
// number of its first signal.
type QueueName struct {
	ID     int64
	Handle bool
}

// Queues are all queues of a program. They are found in a single walk, so callers with
// several queries keep this value. It must not be used after the program changes.
type Queues struct {
	// of are the queues of each function, in textual order.
	of    map[*ir.Op][]*Queue
	inits map[*ir.Op]*Queue
	// byID are the queues without handles.
	byID map[localID][]*Queue
	// lower are the queues with handles that had a number in the program. A pass has
	// replaced the number by a handle; the map still finds the queue by its number.
	lower map[localID][]*Queue
	// uses are the instructions that refer to a queue by its number.
	uses map[localID][]*ir.Op
	// pops holds, for each queue, the first instruction of a vector core that pops an
	// entry. The key is the number of the first signal of the queue.
	pops   map[int64]*ir.Op
	buffer map[bufferName][]*Queue
	// scaled holds the push instructions that follow an instruction which sets
	// quantization factors, with the kinds of factors that were set.
	scaled map[*ir.Op]scales
}

// localID identifies a queue of a function by the function f and the attribute id.
// Different functions can use the same id for different queues.
type localID struct {
	f  *ir.Op
	id ir.Attr
}

// bufferName identifies a buffer in the local memory of the vector cores. The field f is
// the function of the program that reserves the buffer, and name is the name of the
// buffer in this function.
type bufferName struct {
	f    *ir.Op
	name ir.Attr
}

// scales records which kinds of quantization factors the program has set for a queue. The
// field scalar means one factor for all columns of an entry, and the field vector means
// one factor for each column.
type scales struct{ scalar, vector bool }

// FindQueues finds the queues of the program that contains op.
func FindQueues(op *ir.Op) *Queues { return findQueues(op.Root()) }

// findQueues finds the queues of a program.
func findQueues(root *ir.Op) *Queues {
	s := &queueSearch{qs: &Queues{
		of: map[*ir.Op][]*Queue{}, inits: map[*ir.Op]*Queue{}, byID: map[localID][]*Queue{}, lower: map[localID][]*Queue{},
		uses: map[localID][]*ir.Op{}, pops: map[int64]*ir.Op{}, buffer: map[bufferName][]*Queue{}, scaled: map[*ir.Op]scales{},
	}, set: map[scaleSet]scales{}}
	for op := range root.Walk() {
		s.add(op)
	}
	s.finish()
	return s.qs
}

// queuesAround returns the queues of the program that contains op. It searches the
// program only once in each run of the verifier.
func queuesAround(op *ir.Op, v *ir.Verifier) *Queues {
	root := op.Root()
	return v.Once(root, func() any { return findQueues(root) }).(*Queues)
}

// queueSearch is the state of finding the queues of a program.
type queueSearch struct {
	qs    *Queues
	list  []*Queue
	users []*ir.Op
	set   map[scaleSet]scales
}

// scaleSet is a map key. It identifies a queue, in one block of operations, for which the
// program has set quantization factors.
type scaleSet struct {
	block *ir.Block
	id    ir.Attr
}

// add records what the operation op contributes to the queues of the program. It records
// instructions that create queues, that set quantization factors, and that access queue
// entries. The search must call add in textual order: a push uses the quantization
// factors that preceding instructions of its block have set.
func (s *queueSearch) add(op *ir.Op) {
	switch kind := op.Def().Sem.(type) {
	case sem.QueueInit:
		s.addInit(op)
	case sem.ConfigSet:
		key := scaleSet{op.Block(), op.Attr("id")}
		was := s.set[key]
		was.scalar = was.scalar || kind.What == "quant_scalar"
		was.vector = was.vector || kind.What == "quant_vector"
		if was != (scales{}) {
			s.set[key] = was
		}
	case sem.QueueEntry:
		if was := s.set[scaleSet{op.Block(), op.Attr("id")}]; kind.Act == sem.QueuePush && was != (scales{}) {
			s.qs.scaled[op] = was
		}
		s.users = append(s.users, op)
	}
}

// addInit adds a queue for op, an instruction that creates a queue. If op returns a
// handle and has no first signal number, the queue receives an unused number above those
// of the hardware signals.
func (s *queueSearch) addInit(op *ir.Op) {
	f := functionOf(op)
	id, _ := op.Attr("id").AsInt()
	q := &Queue{QueueSetUp: sem.QueueSetUpOf(op), Init: op, Name: QueueName{ID: id}}
	if q.Handle() {
		base := q.Signal
		if !q.SaysSignal {
			base = sem.Signals
			for _, other := range s.qs.of[f] {
				if other.Handle() {
					base++
				}
			}
		}
		q.Name = QueueName{ID: base, Handle: true}
	} else {
		key := localID{f, op.Attr("id")}
		s.qs.byID[key] = append(s.qs.byID[key], q)
	}
	if was := op.Attr(loweredID); !was.IsZero() {
		key := localID{f, was}
		s.qs.lower[key] = append(s.qs.lower[key], q)
	}
	if b, kind := q.buffer(); b != nil {
		owner := f
		if kind.Imported {
			owner = peerFunction(b)
		}
		key := bufferName{owner, b.Attr("name")}
		s.qs.buffer[key] = append(s.qs.buffer[key], q)
	}
	s.qs.of[f] = append(s.qs.of[f], q)
	s.qs.inits[op] = q
	s.list = append(s.list, q)
}

// finish links each queue to the instructions that use it, and links the two ends of a
// queue to each other. The search calls it after it has visited all instructions.
func (s *queueSearch) finish() {
	qs := s.qs
	for _, op := range s.users {
		use := sem.QueueUseOf(op)
		if use.Handle == nil {
			key := localID{functionOf(op), use.ID}
			qs.uses[key] = append(qs.uses[key], op)
			if list := qs.byID[key]; len(list) > 0 {
				list[0].Users = append(list[0].Users, op)
			}
			continue
		}
		q := qs.inits[queueOfHandle(use.Handle)]
		if q == nil {
			continue
		}
		q.Users = append(q.Users, op)
		if use.Act == sem.QueuePop && CoreOf(op) == sem.VectorSide && qs.pops[q.Signal] == nil && q.SaysSignal {
			qs.pops[q.Signal] = op
		}
	}
	connect(s.list)
}

// Of returns the queue that instruction init creates, or nil.
func (qs *Queues) Of(init *ir.Op) *Queue { return qs.inits[init] }

// NameOf returns the identity of the queue that op creates or uses. The bool result is
// false if op identifies the queue by a handle that is a block argument.
func (qs *Queues) NameOf(op *ir.Op) (QueueName, bool) {
	if q := qs.inits[op]; q != nil {
		return q.Name, true
	}
	use := sem.QueueUseOf(op)
	if use.Handle != nil {
		if q := qs.inits[queueOfHandle(use.Handle)]; q != nil {
			return q.Name, true
		}
		return QueueName{}, false
	}
	id, _ := use.ID.AsInt()
	return QueueName{ID: id}, true
}

// Buffer considers an instruction, the parameter use, that pops or releases a queue
// entry. The entry is in a local memory, and Buffer returns the value with the address of
// this memory. It returns nil if the queue or its local memory is not known.
func (qs *Queues) Buffer(use *ir.Op) *ir.Value {
	if q := qs.Used(use); q != nil {
		return q.Arrives[takenWay(use)]
	}
	return nil
}

// Copies considers the queue that the instruction use accesses. It reports whether, on
// target t, a pop from this queue copies the entry from global memory to local memory.
// Such a pop also frees the slot (pto-isa:include/pto/npu/a2a3/TPop.hpp). A later
// instruction that frees the entry then need not wait for instructions that read the
// copy.
func (qs *Queues) Copies(use *ir.Op, t ir.Target) bool {
	q := qs.Used(use)
	return q != nil && q.Global(t) != nil
}

// Used returns the queue that an instruction uses, or nil.
func (qs *Queues) Used(use *ir.Op) *Queue {
	u := sem.QueueUseOf(use)
	if u.Handle == nil {
		q, _ := qs.withID(use, true)
		return q
	}
	return qs.inits[queueOfHandle(u.Handle)]
}

// TakenInto returns the local memory in which a core receives a queue entry. The
// parameter use is the instruction that pops or releases the entry. The result is L1 if
// the cube core receives it, and the unified buffer if a vector core does.
func TakenInto(use *ir.Op) sem.Space {
	if takenWay(use) == sem.ToCube {
		return sem.L1
	}
	return sem.UB
}

// withID returns the queue that op selects by its attribute id. The queue must be created
// in the function that contains op. withID first searches the queues without handles. If
// it finds none and lowered is set, it also searches the queues for which a pass has
// already created handles. If no such queue exists, or more than one, it returns an
// error message.
func (qs *Queues) withID(op *ir.Op, lowered bool) (*Queue, string) {
	key := localID{functionOf(op), op.Attr("id")}
	list := qs.byID[key]
	if len(list) == 0 && lowered {
		list = qs.lower[key]
	}
	n, _ := op.Attr("id").AsInt()
	switch len(list) {
	case 0:
		return nil, "needs a queue with id = " + Itoa(n) + " that the function sets up, but there is none"
	case 1:
		return list[0], ""
	}
	return nil, "needs one queue with id = " + Itoa(n) + ", but the function sets up " + Itoa(int64(len(list)))
}

// queueCheck is a rule about instructions on queues. It returns a message for a
// violation, or "".
type queueCheck func(qs *Queues, op *ir.Op, t ir.Target) string

// Verify implements Rule. It calls the check c for op and reports a violation. A check of
// queues needs the whole program, so a verifier that only sees a part of the program
// skips it.
func (c queueCheck) Verify(op *ir.Op, v *ir.Verifier) {
	if v.Leaves() {
		return
	}
	if msg := c(queuesAround(op, v), op, v.Target); msg != "" {
		v.Errorf(op, "on target %s: %s", sem.ProfileName(v.Target), msg)
	}
}
