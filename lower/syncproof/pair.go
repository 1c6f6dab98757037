// This file finds an argument for each pair of accesses that may touch a common byte.

package syncproof

import (
	"fmt"
	"slices"
	"sort"

	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir/term"
)

// relation describes which instances of two records are compared: those in which the
// earlier record is in an earlier round of the loop at a level, while the rounds of the
// loops around it are the same. Level 0 means that all rounds are the same.
type relation struct {
	level int
	// most, if not 0, is the largest number of rounds of the loop at level depth that
	// started between the two.
	most  int64
	depth int
}

// argue looks for an argument for every pair of records that may conflict.
func (x *prover) argue() {
	of := newIndex(x.records)
	x.scalars = nil
	for _, r := range x.records {
		if r.line == order.Scalar {
			x.scalars = append(x.scalars, r)
		}
	}
	for _, b := range x.records {
		for class, col := range b.scope {
			for _, m := range col {
				of.eachInScope(m, order.AccessClass(class), b, func(as []*record) { x.compareInScope(as, b, m) })
			}
		}
		if x.Inside {
			continue
		}
		for l, col := range b.start {
			for _, m := range col {
				of.each(m, lane(l), b, func(as []*record) { x.compareAll(as, b, m) })
				if lane(l) == laneOf(b.thread.n, b.line) && x.rules.InOrder(b.line) {
					continue
				}
				of.otherObjects(m, lane(l), b, func(a *record) bool {
					if len(x.relations(a, b, m, 0)) > 0 {
						x.assumeApart(a, b)
					}
					return !x.assumed[ArgumentsApart] || !x.assumed[TilesApart]
				})
			}
		}
		x.cached(b)
	}
	if x.Inside {
		return
	}
	x.ordered()
	x.missedLines()
	if !x.block.IsZero() {
		x.betweenBlocks()
	}
}

// ordered records, for pairs of records that conflict and for which nothing is missing, that
// the second starts after the first has ended.
func (x *prover) ordered() {
	if !x.Explain {
		return
	}
	for _, b := range x.records {
		for _, a := range x.records {
			if a.seq > b.seq && common(a, b) == 0 {
				continue
			}
			if b.start[laneOf(a.thread.n, a.line)].includes(a) {
				continue
			}
			conflicting(a, b, func(p, q *Touch) {
				if a != b {
					x.reason(a, b, fmt.Sprintf("in order: %s has waited for %s", b.line.Pipe(), a.line.Pipe()))
				}
			})
		}
	}
}

// conflicting returns the pairs of touches of two records that would need an order.
func conflicting(a, b *record, f func(p, q *Touch)) {
	for i := range a.touch {
		p := &a.touch[i]
		for j := range b.touch {
			q := &b.touch[j]
			if p.conflicts(q) && !p.Source && !q.Source && !p.Frees && memoryOf(a, p)&memoryOf(b, q) != 0 {
				f(p, q)
			}
		}
	}
}

// memoryOf returns a set of memories that an access means: bit n for the unified buffer of
// vector core n, and all bits for memory that exists once.
func memoryOf(r *record, t *Touch) uint {
	switch {
	case t.Space != sem.UB:
		return ^uint(0)
	case t.Vectors != 0:
		return t.Vectors
	}
	return 1 << r.thread.Vector
}

// compareAll checks the earlier records of a run against b.
func (x *prover) compareAll(as []*record, b *record, m missing) {
	first := as[0]
	if first.scope != nil && b.scope != nil && first.vector == b.vector && first.thread == b.thread {
		if x.sameExecution(first, b) && len(b.frames) == b.depth && len(first.frames) == first.depth {
			return // compareInScope does it
		}
	}
	inOrder := first.thread == b.thread && first.line == b.line && x.rules.InOrder(b.line) && !x.rules.OrderedWrites(b.line)
	if inOrder && x.assumed[inOrderName(first, b)] && !x.Explain {
		return // the order of the pipe is assumed already
	}
	for _, a := range as {
		x.compare(a, b, m)
	}
}

// compare checks the earlier record a against b. Instances of a that m describes may be
// incomplete when b starts.
func (x *prover) compare(a, b *record, m missing) {
	same := a.thread == b.thread && a.line == b.line
	conflicting(a, b, func(p, q *Touch) {
		if same && p.Write && q.Write && x.rules.OrderedWrites(a.line) {
			x.assume(writeOrder, a, b, p, q, m)
			x.reloads(a, b, p, q, m)
			return
		}
		if same && x.rules.InOrder(a.line) {
			x.assume(inOrderName(a, b), a, b, p, q, m)
			return
		}
		if x.twins(a, b, p, q) {
			x.reason(a, b, "both vector cores store the same data")
			return
		}
		rs := x.relations(a, b, m, 0)
		for _, r := range rs {
			if !x.disjoint(a, b, p, q, r) {
				x.missed(a, b, p, q)
				return
			}
		}
		if len(rs) > 0 {
			x.reason(a, b, "different bytes: "+span(p)+" and "+span(q))
		}
	})
}

