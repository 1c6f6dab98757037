// This file replays recorded events with durations.

package timing

import (
	"container/heap"
	"fmt"
	"math"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Options are the assumptions of a prediction, such as the initial contents of the L2
// cache.
type Options struct {
	// Warm assumes that the L2 cache contains the global memory that the kernel accesses,
	// as far as it fits, when the kernel starts.
	Warm bool
	// FreeSync assumes that flags, barriers and signals need no time.
	FreeSync bool
	// MoreBuffers contains instructions and waits whose buffers get one additional slot.
	// A write to such a buffer waits only for the use before the previous one.
	MoreBuffers map[*ir.Op]bool
}

// pipes is the number of pipes that the timing model stores for each core. It is one more
// than the largest pipe number.
const pipes = int(sem.PipeFix) + 1

// unknown is the value of a time that the replay has not computed yet.
const unknown = -1

// replay predicts when each item of a recording (an instruction, signal or wait) starts
// and ends. Each pipe executes its items in order. The replay computes the times of an
// item as soon as the times of all items on which it depends are known, even if items
// that start earlier have not been computed yet. Transfers of global memory are an
// exception: they share the rate of the memory, so the replay simulates all of them
// together in the order of time.
type replay struct {
	r     *Recorder
	opt   Options
	chip  *Chip
	costs []cost
	// scalar is the number of cycles of a scalar operation, and issue that of issuing an
	// instruction. set and wait are the cycles of setting a flag and of waiting for a
	// flag that is set. cross is the delay of a signal between cores, and signal that
	// between ranks. barrier is the cost of a barrier on each pipe.
	scalar  float64
	issue   float64
	set     float64
	wait    float64
	cross   float64
	signal  float64
	barrier [pipes]float64

	cores  []coreState
	blocks []blockState
	// slots is the number of blocks that the chip of a rank executes at the same time.
	slots int
	// next is the number of the next block to start, for each rank.
	next []int

	// issued and the following slices are indexed by item. issued is the time at which
	// the scalar unit issued the item.
	issued []float64
	// issuedBy is the item of the scalar unit that delayed the issue, or -1.
	issuedBy []int32
	start    []float64
	// done is the time at which the result of the item is available.
	done []float64
	// free is the time at which the pipe of the item can continue.
	free []float64
	// by is the item that delayed the start most, or -1, and why is the reason.
	by  []int32
	why []Reason
	// waiting is the first pipe that waits for the item, or -1. The field pipeState.next
	// links further pipes.
	waiting []int32

	pipeStates []pipeState
	// todo are the numbers of the pipes that may be able to advance.
	todo []int32
	path []segment
	// gm is the global memory of each rank.
	gm     []*globalMemory
	events moveQueue
	now    float64
}

// coreState is the progress of a core during a replay: its items, how many are issued,
// and the time of its scalar unit.
type coreState struct {
	// items are the recorded items of the core in program order.
	items []int32
	// at is the number of issued items.
	at int
	// time is the current time of the scalar unit; by and why are the last item that it
	// waited for and the reason.
	time float64
	by   int32
	why  Reason
	// left is the number of items that are not complete.
	left int
	end  float64
	// last is the item that ended last.
	last  int32
	begun bool
	// blocked means that an item of the scalar unit is not complete, so that the core
	// cannot issue further items.
	blocked bool
	block   int
}

// blockState is the progress of a block. The field left is the number of its cores that
// are not done, and slot is the group of cores of the chip that executes the block. The
// field end is the time in cycles at which the last of its items so far is complete, and
// last is the number of this item.
type blockState struct {
	left int
	slot int
	end  float64
	last int32
}

// pipeState is the progress of one pipe of a core during a replay: its queue of items,
// and the times that are known so far.
type pipeState struct {
	core  int32
	pipe  sem.Pipe
	queue []int32
	// at is the index in queue of the next item to execute.
	at int
	// free is the time at which the next item can start.
	free float64
	// last is the time at which all earlier items are complete, and lastBy the item that
	// determines it.
	last float64
	// by is the item that determines free.
	by     int32
	lastBy int32
	// waits is the item that the pipe waits for, or -1.
	waits int32
	// next is the next pipe that waits for the same item, or -1.
	next int32
	// queued means that the pipe is in the list of pipes to examine.
	queued bool
	moving bool
}

// Replay predicts the duration of a recorded launch on a chip. It returns an error if the
// launch would never end, because blocks wait for other blocks for which the chip has no
// free core.
func Replay(r *Recorder, c *Chip, o Options) (*Result, error) {
	p := newReplay(r, c, o)
	p.run()
	waiting, waits := false, false
	for i := range p.cores {
		waiting = waiting || !p.cores[i].begun
		waits = waits || p.cores[i].begun && p.cores[i].left > 0
	}
	switch {
	case !waits || r.failed:
		return p.result(), nil
	case waiting:
		return nil, fmt.Errorf("the launch would never end on chip %s: its %d blocks wait for each other, but only %d run at a time", c.Name, r.launch.Blocks, p.slots)
	}
	panic("BUG: the replay of a launch that came to its end does not")
}

// newReplay returns the initial state for a replay of recording r on chip c with the
// assumptions o.
func newReplay(r *Recorder, c *Chip, o Options) *replay {
	n := len(r.items)
	p := &replay{
		r: r, opt: o, chip: c, costs: costs(r, c), scalar: c.num("scalar.op"), issue: c.num("issue"),
		set: c.num("sync.set"), wait: c.num("sync.wait"), cross: c.num("sync.cross"), signal: c.num("link.signal"),
		issued: filled(n), start: filled(n), done: filled(n), free: filled(n), by: make([]int32, n), issuedBy: make([]int32, n), why: make([]Reason, n), waiting: make([]int32, n),
		cores: make([]coreState, len(r.launch.Cores)), blocks: make([]blockState, r.launch.Ranks*r.launch.Blocks), next: make([]int, r.launch.Ranks), gm: newGlobalMemories(c, o.Warm, r),
	}
	p.barrier[sem.PipeV] = c.num("barrier.V")
	if o.FreeSync {
		p.set, p.wait, p.cross, p.signal, p.barrier = 0, 0, 0, 0, [pipes]float64{}
	}
	for i := range p.waiting {
		p.waiting[i] = -1
	}
	counts := make([]int, len(p.cores))
	for i := range r.items {
		counts[r.items[i].core]++
	}
	for i := range p.cores {
		p.cores[i] = coreState{items: make([]int32, 0, counts[i]), left: counts[i], by: -1, last: -1, block: r.launch.Cores[i].Index}
		p.blocks[r.launch.Cores[i].Index].left++
		for k := range pipes {
			p.pipeStates = append(p.pipeStates, pipeState{core: int32(i), pipe: sem.Pipe(k), by: -1, lastBy: -1, waits: -1, next: -1})
		}
	}
	for i := range r.items {
		c := &p.cores[r.items[i].core]
		c.items = append(c.items, int32(i))
	}
	p.slots = min(places(r, c), r.launch.Blocks)
	return p
}

// places returns the number of blocks that the chip executes at the same time. It is the
// number of cube cores if blocks use the cube unit, and the number of vector cores if
// they do not.
func places(r *Recorder, c *Chip) int {
	for i := range r.launch.Cores {
		if r.launch.Cores[i].Unit&sem.CubeUnit != 0 && usesCube(r, i) {
			return int(c.num("cores.aic"))
		}
	}
	return int(c.num("cores.aiv"))
}

// usesCube reports whether the core executes instructions that only a cube core can
// execute.
func usesCube(r *Recorder, core int) bool {
	if r.launch.Cores[core].Unit == sem.CubeUnit {
		return true
	}
	for i := range r.items {
		switch r.items[i].pipe {
		case sem.PipeM, sem.PipeMTE1, sem.PipeFix:
			return true
		}
	}
	return false
}

// filled returns a slice with n elements. Each element is a time and has the value of the
// constant unknown.
func filled(n int) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = unknown
	}
	return s
}

