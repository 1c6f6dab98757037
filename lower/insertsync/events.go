// This file assigns event IDs to edges, and falls back to other forms of
// synchronization if there are not enough.

package insertsync

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// events assigns event IDs to the flags of a function. Two flags can have the same ID if
// the pipe that raises the second flag provably knows that the wait for the first one is
// complete.
type events struct {
	a *analysis
	// limit is the number of event IDs for each pair of pipes.
	limit int64
	// mixed reports that the cube core and the vector core run the same program text, so
	// that both execute the same flags.
	mixed bool
	// after selects the upper half of the event IDs, if the cube core and the vector core
	// execute the same flags. The analysis of the other kind of core uses the lower half.
	after  bool
	target ir.Target
	// taken are the events that macro instructions and called functions use themselves.
	taken []taken
	// used lists the events of each pair of pipes, indexed by event ID.
	used map[[2]line][]event
	// giveUp makes assign use a barrier of all pipes when no event is free, instead of
	// trying another placement of the flag.
	giveUp bool
	// shares lets hoisted flags of loops one after the other have the same event; see joins.
	shares bool
	// changed reports that assign has modified edges, so that the analysis must run
	// again.
	changed bool
	// walls are the text positions of the barriers of all pipes in the outermost block,
	// in increasing order.
	walls []int32
}

// event is one event ID between two pipes. A block of operations can contain several
// flags that use this ID. The field first contains the first of these flags for each
// block, and the field last contains the last one.
type event struct {
	first, last map[*blk]*placed
}

// placed is an edge (required order), implemented by a flag, together with the block that
// contains it.
type placed struct {
	*edge
	b *blk
}

// around returns the block that contains the whole lifetime of the flag, from the first
// raise to the last wait. For a flag that a loop carries to its next iteration, that is
// the block around the loop.
func (p *placed) around() *blk {
	if p.dist > 0 {
		return p.outer(p.b)
	}
	return p.b
}

// life returns the range of text positions in which the flag of p may be set: from the
// instruction after which it is raised to the instruction before which a pipe waits for
// it. Flags with overlapping ranges cannot share an event ID.
func (p *placed) life() (from, to int32) {
	if p.dist > 0 {
		b := p.around()
		return b.first - 1, b.last + 1
	}
	return p.b.nodes[p.from].last, p.b.nodes[p.to].first
}

// flags returns the edges (required orders) in b and its nested blocks that need a flag
// with an event ID, as opposed to a barrier. It sorts the edges by the text position at
// which their flag is raised for the first time.
func flags(b *blk) []*placed {
	var ps []*placed
	var collect func(b *blk)
	collect = func(b *blk) {
		for _, e := range b.edges {
			if !e.barrier() && !e.all {
				ps = append(ps, &placed{e, b})
			}
		}
		for _, n := range b.nodes {
			for _, k := range n.bodies {
				collect(k)
			}
		}
	}
	collect(b)
	slices.SortStableFunc(ps, func(a, b *placed) int {
		x, _ := a.life()
		y, _ := b.life()
		return int(x - y)
	})
	return ps
}

// assign chooses event IDs for all flags in the block root and its nested blocks. It
// returns false if it changed edges (required orders), for example because it did not
// find enough free IDs. The caller must then repeat the analysis and call assign another
// time.
func (ev *events) assign(root *blk) bool {
	for _, e := range root.edges {
		if e.all {
			ev.walls = append(ev.walls, root.nodes[e.to].first)
		}
	}
	slices.Sort(ev.walls)
	parted := false
	for _, p := range flags(root) {
		ev.pass(p)
		if !ev.repeatable(p) {
			ev.changed = true
			continue
		}
		pair := [2]line{p.src, p.dst}
		n := max(1, p.slots)
		if p.joined = ev.shares && ev.joins(p, pair); p.joined {
			continue
		}
		p.ids = ev.pick(p, pair, n)
		if p.ids == nil && ev.shares && !ev.giveUp {
			if !parted { // the flags after it may find events once the analysis has seen the barrier
				parted = true
				p.part()
			}
			ev.changed = true
			continue
		}
		if p.ids == nil && !ev.merge(p, pair) && !ev.wall(root, p, n) {
			p.stop(noneFree)
			ev.changed = true
			if p.b == root {
				ev.addWall(root.nodes[p.to].first)
			}
		}
	}
	return !ev.changed
}

