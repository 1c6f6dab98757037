// This file checks the use of flags, barriers and buffer tokens.

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

// before checks the event e of the synchronization operation s. The checker calls it
// before it updates its own state for the event. The method reports flags and barriers
// that the core of the event cannot use.
func (c *Checker) before(e *runtime.Event, s *site) {
	if !c.wants(Sync) {
		return
	}
	switch e.Kind {
	case runtime.FlagSet, runtime.FlagWait:
		c.flagRange(e, s)
		if e.Step > 0 && e.Kind == runtime.FlagSet {
			c.insideFlag(e, s)
		}
	case runtime.SignalWait:
		c.unheard(e, s)
	case runtime.PipeBarrier:
		unit := c.unitOf(e.Core)
		if c.rules.HasPipe(unit, e.Pipe) || e.Pipe == sem.PipeAll {
			return
		}
		if r := c.finding(findingKey{Sync, "pipe", s.id, 0}, ir.Warning, e.Number, "'%s' waits for %s, which %s does not have: it orders no access, and hardware may hang", s.op.Name(), e.Pipe, unitNames[unit]); r != nil {
			r.note(ir.Loc{}, "it has %s", pipesOf(c.rules, unit))
		}
	}
}

// unheard reports a wait of the second vector core for a signal that only the first one
// receives. In the simulation, one core represents both, so the wait succeeds although it
// would not on a device.
func (c *Checker) unheard(e *runtime.Event, s *site) {
	if !c.main.cores[e.Core.Number].second() {
		return
	}
	for i := range e.Links {
		ch := &e.Links[i].Channel
		if c.main.channel(channelKey{*ch, false}).Pending() > 0 {
			continue
		}
		if r := c.finding(findingKey{Sync, "unheard", s.id, int32(ch.ID)}, ir.Error, e.Number, "'%s' on %s waits for signal %d, which is only raised for vector core 0: it would wait forever", s.op.Name(), e.Core, ch.ID); r != nil && c.launch.Target == sem.A5 {
			r.note(ir.Loc{}, "let the cube core raise signal %d too, which is number %d of vector core 1", ch.ID+sem.Signals, ch.ID)
		}
	}
}

// unitOf returns the type of a core. If one simulated core represents all cores of a
// block, the result is the core type for which the kernel contains instructions.
func (c *Checker) unitOf(core *runtime.CoreInfo) sem.Unit {
	if core.Unit != sem.AnyUnit {
		return core.Unit
	}
	u, known := c.works[core.Kernel]
	if !known {
		u = analysis.WorkUnit(core.Kernel)
		c.works[core.Kernel] = u
	}
	return u
}

// unitNames are the names of the core types in messages.
var unitNames = map[sem.Unit]string{sem.CubeUnit: "a cube core", sem.VectorUnit: "a vector core"}

// stillCopying reports asynchronous copies that a core has not waited for when its kernel
// ends, as event e indicates. A copy may then still run when the program reuses its
// memory.
func (c *Checker) stillCopying(e *runtime.Event) {
	core := &c.main.cores[e.Core.Number]
	for _, l := range []order.Line{order.Copies, order.MoreCopies} {
		n := core.Copying(l)
		for site, last := range core.copies {
			if s := c.sites.all[site]; n > 0 && last == n && s.copies == l {
				if r := c.finding(findingKey{Sync, "copying", site, 0}, ir.Warning, e.Number, "'%s' may still copy when the kernel ends: no instruction waits for its event", s.op.Name()); r != nil {
					r.note(ir.Loc{}, "insert pto.comm.wait_async_event after it")
				}
			}
		}
	}
}

// pipesOf returns a text for messages that lists the pipes of a kind of core.
func pipesOf(r *order.Rules, u sem.Unit) string {
	text := ""
	for l := order.Scalar; l < order.NumPipes; l++ {
		if p := l.Pipe(); r.HasPipe(u, p) {
			text += ", " + p.String()
		}
	}
	return text[2:]
}

// flagRange reports flags of event e with numbers that the hardware does not have, and
// flags between pipes that the core does not have.
func (c *Checker) flagRange(e *runtime.Event, s *site) {
	for i := range e.Links {
		ch := &e.Links[i].Channel
		if ch.ID >= sem.EventIDs {
			if r := c.finding(findingKey{Sync, "range", s.id, 0}, ir.Warning, e.Number, "'%s' uses event %d, but a pair of pipes has events 0 to %d", s.op.Name(), ch.ID, sem.EventIDs-1); r != nil {
				r.note(ir.Loc{}, "disputed: one public document allows 0 to 15, depending on the profile; headers, instruction set and compiler allow 0 to 7")
			}
		}
		if ch.From != ch.Core {
			c.crossFlag(e, s, ch)
			continue
		}
		for _, p := range []sem.Pipe{ch.Src, ch.Dst} {
			if unit := c.unitOf(e.Core); !c.rules.HasPipe(unit, p) {
				c.finding(findingKey{Sync, "pipe", s.id, int32(p)}, ir.Warning, e.Number, "'%s' uses the pipe %s, which %s does not have", s.op.Name(), p, unitNames[unit])
			}
		}
	}
}

