// This file moves flags between iterations out of outer loops, or into the branches
// that need them.

package insertsync

import (
	"math/bits"
	"slices"
)

// A flag between iterations of a loop is raised before that loop and waited for after
// it. If this loop is inside another one, the raising pipe would have to know, in the
// next iteration of the outer loop, that the wait after the inner loop is over. If it
// does not know that, the flag is raised before the outer loop and waited for after the
// outer loop. It then stays raised while the inner loop does not run.
//
// The first iteration of the inner loop therefore waits for the last iteration that ran
// before it. That iteration may belong to any earlier iteration of the outer loop. The
// wait thus only gives facts about earlier executions of the block, not about a
// specific iteration of the outer loop.

//
// The same helps where all of a round stands in a branch: between its runs, which
// need not be in rounds that follow each other. The flag is raised and waited for
// in the branch, where one pipe tells the other that it has waited, and not where
// the branch does not run.

// outer returns the body of a loop. A flag that a loop carries from one iteration to the
// next needs two extra operations: a raise before the loop, for the wait of the first
// iteration, and a wait after the loop, for the raise of the last iteration. outer
// returns the body of the loop around which these two operations are. Usually, this is
// the innermost loop, whose body is the parameter b. If they have been moved out of an
// enclosing loop, the result is the body of that loop.
func (e *edge) outer(b *blk) *blk {
	if e.home != nil {
		return e.home
	}
	return b
}

// cheaper calls settle, which assigns events to all flags, and keeps the better of two results.
// A hoisted flag occupies its event during the whole outer loop. If an outer loop has so many
// inner ones that barriers of all pipes replace flags, cheaper tries it again with events that
// hoisted flags share. It reports whether they share events in the result that it keeps.
// Without hoisted flags, it does not try again.
func (a *analysis) cheaper(root *blk, settle func(share bool)) (share bool) {
	found := saveEdges(root)
	settle(false)
	walls := wallsFor(root, noneFree)
	if walls == 0 || !slices.ContainsFunc(a.hoisted[:], func(p placed) bool { return p.edge != nil }) {
		return false
	}
	again := func(share bool) {
		found.restore()
		a.hoisted = [64]placed{}
		a.find(root)
		settle(share)
	}
	if again(true); wallsFor(root, noneFree) < walls {
		return true
	}
	again(false)
	return false
}

// wallsFor returns how often the barriers of all pipes with the given reason are executed, if
// each loop has four rounds.
func wallsFor(root *blk, why string) (n int) {
	everyBlock(root, func(b *blk) {
		often := 1
		for k := b; k != nil; k = k.parent {
			if k.loop != nil && often < 1<<20 {
				often *= 4
			}
		}
		for _, e := range b.edges {
			if e.all && e.allWhy == why {
				n += often
			}
		}
	})
	return n
}

// hoist moves two operations of the flag p to an outer loop whose body is l. So far, the
// innermost loop is surrounded by one raise of the flag before it and one wait after it.
// hoist moves the raise before the outer loop and the wait after it, so that the outer
// loop does not repeat them. hoist reports whether this was possible.
func (ev *events) hoist(p *placed, l *blk) bool {
	if p.dist != 1 || p.slots > 0 || ev.giveUp {
		return false
	}
	for b := p.b; b != l; b = b.parent {
		if b.walled {
			return false
		}
	}
	if p.bit == 0 {
		if p.bit = ev.a.freeBit(); p.bit == 0 {
			return false
		}
		ev.a.hoisted[bits.TrailingZeros64(p.bit)] = placed{p.edge, p.b}
	}
	p.home = l
	return true
}

// sunk reports whether the flag has been moved into a branch of a loop. Such a flag
// connects successive executions of the branch; any other flag of the loop connects
// successive iterations of the whole loop.
func (p *placed) sunk() bool { return p.home != nil && p.b.loop == nil }

