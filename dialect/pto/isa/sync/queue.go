// This file describes a queue with both of its ends.

package sync

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Queue is one end of a queue: its set-up, and what else the program says about
// it. Verifier, passes, runtime and code generation ask this one value.
type Queue struct {
	sem.QueueSetUp
	Init *ir.Op
	// Name is what instructions of other functions call it.
	Name QueueName
	// Users are the instructions on its entries, in the order of the text.
	Users []*ir.Op
	// Ends are the set-ups that share memory with it, its own among them, in
	// the order of the text.
	Ends []*Queue
}

// Pipes returns the pipes of one way of the queue on a profile.
func (q *Queue) Pipes(way int, t ir.Target) QueuePipes {
	return QueuePipesOf(way, q.Global(t) != nil, t)
}

// OneCore reports whether an entry that is not split concerns the first vector
// core alone on a profile, not both.
func (q *Queue) OneCore(t ir.Target) bool { return t == sem.A5 }

// QueueName identifies a queue within a block. A queue with a handle has the number of
// its first signal as its identifier.
type QueueName struct {
	ID     int64
	Handle bool
}

// Queues are all queues of a program. They are found in one walk, so that
// whatever asks about many instructions asks here; changing the program makes
// them out of date.
type Queues struct {
	of     map[*ir.Op][]*Queue // by function, in the order of the text
	inits  map[*ir.Op]*Queue
	byID   map[localID][]*Queue // those that have no handle
	lower  map[localID][]*Queue // by the id they had before they got a handle
	uses   map[localID][]*ir.Op // instructions that name a queue by its id
	pops   map[int64]*ir.Op     // the first of the vector cores, by the first signal
	buffer map[bufferName][]*Queue
	scaled map[*ir.Op]scales // pushes after an instruction that sets scales
}

// localID is an id in a function.
type localID struct {
	f  *ir.Op
	id ir.Attr
}

// bufferName is the memory of the vector cores that a function reserves.
type bufferName struct {
	f    *ir.Op
	name ir.Attr
}

// scales are the kinds of scales that were set.
type scales struct{ scalar, vector bool }

// FindQueues finds the queues of the program around an operation.
func FindQueues(op *ir.Op) *Queues { return findQueues(op.Root()) }

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

// queuesAround returns the queues of the program around op, found once for each
// run of the verifier.
func queuesAround(op *ir.Op, v *ir.Verifier) *Queues {
	root := op.Root()
	return v.Once(root, func() any { return findQueues(root) }).(*Queues)
}

// queueSearch is the state of the walk.
type queueSearch struct {
	qs    *Queues
	list  []*Queue
	users []*ir.Op
	set   map[scaleSet]scales
}

// scaleSet is a queue of a block, as instructions name it.
type scaleSet struct {
	block *ir.Block
	id    ir.Attr
}

// add takes note of an operation. Operations come in the order of the text, so
// the scales of a push are those that its block has set by then.
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

// addInit takes note of a set-up. Handles without a first signal are numbered in
// their function, after all signals.
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

// finish connects set-ups with their users and with each other.
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
		if use.Act == sem.QueuePop && coreOf(op) == sem.VectorSide && qs.pops[q.Signal] == nil && q.SaysSignal {
			qs.pops[q.Signal] = op
		}
	}
	connect(s.list)
}

// Of returns the queue that an instruction sets up, or nil.
func (qs *Queues) Of(init *ir.Op) *Queue { return qs.inits[init] }

// NameOf returns the name of the queue that an instruction sets up or uses. It
// reports false for a handle that comes from a block argument.
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

// Buffer returns what gives the address of the local memory in which an
// instruction that takes entries, or gives slots back, finds them, or nil.
func (qs *Queues) Buffer(use *ir.Op) *ir.Value {
	u := sem.QueueUseOf(use)
	q := qs.inits[queueOfHandle(u.Handle)]
	if u.Handle == nil {
		q, _ = qs.withID(use, true)
	}
	if q == nil {
		return nil
	}
	return q.Arrives[takenWay(use)]
}

// TakenInto is the local memory that has the entries which an instruction takes
// or gives back.
func TakenInto(use *ir.Op) sem.Space {
	if takenWay(use) == sem.ToCube {
		return sem.L1
	}
	return sem.UB
}

// withID returns the queue of the function of op that has the id of op, or says
// what is wrong. Those that got a handle count if lowered is set.
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

// queueCheck is a rule about an instruction on queues, which returns what is
// wrong.
type queueCheck func(qs *Queues, op *ir.Op, t ir.Target) string

// Verify implements ir.Rule.
func (c queueCheck) Verify(op *ir.Op, v *ir.Verifier) {
	if v.Leaves() {
		return
	}
	if msg := c(queuesAround(op, v), op, v.Target); msg != "" {
		v.Errorf(op, "on %s: %s", sem.ProfileName(v.Target), msg)
	}
}
