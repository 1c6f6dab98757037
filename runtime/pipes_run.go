// This file runs the pipes of all cores as coroutines in random order, also those of a
// mixed kernel on a cube core and a vector core.

package runtime

import (
	"iter"
	"math/rand/v2"
	"slices"

	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// newPipes creates the simulated asynchronous pipes of core c. A pipe that the target
// does not execute in order uses the random numbers rnd to select its next instruction.
func newPipes(c *core, rnd *rand.Rand) *pipeSet {
	s, rules := &pipeSet{rnd: rnd}, order.RulesOf(c.prog.target)
	for _, pipe := range sidePipes {
		l := order.LineOf(pipe)
		q := &pipeQueue{pipe: pipe, core: c.beside(), inOrder: rules.InOrder(l) || rules.OrderedWrites(l)}
		s.queues[pipe] = q
	}
	return s
}

// The method beside returns a core object for one pipe of c. The new object uses the same
// memories and signals as c, but has its own frames and temporary buffers.
func (c *core) beside() *core {
	b := *c
	b.pipes, b.rec = nil, nil
	b.frames = make([][]*frame, c.prog.funcs)
	b.numbers, b.large, b.warned = nil, nil, map[*ir.Op]bool{}
	for i := range b.scratch {
		b.scratch[i] = alignedBytes(chunkBytes)
	}
	return &b
}

// state returns a copy of the special registers of the core, and the present allocations of
// its stacks. An instruction that a pipe executes later uses this copy, because the scalar
// unit can change both before the pipe executes the instruction.
func (c *core) state() unitState {
	return unitState{slices.Clone(c.registers), c.atomic, slices.Clone(c.roundings), c.patches, c.simtDims, c.stacks.now()}
}

// hand adds an instruction to the queue of a pipe. While the queue is full, hand waits.
// It returns a fault if the wait can never end or if the launch is stopped.
func (c *core) hand(h handed, pipe sem.Pipe) *Fault {
	q := c.pipes.queues[pipe]
	if f := c.await(func() bool { return len(q.items) < longestQueue }, waitsFor(h, "a place among the instructions of %s", pipe)); f != nil {
		return f
	}
	q.items = append(q.items, h)
	return c.pause()
}

// handAndWait issues the instruction h to a pipe and waits until the pipe has executed
// it.
func (c *core) handAndWait(h handed, pipe sem.Pipe) *Fault {
	done := false
	h.over = func() { done = true }
	if f := c.hand(h, pipe); f != nil {
		return f
	}
	return c.await(func() bool { return done }, waitsFor(h, "what %s computes", pipe))
}

// finishPipes waits until all pipes of the core are idle, for example at a barrier or at
// the end of the kernel. op is the waiting operation.
func (c *core) finishPipes(op *ir.Op) *Fault {
	return c.await(c.pipes.idle, waitsFor(handed{op: op}, "all pipes"))
}

// waitsFor returns a function that creates the fault of the instruction h, which waits
// forever. The formatted text names the event for which the instruction waits.
func waitsFor(h handed, format string, args ...any) func() *Fault {
	return func() *Fault {
		return faultAt(h.op, "waits for "+format+": the core would wait forever", args...)
	}
}

// pause lets other cores and pipes run. It returns a fault if the launch is stopped
// meanwhile.
func (c *core) pause() *Fault {
	c.task.sched.progress++
	if !c.task.yield(struct{}{}) {
		return stopped()
	}
	return nil
}

// work executes the instructions in the queue of a pipe until the queue is closed and
// empty. A pipe that is not in order chooses its next instruction among those in the
// queue, by the random numbers rnd.
func (q *pipeQueue) work(rnd *rand.Rand) *Fault {
	c := q.core
	for {
		if f := c.await(func() bool { return len(q.items) > 0 || q.closed }, nil); f != nil || len(q.items) == 0 {
			return f
		}
		h := q.take(rnd)
		if f := q.execute(h); f != nil {
			return f
		}
		if f := c.pause(); f != nil {
			return f
		}
	}
}

// take removes an instruction from the queue and returns it for execution. On an in-order
// pipe, this is the first one in the queue. On any other pipe, rnd selects one of the
// instructions before the next one that enforces an order, such as a barrier. If the
// first one enforces an order, take returns it.
func (q *pipeQueue) take(rnd *rand.Rand) handed {
	n := 1
	if !q.inOrder && !q.items[0].orders {
		if n = slices.IndexFunc(q.items, func(h handed) bool { return h.orders }); n < 0 {
			n = len(q.items)
		}
	}
	i := rnd.IntN(n)
	h := q.items[i]
	q.items = slices.Delete(q.items, i, i+1)
	q.busy = true
	return h
}

// execute executes the issued instruction h on the pipe. It first restores the registers
// and the stacks of the core to their state at the time when the instruction was issued.
func (q *pipeQueue) execute(h handed) *Fault {
	c := q.core
	c.registers, c.atomic, c.roundings, c.patches, c.simtDims = h.state.registers, h.state.atomic, h.state.roundings, h.state.patches, h.state.simtDims
	c.stacks = h.state.stacks
	if h.ready != nil {
		if f := c.await(h.ready, waitsFor(h, "a buffer that another pipe holds")); f != nil {
			return f
		}
	}
	own := h.fr.core
	h.fr.core = c
	f := h.run(h.fr)
	h.fr.core = own
	q.busy = false
	if f != nil {
		return f.onCore(c)
	}
	if h.copied {
		own.pipes.copies.give(h.fr)
	}
	if h.over != nil {
		h.over()
	}
	return nil
}

// awaitOther waits until another pipe makes the function ready return true. It waits only
// if pipes run asynchronously (Options.Seed is not 0). If instructions run in program
// order, no other pipe can make progress during the wait, so awaitOther returns at once.
// The parameter what is the text of the fault if ready never becomes true.
func (c *core) awaitOther(ready func() bool, op *ir.Op, what string) *Fault {
	if c.prog.opts.Seed == 0 {
		return nil
	}
	return c.await(ready, func() *Fault { return faultAt(op, "never ends: it %s, so the core would wait forever", what) })
}

// atRandom executes the instructions of all blocks, cores and pipes of the launch
// interleaved, in a pseudo-random order that Options.Seed determines. If the program
// lacks synchronization, two orders can produce different results, which reveals the
// race.
func (p *Program) atRandom(l *launch) *Fault {
	if f := p.tooManyCores(l); f != nil {
		return f
	}
	rnd := rand.New(rand.NewPCG(p.opts.Seed, 1))
	s := &schedule{}
	for b := range l.blocks() {
		cl := newCluster(p, l)
		cl.reset(b)
		bound := l.params(b)
		for i, c := range cl.cores {
			s.addWithPipes(c, bound[i], rnd)
		}
	}
	return s.runAtRandom(rnd)
}

// addWithPipes adds core c and its pipes to the schedule, each as a coroutine. params are
// the parameter values of the kernel, and rnd selects the order of instructions on
// out-of-order pipes. The kernel of the core ends only when all pipes of the core are
// idle.
func (s *schedule) addWithPipes(c *core, params []uint64, rnd *rand.Rand) {
	c.pipes = newPipes(c, rnd)
	s.start(c, func() *Fault {
		f := c.run(c.kernel(), params)
		if f == nil {
			f = c.await(c.pipes.idle, func() *Fault { return c.pipes.stuck() })
		}
		for _, q := range c.pipes.queues {
			if q != nil {
				q.closed = true
			}
		}
		return f
	})
	for _, q := range c.pipes.queues {
		if q != nil {
			s.start(q.core, func() *Fault { return q.work(rnd) })
		}
	}
}

// stuck returns the fault of the first instruction that waits on a pipe, after the pipes
// have made no progress. If no instruction waits, it returns a general fault.
func (s *pipeSet) stuck() *Fault {
	for _, q := range s.queues {
		if q != nil && !q.empty() && q.core.task.forever != nil {
			return q.core.task.forever()
		}
	}
	return &Fault{Text: "waits for its pipes: the core would wait forever"}
}

// start creates a coroutine that executes the function run on core c, and adds the
// coroutine to the schedule.
func (s *schedule) start(c *core, run func() *Fault) {
	t := &task{core: c, sched: s}
	c.task = t
	t.next, t.stop = iter.Pull(func(yield func(struct{}) bool) {
		t.yield = yield
		t.fault = run()
	})
	s.tasks = append(s.tasks, t)
}

// runAtRandom executes the coroutines (cores and pipes) in random order. Each coroutine
// has a random weight. Coroutines with a large weight run more often, so that some pipes
// get far ahead of other pipes. If each coroutine has run without progress, the
// coroutines are deadlocked.
func (s *schedule) runAtRandom(rnd *rand.Rand) *Fault {
	defer func() {
		for _, t := range s.tasks {
			t.stop()
		}
	}()
	alive, awake, asleep := make([]contender, len(s.tasks)), 0, 0
	for i, t := range s.tasks {
		alive[i] = contender{task: t, weight: 1 << rnd.IntN(6)}
		awake += alive[i].weight
	}
	for len(alive) > 0 {
		if awake == 0 {
			return deadlock(waiting(alive))
		}
		i := chosen(alive, rnd.IntN(awake))
		t, before := alive[i].task, s.progress
		_, more := t.next()
		switch {
		case more && s.progress == before:
			alive[i].idle = true
			awake, asleep = awake-alive[i].weight, asleep+1
			continue
		case !more && t.fault != nil:
			return t.fault
		case !more:
			awake -= alive[i].weight
			alive = slices.Delete(alive, i, i+1)
		}
		for i := 0; asleep > 0; i++ {
			if c := &alive[i]; c.idle {
				c.idle = false
				awake, asleep = awake+c.weight, asleep-1
			}
		}
	}
	return nil
}

// contender is a coroutine of a random schedule. It is chosen with a probability that is
// proportional to its weight, unless it is idle: it has made no progress since another one
// has.
type contender struct {
	*task
	weight int
	idle   bool
}

// chosen returns the index of the coroutine to which the number n belongs, which is smaller
// than the sum of the weights of those that are not idle. Each of them has as many numbers
// as its weight.
func chosen(alive []contender, n int) int {
	for i := range alive {
		if c := &alive[i]; !c.idle {
			if n -= c.weight; n < 0 {
				return i
			}
		}
	}
	panic("BUG: the weights have a smaller sum")
}

// waiting returns those of the given coroutines that wait for another coroutine, for a
// deadlock report. Coroutines execute pipes. A pipe whose queue of instructions is empty
// is not included.
func waiting(alive []contender) (list []*task) {
	for _, c := range alive {
		if c.forever != nil {
			list = append(list, c.task)
		}
	}
	return list
}

// A function that contains work for both core types but no sections (analysis.Mixed) is
// executed once, in program order. With Options.Seed, it runs on a cube core and on a
// vector core instead. Each has its own pipes and scalar unit, so that only signals order
// the two cores, as on a device. The vector core represents both vector cores of its
// block: it raises the signals of both.

// onOwnCore returns a step that executes s only on the kind of core, such as vector
// cores, that executes op on a device. On all other cores, the step does nothing. If the
// launch does not simulate each core separately (p.divide is false), onOwnCore returns s
// itself.
func (p *planner) onOwnCore(op *ir.Op, s step) step {
	if !p.divide || s == nil {
		return s
	}
	if u := p.unitFor(op); u != anyUnit {
		return onlyOn(u, s)
	}
	return s
}
