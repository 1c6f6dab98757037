// This file searches for a proof: plans of loops, and invariants at their heads.

package syncproof

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/term"
)

// mostPasses limits the passes of a search.
const mostPasses = 200

// Prove looks for a proof that the synchronization of the cores of a block orders all
// accesses that may share a byte. The search only proposes a certificate: Check decides.
func Prove(in Input) Result {
	x := newProver(in)
	for range mostPasses {
		if !x.fixpoint() {
			if slices.ContainsFunc(x.gaps, Gap.depends) && x.improve() {
				continue
			}
			return x.result()
		}
		r := x.certificate().Check()
		if !slices.ContainsFunc(r.Gaps, Gap.depends) || !x.improve() {
			return r
		}
	}
	return x.result()
}

// depends reports whether a search that distinguishes more paths and rounds can close the
// gap.
func (g Gap) depends() bool {
	switch g.Kind {
	case BetweenBlocks, "cores", "foreign", "line", "region", "pipe", "call", "steps":
		return false
	}
	return true
}

// fixpoint repeats passes until the states at the loop heads no longer change. It returns
// false if a pass could not follow the program.
func (x *prover) fixpoint() bool {
	for range mostPasses {
		x.changed, x.replanned = false, false
		clear(x.inits)
		x.pass()
		switch {
		case x.replanned:
			x.forget()
		case slices.ContainsFunc(x.gaps, Gap.Cuts):
			return false
		case !x.changed:
			return true
		}
	}
	x.fail(x.Cores[0].Func, "passes", "the states at the loop heads still change after %d passes", mostPasses)
	return false
}

// forget drops all states at loop heads.
func (x *prover) forget() {
	clear(x.nodes)
	clear(x.inits)
}

// improve changes the search so that it distinguishes more. It returns false if there is
// nothing left to try.
func (x *prover) improve() bool {
	changed := false
	for _, l := range x.byID {
		if p := x.plans[l.id]; p != nil && !p.tried && len(p.demands)+len(p.periods) > 0 {
			p.tried = true
			changed = x.refine(l, p) || changed
		}
	}
	switch {
	case changed:
	case !x.apart:
		x.apart, changed = true, true
	case !x.peeled:
		x.peeled, changed = true, true
		for _, p := range x.plans {
			p.first = max(p.first, 1)
		}
	}
	if changed {
		x.forget()
	}
	return changed
}

// demand records a condition that decides a branch, for the loops on whose round it
// depends.
func (x *prover) demand(c *cursor, t term.Term) {
	x.record(c, t, func(p *plan) *[]term.Term { return &p.demands })
}

// demandPeriod records an event ID or a token for the loops on whose round it depends.
func (x *prover) demandPeriod(c *cursor, t term.Term) {
	x.record(c, t, func(p *plan) *[]term.Term { return &p.periods })
}

// record adds t to a list of the plans of the loops on whose round it depends.
func (x *prover) record(c *cursor, t term.Term, list func(*plan) *[]term.Term) {
	if t.IsZero() || x.checking {
		return
	}
	if _, constant := t.Const(); constant {
		return
	}
	for _, f := range c.frames {
		p := x.plans[f.loop]
		q := x.vars[varKey{-1, 0, x.byID[f.loop-1], "k"}]
		if p == nil || p.tried || q.IsZero() || !slices.Contains(term.Vars(t), q) {
			continue
		}
		if at := list(p); !slices.Contains(*at, t) {
			*at = append(*at, t)
		}
	}
}

const (
	// mostFirst is the largest number of first or last rounds that a plan separates, and
	// mostPeriod the largest period.
	mostFirst  = 4
	mostPeriod = 16
	// mostExact is the largest number of rounds of a loop whose rounds are all apart.
	mostExact = 16
)

