// This file follows loops: it checks that a state at the loop head holds in every round.

package syncproof

import (
	"fmt"
	"slices"

	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/term"
)

const (
	// mostRounds limits the number of a round. A loop that counts to more never ends in
	// practice, so the proof may assume that it does not get there.
	mostRounds = 1 << 40
	// mostAge is the largest age of executions that the proof distinguishes.
	mostAge = 16
	// mostNodes limits the states at the head of one loop.
	mostNodes = 64
	// mostConstants limits the rounds in which a carried value is followed as a constant.
	mostConstants = 17
)

// loop is a loop in a context of calls. Cores that run side by side share it if they enter
// it together.
type loop struct {
	id     int32
	parent int32
	op     *ir.Op
	// deep means that a loop in the loop has loops itself.
	deep bool
}

// bounds are the bounds of a counted loop.
type bounds struct{ lo, hi, step term.Term }

type loopKey struct {
	thread int
	ctx    int32
	op     *ir.Op
}

// nodeKey identifies a state at a loop head: the node of the loop around it, and a text
// for the round, the constants that the loop carries and what is pending.
type nodeKey struct {
	parent *node
	loop   int32
	text   string
}

// node is an invariant: whenever execution reaches the loop head in a situation that fits
// the key, the state holds.
type node struct {
	nodeKey
	s *state
	// k is the number of the round. left is the number of rounds that remain, up to the
	// number that the plan distinguishes, or -1 if it is not tracked.
	k       term.Term
	round   int64 // k, if the node is for a single round, or -1
	phase   int64 // k modulo the period of the plan
	left    int64
	carried [][]meaning
	queued  bool
}

// mode is how the proof represents a value that a loop carries.
type mode uint8

const (
	// byStep is the initial value plus a constant for each round. It is tried first.
	byStep mode = iota
	// byConstant follows constants; nodes with different constants are apart.
	byConstant
	// byName is an unknown value in each round.
	byName
)

// plan determines how the rounds of a loop are divided into nodes.
type plan struct {
	// first rounds and last rounds are nodes of their own, and the others are divided by
	// their number modulo period.
	first, last, period int64
	modes               [][]mode
	// steps are the steps of values in mode byStep.
	steps [][]stride
	// demands are conditions and event IDs that depend on the number of the round.
	demands []term.Term
	periods []term.Term
	tried   bool
}

// stride is the step of a carried value: a term, or a distance for memory.
type stride struct {
	known    bool
	term     term.Term
	distance Distance
}

// loopOf returns the loop at cursor c.
func (x *prover) loopOf(c *cursor) *loop { return x.loopAt(c, c.op()) }

// loopAt returns the loop op, which cursor c is about to enter or has entered.
func (x *prover) loopAt(c *cursor, op *ir.Op) *loop {
	k := loopKey{c.th.n, c.ctx, op}
	l := x.loops[k]
	if l == nil {
		l = &loop{id: int32(len(x.loops) + 1), parent: c.loop(), op: op, deep: nesting(op, 2) >= 2}
		x.loops[k] = l
		x.byID = append(x.byID, l)
	}
	return l
}

// within reports whether a loop is l or inside of l. A loop has a larger id than the loops
// around it.
func (x *prover) within(inner, l int32) bool {
	for inner > l {
		inner = x.byID[inner-1].parent
	}
	return inner == l
}

// rounds is the state of following one loop from one entry.
type rounds struct {
	*prover
	cs   []cursor
	l    *loop
	plan *plan
	kind scf.Control
	// lo, step and hi are the bounds of a counted loop, for each core.
	lo, hi, step []term.Term
	init         [][]meaning
	parent       *node
	work         []*node
	entered      map[*node]bool
	visited      map[*node]bool
	outs         []outcome
	nodes        int
	// together means that the rounds are repeated together with those of the outermost loop.
	// If each loop of a deep nest repeated its own, the innermost one would be followed as
	// often as the square of the depth.
	together bool
}