// addWall records a barrier of all pipes at a text position in the outermost block, so
// that flags after it can have the event IDs of those before it.
func (ev *events) addWall(at int32) {
	i, _ := slices.BinarySearch(ev.walls, at)
	ev.walls = slices.Insert(ev.walls, i, at)
}

// Reasons why an edge is a barrier of all pipes and not a flag.
const (
	noneFree = "no event is free"
	again    = "a flag could be set again before the wait of the round before"
)

// stop replaces the flag of the edge e by a barrier of all pipes, which needs no event ID.
// The parameter why is the reason.
func (e *edge) stop(why string) {
	e.all, e.allWhy, e.dist, e.slots, e.home, e.bit = true, why, 0, 0, nil, 0
}

// part inserts a barrier of all pipes so that the flag p needs no event, or finds one: before
// the loop of p, if there is none yet, and otherwise in place of p. Flags of the same block
// that the barrier makes redundant are removed, so that their events are free.
func (p *placed) part() {
	b, at := p.b, p.to
	if up := b.parent; up != nil && up.parent != nil && b.loop != nil && !up.walledAt(b.at) {
		b, at = up, b.at
		b.edges = append(b.edges, &edge{all: true, allWhy: noneFree, src: p.src, dst: p.dst, from: at, to: at, why: p.why})
	} else {
		p.stop(noneFree)
	}
	b.edges = slices.DeleteFunc(b.edges, func(e *edge) bool {
		return !e.all && e.home == nil && (e.dist == 0 && e.from < at && at <= e.to || e.dist == 1 && (e.from < at || at <= e.to))
	})
}

// walledAt reports whether a barrier of all pipes is before node i of b.
func (b *blk) walledAt(i int) bool {
	return slices.ContainsFunc(b.edges, func(e *edge) bool { return e.all && e.to == i })
}

// pass frees event IDs for reuse. It looks for the last barrier of all pipes before the
// flag p in the text. An event ID becomes free if its last wait is before this barrier.
func (ev *events) pass(p *placed) {
	from, _ := p.life()
	at := int32(-1)
	for len(ev.walls) > 0 && ev.walls[0] <= from {
		at, ev.walls = ev.walls[0], ev.walls[1:]
	}
	if at < 0 {
		return
	}
	for _, us := range ev.used {
		for _, u := range us {
			for b, f := range u.last {
				if _, to := f.life(); to < at {
					delete(u.last, b)
					delete(u.first, b)
				}
			}
		}
	}
}

// wall inserts a barrier of all pipes before the loop or branch that contains the flag p.
// root is the outermost block of the function. The barrier frees all earlier event IDs,
// so that p can receive n of them. If several loops and branches contain p, wall chooses
// the outermost one, because a barrier outside of loops does not run in every iteration.
// It returns false if p is not inside a loop or branch.
func (ev *events) wall(root *blk, p *placed, n int64) bool {
	var around []*blk
	for b := p.b; b != root; b = b.parent {
		around = append(around, b.parent)
	}
	for _, b := range slices.Backward(around) {
		_, at := path(p.b, b, 0)
		if slices.ContainsFunc(b.edges, func(e *edge) bool { return e.all && e.to == at }) {
			continue
		}
		b.edges = append(b.edges, &edge{all: true, allWhy: noneFree, src: p.src, dst: p.dst, from: at, to: at, why: p.why})
		ev.changed = true
		if b == root {
			ev.walls = []int32{b.nodes[at].first}
			ev.pass(p)
			p.ids = ev.pick(p, [2]line{p.src, p.dst}, n)
		}
		return true
	}
	return false
}

// pick returns n consecutive event IDs between the two pipes in pair that are free for
// the flag p, or nil. A ring with n slots needs consecutive IDs, because the program
// computes the ID from the slot number.
func (ev *events) pick(p *placed, pair [2]line, n int64) []int64 {
	if ev.used[pair] == nil {
		ev.used[pair] = make([]event, ev.limit)
	}
	from, to := ev.numbers(pair)
	for at := from; at+n <= to; at++ {
		ok := true
		for i := at; i < at+n && ok; i++ {
			ok = ev.free(p, pair, i)
		}
		if !ok {
			continue
		}
		var ids []int64
		for i := at; i < at+n; i++ {
			ev.used[pair][i].take(p)
			ids = append(ids, i)
		}
		return ids
	}
	return nil
}

