// This file models what the pipes of a core know.

package order

import (
	"ptogo/dialect/pto/sem"
)

// Core is what is known on one core.
type Core struct {
	rules  *Rules
	number int32
	// issue is what all instructions start after that are handed out from now
	// on; start is what the next instruction of each timeline starts after, so
	// it knows at least what issue knows.
	issue Clock
	start [NumLines]Clock
	n     [NumLines]uint32 // instructions so far
	// buffers is what each buffer was given back with.
	buffers map[int]*Clock
	// fenced is what was given out before fences of global memory.
	fenced Clock
	cache  cache
}

// NewCore returns a core on which no instruction has executed yet. number identifies it
// among the cores of a launch.
func NewCore(r *Rules, number int) *Core { return &Core{rules: r, number: int32(number)} }

// Reset returns the core to its initial state.
func (c *Core) Reset() {
	*c = Core{rules: c.rules, number: c.number}
}

// Step counts an instruction of a timeline and returns its number. Until the next
// Step, Over reports what the instruction starts after.
func (c *Core) Step(l Line) Epoch {
	c.n[l]++
	return Epoch{c.number, l, c.n[l]}
}

// Last returns the last instruction of a timeline; N is 0 if there was none.
func (c *Core) Last(l Line) Epoch { return Epoch{c.number, l, c.n[l]} }

// Over reports whether e is over when the instruction of timeline l starts that
// is given out now. The last one counted is taken for that instruction, so it
// is not over.
func (c *Core) Over(e Epoch, l Line) bool {
	if e.Core == c.number && e.Line == l && c.rules.InOrder(l) {
		return true
	}
	return c.start[l].Has(e)
}

// Known returns what instructions of timeline l start after. It changes as the
// core goes on.
func (c *Core) Known(l Line) *Clock { return &c.start[l] }

// IssueKnows returns what the scalar unit knows to be over.
func (c *Core) IssueKnows() *Clock { return &c.issue }

// Release joins into clock what a signal of timeline l guarantees: that its own
// instructions so far, and everything that l has waited for, are complete.
func (c *Core) Release(l Line, clock *Clock) {
	clock.Join(&c.start[l])
	if c.n[l] > 0 {
		clock.Add(c.Last(l))
	}
	if l == Scalar && c.n[Issue] > 0 {
		clock.Add(c.Last(Issue))
	}
}

// ReleaseIssue adds to clock what a signal announces that the scalar unit gives by
// itself, as arriving where all cores meet or writing a word that others wait
// for: nothing of what the pipes still do.
func (c *Core) ReleaseIssue(clock *Clock) {
	clock.Join(&c.issue)
	if c.n[Issue] > 0 {
		clock.Add(c.Last(Issue))
	}
}

// Announce adds to clock what a signal announces that the scalar unit gives by writing a
// word of global memory: what it knows to be over, and its own stores, which are in
// order. A fence of global memory alone adds nothing here, because the scalar unit
// does not wait for the pipes. Announced accepts a fence at the signal itself.
func (c *Core) Announce(clock *Clock) {
	c.ReleaseIssue(clock)
	if last := c.Last(Scalar); last.N > 0 {
		clock.Add(last)
	}
}

// Acquire makes timeline l wait. What the scalar unit waits for, all that it
// hands out later starts after.
func (c *Core) Acquire(l Line, clock *Clock) {
	if l == Scalar || l == Issue {
		c.AcquireIssue(clock)
		return
	}
	c.start[l].Join(clock)
}

// AcquireIssue makes all that is handed out from now on start after clock.
func (c *Core) AcquireIssue(clock *Clock) {
	if !c.issue.Join(clock) {
		return
	}
	for l := range c.start {
		c.start[l].Join(clock)
	}
}

// Waited counts a wait of timeline l, after it is over, so that it can be asked
// whether a later raise comes after it.
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

// Barrier makes instructions of a pipe start after those before them;
// sem.PipeAll, those of all pipes, after all.
func (c *Core) Barrier(p sem.Pipe) {
	if p == sem.PipeAll {
		var all Clock
		for l := Scalar; l < NumLines; l++ {
			c.Release(l, &all)
		}
		c.AcquireIssue(&all)
		return
	}
	if l := LineOf(p); l != NoLine && c.n[l] > 0 {
		c.start[l].Add(c.Last(l))
	}
}

// Get makes timeline l take a buffer. In mode 0 it waits for all who gave the
// buffer back before; in mode 1 it does not wait.
func (c *Core) Get(l Line, buffer, mode int) {
	if r := c.buffers[buffer]; r != nil && mode == 0 {
		c.Acquire(l, r)
	}
}

// Put gives a buffer back. In mode 0 that says that earlier instructions of l
// are over, in mode 1 those of all pipes.
func (c *Core) Put(l Line, buffer, mode int) {
	r := c.buffers[buffer]
	if r == nil {
		if c.buffers == nil {
			c.buffers = map[int]*Clock{}
		}
		r = &Clock{}
		c.buffers[buffer] = r
	}
	if mode == 0 {
		c.Release(l, r)
		return
	}
	for l := Scalar; l < NumLines; l++ {
		c.Release(l, r)
	}
}

// Fence is a fence of global memory: barriers of the pipes that store, and the
// scalar unit's own stores are in memory. The scalar unit goes on before the
// pipes are done.
func (c *Core) Fence() {
	for _, l := range []Line{MTE2, MTE3, Fix} {
		c.Release(l, &c.fenced)
		c.Barrier(l.Pipe())
	}
	c.CacheClean()
}

// Announced reports whether whoever waits for a word that the scalar unit writes
// now, as tnotify does, finds in memory what the store e of the core has written.
// The scalar unit does not wait for the pipes by itself, and not for its own data
// cache: the scalar unit must know that e is over, a fence of global memory must
// have come between, or, for its own stores, a dcci or dsb. That the fence alone
// is enough is the contract of the public compiler (PTOAS issues 711, 744, 872 and
// test/lit/pto/issue711_tnotify_mte_drain.pto).
func (c *Core) Announced(e Epoch) bool {
	if e.Line == Scalar {
		n := len(c.cache.cleaned)
		return n > 0 && c.cache.cleaned[n-1] > e.N
	}
	return c.issue.Has(e) || c.fenced.Has(e)
}