// loop follows a loop that the cores at the cursors execute side by side.
func (x *prover) loop(cs []cursor, s *state, kind scf.Control) []outcome {
	r := &rounds{prover: x, cs: cs, l: x.loopOf(&cs[0]), kind: kind, entered: map[*node]bool{}, visited: map[*node]bool{}}
	if n := len(cs[0].frames); n > 0 {
		r.parent = cs[0].frames[n-1].node
	}
	for i := range cs {
		op := cs[i].op()
		for _, reg := range op.Regions() {
			if reg.Empty() || reg.Entry() != reg.Last() {
				x.fail(op, "blocks", "the proof does not analyze loops with several basic blocks")
				return nil
			}
		}
		inits := op.Operands()
		if kind == scf.CountedLoop {
			lo, hi, step := x.value(cs[i].th, op.Arg("lowerBound")), x.value(cs[i].th, op.Arg("upperBound")), x.value(cs[i].th, op.Arg("step"))
			r.lo, r.hi, r.step = append(r.lo, lo), append(r.hi, hi), append(r.step, step)
			x.bounds[r.l.id] = bounds{lo, hi, step}
			inits = op.Args("initArgs")
			s.assume(x.pool.Slt(x.pool.Const(step.Width(), 0), step)) // the launch fails otherwise
		}
		var list []meaning
		for _, v := range inits {
			list = append(list, x.meaning(cs[i].th, v))
		}
		r.init = append(r.init, list)
	}
	r.plan = x.planOf(r.l.id, r.init)
	r.together = r.parent != nil && r.l.deep
	for _, left := range r.lefts(nil) {
		t := s.clone()
		r.arrive(t, nil, r.init, 0, left)
	}
	for len(r.work) > 0 && !x.stopped {
		n := r.work[0]
		r.work = r.work[1:]
		n.queued = false
		if r.parent == nil {
			x.unsettled = false
		}
		r.visit(n)
		if r.nodes > mostNodes {
			x.fail(r.l.op, "nodes", "the proof distinguishes more than %d states at the head of this loop", mostNodes)
			return nil
		}
		if r.parent == nil && x.unsettled {
			r.queue(n)
		}
	}
	return x.merged(r.outs)
}

// nesting returns how many loops in each other the regions of op contain, at most the number
// enough.
func nesting(op *ir.Op, enough int) (depth int) {
	for _, reg := range op.Regions() {
		for b := range reg.Blocks() {
			for in := range b.Ops() {
				n := nesting(in, enough)
				if in.HasTrait(ir.LoopLike) {
					n++
				}
				if depth = max(depth, n); depth >= enough {
					return enough
				}
			}
		}
	}
	return depth
}

// planOf returns the plan of a loop.
func (x *prover) planOf(id int32, init [][]meaning) *plan {
	p := x.plans[id]
	if p == nil {
		p = &plan{period: 1}
		if x.peeled {
			p.first = 1
		}
		for _, list := range init {
			p.modes = append(p.modes, make([]mode, len(list)))
			p.steps = append(p.steps, make([]stride, len(list)))
		}
		x.plans[id] = p
	}
	return p
}

// lefts returns the possible numbers of remaining rounds for the successor of n: exact
// numbers up to plan.last, and plan.last+1 for more. Without last rounds it is -1.
func (r *rounds) lefts(n *node) []int64 {
	last := r.plan.last
	switch {
	case last == 0 || r.kind != scf.CountedLoop:
		return []int64{-1}
	case n == nil:
		var all []int64
		for k := range last + 2 {
			all = append(all, k)
		}
		return all
	case n.left > last:
		return []int64{last, last + 1}
	}
	return []int64{n.left - 1}
}

// counter returns the value of the counter of core i in round k.
func (r *rounds) counter(i int, k term.Term) term.Term {
	p := r.pool
	lo, step := r.lo[i], r.step[i]
	return p.Add(lo, p.Mul(step, p.Resize(k, lo.Width(), false)))
}

// roundFacts returns what holds for the counters in the round of node n: they have not
// wrapped, and as many rounds remain as the node says.
func (r *rounds) roundFacts(n *node) (facts []term.Term) {
	p := r.pool
	if n.round < 0 && r.plan.first > 0 {
		facts = append(facts, p.Ule(p.Const(64, r.plan.first), n.k))
	}
	if r.kind != scf.CountedLoop {
		return facts
	}
	for i := range r.cs {
		lo, step := term.Signed(r.lo[i]), r.step[i]
		iv := r.counter(i, n.k)
		if c, ok := step.ConstSigned(); ok && iv != r.lo[i] {
			facts = append(facts, p.Same(term.Signed(iv), lo.Add(term.Unsigned(n.k).Scale(c))))
		} else if iv != r.lo[i] {
			facts = append(facts, p.Sle(r.lo[i], iv))
		}
		if n.left < 0 {
			continue
		}
		c, ok := step.ConstSigned()
		if !ok {
			continue
		}
		hi := term.Signed(r.hi[i])
		at := func(k int64) term.Linear { return term.Signed(iv).AddConst(c * k) }
		if n.left > 0 { // round left-1 from here still runs
			facts = append(facts, p.Lt(at(n.left-1), hi))
		}
		if n.left <= r.plan.last {
			facts = append(facts, p.Le(hi, at(n.left)))
		}
	}
	return facts
}