// inOrderName returns the name of the assumption that the pipe of two records executes them in
// order.
func inOrderName(a, b *record) string {
	if a.scope != nil && b.scope != nil {
		return scopeOrder
	}
	return pipeOrder[a.line]
}

// missed records that there is no argument for two accesses.
func (x *prover) missed(a, b *record, p, q *Touch) {
	x.gap(Gap{Op: b.op, Other: a.op, Kind: "pair", Text: "no argument orders two accesses that may share a byte", First: p, Second: q, Local: a.thread == b.thread})
}

// reloads checks that a load does not overwrite everything that an earlier load wrote, in
// the order of one pipe only. Public sources disagree on this order, and a program that
// relies on it loads data that it never reads.
func (x *prover) reloads(a, b *record, p, q *Touch, m missing) {
	if q.Space == sem.GM {
		return
	}
	for _, r := range x.relations(a, b, m, 0) {
		older, younger, facts := x.instances(a, b, r)
		if meets, known := x.meet(p, q, older, younger); known && meets.IsFalse() {
			continue
		}
		if p.Size > 0 && q.Size > 0 {
			from, to := p.From.Map(older), q.From.Map(younger)
			facts = append(facts, x.pool.Le(to, from), x.pool.Le(from.AddConst(p.Size), to.AddConst(q.Size)))
		}
		if !x.apartBy(a, b, p, q, older, younger, facts) {
			x.gap(Gap{Op: b.op, Other: a.op, Local: true, Kind: "reload", Text: fmt.Sprintf("'%s' may overwrite all that '%s' wrote before any instruction reads it", b.op.Name(), a.op.Name()), First: p, Second: q})
			return
		}
	}
}

// sameExecution reports whether two records can belong to one execution of a vector
// function.
func (x *prover) sameExecution(a, b *record) bool {
	for i := range a.depth {
		if a.frames[i].node != b.frames[i].node {
			return false
		}
	}
	return true
}

// compareInScope checks the earlier accesses of a run against b, an access of the same
// execution of a vector function. It starts with the last access and ends at the first one
// without an argument, because a mem_bar between that access and b orders the accesses before it,
// too. It does so for the accesses before b in the text, and for those after b, which earlier
// rounds of a loop execute.
func (x *prover) compareInScope(as []*record, b *record, m missing) {
	if as[0].class >= order.ScalarLoad && b.class >= order.ScalarLoad || !x.sameExecution(as[0], b) {
		return
	}
	until := func(as []*record) {
		for _, a := range slices.Backward(as) {
			if x.missedInScope(a, b, m) {
				return
			}
		}
	}
	n := sort.Search(len(as), func(i int) bool { return as[i].at >= b.at })
	until(as[:n])
	if a := as[0]; len(a.frames) > a.depth { // a loop in the function repeats them
		until(as[n:])
	}
}

// missedInScope reports that no argument orders the access a of a vector function before b.
func (x *prover) missedInScope(a, b *record, m missing) (missed bool) {
	direct := slices.Contains(x.readers(b.op), a.op)
	conflicting(a, b, func(p, q *Touch) {
		for _, r := range x.relations(a, b, m, a.depth) {
			if direct && r.level == 0 {
				continue
			}
			if !x.disjoint(a, b, p, q, r) {
				x.gap(Gap{Op: b.op, Other: a.op, Kind: "pair", Text: "no register and no mem_bar orders two accesses of a vector function that may share a byte", First: p, Second: q, Local: true, Inside: true})
				x.meetings[b.op] = append(x.meetings[b.op], a.op)
				missed = true
				return
			}
			x.reason(a, b, "different bytes: "+span(p)+" and "+span(q))
		}
	})
	return missed
}

// span describes the bytes of an access.
func span(t *Touch) string {
	if !t.From.Known() {
		return "any of the object"
	}
	if t.Size == 0 {
		return fmt.Sprintf("%s and later", t.From)
	}
	return fmt.Sprintf("%d at %s", t.Size, t.From)
}

