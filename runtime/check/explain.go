// This file explains why existing synchronization is not sufficient.

package check

import (
	"fmt"
	"slices"

	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// history is a ring buffer of the last synchronization events of a core. Reports use it
// to explain why the existing synchronization does not order two accesses.
type history struct {
	last []past
	// n is the number of all events so far. When last has mostPast events, the next one is
	// stored at n modulo mostPast.
	n int
}

// mostPast is the number of synchronization events of a core that the checker retains for
// explanations in reports.
const mostPast = 64

// past is one synchronization event of a core in the past, such as a flag that was set or
// a barrier.
type past struct {
	kind runtime.EventKind
	seq  uint32
	site int32
	// pipe is the pipe that waits for a signal or raises it.
	pipe    sem.Pipe
	channel runtime.Channel
	order   string
	// raisedAt and raisedBy are the event number and the site (operation) of the raise
	// that a wait has consumed.
	raisedAt uint32
	raisedBy int32
}

// add records the synchronization event p in the ring buffer. If the buffer is full, p
// replaces the oldest event.
func (h *history) add(p past) {
	if len(h.last) < mostPast {
		h.last = append(h.last, p)
	} else {
		h.last[h.n%mostPast] = p
	}
	h.n++
}

// since returns the recorded synchronization events whose number is above seq, in
// chronological order. The history contains only the most recent events.
func (h *history) since(seq uint32) []past {
	var ps []past
	for i := max(0, h.n-mostPast); i < h.n; i++ {
		if p := h.last[i%mostPast]; p.seq > seq {
			ps = append(ps, p)
		}
	}
	return ps
}

// mostReasons is the maximum number of flags and barriers between two accesses for which
// a report explains why they do not order the accesses.
const mostReasons = 3

// explain adds notes to a race report: the synchronization between the two accesses, the
// reason why it does not order them, and the synchronization to insert.
func (c *Checker) explain(r *Report, h *hazard) {
	prevCore := &c.launch.Cores[h.prev.core]
	switch {
	case h.why == unordered && h.prev.line.IsCopies() && h.prev.core == h.cur.core:
		r.note(ir.Loc{}, "no barrier waits for an asynchronous copy: wait for its event (pto.comm.wait_async_event) before %s", r.Loc.Line())
		return
	case h.why == staleLoad:
		r.note(ir.Loc{}, "insert pto.dcci before %s, after the synchronization that orders the two", r.Loc.Line())
		return
	case h.why == unwritten:
		r.note(ir.Loc{}, "insert pto.dcci and pto.dsb \"DDR\" after %s, before the synchronization that orders the two", r.Accesses[0].Loc.Line())
		return
	case h.why == sharedLine:
		r.note(ir.Loc{}, "give each core lines of its own, or order the stores and put pto.dcci between them")
		return
	case h.why == acrossScopes:
		r.note(ir.Loc{}, "insert pto.barrier <PIPE_ALL> between the two vecscopes")
		r.note(ir.Loc{}, "disputed: PTOAS assumes that separate vecscopes of a core execute in order, and A5 has no barrier of PIPE_V; no public document guarantees it")
		return
	case h.prev.flags&h.cur.flags&scopeStamp != 0 && prevCore == h.event.Core:
		c.explainScope(r, h)
		return
	case prevCore.Rank != h.event.Core.Rank:
		c.explainRanks(r, h, prevCore)
		return
	case prevCore.Block != h.event.Core.Block:
		r.note(ir.Loc{}, "no synchronization orders the two blocks: give each its own bytes, or let both execute pto.syncall, after pto.barrier <PIPE_ALL> and pto.fence.barrier_all #pto.fence_scope<gm>")
		return
	case prevCore != h.event.Core:
		c.explainCores(r, h, prevCore)
		return
	}
	if open := c.explainFlags(r, h); open == nil || !c.wait(r, h, open) {
		c.wayOut(r, h)
	}
}

// explainScope adds notes to the report of a race between two accesses of one vecscope.
func (c *Checker) explainScope(r *Report, h *hazard) {
	for _, p := range c.past[h.cur.core].since(h.prev.seq) {
		if p.kind == runtime.MemoryBarrier {
			r.note(c.sites.all[p.site].op.Loc(), "the barrier \"%s\" here orders other accesses", p.order)
		}
	}
	kind := order.BarrierFor(h.prev.class(), h.cur.class())
	r.note(ir.Loc{}, "no register makes one wait for the other: insert pto.mem_bar \"%s\" %s", kind, between(r))
	r.insertBetween(c.sites.all[h.prev.site].op, h.event.Op, r.Accesses[0].Loc.Compare(r.Loc) >= 0, fmt.Sprintf("pto.mem_bar \"%s\"", kind))
	if isVMI(h.event.Op) {
		r.note(ir.Loc{}, "disputed: no public pass inserts barriers between instructions of the vmi level")
	}
}

// explainCores adds notes to the report of a race between two cores of a block. The
// parameter prev is the core of the earlier access.
func (c *Checker) explainCores(r *Report, h *hazard, prev *runtime.CoreInfo) {
	said := 0
	for _, p := range c.past[h.cur.core].since(h.prev.seq) {
		if p.kind != runtime.SignalWait || said == mostReasons {
			continue
		}
		loc := c.sites.all[p.site].op.Loc()
		switch by := c.sites.all[p.raisedBy]; {
		case p.raisedAt < h.prev.seq && by != nil:
			r.note(loc, "%s waits for signal %d here, which %s raised before", p.pipe, p.channel.ID, by.op.Loc().Line())
		case order.LineOf(p.pipe) != h.cur.line && order.LineOf(p.pipe) != order.Scalar:
			r.note(loc, "%s waits for signal %d here, which does not delay %s", p.pipe, p.channel.ID, r.pipes[1])
		default:
			r.note(loc, "the wait for signal %d here does not imply that %s is done", p.channel.ID, r.pipes[0])
		}
		said++
	}
	if m := c.main; m.cores[h.prev.core].pair == h.cur.core {
		r.note(ir.Loc{}, "both vector cores of a block execute the function: synchronize them between the two accesses, or let each process its own part, selected by pto.get_subblock_idx")
		return
	}
	set, wait := c.rules.CoreSignals()
	r.note(ir.Loc{}, "%s of %s must wait until %s of %s is done: insert %s <%s>, ID%s after %s and %s <%s>, ID%s before %s",
		r.pipes[1], h.event.Core, r.pipes[0], prev, set, r.pipes[0], c.sectionFor(h.prev.line, prev), r.Accesses[0].Loc.Line(),
		wait, r.pipes[1], c.sectionFor(h.cur.line, h.event.Core), r.Loc.Line())
	if c.launch.Target == sem.A5 && analysis.Mixed(prev.Kernel) {
		r.note(ir.Loc{}, "signals of the second vector core of a block start at %d: the cube core must also raise, or wait for, ID+%d", sem.Signals, sem.Signals)
	}
}

// sectionFor returns a text for messages that names the section (code for one core type)
// into which a suggested signal must be inserted. l is the pipe that executes the signal,
// and core is the core that must execute it. sectionFor returns "" if the signal does not
// need a section: only one core type has the pipe, or the function has no work for both
// core types outside sections.
func (c *Checker) sectionFor(l order.Line, core *runtime.CoreInfo) string {
	if l.Pipe().Unit(c.launch.Target) != sem.AnyUnit || !analysis.Mixed(core.Kernel) {
		return ""
	}
	if core.Unit == sem.CubeUnit {
		return " inside pto.section.cube"
	}
	return " inside pto.section.vector"
}

// explainFlags adds notes to the report r of the race h. The notes list the flags and
// barriers that one core executed between the two accesses, and explain why they do not
// order the accesses. The result is the operation that raises an event which would order
// them, but for which nothing waits, or nil.
func (c *Checker) explainFlags(r *Report, h *hazard) (open *ir.Op) {
	src, dst := h.prev.line, h.cur.line
	said := map[int32]bool{}
	tell := func(p past, format string, args ...any) {
		if len(said) < mostReasons && !said[p.site] {
			said[p.site] = true
			r.note(c.sites.all[p.site].op.Loc(), format, args...)
		}
	}
	waited := map[uint32]past{}
	past := c.past[h.cur.core].since(h.prev.seq)
	for _, p := range past {
		if p.kind == runtime.FlagWait {
			waited[p.raisedAt] = p
		}
	}
	for _, p := range past {
		from, to, id := p.channel.Src, p.channel.Dst, p.channel.ID
		switch {
		case p.kind == runtime.PipeBarrier && order.LineOf(p.pipe) != src:
			tell(p, "the barrier here belongs to %s: it delays only %s", p.pipe, p.pipe)
		case p.kind == runtime.PipeBarrier && src != dst:
			tell(p, "the barrier here delays only %s, not %s", p.pipe, r.pipes[1])
		case p.kind == runtime.FlagWait && order.LineOf(from) == src && order.LineOf(to) == dst && p.raisedAt < h.prev.seq:
			tell(p, "%s waits for event %d here, which %s raised in %s, before this access", to, id, from, c.sites.all[p.raisedBy].op.Loc().Line())
		case p.kind == runtime.FlagSet && order.LineOf(from) == src:
			if w, ok := waited[p.seq]; !ok {
				if order.LineOf(to) == dst {
					open = c.sites.all[p.site].op
				}
				tell(p, "%s raises event %d for %s here, and %s has not waited for it yet", from, id, to, to)
			} else if order.LineOf(to) != dst {
				tell(p, "%s raises event %d here, and %s waits for it in %s: %s does not", from, id, to, c.sites.all[w.site].op.Loc().Line(), r.pipes[1])
			}
		case p.kind == runtime.FlagWait && order.LineOf(from) == dst && order.LineOf(to) == src:
			tell(p, "event %d here has the opposite direction: it makes %s wait for %s", id, to, from)
		case p.kind == runtime.BufferGet && order.LineOf(p.pipe) == dst && sem.BufferUseOf(c.sites.all[p.site].op).Mode != 0:
			tell(p, "%s acquires buffer %d here in mode 1, which does not wait for releases", p.pipe, id)
		case p.kind == runtime.BufferGet && order.LineOf(p.pipe) == dst:
			tell(p, "%s acquires buffer %d here, but %s has not released it since", p.pipe, id, r.pipes[0])
		}
	}
	if len(said) == 0 {
		r.note(ir.Loc{}, "no flag or barrier between the two makes %s wait for %s", r.pipes[1], r.pipes[0])
	}
	return open
}

// wait adds the way out to the report of the race h if the operation set raises an event
// between the two accesses and nothing waits for it before the second one: the wait is
// missing or too late. It returns false if a wait there would not execute as often as set.
func (c *Checker) wait(r *Report, h *hazard, set *ir.Op) bool {
	_, raises := set.Def().Sem.(sem.SetFlag)
	from, at := inOneBlock(set, h.event.Op)
	flag := sem.FlagOf(set)
	if !raises || from != set || at == nil || flag.Event.Given() {
		return false
	}
	for op := set.Next(); op != nil; op = op.Next() {
		_, waits := op.Def().Sem.(sem.WaitFlag)
		_, sets := op.Def().Sem.(sem.SetFlag)
		if (waits || sets) && sem.FlagOf(op) == flag {
			if sets { // a wait after this operation is for it
				break
			}
			r.note(op.Loc(), "the wait for this event is here: move it before %s", at.Loc().Line())
			return true
		}
	}
	line := fmt.Sprintf("pto.wait_flag[<%s>, <%s>, <EVENT_ID%d>]", flag.Source, flag.Destination, flag.Event.Constant)
	r.note(ir.Loc{}, "insert %s before %s: nothing waits for the event that %s raises", line, at.Loc().Line(), set.Loc().Line())
	r.keep(ir.LineBefore(at.Loc(), line))
	return true
}

// wayOut adds a note to the report of the race h. The note states which synchronization
// is missing and where to insert it.
func (c *Checker) wayOut(r *Report, h *hazard) {
	src, dst := h.prev.line.Pipe(), h.cur.line.Pipe()
	behind, before := r.Accesses[0].Loc.Line(), r.Loc.Line()
	back := r.Accesses[0].Loc.Compare(r.Loc) >= 0
	prev := c.sites.all[h.prev.site].op
	if h.prev.line == h.cur.line {
		r.note(ir.Loc{}, "insert pto.barrier <%s> %s", src, between(r))
		r.insertBetween(prev, h.event.Op, back, fmt.Sprintf("pto.barrier <%s>", src))
		return
	}
	id := c.freeEvent(h.cur.core, src, dst)
	flag := fmt.Sprintf("[<%s>, <%s>, <EVENT_ID%d>]", src, dst, id)
	if id < 0 {
		flag = fmt.Sprintf("[<%s>, <%s>, ...]", src, dst)
	}
	text := fmt.Sprintf("insert pto.set_flag%s after %s and pto.wait_flag%s before %s", flag, behind, flag, before)
	carried := back
	if l := loopOf(h.event.Op); l != nil && l.Encloses(prev) && (back || l == loopOf(prev) && h.prev.round != h.cur.round) {
		text += fmt.Sprintf(", with one more pto.set_flag before the loop in %s and one more pto.wait_flag after it", l.Loc().Line())
		carried = true
	}
	if id >= 0 {
		r.insertFlags(prev, h.event.Op, carried, flag)
	}
	if id < 0 {
		text += fmt.Sprintf("; all %d events of the pair are in use, so one must be reused", sem.EventIDs)
	}
	r.note(ir.Loc{}, "%s", text)
}

// between returns a text that suggests where to insert a barrier between the two accesses
// of a race. In general, the text is, for example, "between line 3 and line 7". In a
// loop, the access that executes first can be on a later line than the second access, or
// on the same line. The text is then, for example, "before line 7". This line contains
// the second access, at which the race is reported.
func between(r *Report) string {
	if r.Accesses[0].Loc.Compare(r.Loc) >= 0 {
		return "before " + r.Loc.Line()
	}
	return "between " + r.Accesses[0].Loc.Line() + " and " + r.Loc.Line()
}

// freeEvent returns the number of a flag from pipe src to pipe dst that the core has not
// used in the launch. It returns -1 if the core has used all of these flags.
func (c *Checker) freeEvent(core int32, src, dst sem.Pipe) int {
	var used []int
	for k := range c.main.channels {
		if k.Kind == runtime.FlagChannel && k.Core == int(core) && k.Src == src && k.Dst == dst {
			used = append(used, k.ID)
		}
	}
	for id := range sem.EventIDs {
		if !slices.Contains(used, id) {
			return id
		}
	}
	return -1
}