// arrive leads the state s, in which the loop carries vals, to the node for round k. The
// node from is the one whose round has ended, or nil at the entry of the loop.
func (r *rounds) arrive(s *state, from *node, vals [][]meaning, phase, left int64) {
	p := r.plan
	n := &node{round: -1, phase: phase, left: left}
	switch {
	case from == nil && p.first > 0:
		n.round = 0
	case from != nil && from.round >= 0 && from.round+1 < p.first:
		n.round = from.round + 1
	case from != nil && from.round >= 0:
		n.phase = p.first % p.period
	}
	if n.round >= 0 {
		n.k = r.pool.Const(64, n.round)
	} else {
		q := r.freshIn(varKey{-1, 0, r.l, "k"}, 64, r.l.id, 0, mostRounds/p.period)
		n.k = r.pool.AddConst(r.pool.MulConst(q, p.period), n.phase)
	}
	s.facts = r.outer(s.facts)
	for v, ids := range s.arrays {
		s.arrays[v] = r.outerTerms(ids)
	}
	fits := true
	key := fmt.Sprintf("%d/%d/%d %s", n.round, n.phase, n.left, s.signature())
	for i, list := range vals {
		var named []meaning
		for j, m := range list {
			v, text, ok := r.abstract(n, from, i, j, m, s)
			named, key, fits = append(named, v), key+text, fits && ok
		}
		n.carried = append(n.carried, named)
	}
	if !fits {
		return // the plan has changed, and another pass will follow
	}
	if r.apart {
		key += factsKey(s.facts)
	}
	n.nodeKey = nodeKey{r.parent, r.l.id, key}
	old := r.prover.nodes[n.nodeKey]
	switch {
	case old == nil && r.checking:
		r.fail(r.l.op, "invariant", "the certificate has no invariant for a state that reaches the head of this loop")
		return
	case old == nil:
		n.s = s
		r.prover.nodes[n.nodeKey] = n
		r.changed = true
		r.nodes++
		r.queue(n)
		return
	case r.checking:
		if !old.s.weaker(s) {
			r.fail(r.l.op, "invariant", "an invariant of the certificate does not hold at the head of this loop")
			return
		}
	default:
		if old.s.meet(s) {
			r.changed = true
			switch {
			case !r.visited[old]:
			case r.together:
				r.unsettled = true
			default:
				r.queue(old)
			}
		}
	}
	if !r.entered[old] {
		r.queue(old)
	}
}

// outer returns the facts that do not depend on a round of the loop.
func (r *rounds) outer(facts []term.Term) []term.Term {
	var out []term.Term
	for _, f := range facts {
		if !r.varies(f) {
			out = append(out, f)
		}
	}
	return out
}

// outerTerms replaces terms that depend on a round of the loop by unknowns.
func (r *rounds) outerTerms(ids []term.Term) []term.Term {
	out := slices.Clone(ids)
	for i, t := range out {
		if !t.IsZero() && r.varies(t) {
			out[i] = term.Term{}
		}
	}
	return out
}

// replan drops the nodes of the loop, because its plan has changed, and ends the pass.
func (x *prover) replan() { x.stopped, x.changed, x.replanned = true, true, true }

// queue adds a node to the work list.
func (r *rounds) queue(n *node) {
	r.entered[n] = true
	if !n.queued {
		n.queued = true
		r.work = append(r.work, n)
	}
}

// visit follows one round from the state of node n, and the end of the loop.
func (r *rounds) visit(n *node) {
	r.visited[n] = true
	facts := r.roundFacts(n)
	s := n.given(facts...)
	if !r.possible(s.facts...) {
		return
	}
	cs := slices.Clone(r.cs)
	for i := range cs {
		cs[i].frames = append(slices.Clip(cs[i].frames), frame{r.l.id, n, n.k})
	}
	if r.kind == scf.ConditionalLoop {
		s.age(r.l.id, mostAge)
		r.conditional(n, cs, s)
		return
	}
	p := r.pool
	goesOn := p.Slt(r.counter(0, n.k), r.hi[0])
	if n.left != 0 {
		s.assume(goesOn)
		if r.possible(s.facts...) {
			r.body(n, cs, s)
		}
	}
	if n.left > 0 || r.stopped {
		return
	}
	// The state of n now has what the round has left incomplete. So the loops around this
	// one see it after the first visit.
	if s = n.given(append(facts, p.Not(goesOn))...); r.possible(s.facts...) {
		r.leave(n, s, n.carried)
	}
}