// twins reports whether two accesses need no order because both vector cores execute the
// same store of the same data.
func (x *prover) twins(a, b *record, p, q *Touch) bool {
	if !x.Twins || a.thread == b.thread || a.thread.Unit == sem.CubeUnit || b.thread.Unit == sem.CubeUnit {
		return false
	}
	if p.Write && q.Write && a.op == b.op {
		return true
	}
	if !p.Write || q.Write {
		return false
	}
	// The core of b has stored the same data itself. That store is before b if the stores
	// of the core of a would be, seen from that core.
	for _, own := range x.records {
		if own.thread == b.thread && own.op == a.op && own.seq < b.seq {
			return !b.start[laneOf(b.thread.n, a.line)].includes(own)
		}
	}
	return false
}

// common returns the number of loops around both records.
func common(a, b *record) int {
	n := 0
	for n < len(a.frames) && n < len(b.frames) && a.frames[n].loop == b.frames[n].loop {
		n++
	}
	return n
}

// relations lists the ways in which instances of a that m describes can precede b. Only
// rounds of loops deeper than outer can differ.
func (x *prover) relations(a, b *record, m missing, outer int) (list []relation) {
	if m.age == 0 && a.at <= m.after {
		return nil
	}
	n := common(a, b)
	equal := 0 // loops whose rounds can be the same
	for equal < n && a.frames[equal].node == b.frames[equal].node {
		equal++
	}
	depth := 0 // of the loop whose rounds m counts
	for i, f := range a.frames {
		if f.loop == m.loop {
			depth = i + 1
		}
	}
	if n <= depth && equal == n && a.seq < b.seq && m.covers(0, a.at) {
		list = append(list, relation{})
	}
	most, top := int64(0), n
	if n >= depth { // b is in the current round of that loop
		top = depth
		if m.age != anyAge {
			if most = int64(m.age); a.at <= m.after {
				most--
			}
			if most < 1 {
				return list
			}
		}
	}
	for level := outer + 1; level <= min(equal+1, top); level++ {
		list = append(list, relation{level, most, depth})
	}
	return list
}

// disjoint reports whether two touches never share a byte in instances that are related as
// r says.
func (x *prover) disjoint(a, b *record, p, q *Touch, r relation) bool {
	older, younger, facts := x.instances(a, b, r)
	return x.apartBy(a, b, p, q, older, younger, facts)
}

// apartBy is disjoint for instances whose terms older and younger rename.
func (x *prover) apartBy(a, b *record, p, q *Touch, older, younger func(term.Term) term.Term, facts []term.Term) bool {
	meets, known := x.meet(p, q, older, younger)
	if a.thread != b.thread || x.between {
		if line, ok := x.oneLine(p, q, older, younger); ok {
			meets, known = line, true
		}
	}
	if known && meets.IsFalse() {
		return true
	}
	for _, f := range a.facts {
		facts = append(facts, older(f))
	}
	for _, f := range b.facts {
		if g := younger(f); !slices.Contains(facts, g) {
			facts = append(facts, g)
		}
	}
	if known {
		facts = append(facts, meets)
	}
	if !x.possibleIn(pairBudget, facts) {
		return true
	}
	if indices, ok := x.meetInView(p, q, older, younger); ok && !x.possibleIn(pairBudget, append(slices.Clone(facts), indices)) {
		if x.possibleIn(pairBudget, append(slices.Clone(facts), x.pool.Not(x.pool.All(x.inView(p, older), x.inView(q, younger))))) {
			x.assumed[viewsInRows] = true
		}
		return true
	}
	if columns, ok := x.meetInColumns(p, q, older, younger); ok && !x.possibleIn(pairBudget, append(facts, columns)) {
		x.assumed[viewsInRows] = true
		return true
	}
	return false
}

// inView returns the condition that an access does not exceed its view.
func (x *prover) inView(t *Touch, rename func(term.Term) term.Term) term.Term {
	var conds []term.Term
	for _, d := range t.Dims {
		from, size, of := d.From.Map(rename), d.Size.Map(rename), d.Of.Map(rename)
		if !from.Known() || !size.Known() || !of.Known() {
			return x.pool.Bool(false)
		}
		conds = append(conds, x.pool.Le(term.Whole(0), from), x.pool.Le(from.Add(size), of))
	}
	return x.pool.All(conds...)
}

