// This file finds what a core knows because the other core of its block has answered.

package insertsync

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// A cube kernel pushes an entry to one queue and later pops an entry from another one. If
// the vector kernel pushes that entry only after it has popped the first one, then the
// pop of the cube kernel also waits for its own push, and for everything that the pushing
// pipe had waited for. No flag is needed for such orders.
//
// The vector kernel is synchronized first and by itself. A proof then shows that its push
// always follows its pop. Only the cube kernel relies on the result, so that no kernel
// relies on flags that the other one left out for this reason.

// echo is a pair of instructions of a cube kernel: the pop waits for an answer to the push.
type echo struct {
	push, pop *ir.Op
	// theirPop and theirPush are the instructions of the vector kernel between the two.
	theirPop, theirPush *ir.Op
}

// queueWay identifies one direction of a queue in all functions.
type queueWay struct {
	name isasync.QueueName
	side sem.QueueSide
}

// queueSites are the instructions of a kernel that push to a queue and pop from it.
type queueSites struct{ pushes, pops map[queueWay][]*ir.Op }

// echoes returns the pairs of a module that may be echoes, with the kernels that contain
// them. There are none unless the module has exactly one cube kernel and one vector kernel
// with queues.
func echoes(module *ir.Op) (cube, vector *ir.Op, list []*echo) {
	queues := isasync.FindQueues(module)
	sites := map[*ir.Op]*queueSites{}
	for f := range module.Walk() {
		if !f.Is(fn.Func) || fn.Body(f) == nil {
			continue
		}
		s, ok := sitesOf(f, queues)
		switch u := ptoanalysis.UnitOf(f); {
		case !ok, s != nil && u == sem.CubeUnit && cube != nil, s != nil && u == sem.VectorUnit && vector != nil, s != nil && u == sem.AnyUnit:
			return nil, nil, nil
		case s != nil && u == sem.CubeUnit:
			cube = f
		case s != nil:
			vector = f
		}
		sites[f] = s
	}
	if cube == nil || vector == nil {
		return nil, nil, nil
	}
	ours, theirs := sites[cube], sites[vector]
	for first, push := range ours.pushes {
		for second, pop := range ours.pops {
			if e := newEcho(push, theirs.pops[first], theirs.pushes[second], pop); e != nil {
				list = append(list, e)
			}
		}
	}
	return cube, vector, list
}

// newEcho returns a pair, or nil if the instructions are not in one block of each kernel in
// the right order, or if there are several of a kind.
func newEcho(push, theirPop, theirPush, pop []*ir.Op) *echo {
	for _, list := range [][]*ir.Op{push, theirPop, theirPush, pop} {
		if len(list) != 1 {
			return nil
		}
	}
	e := &echo{push: push[0], pop: pop[0], theirPop: theirPop[0], theirPush: theirPush[0]}
	if !comesBefore(e.push, e.pop) || !comesBefore(e.theirPop, e.theirPush) {
		return nil
	}
	return e
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

// sitesOf returns the instructions of a function that push and pop, or nil if it has none.
// ok is false if it uses queues in a way that echoes does not follow.
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

// answered returns those pairs for which the vector kernel always pushes after it has
// popped, on all paths. It needs the kernel with its synchronization.
func answered(vector *ir.Op, list []*echo, target ir.Target, calls map[*ir.Op]bool) (sure []*echo) {
	if len(list) == 0 {
		return nil
	}
	p := newProof(vector, target, calls)
	p.without = map[*ir.Op]bool{} // reports nothing
	p.questions = list
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

// give adds the echoes of a function to the blocks below root. The analysis then knows
// these orders without inserting synchronization.
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
			src, dst := order.LineOf(pto.PipeFor(e.push, target)), order.LineOf(pto.PipeFor(e.pop, target))
			if from >= 0 && to > from && src != order.NoLine && dst != order.NoLine {
				b.given = append(b.given, &edge{src: src, dst: dst, from: from, to: to})
			}
		}
	})
}

// queueBefore handles queues before the proof simulates an instruction: a pop waits for the
// push that it answers.
func (r *runner) queueBefore(op *ir.Op) {
	for _, e := range r.echoes {
		if c := r.pushed[e]; e.pop == op && c != nil {
			r.core.Acquire(order.LineOf(pto.PipeFor(op, r.target)), c)
		}
	}
}

// queueAfter handles queues after the proof has simulated an instruction. It remembers what
// is complete when a push arrives, and answers the questions of answered.
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
			if at := r.popped[e]; at.N == 0 || !c.Has(at) {
				r.unanswered[e] = true
			}
			delete(r.popped, e)
		}
	}
}
