// This file replays recorded events with durations.

package timing

import (
	"container/heap"
	"math"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Options of a replay.
type Options struct {
	// Warm says that global memory that the kernel touches is in the cache, as
	// far as it fits, when the kernel begins.
	Warm bool
	// FreeSync makes flags, barriers and signals take no time.
	FreeSync bool
	// MoreBuffers are instructions and waits whose buffers get one place more: who
	// fills one waits for the use before the last one.
	MoreBuffers map[*ir.Op]bool
}

// pipes are how many pipes a core has.
const pipes = int(sem.PipeFix) + 1

// unknown marks a time that is not computed yet.
const unknown = -1

// replay schedules items on pipes. Each pipe executes its items in order. An item may
// wait for a later event, so each time is computed as soon as its dependences are
// known, not in the order of time. Moves are an exception: they share the rate of
// global memory and therefore advance together in time.
type replay struct {
	r       *Recorder
	opt     Options
	chip    *Chip
	costs   []cost
	scalar  float64 // cycles of a scalar operation
	issue   float64
	set     float64
	wait    float64
	cross   float64
	barrier [pipes]float64

	cores  []coreState
	blocks []blockState
	slots  int // places for blocks
	next   int // the next block to begin

	issued   []float64
	issuedBy []int32 // the item of the scalar unit that held it up, or -1
	start    []float64
	done     []float64 // when what the item makes is there
	free     []float64 // when its pipe can go on
	by       []int32   // the item because of which it began no earlier, or -1
	why      []Reason
	waiting  []int32 // by item: the first pipe that waits for it, or -1

	pipeStates []pipeState
	todo       []int32 // pipes to look at again
	path       []segment
	gm         *globalMemory
	events     moveQueue
	now        float64
}

// coreState is a core on its way through its program.
type coreState struct {
	items   []int32 // in program order
	at      int     // how many are issued
	time    float64 // of the scalar unit
	by      int32   // what it last waited for
	why     Reason
	left    int // items that are not done
	end     float64
	last    int32 // the item that ended last
	begun   bool
	blocked bool // an item of the scalar unit is not done
	block   int
}

// blockState is a block: how many of its cores are not done, and its place.
type blockState struct {
	left int
	slot int
	end  float64
	last int32
}

// pipeState is a pipe of a core.
type pipeState struct {
	core   int32
	pipe   sem.Pipe
	queue  []int32
	at     int
	free   float64 // when the next item can begin
	last   float64 // when all before it are done
	by     int32   // the item that keeps it
	lastBy int32
	waits  int32 // the item that it waits for, or -1
	next   int32 // the next pipe that waits for the same item, or -1
	queued bool  // in todo
	moving bool
}

// Replay predicts the duration of a recorded launch on a chip.
func Replay(r *Recorder, c *Chip, o Options) *Result {
	p := newReplay(r, c, o)
	p.run()
	for i := range p.cores {
		if p.cores[i].left > 0 && !r.failed {
			panic("BUG: the replay of a launch that came to its end does not")
		}
	}
	return p.result()
}

func newReplay(r *Recorder, c *Chip, o Options) *replay {
	n := len(r.items)
	p := &replay{
		r: r, opt: o, chip: c, costs: costs(r, c), scalar: c.num("scalar.op"), issue: c.num("issue"),
		set: c.num("sync.set"), wait: c.num("sync.wait"), cross: c.num("sync.cross"),
		issued: filled(n), start: filled(n), done: filled(n), free: filled(n), by: make([]int32, n), issuedBy: make([]int32, n), why: make([]Reason, n), waiting: make([]int32, n),
		cores: make([]coreState, len(r.launch.Cores)), blocks: make([]blockState, r.launch.Ranks*r.launch.Blocks), gm: newGlobalMemory(c, o.Warm, r),
	}
	p.barrier[sem.PipeV] = c.num("barrier.V")
	if o.FreeSync {
		p.set, p.wait, p.cross, p.barrier = 0, 0, 0, [pipes]float64{}
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

// places is how many blocks run at once.
func places(r *Recorder, c *Chip) int {
	for i := range r.launch.Cores {
		if r.launch.Cores[i].Unit&sem.CubeUnit != 0 && usesCube(r, i) {
			return int(c.num("cores.aic"))
		}
	}
	return int(c.num("cores.aiv"))
}

// usesCube reports whether a core does anything that only a cube core can.
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

func filled(n int) []float64 {
	s := make([]float64, n)
	for i := range s {
		s[i] = unknown
	}
	return s
}

// run schedules items until no pipe can advance.
func (p *replay) run() {
	for p.next < p.slots {
		p.begin(p.next, 0, -1)
	}
	p.settle()
	for len(p.events) > 0 {
		e := heap.Pop(&p.events).(moveEvent)
		if e.stale(p.gm) {
			continue
		}
		p.now = max(p.now, e.time)
		if e.begins {
			p.gm.begin(p, e.pipe, p.now)
		} else {
			p.gm.finish(p, p.now)
		}
		p.settle()
		p.gm.plan(p)
	}
}

// begin lets the next block begin in a place.
func (p *replay) begin(slot int, at float64, by int32) {
	b := p.next
	p.next++
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

// goOn lets the scalar unit of a core issue items, up to one that it must wait
// for.
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

// look adds a pipe to the list of pipes to examine.
func (p *replay) look(pipe int) {
	if s := &p.pipeStates[pipe]; !s.queued {
		s.queued = true
		p.todo = append(p.todo, int32(pipe))
	}
}

// settle lets pipes go on as far as they can without the time going on.
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

// step begins the next item of a pipe, and reports whether it could.
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
		// What it signals is done when all before it in its pipe is.
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
		heap.Push(&p.events, moveEvent{time: at, pipe: int32(pipe), begins: true})
		return false
	default:
		s.keep(at+k.busy, n)
		p.finish(n, s, at+k.busy, at+k.busy+k.rest)
	}
	return true
}

// delay is how long after item need the item it may start that depends on it.
func (p *replay) delay(it *item, need int32, why Reason) float64 {
	before := &p.r.items[need]
	switch {
	case why >= CrossCore:
		return p.cross
	case why == DataFull && before.pipe == it.pipe && before.core == it.core:
		return p.barrier[it.pipe]
	}
	return p.wait
}

// waitFor has the pipe looked at again when item n is done. A pipe waits for one
// item at a time.
func (p *replay) waitFor(s *pipeState, pipe, n int32) {
	if s.waits < 0 {
		s.waits, s.next, p.waiting[n] = n, p.waiting[n], pipe
	}
}

// keep makes the pipe busy until a time.
func (s *pipeState) keep(until float64, n int32) {
	if until >= s.free {
		s.free, s.by = until, n
	}
}

// barrierTime is when a barrier is met: when all before it in its pipe, or in
// all pipes, is done.
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
			// Not all before it has begun: come back when the next of them is done.
			p.waitFor(s, s.core*int32(pipes)+int32(s.pipe), o.queue[len(o.queue)-1])
			return at, by, why, false
		}
		wait(o, 0)
	}
	return at, by, why, true
}