// joins gives the hoisted flag p the event of other flags that are hoisted out of the same
// loop, if it finds one. Each of these flags is waited for and then raised again in each round
// of a loop, and the loops run one after the other. So the event is raised whenever one of
// these loops starts, whichever of them ran before it, and a wait in p's loop follows all
// work before the latest raise. The first flag is raised before the outer loop and waited
// for after it; p is not.
func (ev *events) joins(p *placed, pair [2]line) bool {
	if p.home == nil || p.sunk() {
		return false
	}
	from, to := ev.numbers(pair)
	for id := from; id < to && ev.used[pair] != nil; id++ {
		u := &ev.used[pair][id]
		together := len(u.last) > 0
		for b, f := range u.last {
			c := common(b, p.b)
			together = together && f.home == p.home && !f.sunk() && c != b && c != p.b
		}
		if together {
			p.ids = []int64{id}
			u.take(p)
			return true
		}
	}
	return false
}

// numbers returns the range [from, to) of event IDs for flags between the two pipes in
// pair. If the cube core and the vector cores run the same program text, both execute a
// flag between pipes that exist on both. In that case, the flags of each kind of core use
// one half of the IDs; the field ev.after selects the upper half.
func (ev *events) numbers(pair [2]line) (from, to int64) {
	shared := pair[0].Pipe().Unit(ev.target) & pair[1].Pipe().Unit(ev.target)
	switch {
	case !ev.mixed || shared != sem.AnyUnit:
		return 0, ev.limit
	case ev.after:
		return ev.limit / 2, ev.limit
	}
	return 0, ev.limit / 2
}

// take records that the flag of edge p uses the event ID u. The assignment of further
// event IDs reads this record: flags of the same pipes must not use one event ID at the
// same time.
func (u *event) take(p *placed) {
	if u.first == nil { // most event IDs are never used
		u.first, u.last = map[*blk]*placed{}, map[*blk]*placed{}
	}
	if u.first[p.b] == nil {
		u.first[p.b] = p
	}
	u.last[p.b] = p
}

// free reports whether the flag p can use event number id between the two pipes in the
// parameter pair. A flag is identified only by its pipes and its event number. Therefore
// free returns false if a wait could confuse p with another flag to which this number has
// been assigned.
func (ev *events) free(p *placed, pair [2]line, id int64) bool {
	from, to := p.life()
	for _, t := range ev.taken {
		if (t.every || t.pair == pair && t.from <= id && id < t.from+t.count) && from <= t.pos && t.pos <= to {
			return false
		}
	}
	u := ev.used[pair][id]
	for b, f := range u.last {
		if exclusive(f.around(), p.around()) {
			if !ev.overInRounds(f, u.first[b], p) {
				return false
			}
			continue
		}
		if lo, hi := f.life(); lo <= to && from <= hi {
			return false
		}
		if !ev.over(f, p) {
			return false
		}
		if l := commonLoop(f.around(), p.around()); l != nil && !ev.overInNext(p, u.first[b], l) {
			return false
		}
	}
	return true
}

// exclusive reports whether a and b are in different regions of one branch, so that an
// execution of the branch runs only one of them.
func exclusive(a, b *blk) bool {
	c := common(a, b)
	if a == c || b == c {
		return false
	}
	_, at := path(a, c, 0)
	if _, other := path(b, c, 0); at != other {
		return false
	}
	kind := c.nodes[at].op.Def().Sem
	return kind == scf.TwoWay || kind == scf.ManyWay
}

// overInRounds compares flags of a block, of which first is the first one and last the last
// one, with the flag p in another region of the same branch. It reports whether the rounds of
// the loops around the branch may execute these regions in any order: the wait of each flag
// is complete before the next round raises the other one.
func (ev *events) overInRounds(last, first, p *placed) bool {
	for c := common(last.around(), p.around()); c != nil; c = c.parent {
		if c.loop != nil && !(ev.overInNext(last, p, c) && ev.overInNext(p, first, c)) {
			return false
		}
	}
	return true
}

// path describes where the block b is inside the block top. The list chain contains the
// IDs of b and of the blocks around it, up to but excluding top. The result at is the
// index of the node (instruction, loop or branch) of top that contains b. If b is top,
// the caller passes this index as the parameter node, and path returns it unchanged.
func path(b, top *blk, node int) (chain []int32, at int) {
	for b != top {
		chain = append(chain, b.id)
		node, b = b.at, b.parent
	}
	return chain, node
}