// sink moves a flag between iterations of a loop into a branch of the loop body. The
// branch must be the only one that contains both accesses that the flag orders.
// Iterations that skip the branch then need no synchronization. It reports whether it
// moved the flag.
func (ev *events) sink(p *placed) bool {
	if p.dist != 1 || p.slots > 0 || p.home != nil || p.from != p.to || ev.giveUp {
		return false
	}
	l, n := p.b, p.b.nodes[p.from]
	for {
		k, from, to := ev.a.onlyBranch(n, l, p.edge)
		if k == nil || to > from {
			return false
		}
		if from == to && len(k.nodes[from].bodies) > 0 {
			n = k.nodes[from]
			continue
		}
		e := &edge{src: p.src, dst: p.dst, from: from, to: to, dist: 1, why: p.why, home: l}
		if in := (&placed{e, k}); slices.ContainsFunc(k.edges, e.same) || !ev.knowsWait(in, k) {
			return false
		}
		if e.bit = ev.a.freeBit(); e.bit == 0 {
			return false
		}
		ev.a.hoisted[bits.TrailingZeros64(e.bit)] = placed{e, k}
		k.edges = append(k.edges, e)
		l.edges = slices.DeleteFunc(l.edges, func(o *edge) bool { return o == p.edge })
		return true
	}
}

// onlyBranch concerns the edge e, a required order between accesses in different
// iterations of the loop body l. The raising pipe of e executes the earlier accesses, and
// the waiting pipe executes the later ones. onlyBranch looks for these accesses in the
// branches of node n. If all of them are in a single branch, and that branch contains
// accesses of both pipes, onlyBranch returns the branch as k. In all other cases, k is
// nil.
//
// The result from is the index of the last node of k with an access of the raising pipe.
// The result to is the index of the first node of k with an access of the waiting pipe.
func (a *analysis) onlyBranch(n *node, l *blk, e *edge) (k *blk, from, to int) {
	for _, b := range n.bodies {
		if b.loop != nil || b.walled {
			return nil, 0, 0
		}
		last, first := -1, len(b.nodes)
		for i, c := range b.nodes {
			for _, x := range c.touches {
				if x.pipe == e.src && a.meetsAny(x, n, e.dst, l) {
					last = i
				}
				if x.pipe == e.dst && a.meetsAny(x, n, e.src, l) {
					first = min(first, i)
				}
			}
		}
		switch {
		case last < 0 && first == len(b.nodes):
		case k != nil || last < 0 || first == len(b.nodes):
			return nil, 0, 0
		default:
			k, from, to = b, last, first
		}
	}
	return k, from, to
}

// meetsAny reports whether the access x can conflict with an access of pipe p in node n
// in another iteration of loop body l.
func (a *analysis) meetsAny(x *touch, n *node, p line, l *blk) bool {
	at := l.loop.outside(x.location)
	return slices.ContainsFunc(n.touches, func(y *touch) bool {
		q := l.loop.outside(y.location)
		return y.pipe == p && a.hazard(x, y) && (when{}).overlaps(&at, &q)
	})
}

// freeBit returns a bit that represents a new hoisted flag (a flag that is raised before
// an outer loop). The analysis stores sets of hoisted flags as one bit per flag, for
// example in know.hoists. freeBit returns 0 if all 64 bits are in use.
func (a *analysis) freeBit() uint64 {
	for i, h := range a.hoisted {
		if h.edge == nil || h.bit != 1<<i {
			return 1 << i
		}
	}
	return 0
}

// told determines whether a certain instruction is known to be complete when block c
// runs. The instruction has been executed in an earlier iteration of a loop. It runs on
// pipe p, has text position pos, and is in c or in a block nested in c. chain contains
// the numbers of all blocks from c to the innermost block that contains the instruction.
//
// hoists is a set of flags, one bit per flag, for which the program has already waited.
// Each of these flags was moved out of a nested loop to the boundaries of an outer loop.
// told returns true if the wait for one of these flags proves that the instruction is
// complete.
func (a *analysis) told(hoists uint64, c *blk, p line, pos int32, chain []int32) bool {
	for ; hoists != 0; hoists &= hoists - 1 {
		h := a.hoisted[bits.TrailingZeros64(hoists)]
		if h.home == nil || c.first < h.home.first || c.first >= h.b.first {
			continue
		}
		for _, b := range chain {
			if h.facts.upTo(b, 0, p) >= pos {
				return true
			}
		}
	}
	return false
}

// homed returns the pipes whose earlier work is complete according to hoisted flags, as a
// bit set. A hoisted flag was moved out of a nested loop to the boundaries of an outer
// loop. hoists is the bit set of the hoisted flags that an instruction has waited for.
// homed considers only flags that were moved to the loop with the body c. The result
// contains the pipes that raise these flags.
func (a *analysis) homed(hoists uint64, c *blk) (pipes uint8) {
	for ; hoists != 0; hoists &= hoists - 1 {
		if h := a.hoisted[bits.TrailingZeros64(hoists)]; h.home == c {
			pipes |= 1 << h.src
		}
	}
	return pipes
}