// finish notes when an item is done, and wakes those that wait for it.
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

// coreDone ends a core; with the last one of a block, its place is free for the
// next block.
func (p *replay) coreDone(core int) {
	c := &p.cores[core]
	b := &p.blocks[c.block]
	if c.end >= b.end {
		b.end, b.last = c.end, c.last
	}
	if b.left--; b.left == 0 && p.next < len(p.blocks) {
		p.begin(b.slot, b.end, b.last)
	}
}

// moveEvent is the begin of a move, or the end of the one that ends first.
type moveEvent struct {
	time   float64
	pipe   int32
	begins bool
	round  uint64 // of the plan that expects the end
}

// stale reports whether the moves have changed since an end was expected.
func (e moveEvent) stale(g *globalMemory) bool { return !e.begins && e.round != g.round }

// moveQueue is what container/heap keeps in order.
type moveQueue []moveEvent

func (q moveQueue) Len() int { return len(q) }
func (q moveQueue) Less(i, j int) bool {
	if q[i].time != q[j].time {
		return q[i].time < q[j].time
	}
	return q[i].pipe < q[j].pipe
}
func (q moveQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *moveQueue) Push(x any)   { *q = append(*q, x.(moveEvent)) }
func (q *moveQueue) Pop() any {
	old := *q
	e := old[len(old)-1]
	*q = old[:len(old)-1]
	return e
}

// roundUp of a time, for reports.
func whole(x float64) int64 { return int64(math.Round(x)) }