// run computes the start and end times of all recorded items. It ends when no pipe can
// execute a further item.
func (p *replay) run() {
	for rank := range p.next {
		p.next[rank] = rank * p.r.launch.Blocks
		for slot := range p.slots {
			p.begin(rank, slot, 0, -1)
		}
	}
	p.settle()
	for len(p.events) > 0 {
		e := heap.Pop(&p.events).(moveEvent)
		g := p.gm[e.rank]
		if e.stale(g) {
			continue
		}
		p.now = max(p.now, e.time)
		if e.begins {
			g.begin(p, e.pipe, p.now)
		} else {
			g.finish(p, p.now)
		}
		p.settle()
		g.plan(p)
	}
}

// begin starts the next block of a rank (device) on its chip, at the time in the
// parameter at. slot is the number of the group of cores that executes the block. The
// parameter by is the item after whose end this group became free, or -1 if it has not
// executed a block before.
func (p *replay) begin(rank, slot int, at float64, by int32) {
	b := p.next[rank]
	p.next[rank]++
	p.blocks[b].slot = slot
	for i := range p.cores {
		if c := &p.cores[i]; c.block == b {
			c.begun, c.time, c.by, c.why = true, at, by, Launched
			if c.left == 0 {
				p.coreDone(i)
				continue
			}
			p.goOn(i)
		}
	}
}