// refine sets the plan of a loop so that the demanded conditions and event IDs are decided
// in each node. It reports whether the plan has changed.
func (x *prover) refine(l *loop, p *plan) bool {
	before := *p
	q := x.vars[varKey{-1, 0, l, "k"}]
	if p.period != 1 || q.IsZero() {
		return false
	}
	missed := false
	for _, t := range p.periods {
		if n := x.periodOf(q, t, func(e term.Term) bool { return x.decidedNumber(e) }); n > 0 {
			p.period = lcm(p.period, n)
		} else {
			missed = true
		}
	}
	for _, t := range p.demands {
		if t.Width() != 1 {
			missed = true
			continue
		}
		if n := x.firstOf(q, t); n >= 0 {
			p.first = max(p.first, n)
		} else if n := x.lastOf(l, q, t); n >= 0 {
			p.last = max(p.last, n)
		} else if n := x.periodOf(q, t, x.decided); n > 0 {
			p.period = lcm(p.period, n)
		} else {
			missed = true
		}
	}
	if p.period > mostPeriod {
		p.period, missed = 1, true
	}
	if missed {
		if n := tripsOf(l.op); n > 0 && n <= mostExact {
			p.first = n
		}
	}
	return p.first != before.first || p.last != before.last || p.period != before.period
}

// lcm returns the least common multiple.
func lcm(a, b int64) int64 {
	g, r := a, b
	for r != 0 {
		g, r = r, g%r
	}
	return a / g * b
}

// decided reports whether a condition always holds or never.
func (x *prover) decided(t term.Term) bool { return !x.possible(t) || !x.possible(x.pool.Not(t)) }

// decidedNumber reports whether a term has one value.
func (x *prover) decidedNumber(t term.Term) bool {
	_, ok := x.constant(t, &state{})
	return ok
}

// firstOf returns the smallest number of first rounds after which condition t no longer
// changes, or -1.
func (x *prover) firstOf(q, t term.Term) int64 {
	for n := range int64(mostFirst + 1) {
		past := x.pool.Ule(x.pool.Const(64, n), q)
		if !x.possible(past, t) || !x.possible(past, x.pool.Not(t)) {
			return n
		}
	}
	return -1
}

// lastOf returns the smallest number of last rounds before which condition t does not
// change, or -1.
func (x *prover) lastOf(l *loop, q, t term.Term) int64 {
	if l.op.Def().Sem != scf.CountedLoop {
		return -1
	}
	b := x.bounds[l.id]
	step, ok := b.step.ConstSigned()
	if !ok || b.lo.Width() != 64 {
		return -1
	}
	iv := x.pool.Add(b.lo, x.pool.Mul(b.step, q))
	exact := x.pool.Same(term.Signed(iv), term.Signed(b.lo).Add(term.Unsigned(q).Scale(step)))
	for n := int64(1); n <= mostFirst; n++ {
		more := x.pool.Lt(term.Signed(iv).AddConst(step*n), term.Signed(b.hi))
		if !x.possible(exact, more, t) || !x.possible(exact, more, x.pool.Not(t)) {
			return n
		}
	}
	return -1
}

// periodOf returns the smallest period for which t is decided by the round modulo the
// period, or 0.
func (x *prover) periodOf(q, t term.Term, decided func(term.Term) bool) int64 {
	for n := int64(2); n <= mostPeriod; n++ {
		all := true
		for r := int64(0); r < n && all; r++ {
			k := x.pool.AddConst(x.pool.MulConst(q, n), r)
			all = decided(x.pool.Substitute(t, map[term.Term]term.Term{q: k}))
		}
		if all {
			return n
		}
	}
	return 0
}

// tripsOf returns the number of rounds of a loop with constant bounds, or 0.
func tripsOf(op *ir.Op) int64 {
	if op.Def().Sem != scf.CountedLoop {
		return 0
	}
	lo, ok1 := arith.ConstantInt(op.Arg("lowerBound"))
	hi, ok2 := arith.ConstantInt(op.Arg("upperBound"))
	step, ok3 := arith.ConstantInt(op.Arg("step"))
	if !ok1 || !ok2 || !ok3 || step <= 0 || lo >= hi {
		return 0
	}
	return (hi - lo + step - 1) / step
}
