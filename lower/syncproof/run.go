// This file follows the control flow of the cores.

package syncproof

import (
	"fmt"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/term"
)

// body is a basic block as one core executes it: sections for this core are part of it,
// and those for other cores are left out.
type body struct {
	ops []*ir.Op
	end *ir.Op
}

// bodyOf returns the body for a block that a core executes in the context of calls ctx.
func (x *prover) bodyOf(t *thread, ctx int32, b *ir.Block) *body {
	k := bodyKey{t.n, ctx, b}
	if y := x.bodies[k]; y != nil {
		return y
	}
	y := &body{}
	x.bodies[k] = y
	x.flatten(t, y, b)
	return y
}

// flatten adds the operations of a block that core t executes.
func (x *prover) flatten(t *thread, y *body, b *ir.Block) {
	for op := range b.Ops() {
		switch s, scope := op.Def().Sem.(sem.Scope); {
		case op.HasTrait(ir.Terminator):
			if b.Parent() == op.Parent() {
				y.end = op
			}
		case !x.Runs(t.n, op):
		case scope && s.Kind.Inline() && op.NumResults() == 0 && len(op.Regions()) == 1:
			if r := op.Region(0); !r.Empty() {
				end := y.end
				x.flatten(t, y, r.Entry())
				y.end = end
			}
		default:
			y.ops = append(y.ops, op)
		}
	}
}

// cursor is the position of a core.
type cursor struct {
	th   *thread
	body *body
	at   int
	ctx  int32
	// frames are the rounds of the loops around the position, outermost first.
	frames []frame
	// up are the loops and branches that the core has entered without the others, outermost
	// first.
	up []level
}

// frame is a round of a loop. The term k is the number of the round.
type frame struct {
	loop int32
	node *node
	k    term.Term
}

// loop returns the innermost loop around the cursor.
func (c *cursor) loop() int32 {
	if n := len(c.frames); n > 0 {
		return c.frames[n-1].loop
	}
	return outside
}

// op returns the next operation, or nil at the end of the block.
func (c *cursor) op() *ir.Op {
	if c.at == len(c.body.ops) {
		return nil
	}
	return c.body.ops[c.at]
}

// outcome is a state after the cores have executed a region, with the meanings of the
// operands of the terminators.
type outcome struct {
	s    *state
	vals [][]meaning
}

// run follows the cores from the cursors cs to the ends of their blocks. It owns the state
// s. A core runs until it waits for another one, or reaches a loop or branch in which
// cores meet; such loops and branches the cores enter together.
func (x *prover) run(cs []cursor, s *state) []outcome {
	cs = slices.Clone(cs)
	for {
		moved, ended := false, 0
		for i := range cs {
			c := &cs[i]
			for {
				op := c.op()
				if op == nil {
					if len(c.up) > 0 {
						x.ended(c, s)
						moved = true
						continue
					}
					ended++
					break
				}
				if x.steps++; x.steps > mostSteps || x.stopped {
					x.giveUp(op)
					return nil
				}
				if structured(op) {
					if len(cs) > 1 && (x.Twins && !pto.IsVectorFunction(op) || x.meets(op)) {
						if op.Def().Sem == scf.TwoWay && x.unroll(c, s) {
							moved = true
							continue
						}
						break
					}
					outs := x.enter([]cursor{*c}, s)
					if len(outs) != 1 {
						return x.each(cs, []int{i}, outs)
					}
					s = outs[0].s
					x.bindResults(c, op, outs[0].vals[0])
				} else {
					if !x.ready(c, op, s) {
						break
					}
					if !x.simple(c, op, s) {
						return nil
					}
				}
				c.at++
				moved = true
				if x.Twins { // the vector cores execute each instruction one after the other
					break
				}
			}
		}
		switch {
		case ended == len(cs):
			return []outcome{{s, x.endings(cs)}}
		case moved:
			continue
		}
		together := x.together(cs)
		if together == nil {
			return nil
		}
		if len(together) < waiting(cs) && x.unroll(&cs[together[0]], s) {
			continue
		}
		sub := make([]cursor, len(together))
		for k, i := range together {
			sub[k] = cs[i]
		}
		outs := x.enter(sub, s)
		if len(outs) != 1 {
			return x.each(cs, together, outs)
		}
		s = outs[0].s
		for k, i := range together {
			x.bindResults(&cs[i], cs[i].op(), outs[0].vals[k])
			cs[i].at++
		}
	}
}