// goOn continues the simulation of the scalar unit of a core. The unit issues the next
// recorded items of the core (instructions, signals, waits and barriers). goOn returns
// when the unit must wait for the result of an item, or when all items are issued.
func (p *replay) goOn(core int) {
	c := &p.cores[core]
	for c.begun && !c.blocked && c.at < len(c.items) {
		n := c.items[c.at]
		it := &p.r.items[n]
		c.at++
		c.time += p.issue + p.scalar*float64(it.scalars)
		p.issued[n], p.issuedBy[n] = c.time, c.by
		pipe := it.pipe
		if pipe == sem.PipeAll {
			pipe = sem.PipeS
		}
		c.blocked = pipe == sem.PipeS
		s := &p.pipeStates[core*pipes+int(pipe)]
		s.queue = append(s.queue, n)
		p.look(core*pipes + int(pipe))
	}
}

// look records that a pipe may be able to execute its next item: it adds the pipe to a
// list. The method settle examines the pipes in this list.
func (p *replay) look(pipe int) {
	if s := &p.pipeStates[pipe]; !s.queued {
		s.queued = true
		p.todo = append(p.todo, int32(pipe))
	}
}

// settle advances the pipes in the list p.todo as far as possible. It does not advance
// transfers of global memory. These transfers share the rate of the memory, so the replay
// must process them in the order of time.
func (p *replay) settle() {
	for len(p.todo) > 0 {
		n := p.todo[len(p.todo)-1]
		p.todo = p.todo[:len(p.todo)-1]
		s := &p.pipeStates[n]
		s.queued = false
		for !s.moving && s.at < len(s.queue) && p.step(int(n), s, s.queue[s.at]) {
		}
	}
}

// step computes the start time of item n, the next item of a pipe. It returns false if
// the item depends on a time that is not known yet.
func (p *replay) step(pipe int, s *pipeState, n int32) bool {
	it := &p.r.items[n]
	at, by, why := p.issued[n], p.issuedBy[n], Issued
	if s.free > at {
		at, by, why = s.free, s.by, PipeBusy
	}
	if it.kind == barrierItem {
		ok := true
		if at, by, why, ok = p.barrierTime(s, n, at, by, why); !ok {
			return false
		}
	}
	for _, d := range p.r.deps[it.deps : it.deps+int32(it.ndeps)] {
		need := d.item
		if d.why.frees() && p.opt.MoreBuffers[p.r.works[it.work].op] {
			need = d.relaxed
		}
		if need < 0 {
			continue
		}
		if p.done[need] == unknown {
			p.waitFor(s, int32(pipe), need)
			return false
		}
		if t := p.done[need] + p.delay(it, need, d.why); t > at {
			at, by, why = t, need, d.why
		}
	}
	p.start[n], p.by[n], p.why[n] = at, by, why
	k := p.costs[it.work]
	switch {
	case it.kind == signalItem:
		// A signal is raised when all earlier items of its pipe are complete.
		end := max(at, s.last) + p.set
		if s.last > at {
			p.by[n], p.why[n] = s.lastBy, PipeBusy
			p.start[n] = s.last
		}
		s.keep(at+p.set, n)
		p.finish(n, s, at+p.set, end)
	case it.kind != workItem:
		s.keep(at, n)
		p.finish(n, s, at, at)
	case it.move >= 0 && k.rate > 0:
		s.moving = true
		heap.Push(&p.events, moveEvent{time: at, pipe: int32(pipe), rank: p.r.launch.Cores[s.core].Rank, begins: true})
		return false
	default:
		s.keep(at+k.busy, n)
		p.finish(n, s, at+k.busy, at+k.busy+k.rest)
	}
	return true
}

// delay returns the number of cycles between two items of which the second depends on the
// first: from the completion of the first item to the earliest start of the second one.
// The arguments are the second item, the number of the first item (need), and the reason
// for the dependence (why).
func (p *replay) delay(it *item, need int32, why Reason) float64 {
	before := &p.r.items[need]
	switch {
	case why == RankSignal:
		return p.signal
	case why >= CrossCore:
		return p.cross
	case why == DataFull && before.pipe == it.pipe && before.core == it.core:
		return p.barrier[it.pipe]
	}
	return p.wait
}

// waitFor registers a pipe that must wait for item n. The simulation examines the pipe
// once more when the item is complete. s is the state of the pipe. A pipe waits for only
// one item at a time.
func (p *replay) waitFor(s *pipeState, pipe, n int32) {
	if s.waits < 0 {
		s.waits, s.next, p.waiting[n] = n, p.waiting[n], pipe
	}
}