// depth returns the number of blocks around b.
func (b *blk) depth() (n int) {
	for b = b.parent; b != nil; b = b.parent {
		n++
	}
	return n
}

// common returns the innermost block that contains both a and b.
func common(a, b *blk) *blk {
	up := func(b *blk, n int) *blk {
		for ; n > 0; n-- {
			b = b.parent
		}
		return b
	}
	x, y := a.depth(), b.depth()
	a, b = up(a, x-y), up(b, y-x)
	for a != b {
		a, b = a.parent, b.parent
	}
	return a
}

// commonLoop returns the innermost loop body that contains both blocks, or nil.
func commonLoop(a, b *blk) *blk {
	c := common(a, b)
	for c != nil && c.loop == nil && !c.walled {
		c = c.parent
	}
	return c
}

// over compares the flag f with the flag p, whose raise is later in the text. It reports
// whether each wait for f is certainly complete before p is raised.
func (ev *events) over(f, p *placed) bool {
	return ev.raisedAfter(f, p, common(f.around(), p.around()), 0, 0)
}

// overInNext reports whether the wait for flag f is certain to be complete before the
// flag p is raised in the next iteration of loop l. This is certain if each iteration of
// the loop begins with a barrier. If not, overInNext compares the last two simulated
// iterations. They represent any two successive iterations, except those at the start of
// the loop.
func (ev *events) overInNext(f, p *placed, l *blk) bool {
	if l.walled || l.loop == nil {
		return true // each round begins after a barrier
	}
	last := l.run.copies - 1
	return ev.raisedAfter(f, p, l, last-1, last)
}

// raisedAfter reports whether the wait for flag f in iteration roundF is provably
// complete before flag p is raised in iteration roundP. These are iterations of the block
// c, which contains both flags.
func (ev *events) raisedAfter(f, p *placed, c *blk, roundF, roundP int32) bool {
	chain, _ := path(f.b, c, f.to)
	pos := f.b.nodes[f.to].lastOf[f.dst]
	if f.dist > 0 { // the last wait stands after the loop
		chain, pos = nil, f.around().last+1
	}
	covers := func(k *know) bool { return k.covers(f.dst, pos, roundF*c.run.span(), roundF, chain) }
	if p.b == c && p.dist == 0 {
		return covers(c.run.snap(roundP, p.from, p.src))
	}
	_, at := path(p.around(), c, 0)
	if p.around() == c { // carried by the loop that c is the body of: raised before it
		return false
	}
	if covers(&c.run.enter(roundP, at)[p.src]) {
		return true
	}
	if p.dist > 0 {
		return false
	}
	// It may also have waited for that pipe since its own block began, or for one
	// that had waited for it before that.
	for b := p.b; b != c; b = b.parent {
		_, in := path(p.b, b, p.from)
		known := b.run.snap(0, in, p.src)
		if b != p.b {
			known = &b.run.enter(0, in)[p.src]
		}
		if ev.a.told(known.hoists, c, f.dst, pos, chain) {
			return true
		}
		for q, upTo := range known.at {
			if upTo >= b.first-1 && (line(q) == f.dst || covers(&c.run.enter(roundP, at)[q])) {
				return true
			}
		}
	}
	return false
}

// repeatable ensures that the flag p can be raised in every iteration of each loop that
// contains it. A flag must not be raised again before the wait of the previous iteration
// is complete. If existing synchronization ensures this order, repeatable changes nothing
// and returns true. If not, it first tries to use several events in turn. If this is not
// sufficient, it changes the required orders (edges): for example, it adds an edge that
// makes the raising pipe wait for the waiting pipe. It then returns false, and the caller
// must repeat the analysis.
func (ev *events) repeatable(p *placed) bool {
	for l := p.b; l != nil; l = l.parent {
		if l == p.b && p.sunk() {
			if !ev.knowsWait(p, l) {
				p.stop(again)
				return false
			}
			continue
		}
		if l.loop == nil || p.home != nil && l != p.b && l.first >= p.home.first || ev.knowsWait(p, l) {
			continue
		}
		if l == p.b && p.slots == 0 && p.home == nil {
			if r := ringOf(p); r != nil {
				one := *p.edge
				p.takeTurns(r, p.b.loop)
				if ev.knowsWait(p, l) {
					continue
				}
				*p.edge = one
			}
		}
		if l != p.b && ev.hoist(p, l) || l == p.b && ev.sink(p) {
			return false
		}
		_, from := path(p.b, l, p.from)
		_, to := path(p.b, l, p.to)
		back := &edge{src: p.dst, dst: p.src, from: to, to: from, dist: 1, why: p.why}
		if l == p.b && p.dist > 0 {
			back.dist = 0
		}
		switch {
		case ev.giveUp: // the order of the next round would need an event, too
			p.stop(noneFree)
		case slices.ContainsFunc(l.edges, back.same) || back.dist == 0 && to >= from:
			p.stop(again)
		default:
			l.edges = append(l.edges, back)
		}
		return false
	}
	return true
}