// meetInColumns returns the condition that two accesses to rows of the same pitch touch a
// common column, and a common row if the numbers of rows are known. The condition is
// necessary for a common byte if no view extends beyond the end of a row. ok is false if it
// is not known. C++ has no other bounds of arrays: a view there is a pointer to its first
// element with the extents of the view itself.
func (x *prover) meetInColumns(p, q *Touch, older, younger func(term.Term) term.Term) (cond term.Term, ok bool) {
	if p.Width == 0 || q.Width == 0 || p.Pitch != q.Pitch || !p.From.Known() || !q.From.Known() {
		return cond, false
	}
	from, ok1 := p.From.Map(older).Column(p.Pitch)
	to, ok2 := q.From.Map(younger).Column(q.Pitch)
	if !ok1 || !ok2 {
		return cond, false
	}
	conds := []term.Term{x.pool.Lt(to, from.AddConst(p.Width)), x.pool.Lt(from, to.AddConst(q.Width))}
	if n, m := p.rows(), q.rows(); n.Known() && m.Known() { // the rows must meet, too
		first, second := p.From.Map(older).Sub(from), q.From.Map(younger).Sub(to)
		conds = append(conds, x.pool.Lt(second, first.Add(n.Map(older).Scale(p.Pitch))), x.pool.Lt(first, second.Add(m.Map(younger).Scale(q.Pitch))))
	}
	return x.pool.All(conds...), true
}

// rows returns the number of rows of an access to a matrix whose columns are adjacent.
func (t *Touch) rows() term.Linear {
	if t.View && len(t.Dims) == 2 && len(t.ViewTerms) == 2 {
		if step, ok := t.ViewTerms[1].ConstSigned(); ok && step == 1 {
			return t.Dims[0].Size
		}
	}
	return term.Unknown()
}

// meet returns the condition that two touches share a byte. ok is false if nothing is known
// about it.
func (x *prover) meet(p, q *Touch, older, younger func(term.Term) term.Term) (cond term.Term, ok bool) {
	yes := x.pool.Bool(true)
	if p.anywhere() || q.anywhere() {
		return yes, false
	}
	conds := []term.Term{}
	if p.From.Known() && q.From.Known() {
		from, to := p.From.Map(older), q.From.Map(younger)
		if c, constant := to.Sub(from).Const(); constant {
			if !meetAt(p, q, c) {
				return x.pool.Bool(false), true
			}
		} else {
			if p.Size > 0 {
				conds = append(conds, x.pool.Lt(to, from.AddConst(p.Size)))
			}
			if q.Size > 0 {
				conds = append(conds, x.pool.Lt(from, to.AddConst(q.Size)))
			}
		}
	}
	if len(conds) == 0 {
		return yes, false
	}
	return x.pool.All(conds...), true
}

// meetInView returns the condition that two accesses to one view touch common indices. It is
// necessary for a common byte if neither exceeds the view. ok is false if nothing is known
// about it.
func (x *prover) meetInView(p, q *Touch, older, younger func(term.Term) term.Term) (cond term.Term, ok bool) {
	if p.anywhere() || q.anywhere() || !x.sameView(p, q, older, younger) {
		return cond, false
	}
	var conds []term.Term
	for i := range p.Dims {
		d, e := p.Dims[i], q.Dims[i]
		from, to := d.From.Map(older), e.From.Map(younger)
		if !from.Known() || !to.Known() {
			continue
		}
		if n := d.Size.Map(older); n.Known() {
			conds = append(conds, x.pool.Lt(to, from.Add(n)))
		}
		if n := e.Size.Map(younger); n.Known() {
			conds = append(conds, x.pool.Lt(from, to.Add(n)))
		}
	}
	return x.pool.All(conds...), len(conds) > 0
}

// oneLine returns the condition that two stores of scalar units are to the same line of
// their data caches: a cache writes whole lines to memory. ok is false for other accesses.
// Objects start at the start of a line.
func (x *prover) oneLine(p, q *Touch, older, younger func(term.Term) term.Term) (cond term.Term, ok bool) {
	if p.Line != order.Scalar || q.Line != order.Scalar || !p.Write || !q.Write || p.Space != sem.GM || !p.From.Known() || !q.From.Known() {
		return cond, false
	}
	line := term.Signed(x.fresh(varKey{-3, 0, nil, "line"}, 64, outside)).Scale(order.LineBytes)
	conds := []term.Term{}
	for _, at := range []struct {
		t  *Touch
		by func(term.Term) term.Term
	}{{p, older}, {q, younger}} {
		from := at.t.From.Map(at.by)
		conds = append(conds, x.pool.Le(line, from.AddConst(max(at.t.Size, 1)-1)), x.pool.Lt(from, line.AddConst(order.LineBytes)))
	}
	return x.pool.All(conds...), true
}

// sameView reports whether two accesses are to views with equal indices for equal bytes.
func (x *prover) sameView(p, q *Touch, older, younger func(term.Term) term.Term) bool {
	if !p.View || !q.View || len(p.Dims) != len(q.Dims) || !sameTerms(p.ViewTerms, q.ViewTerms, older, younger) {
		return false
	}
	c, ok := q.Base.Map(younger).Sub(p.Base.Map(older)).Const()
	return ok && c == 0
}

