// This file finds what a core knows because the other core of its block has answered.

package insertsync

import (
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// A kernel pushes an entry to one queue and later pops an entry from another one. If the
// kernel of the other kind pushes that entry only after it has popped the first one, then
// the pop also waits for the own push, and for everything that the pushing pipe had waited
// for. No flag is needed for such orders.
//
// The pass first tries what it would insert into the vector kernel by itself. A proof then
// shows whether its push always follows its pop, and the cube kernel is synchronized with
// this knowledge. The same is tried for the vector kernel, with what the cube kernel
// answers, if its own answers stay. Each kernel then relies on answers of the other one.
// That is sound, because an answer rests only on what happened before it.

// echo is a pair of instructions of one kernel, a push and a pop on two queues between
// the cube core and the vector cores. A second kernel runs on the core at the opposite
// ends of these queues. It first pops the entry that the push has sent, and only then
// pushes the entry for which the pop waits. The pop therefore also waits for the push,
// and no flag is needed to order the two.
type echo struct {
	push, pop *ir.Op
	// carried means that the pop precedes the push in a loop. The pop then waits for the
	// entry that the other kernel pushes after it has received the push of the previous
	// iteration.
	carried bool
	// theirPop is the instruction of the other kernel that pops the entry of the push.
	// theirPush is the later instruction of that kernel that pushes the entry of the pop.
	theirPop, theirPush *ir.Op
}

// pairing is a cube kernel and a vector kernel that exchange entries of queues. For each
// of the two kernels it has the candidates for echoes (see echo): a push and a pop of this
// kernel, if the other kernel may pop the pushed entry before it pushes the popped one.
type pairing struct {
	cube, vector     *ir.Op
	ofCube, ofVector []*echo
}

// queueWay identifies a queue and one direction of its transfers. Equal values denote the
// same queue, even if different functions use it.
type queueWay struct {
	name isasync.QueueName
	// side is the kind of core that pushes entries in this direction.
	side sem.QueueSide
}

// queueSites are the instructions of a kernel that push to a queue and pop from it.
type queueSites struct{ pushes, pops map[queueWay][]*ir.Op }

// pairingOf returns the two kernels of a module that may have echoes. An echo is a push
// together with the pop that waits for the answer of the other kernel. It returns nil
// unless the module has exactly one cube kernel and exactly one vector kernel with
// queues.
func pairingOf(module *ir.Op) *pairing {
	queues := isasync.FindQueues(module)
	p, sites := &pairing{}, map[*ir.Op]*queueSites{}
	for f := range module.Walk() {
		if !f.Is(fn.Func) || fn.Body(f) == nil {
			continue
		}
		s, ok := sitesOf(f, queues)
		switch u := ptoanalysis.UnitOf(f); {
		case !ok:
			return nil
		case s == nil:
		case u == sem.CubeUnit && p.cube == nil:
			p.cube = f
		case u == sem.VectorUnit && p.vector == nil:
			p.vector = f
		default:
			return nil
		}
		sites[f] = s
	}
	if p.cube == nil || p.vector == nil {
		return nil
	}
	p.ofCube = echoesOf(sites[p.cube], sites[p.vector])
	p.ofVector = echoesOf(sites[p.vector], sites[p.cube])
	return p
}

// echoesOf returns the candidates for echoes of one kernel. An echo is a round trip
// between two kernels: this kernel pushes an entry, the other kernel answers it with an
// entry, and this kernel pops the answer. ours are the pushes and pops of this kernel,
// and theirs are those of the other kernel. echoesOf tries every pair of a push and a pop
// of this kernel.
func echoesOf(ours, theirs *queueSites) (list []*echo) {
	for first, push := range ours.pushes {
		for second, pop := range ours.pops {
			if e := newEcho(push, theirs.pops[first], theirs.pushes[second], pop); e != nil {
				list = append(list, e)
			}
		}
	}
	return list
}

// newEcho returns a candidate for an echo, a round trip between two kernels. The first
// kernel pushes an entry (push), and the other kernel pops it (theirPop). Then the other
// kernel pushes an answer (theirPush), and the first kernel pops the answer (pop). Each
// parameter lists the instructions that can have one of these four roles. newEcho returns
// nil if one of the lists does not contain exactly one instruction. It also returns nil
// if the two instructions of a kernel are not in one block in the right order. Finally,
// it returns nil if an entry is a view of a slot: such a pop accesses no memory, so the
// proof does not follow it.
func newEcho(push, theirPop, theirPush, pop []*ir.Op) *echo {
	for _, list := range [][]*ir.Op{push, theirPop, theirPush, pop} {
		if len(list) != 1 || !pto.IsTile(sem.QueueUseOf(list[0]).Entry.Type()) {
			return nil
		}
	}
	e := &echo{push: push[0], pop: pop[0], theirPop: theirPop[0], theirPush: theirPush[0]}
	switch {
	case comesBefore(e.push, e.pop) && comesBefore(e.theirPop, e.theirPush):
		return e
	case comesBefore(e.pop, e.push) && comesBefore(e.theirPush, e.theirPop):
		e.carried = true
		return e
	}
	return nil
}

// comesBefore reports whether two operations are in one block, and the first one precedes
// the second one.
func comesBefore(a, b *ir.Op) bool {
	if a.Block() != b.Block() {
		return false
	}
	for op := range a.Block().Ops() {
		if op == a || op == b {
			return op == a
		}
	}
	return false
}

// sitesOf returns the instructions of a function that push to queues and pop from them,
// or nil if it has none. It prepares the search for echoes; an echo is a push together
// with the pop that waits for the answer of the other kernel. ok is false if the function
// uses queues in a way that this search does not support.
func sitesOf(f *ir.Op, queues *isasync.Queues) (s *queueSites, ok bool) {
	for op := range f.Walk() {
		act := sem.QueueEntryOf(op)
		if act.Act == 0 || act.Act == sem.QueueFree {
			continue
		}
		name, known := queues.NameOf(op)
		if !known || name.Handle || act.Act == sem.QueueAlloc {
			return nil, false
		}
		if s == nil {
			s = &queueSites{map[queueWay][]*ir.Op{}, map[queueWay][]*ir.Op{}}
		}
		way := queueWay{name, act.From}
		if act.Act == sem.QueuePush {
			s.pushes[way] = append(s.pushes[way], op)
		} else {
			s.pops[way] = append(s.pops[way], op)
		}
	}
	return s, true
}

// answered returns those echoes in the list that the kernel f is certain to answer. An
// echo is a round trip through queues: another kernel pushes an entry, f pops it (with
// the operation theirPop) and pushes an answer (with the operation theirPush), and the
// other kernel pops the answer. The kernel f answers the echo if theirPush always starts
// after theirPop is complete, on all execution paths.
//
// answered simulates f with the synchronization that the pass has already inserted. The
// parameter known lists echoes that start in f and that the other kernel is certain to
// answer; the proof may rely on them. The map calls contains the functions that execute
// instructions on a pipe.
func answered(f *ir.Op, list, known []*echo, target ir.Target, calls map[*ir.Op]bool) (sure []*echo) {
	if len(list) == 0 {
		return nil
	}
	p := newProof(f, target, calls)
	p.without = map[*ir.Op]bool{} // reports nothing
	p.questions, p.echoes = list, known
	p.run()
	if p.faulty() || p.paths == mostPaths || p.steps > mostSteps {
		return nil
	}
	for _, e := range list {
		if !p.unanswered[e] {
			sure = append(sure, e)
		}
	}
	return sure
}

// learn returns the echoes of both kernels. An echo is a push together with the pop that
// waits for the answer of the other kernel. learn finds the echoes by trial. It calls the
// function insert, which inserts synchronization into the kernel f on the basis of the
// known echoes, and runs the static proof on the result. Afterwards it removes the
// inserted synchronization, so that the kernels are unchanged. The function target
// returns the target of a kernel, and calls contains the functions that execute
// instructions on a pipe.
func (p *pairing) learn(target func(*ir.Op) ir.Target, calls map[*ir.Op]bool, insert func(f *ir.Op, known []*echo) error) map[*ir.Op][]*echo {
	var ofCube, ofVector []*echo
	with := func(f *ir.Op, known []*echo, ask func()) {
		before := map[*ir.Op]bool{}
		for op := range f.Walk() {
			before[op] = true
		}
		if insert(f, known) == nil {
			ask()
		}
		restore(f, before)
	}
	if len(p.ofCube)+len(p.ofVector) == 0 {
		return nil
	}
	with(p.vector, nil, func() { ofCube = answered(p.vector, p.ofCube, nil, target(p.vector), calls) })
	with(p.cube, ofCube, func() { ofVector = answered(p.cube, p.ofVector, ofCube, target(p.cube), calls) })
	if len(ofVector) > 0 {
		stays := false
		with(p.vector, ofVector, func() {
			stays = len(answered(p.vector, ofCube, ofVector, target(p.vector), calls)) == len(ofCube)
		})
		if !stays {
			ofVector = nil
		}
	}
	return map[*ir.Op][]*echo{p.cube: ofCube, p.vector: ofVector}
}

// restore undoes the insertion of operations in the function f. The parameter before
// contains the operations that f had before the insertion; restore erases all operations
// that are not in this map.
func restore(f *ir.Op, before map[*ir.Op]bool) {
	var added []*ir.Op
	for op := range f.Walk() {
		if !before[op] {
			added = append(added, op)
		}
	}
	for _, op := range slices.Backward(added) {
		op.Erase()
	}
}

// echoes returns the proven echoes of both kernels. An echo is a push and a later pop in
// one kernel. Between them, the other kernel pops the pushed entry and then pushes the
// entry of the later pop, its answer. The first kernel therefore needs no flag to order
// its push and its pop.
//
// echoes first assumes that all candidates are echoes. It then drops the candidates that
// the other kernel does not provably answer, and repeats the proof until it relies only
// on the remaining ones.
func (p *pairing) echoes(target func(*ir.Op) ir.Target, calls map[*ir.Op]bool) map[*ir.Op][]*echo {
	ofCube, ofVector := p.ofCube, p.ofVector
	for {
		c := answered(p.vector, ofCube, ofVector, target(p.vector), calls)
		v := answered(p.cube, ofVector, c, target(p.cube), calls)
		if len(c) == len(ofCube) && len(v) == len(ofVector) {
			return map[*ir.Op][]*echo{p.cube: c, p.vector: v}
		}
		ofCube, ofVector = c, v
	}
}

// give records orders that the analysis does not have to ensure, in the blocks below
// root. Each echo in list is a pair of a push and a pop: when the pop ends, the work
// before the push is certain to be complete. For each block that contains both
// instructions, give adds this order to the known orders.
func give(root *blk, list []*echo, target ir.Target) {
	everyBlock(root, func(b *blk) {
		for _, e := range list {
			from, to := -1, -1
			for i, n := range b.nodes {
				switch n.op {
				case e.push:
					from = i
				case e.pop:
					to = i
				}
			}
			src, dst := order.LineOf(pto.PipeFor(e.push, target)), waiting(e.pop, target)
			if from < 0 || to < 0 || e.carried && b.loop == nil || src == order.NoLine || dst == order.NoLine {
				continue
			}
			g := &edge{src: src, dst: dst, from: from, to: to, given: true}
			if e.carried {
				g.dist = 1
			}
			b.given = append(b.given, g)
		}
	})
}

// waiting returns the pipe, as an array index, that waits when the instruction pop finds
// no entry in its queue. If a wait for another core stops the scalar unit on the target,
// waiting returns the scalar unit.
func waiting(pop *ir.Op, target ir.Target) order.Line {
	line := order.LineOf(pto.PipeFor(pop, target))
	if line != order.NoLine && order.RulesOf(target).StallsIssue() {
		return order.Scalar
	}
	return line
}

// queueBefore updates the simulated queues before the proof simulates the instruction op.
// An echo is a push together with a pop that waits for an answer to the entry of the
// push. If op is the pop of an echo, the answer proves that certain work is complete: all
// work that was complete when the entry of the push arrived. queueBefore adds this work
// to what the pipe of op knows to be complete.
func (r *runner) queueBefore(op *ir.Op) {
	for _, e := range r.echoes {
		if c := r.pushed[e]; e.pop == op && c != nil {
			r.core.Acquire(waiting(op, r.target), c)
		}
	}
}

// queueAfter updates the state of echoes after the proof has simulated the instruction
// op. An echo is a round trip between two kernels through queues. The first kernel pushes
// an entry. The second kernel pops this entry and then pushes another one, the answer.
// Later the first kernel pops the answer.
//
// If op is the first push of an echo, and this kernel is the first kernel, queueAfter
// records which work is complete at the push. If this kernel is the second kernel and op
// pushes the answer, queueAfter tests whether the pop of the first entry is certain to be
// complete before op. If it is not, queueAfter records the echo as unanswered.
func (r *runner) queueAfter(op *ir.Op) {
	line := order.LineOf(pto.PipeFor(op, r.target))
	for _, e := range r.echoes {
		if e.push == op && line != order.NoLine {
			c := &order.Clock{}
			r.core.Release(line, c)
			r.pushed[e] = c
		}
	}
	for _, e := range r.questions {
		switch op {
		case e.theirPop:
			r.popped[e] = r.core.Last(line)
		case e.theirPush:
			var c order.Clock
			r.core.Release(line, &c)
			at, popped := r.popped[e]
			if popped && !c.Has(at) || !popped && !e.carried {
				r.unanswered[e] = true
			}
			delete(r.popped, e)
		}
	}
}