// given returns a copy of the state of n in which further facts hold.
func (n *node) given(facts ...term.Term) *state {
	s := n.s.clone()
	for _, f := range facts {
		s.assume(f)
	}
	return s
}

// body follows the body of a counted loop from the state s of node n.
func (r *rounds) body(n *node, cs []cursor, s *state) {
	s.age(r.l.id, mostAge)
	for i := range cs {
		args := cs[i].op().Region(0).Entry().Args()
		r.bind(&cs[i], args[0], meaning{term: r.counter(i, n.k)})
		for j, v := range args[1:] {
			r.bind(&cs[i], v, n.carried[i][j])
		}
	}
	for _, o := range r.regions(cs, make([]int, len(cs)), s) {
		r.back(n, o)
	}
}

// back leads an outcome of the round of node n to the next loop head.
func (r *rounds) back(n *node, o outcome) {
	if r.stopped {
		return
	}
	phase := (n.phase + 1) % r.plan.period
	lefts := r.lefts(n)
	for i, left := range lefts {
		s := o.s
		if i < len(lefts)-1 {
			s = s.clone()
		}
		r.arrive(s, n, o.vals, phase, left)
	}
}

// conditional follows one round of a while loop.
func (r *rounds) conditional(n *node, cs []cursor, s *state) {
	for i := range cs {
		for j, v := range cs[i].op().Region(0).Entry().Args() {
			r.bind(&cs[i], v, n.carried[i][j])
		}
	}
	for _, o := range r.regions(cs, make([]int, len(cs)), s) {
		r.decide(n, cs, o)
	}
}

// decide splits an outcome of the condition of a while loop. Cores that run the loop side
// by side either all execute another round, or all leave it.
func (r *rounds) decide(n *node, cs []cursor, o outcome) {
	stay, leave := o.s.clone(), o.s
	vals := make([][]meaning, len(cs))
	for i := range cs {
		cond := o.vals[i][0].term
		vals[i] = o.vals[i][1:]
		stay.assume(cond)
		leave.assume(r.pool.Not(cond))
		if i > 0 && r.possible(append(slices.Clip(o.s.facts), r.pool.Ne(cond, o.vals[0][0].term))...) {
			r.fail(r.l.op, "meet", "the conditions of this loop may differ between cores")
			return
		}
	}
	if r.possible(leave.facts...) {
		r.leave(n, leave, vals)
	}
	if !r.possible(stay.facts...) {
		return
	}
	which := make([]int, len(cs))
	for i := range cs {
		which[i] = 1
		for j, v := range cs[i].op().Region(1).Entry().Args() {
			r.bind(&cs[i], v, vals[i][j])
		}
	}
	for _, b := range r.regions(cs, which, stay) {
		r.back(n, b)
	}
}

// leave adds an outcome of the loop: its results are vals.
func (r *rounds) leave(n *node, s *state, vals [][]meaning) {
	out := make([][]meaning, len(vals))
	for i, list := range vals {
		out[i] = slices.Clone(list)
		for j, m := range list {
			if !m.term.IsZero() && r.varies(m.term) {
				out[i][j] = meaning{}
			}
			if m.places != nil && slices.ContainsFunc(m.places.Terms(), r.varies) {
				out[i][j] = meaning{places: r.cs[i].th.memory.Anywhere(m.places)}
			}
		}
	}
	s.facts = r.outer(s.facts)
	for v, ids := range s.arrays {
		s.arrays[v] = r.outerTerms(ids)
	}
	for i := range r.cs {
		r.end(&r.cs[i], r.cs[i].op(), r.l.id, s)
	}
	r.outs = append(r.outs, outcome{s, out})
}

// end records that core c has left the loop op.
func (x *prover) end(c *cursor, op *ir.Op, loop int32, s *state) {
	if c.loop() == outside {
		s.fold(func(l int32) bool { return x.within(l, loop) }, c.th.n, x.groupAt(c), x.position(op))
	}
}