// giveUp ends the pass.
func (x *prover) giveUp(op *ir.Op) {
	if !x.stopped {
		x.stopped = true
		x.fail(op, "steps", "the proof stopped after %d operations, its limit", mostSteps)
	}
}

// each continues with every outcome of the operations at the cursors that the list which
// selects.
func (x *prover) each(cs []cursor, which []int, outs []outcome) []outcome {
	var all []outcome
	for i := range cs {
		// A second path would see the values of later rounds.
		if at := slices.IndexFunc(cs[i].up, func(l level) bool { return l.rounds > 0 }); at >= 0 && len(outs) > 1 {
			x.fail(cs[i].up[at].body.ops[cs[i].up[at].at], "unroll", "the proof cannot follow several paths through this operation, because other cores are elsewhere")
			return nil
		}
	}
	for _, o := range outs {
		next := slices.Clone(cs)
		for k, i := range which {
			x.bindResults(&next[i], next[i].op(), o.vals[k])
			next[i].at++
		}
		all = append(all, x.run(next, o.s)...)
	}
	return x.merged(all)
}

// endings returns the meanings of the operands of the terminators.
func (x *prover) endings(cs []cursor) [][]meaning {
	vals := make([][]meaning, len(cs))
	for i := range cs {
		if end := cs[i].body.end; end != nil {
			for _, v := range end.Operands() {
				vals[i] = append(vals[i], x.meaning(cs[i].th, v))
			}
		}
	}
	return vals
}

// bindResults gives the results of op the meanings vals.
func (x *prover) bindResults(c *cursor, op *ir.Op, vals []meaning) {
	for i, v := range op.Results() {
		var m meaning
		if i < len(vals) {
			m = vals[i]
		}
		x.bind(c, v, m)
	}
}

// structured reports whether op has regions that the proof follows, or calls a function.
func structured(op *ir.Op) bool {
	if len(op.Regions()) > 0 {
		return true
	}
	return op.Is(fn.Call) && calleeOf(op) != nil
}

// calleeOf returns the function that op calls, if its body is known and the proof follows
// it. Work items of a SIMT launch count as one instruction.
func calleeOf(op *ir.Op) *ir.Op {
	if f := ptoanalysis.CalleeOf(op); f != nil && fn.Body(f) != nil && !pto.IsSimtEntry(f) {
		return f
	}
	return nil
}

// meets reports whether op contains operations through which cores wait for each other.
func (x *prover) meets(op *ir.Op) bool {
	for o := range op.Walk() {
		switch o.Def().Sem.(type) {
		case sem.CrossSet, sem.CrossWait:
			return true
		}
		if sem.QueueEntryOf(o).Act != 0 {
			return true
		}
		if f := calleeOf(o); f != nil && o.Is(fn.Call) && x.meets(f) {
			return true
		}
	}
	return false
}

// together selects the cursors that enter a loop or branch together: those whose next
// operation is of the same kind as that of the first one at such an operation. It returns
// nil if no core can continue.
func (x *prover) together(cs []cursor) []int {
	var list []int
	for i := range cs {
		op := cs[i].op()
		if op == nil || !structured(op) {
			continue
		}
		if len(list) == 0 || x.alike(&cs[list[0]], &cs[i]) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		for i := range cs {
			if op := cs[i].op(); op != nil {
				x.fail(op, "meet", "'%s' waits for another core that itself waits, so the proof does not continue", op.Name())
				break
			}
		}
	}
	return list
}