// keep records that the pipe is busy because of item n. until is the time at which the
// pipe can continue. The call has no effect if the pipe is already busy longer.
func (s *pipeState) keep(until float64, n int32) {
	if until >= s.free {
		s.free, s.by = until, n
	}
}

// barrierTime returns the time at which the barrier with item number n is complete: when
// all earlier items of its pipe, or of all pipes of the core, are complete. It also
// returns the item and the reason that determine this time. The parameters at, by and why
// are the time, the item and the reason of the latest other condition for which the
// barrier waits. If all earlier items are complete at this time, barrierTime returns
// these parameters unchanged. The bool result is false if a required time is not known
// yet.
func (p *replay) barrierTime(s *pipeState, n int32, at float64, by int32, why Reason) (float64, int32, Reason, bool) {
	wait := func(o *pipeState, extra float64) bool {
		if o.last+extra > at {
			at, by, why = o.last+extra, o.lastBy, BarrierMet
		}
		return true
	}
	if p.r.items[n].pipe != sem.PipeAll {
		return at, by, why, wait(s, p.barrier[s.pipe])
	}
	for i := range pipes {
		o := &p.pipeStates[int(s.core)*pipes+i]
		if o != s && o.at < len(o.queue) {
			// Some earlier items have not started. Try again when the last queued item is
			// complete.
			p.waitFor(s, s.core*int32(pipes)+int32(s.pipe), o.queue[len(o.queue)-1])
			return at, by, why, false
		}
		wait(o, 0)
	}
	return at, by, why, true
}

// finish completes item n in the simulation. free is the time at which the pipe of the
// item can continue, and done is the time at which the item is complete. s is the state
// of this pipe. finish wakes the pipes that wait for the item.
func (p *replay) finish(n int32, s *pipeState, free, done float64) {
	s.at++
	p.free[n], p.done[n] = free, done
	if done >= s.last {
		s.last, s.lastBy = done, n
	}
	for w := p.waiting[n]; w >= 0; {
		next := p.pipeStates[w].next
		p.pipeStates[w].waits, p.pipeStates[w].next = -1, -1
		p.look(int(w))
		w = next
	}
	p.waiting[n] = -1
	c := &p.cores[s.core]
	if done >= c.end {
		c.end, c.last = done, n
	}
	if s.pipe == sem.PipeS {
		if done > c.time {
			c.time, c.by, c.why = done, n, p.why[n]
		}
		c.blocked = false
		p.goOn(int(s.core))
	}
	if c.left--; c.left == 0 {
		p.coreDone(int(s.core))
	}
}

// coreDone ends a core. When the last core of a block ends, the next block starts on the
// same cores of the chip.
func (p *replay) coreDone(core int) {
	c := &p.cores[core]
	b := &p.blocks[c.block]
	if c.end >= b.end {
		b.end, b.last = c.end, c.last
	}
	rank := p.r.launch.Cores[core].Rank
	if b.left--; b.left == 0 && p.next[rank] < (rank+1)*p.r.launch.Blocks {
		p.begin(rank, b.slot, b.end, b.last)
	}
}

// moveEvent is an event in the simulation of global memory: the start of a transfer, or
// the end of the transfer that ends next.
type moveEvent struct {
	time   float64
	pipe   int32
	rank   int
	begins bool
	// round identifies the set of active transfers for which the end was computed.
	round uint64
}

// stale reports whether the event is invalid. An event for the end of a transfer is
// invalid if another transfer has started or ended since its time was computed, because
// the rates have changed.
func (e moveEvent) stale(g *globalMemory) bool { return !e.begins && e.round != g.round }

// moveQueue is a priority queue of transfer events by time, for container/heap. The
// numbers of the rank and of the pipe break ties, so that the order is deterministic.
type moveQueue []moveEvent

// Len, Less, Swap, Push and Pop implement heap.Interface. The functions of package
// container/heap call them to keep a moveQueue sorted by time.
func (q moveQueue) Len() int { return len(q) }
func (q moveQueue) Less(i, j int) bool {
	a, b := &q[i], &q[j]
	switch {
	case a.time != b.time:
		return a.time < b.time
	case a.pipe != b.pipe:
		return a.pipe < b.pipe
	}
	return a.rank < b.rank
}
func (q moveQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *moveQueue) Push(x any)   { *q = append(*q, x.(moveEvent)) }
func (q *moveQueue) Pop() any {
	old := *q
	e := old[len(old)-1]
	*q = old[:len(old)-1]
	return e
}

// whole rounds a time to the nearest integer, for reports.
func whole(x float64) int64 { return int64(math.Round(x)) }