// knowsWait examines the flag p, which is raised in each iteration of loop l. The
// hardware has only one flag per event: it must not be raised again before the previous
// wait for the same event is complete. knowsWait reports whether existing synchronization
// ensures this order when the pipe raises the flag in the next iteration.
func (ev *events) knowsWait(p *placed, l *blk) bool {
	if l != p.b || p.dist == 0 && p.slots == 0 {
		return ev.overInNext(p, p, l)
	}
	last := l.run.copies - 1
	waited := last // the round of the last wait for the same event
	if p.slots > 0 {
		waited += p.dist - int32(p.slots)
	}
	if waited < 0 || waited == last && p.to > p.from {
		return false
	}
	k := l.run.snap(last, p.from, p.src)
	return k.covers(p.dst, l.nodes[p.to].lastOf[p.dst], waited*l.run.span(), waited, nil)
}

// takeTurns assigns several events to the edge e, an ordering that requires
// synchronization: one event for each slot of the ring buffer r. l is the loop that uses
// the slots in rotation. The number of the slot that an iteration uses selects the event.
// If e orders an iteration before a later one, both the raise and the wait use the slot
// number of the later iteration, which waits.
func (e *edge) takeTurns(r *ring, l *loop) {
	e.slots, e.fromSlot, e.toSlot = r.count, r, r
	if e.dist > 0 {
		later := *r
		later.value = nil
		step := l.step
		if r.rounds != nil {
			step = 1
		}
		later.index = r.index.plus(number(r.index.factor(l.iv)*step*int64(e.dist)), 1)
		e.fromSlot = &later
	}
}

// same reports whether two edges order the same two instructions in the same iterations.
func (e *edge) same(o *edge) bool {
	return e.src == o.src && e.dst == o.dst && e.from == o.from && e.to == o.to && e.dist == o.dist && !o.all
}

// ringOf returns a ring buffer (a buffer with several slots) that an instruction of the
// edge p accesses. The number of the accessed slot must change with each iteration of the
// loop that contains the edge. A flag with one event per slot can then distinguish
// iterations. ringOf returns nil if there is no such ring buffer.
func ringOf(p *placed) *ring {
	for _, n := range []int{p.from, p.to} {
		for _, x := range p.b.nodes[n].touches {
			if r := x.ring; r != nil && r.index.ok && r.index.factor(p.b.loop.iv) != 0 && (p.b.loop.step != 0 || r.rounds == p.b.loop.op) {
				return r
			}
		}
	}
	return nil
}

// merge looks for an existing edge that can replace the edge p; both are between the
// pipes in pair. For an edge, the first pipe raises a flag after one of its instructions,
// and the second pipe waits for this flag before one of its instructions. The existing
// edge must raise its flag no later than p. It must wait after the position at which p
// raises its flag, but no later than p waits. If there is such an edge, merge removes p
// and moves the raise of the existing edge to the position at which p raised its flag. It
// reports whether it found such an edge.
func (ev *events) merge(p *placed, pair [2]line) bool {
	if p.dist > 0 || p.slots > 0 {
		return false
	}
	for _, u := range ev.used[pair] {
		f := u.last[p.b]
		if f == nil || f.dist > 0 || f.slots > 0 || f.from > p.from || f.to <= p.from || f.to > p.to {
			continue
		}
		f.from = p.from
		p.b.edges = slices.DeleteFunc(p.b.edges, func(e *edge) bool { return e == p.edge })
		return true
	}
	return false
}