// crossFlag reports a flag from a pipe of one core to a pipe of another core; the
// parameter ch is the channel of the flag. On most targets, flags work only inside a
// core.
func (c *Checker) crossFlag(e *runtime.Event, s *site, ch *runtime.Channel) {
	if c.rules.FlagsCross() || e.Kind == runtime.FlagWait {
		return
	}
	from, to := &c.launch.Cores[ch.From], &c.launch.Cores[ch.Core]
	if r := c.finding(findingKey{Sync, "core", s.id, 0}, ir.Error, e.Number, "'%s' connects pipe %s of %s with pipe %s of %s, but a flag works only inside a core: it orders no access, and its wait never ends on hardware", s.op.Name(), ch.Src, from, ch.Dst, to); r != nil {
		set, wait := c.rules.CoreSignals()
		r.note(ir.Loc{}, "use a signal between the cores: %s <%s>, ID, and %s <%s>, ID", set, ch.Src, wait, ch.Dst)
		r.note(ir.Loc{}, "disputed: a test of the public compiler splits such a flag between the cores of A5 (--check-assume=core-flags)")
	}
}

// insideFlag reports a conflict between two uses of a flag. The instruction of event e
// consists of several internal steps, and it uses the flag to order them. When it starts,
// the kernel has already set the same flag, and no wait has consumed it.
func (c *Checker) insideFlag(e *runtime.Event, s *site) {
	for i := range e.Links {
		k := e.Links[i].Channel
		ch := c.main.channels[channelKey{k, false}]
		if ch == nil || ch.Pending() == 0 || len(ch.raises) == 0 {
			continue
		}
		by := c.sites.all[ch.raises[0].site]
		r := c.finding(findingKey{Sync, "inside", s.id, by.id}, ir.Error, e.Number, "'%s' itself uses event %d from %s to %s, which is already raised", s.op.Name(), k.ID, k.Src, k.Dst)
		if r == nil {
			continue
		}
		r.note(by.op.Loc(), "it was raised here, and no wait has consumed it since")
		if id := c.freeEvent(int32(e.Core.Number), k.Src, k.Dst); id >= 0 {
			r.note(ir.Loc{}, "use another event, such as EVENT_ID%d, or wait for it first", id)
		}
	}
}

// after checks the synchronization event e after it has taken effect, and records it for
// explanations in reports.
func (c *Checker) after(e *runtime.Event, s *site) {
	p := past{kind: e.Kind, seq: uint32(e.Number), site: s.id, pipe: e.Pipe, order: e.Order}
	switch e.Kind {
	case runtime.FlagSet, runtime.FlagWait, runtime.PipeBarrier, runtime.TileBarrier, runtime.BufferGet, runtime.BufferRelease:
		if e.Step == 0 {
			c.flags++
		}
	case runtime.MemoryBarrier, runtime.Fence, runtime.CoresLeave, runtime.Await, runtime.Notify, runtime.CopyWait:
	case runtime.SignalSet, runtime.SignalWait, runtime.QueuePop, runtime.QueuePush, runtime.QueueReserve, runtime.QueueFree:
	default:
		return
	}
	h := &c.past[e.Core.Number]
	for i := range e.Links {
		ch := c.main.channel(channelKey{e.Links[i].Channel, e.Step > 0})
		p.channel, p.raisedAt, p.raisedBy = e.Links[i].Channel, ch.last.seq, ch.last.site
		h.add(p)
		c.units.add(e, s, ch)
		if c.wants(Sync) && e.Kind == runtime.FlagSet && e.Step == 0 {
			c.reuse(e, s, ch)
		}
		if c.wants(Sync) && e.Kind == runtime.SignalSet {
			c.overflow(e, s, ch)
		}
	}
	if len(e.Links) == 0 {
		h.add(p)
		c.units.add(e, s, nil)
	}
	if c.wants(Sync) {
		c.buffers(e, s)
	}
}