// waiting returns the number of cursors that have not reached the end of their block.
func waiting(cs []cursor) int {
	n := 0
	for i := range cs {
		if cs[i].op() != nil {
			n++
		}
	}
	return n
}

// alike reports whether the operations at two cursors can be entered together.
func (x *prover) alike(a, b *cursor) bool {
	p, q := a.op(), b.op()
	if p.Def() != q.Def() {
		return false
	}
	if p.Def().Sem == scf.CountedLoop {
		for _, name := range []string{"lowerBound", "upperBound", "step"} {
			if x.value(a.th, p.Arg(name)) != x.value(b.th, q.Arg(name)) {
				return false
			}
		}
	}
	return true
}

// enter follows the operations with regions at the cursors, which the cores execute side
// by side.
func (x *prover) enter(cs []cursor, s *state) []outcome {
	op := cs[0].op()
	if op.Is(fn.Call) {
		return x.call(cs, s)
	}
	switch kind := op.Def().Sem.(type) {
	case scf.Control:
		switch kind {
		case scf.CountedLoop, scf.ConditionalLoop:
			return x.loop(cs, s, kind)
		case scf.TwoWay, scf.ManyWay, scf.Once:
			return x.choose(cs, nil, s)
		}
	case sem.Scope:
		if kind.Kind == sem.VectorFunction {
			return x.vectorFunction(cs[0], s)
		}
		if kind.Kind.Inline() {
			return x.choose(cs, nil, s)
		}
	}
	x.fail(op, "region", "the proof does not analyze '%s'", op.Name())
	return nil
}

// regions follows one region of each operation at the cursors. A negative index means that
// the operation executes none.
func (x *prover) regions(cs []cursor, which []int, s *state) []outcome {
	inner := make([]cursor, len(cs))
	for i, c := range cs {
		op := c.op()
		inner[i] = c
		inner[i].at, inner[i].body, inner[i].up = 0, &body{}, nil
		if which[i] < 0 || which[i] >= len(op.Regions()) || op.Region(which[i]).Empty() {
			continue
		}
		r := op.Region(which[i])
		if r.Entry() != r.Last() {
			x.fail(op, "blocks", "the proof does not analyze regions with several basic blocks")
			return nil
		}
		inner[i].body = x.bodyOf(c.th, c.ctx, r.Entry())
	}
	return x.run(inner, s)
}

// choose decides for the cursors one after the other which region they execute, and
// follows these regions.
func (x *prover) choose(cs []cursor, which []int, s *state) []outcome {
	if len(which) == len(cs) {
		return x.regions(cs, which, s)
	}
	c := &cs[len(which)]
	op := c.op()
	var outs []outcome
	try := func(region int, fact term.Term) {
		if fact.IsFalse() {
			return
		}
		t := s.clone()
		if !fact.IsTrue() {
			t.assume(fact)
			if !x.possible(t.facts...) {
				return
			}
		}
		outs = append(outs, x.choose(cs, append(slices.Clip(which), region), t)...)
	}
	yes := x.pool.Bool(true)
	switch op.Def().Sem {
	case scf.TwoWay:
		cond := x.value(c.th, op.Operand(0))
		x.demand(c, cond)
		try(0, cond)
		try(1, x.pool.Not(cond))
	case scf.ManyWay:
		sel := x.value(c.th, op.Operand(0))
		x.demand(c, sel)
		other := yes
		for i, n := range scf.Cases(op) {
			is := x.pool.Eq(sel, x.pool.Const(sel.Width(), n))
			try(1+i, is)
			other = x.pool.All(other, x.pool.Not(is))
		}
		try(0, other)
	default:
		try(0, yes)
	}
	return x.merged(outs)
}

// mostOutcomes limits the states that the proof keeps apart after a branch.
const mostOutcomes = 32

