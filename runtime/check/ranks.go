// This file explains races between ranks and checks signal counts.

package check

import (
	"cmp"
	"maps"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime"
)

// These reports concern accesses of two ranks: they list the signals between the
// accesses, and the reasons why these are not sufficient.

// explainRanks adds notes to the report of a race between two ranks.
func (c *Checker) explainRanks(r *Report, h *hazard, prev *runtime.CoreInfo) {
	cur, said := h.event.Core, 0
	notified, drained := c.announcement(h)
	if h.prev.line.IsCopies() {
		r.note(ir.Loc{}, "rank %d must wait for the event of the copy (pto.comm.wait_async_event) before it raises the signal that announces it", prev.Rank)
		return
	}
	for _, p := range c.past[h.cur.core].since(h.prev.seq) {
		if p.kind == runtime.Await && said < mostReasons {
			r.note(c.sites.all[p.site].op.Loc(), "rank %d waits for a signal here, but the wait can end before rank %d has finished the access", cur.Rank, prev.Rank)
			said++
		}
	}
	switch {
	case notified != nil && !drained:
		r.note(notified.Loc(), "rank %d raises a signal here, but '%s' on %s may not have finished: insert pto.barrier <PIPE_ALL> before it", prev.Rank, r.Accesses[0].Op, r.pipes[0])
	case said == 0:
		r.note(ir.Loc{}, "rank %d does not wait for a signal between the two: let rank %d raise one (pto.comm.tnotify) after %s, and rank %d wait for it (pto.comm.twait) before %s",
			cur.Rank, prev.Rank, r.Accesses[0].Loc.Line(), cur.Rank, r.Loc.Line())
	default:
		r.note(ir.Loc{}, "rank %d must wait before %s for a signal that rank %d raises after %s; if the signal is a counter, each use must wait for a larger value",
			cur.Rank, r.Loc.Line(), prev.Rank, r.Accesses[0].Loc.Line())
	}
}

// announcement returns the first signal that the core of the earlier access in h raised
// after this access. It returns nil if the core raised no signal. The result drained
// means that the core waited for all pipes before the signal.
func (c *Checker) announcement(h *hazard) (notified *ir.Op, drained bool) {
	for _, p := range c.past[h.prev.core].since(h.prev.seq) {
		switch {
		case p.kind == runtime.PipeBarrier && p.pipe == sem.PipeAll, p.kind == runtime.Fence:
			drained = true
		case p.kind == runtime.Notify:
			return c.sites.all[p.site].op, drained
		}
	}
	return nil, drained
}

// wordUse records how the ranks (devices) of a launch raise and await signals in one word
// of global memory.
type wordUse struct {
	// most is the largest value that a wait requires.
	most int64
	// waits and adds are the sites (operations) of the last wait and of the last
	// increment.
	waits, adds int32
	// waiter and from are the rank that waited last and the rank that incremented last.
	waiter, from int
	// size is the size of the word in bytes.
	size int64
	// writer is the core that raised the word first, and shared means that another core
	// raised it, too. sites are the sites that add to the word.
	writer int
	shared bool
	sites  []int32
}

// balance records how event e uses words of global memory that carry signals between
// ranks. At the end of the launch, the method unbalanced evaluates these records. In a
// launch with one rank, balance does nothing.
func (c *Checker) balance(e *runtime.Event, s *site) {
	if c.launch.Ranks == 1 {
		return
	}
	for i := range e.Accesses {
		a := &e.Accesses[i]
		for lo, hi := range pieces(a) {
			key := wordKey{a.Buffer, lo}
			u := c.uses[key]
			if u == nil {
				u = &wordUse{writer: -1}
				c.uses[key] = u
			}
			u.size = hi - lo
			switch e.Signal.Compare {
			case "":
				u.raised(e.Core.Number, s.id, e.Signal.Add)
				if u.adds = 0; e.Signal.Add {
					u.adds, u.from = s.id, e.Core.Rank
				}
			case "ge", "gt", "eq":
				if u.waits == 0 || e.Signal.Value > u.most {
					u.most, u.waits, u.waiter = e.Signal.Value, s.id, e.Core.Rank
				}
			}
		}
	}
}

// raised records that the given core has raised a signal in the word of global memory.
// site is the number of the operation that raised it. If add is set, this operation adds
// to the word instead of storing a value.
func (u *wordUse) raised(core int, site int32, add bool) {
	if u.writer < 0 {
		u.writer = core
	}
	u.shared = u.shared || u.writer != core
	if add && !slices.Contains(u.sites, site) {
		u.sites = append(u.sites, site)
	}
}

// needlessAtomics reports instructions that add to signals atomically, although no other
// core changes any of these signals.
func (c *Checker) needlessAtomics() {
	needed := map[int32]bool{}
	for _, u := range c.uses {
		for _, s := range u.sites {
			needed[s] = needed[s] || u.shared
		}
	}
	for _, s := range slices.Sorted(maps.Keys(needed)) {
		if needed[s] {
			continue
		}
		op := c.sites.all[s].op
		if r := c.finding(findingKey{Redundant, "atomic", s, 0}, ir.Remark, 0, "'%s' adds to its signals atomically, but no other core changes them", op.Name()); r != nil {
			r.note(ir.Loc{}, "the core can count itself and store the value: notifyOp = #pto<notify_op set>")
		}
	}
}

// unbalanced reports a signal (a counter in global memory) whose final value is larger
// than every value for which a rank has waited. The next launch on the same memory starts
// with this excess, so its first wait could end too early.
func (c *Checker) unbalanced() {
	for _, key := range slices.SortedFunc(maps.Keys(c.uses), compareWords) {
		u := c.uses[key]
		if u.adds == 0 || u.waits == 0 {
			continue
		}
		have := wordValue(c.launch.Buffers[key.buffer].Data, key.at, key.at+u.size)
		if have <= u.most+1 && (have <= u.most || c.sites.all[u.waits].op.Attr("cmp").Keyword() == "gt") {
			continue
		}
		wait := c.sites.all[u.waits].op
		r := c.finding(findingKey{Sync, "unbalanced", u.adds, u.waits}, ir.Remark, 0, "'%s' of rank %d raises %s to %d, but no wait of rank %d needs more than %d: the excess ends a later wait too early",
			c.sites.all[u.adds].op.Name(), u.from, bytesOf(key.at, key.at+u.size, c.launch.BufferName(key.buffer)), have, u.waiter, u.most)
		if r != nil {
			r.note(wait.Loc(), "rank %d waits for the signal here", u.waiter)
		}
	}
}

// compareWords compares the positions of two words in global memory for sorting. It
// compares the numbers of the buffers; if these are equal, it compares the offsets. The
// result is negative, zero or positive.
func compareWords(a, b wordKey) int {
	return cmp.Or(cmp.Compare(a.buffer, b.buffer), cmp.Compare(a.at, b.at))
}