// reuse reports a flag that is set again although the previous wait for it may not be
// complete. The program order looks correct, but the pipe that sets the flag may run
// ahead of the waiting pipe.
func (c *Checker) reuse(e *runtime.Event, s *site, ch *channel) {
	k := ch.Raised()
	if k < 2 || ch.Behind(k-1, ch.Newest()) {
		return
	}
	id := e.Links[0].Channel
	wait := c.sites.all[max(ch.waiter, 0)]
	r := c.finding(findingKey{Sync, "reuse", s.id, ch.waiter}, ir.Warning, e.Number, "pipe %s may raise event %d for pipe %s again before pipe %s has waited for it: no synchronization orders the second raise after this wait",
		id.Src, id.ID, id.Dst, id.Dst)
	if r == nil {
		return
	}
	if wait != nil {
		r.note(wait.op.Loc(), "this wait may not have finished")
	}
	if free := c.freeEvent(int32(e.Core.Number), id.Src, id.Dst); free >= 0 {
		r.note(ir.Loc{}, "use another event of the pair, such as EVENT_ID%d, or let %s wait for %s in between", free, id.Src, id.Dst)
	}
	if w := c.where(e.Core, roundText(e)); w != "" {
		r.note(s.op.Loc(), "raised again here%s", w)
	}
}

// overflow reports a counter between cores that may be raised more often than the counter
// can store before waits consume the signals. ch is the state of the counter.
func (c *Checker) overflow(e *runtime.Event, s *site, ch *channel) {
	k := ch.Raised()
	if k <= sem.SignalMost || ch.Behind(k-sem.SignalMost, ch.Newest()) {
		return
	}
	id := e.Links[0].Channel.ID
	if r := c.finding(findingKey{Sync, "overflow", s.id, int32(id)}, ir.Error, e.Number, "'%s' may raise signal %d for the %dth time without a wait: its counter has 4 bits, so %d is the maximum", s.op.Name(), id, sem.SignalMost+1, sem.SignalMost); r != nil {
		r.note(ir.Loc{}, "let the raising core regularly wait for a signal in return")
		if w := c.where(e.Core, roundText(e)); w != "" {
			r.note(s.op.Loc(), "raised here%s", w)
		}
	}
}

// leftOver reports synchronization that is incomplete after all kernels have ended: flags
// that are still set, buffer tokens that are still held, and queue entries that were
// never popped or never released.
func (c *Checker) leftOver() {
	type left struct {
		k  channelKey
		ch *channel
	}
	var all []left
	for k, ch := range c.main.channels {
		if len(ch.raises) > 0 && !k.inside {
			all = append(all, left{k, ch})
		}
	}
	slices.SortFunc(all, func(a, b left) int { return int(a.ch.raises[0].seq) - int(b.ch.raises[0].seq) })
	for _, l := range all {
		by := l.ch.raises[len(l.ch.raises)-1].site
		n := len(l.ch.raises)
		switch l.k.Kind {
		case runtime.FlagChannel:
			if r := c.finding(findingKey{Sync, "left", by, int32(l.k.ID)}, ir.Error, uint64(l.ch.raises[0].seq), "event %d from %s to %s is still raised when the kernel ends", l.k.ID, l.k.Src, l.k.Dst); r != nil {
				r.note(ir.Loc{}, "the next kernel on the core would find it raised: insert pto.wait_flag[<%s>, <%s>, <EVENT_ID%d>] at the end of all paths that raise it", l.k.Src, l.k.Dst, l.k.ID)
			}
		case runtime.CoreChannel:
			if c.heardByNobody(l.k.Channel, by, l.ch) {
				continue
			}
			c.finding(findingKey{Sync, "left", by, int32(l.k.ID)}, ir.Remark, uint64(l.ch.raises[0].seq), "signal %d is still raised when the kernel ends: raised %s more than waited for", l.k.ID, times(n))
		case runtime.EntryChannel:
			if r := c.finding(findingKey{Sync, "left", by, int32(l.k.ID)}, ir.Error, uint64(l.ch.raises[0].seq), "%s left in a queue when the kernel ends", entriesAre(n)); r != nil {
				r.note(ir.Loc{}, "each push needs a pop: the next kernel would find the signal of the entry raised")
			}
		}
	}
	c.keptEntries()
	c.heldAtEnd()
}

// heardByNobody reports whether it may be harmless that no core has waited for a signal.
// k is the channel of the signal, ch is its state, and by is the site (operation) that
// raised it.
//
// On A5, a signal without a mode may reach either all vector cores of a block or only the
// first one, depending on the program (pto.Signals). If one simulated core represents the
// complete block, the simulation raises the signal for all vector cores. On the device,
// the signal may reach only the first one. A signal for the second vector core that no
// core consumes is therefore not an error.
func (c *Checker) heardByNobody(k runtime.Channel, by int32, ch *channel) bool {
	if k.Core < 0 || k.From < 0 {
		return k.From >= 0
	}
	unsaid := sem.SignalOf(c.sites.all[by].op).Reach == sem.ReachByMode
	return unsaid && c.launch.Target == sem.A5 && ch.waiter == 0 && c.launch.Cores[k.Core].Sub > 0
}

// entriesAre returns the English text for n queue entries: "an entry", or for example "3
// entries".
func entriesAre(n int) string {
	if n == 1 {
		return "an entry"
	}
	return fmt.Sprintf("%d entries", n)
}
