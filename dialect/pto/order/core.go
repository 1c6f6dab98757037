// This file models what the pipes of a core know.

package order

import (
	"ptogo/dialect/pto/sem"
)

// Core is the state of one core for happens-before analysis: which instructions are
// complete when the next instruction of each of its timelines starts. A timeline is a
// pipe, the issue of instructions, or the memory accesses of the scalar unit.
type Core struct {
	rules  *Rules
	number int32
	// issue are the instructions that are complete when the scalar unit issues its next
	// instruction. start are those that are complete when the next instruction of each
	// timeline starts; they include issue.
	issue Clock
	start [NumLines]Clock
	// n is the number of instructions so far on each timeline.
	n [NumLines]uint32
	// buffers holds, for each buffer token, the instructions that were complete at its
	// last release.
	buffers map[int]*Clock
	// fenced are the instructions that had been issued before the last fence of global
	// memory.
	fenced Clock
	cache  cache
}

// NewCore returns the state of a core that has not executed any instruction. The
// parameter number is the number of the core in the launch.
func NewCore(r *Rules, number int) *Core { return &Core{rules: r, number: int32(number)} }

// End discards the core's knowledge of complete instructions, because no instruction
// follows on the core. Other cores can still compare their clocks with the instructions
// of this core.
func (c *Core) End() {
	*c = Core{rules: c.rules, number: c.number, n: c.n, cache: cache{cleaned: c.cache.cleaned}}
}

// Step counts the next instruction of timeline l (one pipe of the core) and returns the
// number of this instruction. Until the next call of Step, the method Over describes the
// moment at which this instruction starts.
func (c *Core) Step(l Line) Epoch {
	c.n[l]++
	return Epoch{c.number, l, c.n[l]}
}

// Last returns the last instruction that Step has counted on timeline l, which is a pipe
// or another sequence of instructions of the core. Its number N is 0 if there was none.
func (c *Core) Last(l Line) Epoch { return Epoch{c.number, l, c.n[l]} }

// Over reports whether instruction e is complete when the current instruction of timeline
// l (for example, of a pipe) starts. The current instruction is the one that Step counted
// last; it is not complete itself.
func (c *Core) Over(e Epoch, l Line) bool {
	if e.Core == c.number && e.Line == l && c.rules.InOrder(l) {
		return true
	}
	return c.start[l].Has(e)
}

// Known returns the instructions that are complete when the next instruction of timeline
// l (for example, of a pipe) starts. The caller must not keep the clock, because later
// calls change it.
func (c *Core) Known(l Line) *Clock { return &c.start[l] }

// IssueKnows returns the instructions that are complete when the scalar unit issues its
// next instruction.
func (c *Core) IssueKnows() *Clock { return &c.issue }

// Release determines which instructions are certain to be complete when timeline l (for
// example, a pipe) raises its next signal, and adds them to clock. These are the earlier
// instructions of l and all instructions for which l has waited.
func (c *Core) Release(l Line, clock *Clock) {
	clock.Join(&c.start[l])
	if c.n[l] > 0 {
		clock.Add(c.Last(l))
	}
	if l == Scalar && c.n[Issue] > 0 {
		clock.Add(c.Last(Issue))
	}
}

// ReleaseIssue adds to clock the instructions that are complete when the scalar unit
// itself signals, for example by arriving at a barrier of all cores. Instructions that
// pipes are still executing are not included.
func (c *Core) ReleaseIssue(clock *Clock) {
	clock.Join(&c.issue)
	if c.n[Issue] > 0 {
		clock.Add(c.Last(Issue))
	}
}

// Announce adds to clock the instructions that are complete when the scalar unit writes a
// word of global memory for which other cores wait. These are the instructions that the
// scalar unit knows to be complete, and its own stores, which are in order.
//
// A preceding fence of global memory does not change this set, because the scalar unit
// does not wait for the pipes at the fence. The method Announced reports for a single
// store whether such a fence guarantees that its data is in memory.
func (c *Core) Announce(clock *Clock) {
	c.ReleaseIssue(clock)
	if last := c.Last(Scalar); last.N > 0 {
		clock.Add(last)
	}
}

// Acquire records that timeline l (for example, a pipe) has waited for the instructions
// in clock. The next instruction of l therefore starts after these instructions. If l is
// the scalar unit, all instructions that it issues later also start after them.
func (c *Core) Acquire(l Line, clock *Clock) {
	if l == Scalar || l == Issue {
		c.AcquireIssue(clock)
		return
	}
	c.start[l].Join(clock)
}

