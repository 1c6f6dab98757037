package insertsync

import "math/bits"

// A flag between rounds of a loop is raised in front of that loop and waited for
// behind it. Where that loop stands in another one, the pipe that raises it would
// have to know then that the wait behind the loop is over, in the round before of
// the outer one. Where it does not, the flag is raised in front of the outer loop
// and waited for behind that: it stays up while the inner loop does not run.
//
// The first round of the inner loop then waits for its last round before, which
// need not have been in the round before of the outer one. So what that wait tells
// is of earlier runs of the block only: the facts of the edge.

// outer is the body of the loop around which a flag is primed and drained.
func (e *edge) outer(b *blk) *blk {
	if e.home != nil {
		return e.home
	}
	return b
}

// hoist moves what primes and drains the flag of p out of the loop with body l,
// which stands around the loop of p. It reports whether it could.
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

// freeBit is a bit that stands for no flag that has been moved out, or 0.
func (a *analysis) freeBit() uint64 {
	for i, h := range a.hoisted {
		if h.edge == nil || h.bit != 1<<i {
			return 1 << i
		}
	}
	return 0
}

// told reports whether waits for flags that have been moved out of loops tell that
// an instruction in an earlier run of their blocks is over. chain are the blocks
// around it below block c, in which both stand.
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

// homed are the pipes of which all in front of block c is over when the waits for
// flags are that were moved out of it.
func (a *analysis) homed(hoists uint64, c *blk) (pipes uint8) {
	for ; hoists != 0; hoists &= hoists - 1 {
		if h := a.hoisted[bits.TrailingZeros64(hoists)]; h.home == c {
			pipes |= 1 << h.src
		}
	}
	return pipes
}