// merged combines outcomes that need not stay apart. Those with different signatures
// always do. Without x.apart, all others are combined.
func (x *prover) merged(outs []outcome) []outcome {
	if len(outs) < 2 {
		return outs
	}
	apart := x.apart && len(outs) <= mostOutcomes
	var keys []string
	groups := map[string]outcome{}
	for _, o := range outs {
		k := o.s.signature()
		if apart {
			k += factsKey(o.s.facts) + x.valsKey(o.vals)
		}
		g, ok := groups[k]
		if !ok {
			keys = append(keys, k)
			groups[k] = o
			continue
		}
		groups[k] = x.union(g, o)
	}
	all := make([]outcome, len(keys))
	for i, k := range keys {
		all[i] = groups[k]
	}
	return all
}

// valsKey returns a text that identifies meanings.
func (x *prover) valsKey(vals [][]meaning) string {
	t := ""
	for _, list := range vals {
		for _, m := range list {
			if !m.term.IsZero() {
				t += fmt.Sprintf(" %d", m.term.ID())
			} else if m.places != nil {
				t += " " + m.places.Key()
			}
		}
	}
	return t
}

// union combines two outcomes with equal signatures.
func (x *prover) union(a, b outcome) outcome {
	// If one path has a fact whose opposite the other path has, the fact selects values.
	var selector term.Term
	for _, f := range a.s.facts {
		if slices.Contains(b.s.facts, x.pool.Not(f)) {
			selector = f
			break
		}
	}
	vals := make([][]meaning, len(a.vals))
	for i := range a.vals {
		vals[i] = make([]meaning, len(a.vals[i]))
		for j, m := range a.vals[i] {
			n := b.vals[i][j]
			switch {
			case !m.term.IsZero():
				if m.term == n.term {
					vals[i][j].term = m.term
				} else if !selector.IsZero() && !n.term.IsZero() {
					vals[i][j].term = x.pool.Ite(selector, m.term, n.term)
				}
			case m.places != nil && n.places != nil:
				vals[i][j].places = m.places
				if m.places.Key() != n.places.Key() {
					vals[i][j].places = m.places.Union(n.places)
				}
			}
		}
	}
	a.s.meet(b.s)
	return outcome{a.s, vals}
}

// mostCalls is the largest depth of calls that the proof follows.
const mostCalls = 16

// call follows the functions that the cores call.
func (x *prover) call(cs []cursor, s *state) []outcome {
	inner := make([]cursor, len(cs))
	for i, c := range cs {
		op := c.op()
		f := calleeOf(op)
		k := callKey{c.ctx, op}
		ctx, known := x.calls[k]
		if !known {
			ctx = int32(len(x.calls) + 1)
			x.calls[k] = ctx
			x.depth[ctx] = x.depth[c.ctx] + 1
		}
		if x.depth[ctx] > mostCalls {
			x.fail(op, "call", "the proof does not follow calls that are nested deeper than %d", mostCalls)
			return nil
		}
		if r := f.Region(0); r.Entry() != r.Last() {
			x.fail(op, "blocks", "the proof does not analyze functions with several basic blocks")
			return nil
		}
		inner[i] = c
		inner[i].ctx, inner[i].at, inner[i].body, inner[i].up = ctx, 0, x.bodyOf(c.th, ctx, fn.Body(f)), nil
		for j, v := range fn.Body(f).Args() {
			x.bind(&inner[i], v, x.meaning(c.th, op.Operand(j)))
		}
	}
	return x.run(inner, s)
}

// vectorFunction follows a vector function.
func (x *prover) vectorFunction(c cursor, s *state) []outcome {
	op := c.op()
	if op.Region(0).Empty() {
		return []outcome{{s, [][]meaning{nil}}}
	}
	for i, v := range op.Region(0).Entry().Args() {
		if i < op.NumOperands() {
			x.bind(&c, v, x.meaning(c.th, op.Operand(i)))
		}
	}
	for user := range op.Walk() {
		for _, load := range x.readers(user) {
			x.lastUse[load] = user
		}
	}
	s.enter(op, len(c.frames))
	outs := x.regions([]cursor{c}, []int{0}, s)
	for _, o := range outs {
		o.s.scope = nil
	}
	return x.merged(outs)
}