// sameTerms reports whether two lists of terms are equal in the two instances.
func sameTerms(a, b []term.Term, older, younger func(term.Term) term.Term) bool {
	return slices.EqualFunc(a, b, func(s, t term.Term) bool { return older(s) == younger(t) })
}

// meetAt reports whether two touches share a byte if q starts c bytes after p.
func meetAt(p, q *Touch, c int64) bool {
	if p.Size > 0 && c >= p.Size || q.Size > 0 && -c >= q.Size {
		return false
	}
	if p.Width == 0 || q.Width == 0 || p.Pitch != q.Pitch {
		return true
	}
	m := (c%p.Pitch + p.Pitch) % p.Pitch
	return m < p.Width || m+q.Width > p.Pitch
}

// instances returns how the terms of two records are renamed if their instances are related
// as r says, and the facts about both.
func (x *prover) instances(a, b *record, r relation) (older, younger func(term.Term) term.Term, facts []term.Term) {
	same := func(t term.Term) term.Term { return t }
	if r.level == 0 {
		return same, same, nil
	}
	at := r.level - 1
	l := a.frames[at].loop
	older = x.renamed(func(v term.Term) bool { return x.within(x.owner[v], l) })
	earlier, later := older(a.frames[at].k), b.frames[at].k
	facts = append(facts, x.pool.Lt(term.Unsigned(earlier), term.Unsigned(later)))
	switch {
	case r.most == 0:
	case r.level == r.depth: // the number of rounds is the distance
		facts = append(facts, x.pool.Le(term.Unsigned(later), term.Unsigned(earlier).AddConst(r.most)))
	default: // the rounds since the inner loop was entered anew are among them
		facts = append(facts, x.pool.Le(term.Unsigned(b.frames[r.depth-1].k), term.Whole(r.most-1)))
	}
	return older, same, facts
}

// renamed returns a function that replaces the variables of terms for which pick holds by
// other ones.
func (x *prover) renamed(pick func(term.Term) bool) func(term.Term) term.Term {
	with := map[term.Term]term.Term{}
	var sub func(term.Term) term.Term
	return func(t term.Term) term.Term {
		added := false
		for _, v := range term.Vars(t) {
			if _, known := with[v]; !known && pick(v) {
				with[v], added = x.old(v), true
			}
		}
		if sub == nil || added {
			sub = x.pool.Substitution(with)
		}
		return sub(t)
	}
}

// old returns the variable that stands for v in an earlier round or in another block.
func (x *prover) old(v term.Term) term.Term {
	lo, hi := v.Range()
	a, ok1 := lo.Int64()
	b, ok2 := hi.Int64()
	k := varKey{-2, 0, v, "old"}
	if !ok1 || !ok2 {
		return x.fresh(k, v.Width(), x.owner[v])
	}
	return x.freshIn(k, v.Width(), x.owner[v], a, b)
}

// cached checks that an access sees the data of the scalar unit's stores, and that loads of
// the scalar unit do not read old data from its cache.
func (x *prover) cached(b *record) {
	list := x.scalars
	if b.line == order.Scalar {
		list = x.records
	}
	for _, a := range list {
		if (a.line == order.Scalar) == (b.line == order.Scalar) && a.thread == b.thread {
			continue
		}
		switch {
		case a.line == order.Scalar:
			conflicting(a, b, func(p, q *Touch) {
				if p.Write && p.Space == sem.GM {
					x.cacheGap(a, b, p, q, b.start[lane(a.thread.n*lanesPerCore+stored)], "data that the scalar unit stores may still be in its data cache")
				}
			})
		case b.line == order.Scalar:
			conflicting(a, b, func(p, q *Touch) {
				if p.Write && !q.Write && p.Space == sem.GM {
					x.cacheGap(a, b, p, q, b.fresh[laneOf(a.thread.n, a.line)], "the scalar unit may read old data from its data cache")
				}
			})
		}
	}
}

// cacheGap records that a cache may hide data, unless the accesses are disjoint.
func (x *prover) cacheGap(a, b *record, p, q *Touch, c column, text string) {
	for _, m := range c {
		if !slices.Contains(a.groups, m.group) {
			continue
		}
		for _, r := range x.relations(a, b, m, 0) {
			if !x.disjoint(a, b, p, q, r) {
				x.gap(Gap{Op: b.op, Other: a.op, Kind: "cache", Text: text, First: p, Second: q})
				return
			}
		}
	}
}