// AcquireIssue makes all instructions that are issued from now on start after the
// instructions in clock.
func (c *Core) AcquireIssue(clock *Clock) {
	if !c.issue.Join(clock) {
		return
	}
	for l := range c.start {
		c.start[l].Join(clock)
	}
}

// Waited counts a completed wait for a signal on timeline l (for example, of a pipe) as
// an instruction, and returns the identity of this instruction. When another signal is
// raised later, the caller can test whether the raise happens after this wait.
func (c *Core) Waited(l Line) Epoch {
	if l != Scalar && l != Issue {
		return c.Step(l)
	}
	e := c.Step(Issue)
	c.issue.Add(e)
	for l := range c.start {
		c.start[l].Add(e)
	}
	return e
}

// Barrier makes later instructions of pipe p start after its earlier ones. With
// sem.PipeAll, later instructions of all pipes start after all earlier ones.
func (c *Core) Barrier(p sem.Pipe) {
	if p == sem.PipeAll {
		var all Clock
		for l := Scalar; l < NumPipes; l++ {
			c.Release(l, &all)
		}
		c.AcquireIssue(&all)
		return
	}
	if l := LineOf(p); l != NoLine && c.n[l] > 0 {
		c.start[l].Add(c.Last(l))
	}
}

// Copied records that the scalar unit has waited for the asynchronous copies of timeline
// l (a queue of such copies) up to number n.
func (c *Core) Copied(l Line, n uint32) {
	var done Clock
	done.Add(Epoch{c.number, l, n})
	c.AcquireIssue(&done)
}

// Copying returns the number of the last asynchronous copy of timeline l, a queue of
// asynchronous copies. It returns 0 if the scalar unit has already waited for this copy.
func (c *Core) Copying(l Line) uint32 {
	if last := c.Last(l); last.N > 0 && !c.issue.Has(last) {
		return last.N
	}
	return 0
}

// Get makes timeline l (a pipe) acquire a buffer token, a lock that guards a buffer. In
// mode 0, it waits for all earlier releases of the token; in mode 1, it does not wait.
func (c *Core) Get(l Line, buffer, mode int) {
	if r := c.buffers[buffer]; r != nil && mode == 0 {
		c.Acquire(l, r)
	}
}

// Put records that timeline l (a pipe) releases a buffer token, a lock that guards a
// buffer. The release guarantees that earlier instructions of l are complete.
//
// In mode 1, it also waits for the instructions of other pipes that use the same token
// (PTOAS:docs/isa/micro-isa/01-pipeline-sync.md). That orders nothing more: a pipe that
// acquires the token later in mode 0 waits for the releases of these pipes anyway. It does
// not order the instructions of pipes that never acquired the token.
func (c *Core) Put(l Line, buffer, _ int) {
	r := c.buffers[buffer]
	if r == nil {
		if c.buffers == nil {
			c.buffers = map[int]*Clock{}
		}
		r = &Clock{}
		c.buffers[buffer] = r
	}
	c.Release(l, r)
}

// Fence records that the scalar unit executes a fence of global memory. The fence is a
// barrier on each pipe that stores, and it writes the scalar unit's own stores from its
// data cache to memory. The scalar unit itself does not wait for the pipes: it continues
// before their stores are complete.
func (c *Core) Fence() {
	for _, l := range []Line{MTE2, MTE3, Fix} {
		c.Release(l, &c.fenced)
		c.Barrier(l.Pipe())
	}
	c.CacheClean()
}

// Announced reports whether the data of e, a store of this core, is in memory when the
// scalar unit writes a word, for example with tnotify. Every core that waits for the word
// can then read the data.
//
// The scalar unit waits neither for the pipes nor for its data cache by itself. Either it
// knows that e is complete, or a fence of global memory must be between e and the write
// of the word. For the scalar unit's own stores, a dcci or dsb must be between e and that
// write. According to the contract of the public compiler, the fence alone is sufficient
// (PTOAS issues 711, 744, 872 and test/lit/pto/issue711_tnotify_mte_drain.pto).
func (c *Core) Announced(e Epoch) bool {
	if e.Line == Scalar {
		n := len(c.cache.cleaned)
		return n > 0 && c.cache.cleaned[n-1] > e.N
	}
	return c.issue.Has(e) || c.fenced.Has(e)
}
