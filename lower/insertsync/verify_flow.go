// This file simulates the control flow of a path.

package insertsync

import (
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// runner simulates one execution path through a function.
type runner struct {
	*proof
	// t describes the accesses of operations with the values of the current path.
	t *tree
	// static has the accesses of an operation as they are on every path, without the
	// values of the current path.
	static *tree
	rules  *order.Rules
	// x are the values of integers on the path, and way contains the choices that define
	// the path.
	x   *values
	way *way
	// core is the core that executes the current operation, and at is its index in cores.
	core *order.Core
	at   int32 // its number in cores
	// cores has one core, or the cube core and the vector cores if the function is mixed.
	cores []*order.Core
	// channels are the flags that have been used, and held are the buffer tokens that
	// pipes hold.
	channels map[channelKey]*channel
	held     map[holdKey]*ir.Op
	// arrays maps each array of event IDs to its current elements.
	arrays map[*ir.Value][]sum
	// past are the preceding accesses. last is the index in past of accesses that a later
	// equivalent access replaces.
	past map[spaceKey][]*access
	last map[sameAccess]int
	// stores has, for each core and each pipe, the last store to global memory.
	stores [3][order.NumLines]*access
	// counts maps the bounds of a loop, as text, to the trip count that the path has
	// chosen for all loops with these bounds.
	counts map[string]int64
	scope  *vectorScope
	// rounds are the current iterations of the loops around the operation, outermost
	// first.
	rounds []roundAt
	// signals are the latest synchronization operations, to explain findings.
	signals []signal
	// pushed is what was complete at the last push of each echo, and popped the last pop of
	// each question that no push has answered yet.
	pushed map[*echo]*order.Clock
	popped map[*echo]order.Epoch
	// depth is the number of loops and calls around the operation.
	depth int
	seq   int
	// team has the cores that the runner follows if these execute two kernels together, and
	// me the current one of them.
	team *team
	me   *member
	// stopped ends the path, for example after an error or at the step limit.
	stopped bool
}

// roundAt is a loop that contains the current operation of the path, with the number of
// its iteration.
type roundAt struct {
	op    *ir.Op
	round int64
	// last means that the simulation skips some iterations after this one.
	last bool
}

// function simulates all operations of the function on one execution path.
func (r *runner) function() {
	b := fn.Body(r.f)
	for _, v := range b.Args() {
		r.countsBy(v)
	}
	r.region(r.f.Region(0))
	if !r.stopped {
		r.leftOver()
	}
}

// leftOver reports an error for each flag that is still raised at the end of the
// function, and for each buffer token that is still held.
func (r *runner) leftOver() {
	for k, ch := range r.channels {
		if len(ch.raises) == 0 {
			continue
		}
		if f := r.find(ch.raises[0].op, nil, "left", ir.Error, "event %d from %s to %s is still raised when the kernel ends", k.id, k.src, k.dst); f != nil {
			f.note(ir.Loc{}, "the next kernel on the core would find it raised: insert pto.wait_flag[<%s>, <%s>, <EVENT_ID%d>] at the end of all paths that raise it", k.src, k.dst, k.id)
		}
	}
	for k, by := range r.held {
		if f := r.find(by, nil, "held", ir.Error, "pipe %s still holds buffer %d when the kernel ends", k.line.Pipe(), k.buffer); f != nil {
			f.note(ir.Loc{}, "insert pto.rls_buf \"%s\", %d, 0 on all paths after it", k.line.Pipe(), k.buffer)
		}
	}
}

// region simulates the blocks of a region. It returns the terminator of the last executed
// block. It returns nil if the region is empty, or if the simulation ends inside the
// region, for example because it has executed too many blocks.
func (r *runner) region(reg *ir.Region) *ir.Op {
	if reg.Empty() {
		return nil
	}
	b := reg.Entry()
	for range maxRounds {
		t := r.block(b)
		if t == nil || len(t.Successors()) == 0 {
			return t
		}
		i := 0
		if len(t.Successors()) == 2 && t.NumOperands() > 0 {
			if !r.x.holds(t, t.Operand(0)) {
				i = 1
			}
		} else if len(t.Successors()) > 1 {
			i = r.way.choose(t, len(t.Successors()))
		}
		from, to := t.SuccRange(i)
		b = t.Successors()[i]
		r.bind(b.Args(), t.Operands()[from:to])
	}
	r.undecide(reg.Entry().Parent(), "blocks", "the static proof examined only %d basic blocks on a path through this loop", maxRounds)
	r.stopped = true
	return nil
}

// block simulates a block and returns its terminator, or nil if the path ends inside.
func (r *runner) block(b *ir.Block) *ir.Op {
	for op := range b.Ops() {
		if r.stopped {
			return nil
		}
		if r.steps++; r.steps > mostSteps {
			r.stopped = true
			return nil
		}
		if op.HasTrait(ir.Terminator) {
			return op
		}
		if !r.without[op] {
			r.visit(op)
		}
	}
	return nil
}

// visit simulates the operation op, with its regions, on the current execution path.
func (r *runner) visit(op *ir.Op) {
	switch kind := op.Def().Sem.(type) {
	case scf.Control:
		r.control(op, kind)
		return
	case sem.Scope:
		r.scoped(op, kind.Kind)
		return
	}
	switch {
	case op.Is(fn.Call) && simtBody(op) == nil:
		r.call(op)
	case len(op.Regions()) > 0:
		r.undecide(op, "region", "the static proof does not analyze '%s'", op.Name())
		r.stopped = true
	default:
		r.each(op)
	}
}

// results records the values and the memory locations of the results of an operation.
func (r *runner) results(op *ir.Op) {
	r.x.compute(op)
	if kind, asks := op.Def().Sem.(sem.Query); asks && r.team != nil && op.NumResults() == 1 {
		r.query(op, kind)
	}
	for _, v := range op.Results() {
		delete(r.t.known, v)
		if isInteger(v.Type()) {
			r.countsBy(v)
		}
	}
}

// query sets the result of an operation that asks for the number of a core or a block.
// The number of the block is unknown but equal for all cores of a team, because they
// belong to one block.
func (r *runner) query(op *ir.Op, kind sem.Query) {
	v := op.Result(0)
	if kind.What == sem.SubBlockIdx {
		r.x.now[v] = number(int64(max(r.at-onVector, 0)))
		return
	}
	r.x.now[v] = r.x.alike(expression{fn: op.Name()}, v.Type())
}

// meaning describes what an SSA value contains while the proof simulates an execution
// path of the program: an integer, or locations in memory.
type meaning struct {
	number sum
	places []location
}

// meaning returns what the simulation currently knows about the value v: its integer, and
// the memory locations to which it refers.
func (r *runner) meaning(v *ir.Value) meaning {
	m := meaning{number: r.x.of(v)}
	if pto.SpaceOf(v.Type()) != sem.NoSpace {
		m.places = r.t.places(v)
	}
	return m
}

// bind assigns new meanings to the values in the list to: each receives the meaning of
// the value with the same index in the list from. The meaning of a value is its integer
// and its memory locations. bind reads all meanings before it changes one, as at the
// start of a loop iteration.
func (r *runner) bind(to, from []*ir.Value) {
	ms := make([]meaning, min(len(to), len(from)))
	for i := range ms {
		ms[i] = r.meaning(from[i])
	}
	for i, m := range ms {
		r.x.now[to[i]] = m.number
		delete(r.t.known, to[i])
		if m.places != nil {
			r.t.known[to[i]] = m.places
		}
	}
}

// control simulates the loop or branch op; kind determines which of its regions run and
// how often.
func (r *runner) control(op *ir.Op, kind scf.Control) {
	switch kind {
	case scf.CountedLoop:
		r.counted(op)
	case scf.ConditionalLoop:
		r.conditional(op)
	case scf.TwoWay:
		i := 0
		if !r.x.holds(op, op.Operand(0)) {
			i = 1
		}
		r.branch(op, i)
	case scf.ManyWay:
		r.branch(op, r.caseOf(op))
	case scf.Once:
		r.branch(op, 0)
	default:
		r.undecide(op, "region", "the static proof does not analyze '%s', because its iterations may run in any order", op.Name())
		r.stopped = true
	}
}

// branch simulates region i of op, and assigns the values that the region yields to the
// results of op.
func (r *runner) branch(op *ir.Op, i int) {
	if i >= len(op.Regions()) {
		return
	}
	if t := r.region(op.Region(i)); t != nil {
		r.bind(op.Results(), t.Operands())
	}
}

// caseOf returns the index of the region that op, a switch, executes. A known selector
// determines the region. If the selector is unknown, caseOf asks the simulated path
// (r.way), which chooses one of the regions.
func (r *runner) caseOf(op *ir.Op) int {
	n, known := r.x.of(op.Operand(0)).constant()
	if !known {
		return r.way.choose(op, len(op.Regions()))
	}
	return 1 + slices.Index(scf.Cases(op), n)
}

// countsBy chooses the trip count of the loops whose upper bound is the unknown value v.
// It makes this choice when the simulation reaches the definition of v. Later conditions
// on v then agree with the chosen trip count.
func (r *runner) countsBy(v *ir.Value) {
	if !isInteger(v.Type()) {
		return
	}
	s := r.x.of(v)
	if len(s.terms) != 1 || s.terms[0].v != v && r.team == nil || s.terms[0].k != 1 || s.c != 0 {
		return
	}
	for l := range loopsUpTo(v) {
		lo, ok1 := r.x.of(l.Arg("lowerBound")).constant()
		step, ok2 := r.x.of(l.Arg("step")).constant()
		if !ok1 || !ok2 || step <= 0 {
			continue
		}
		r.x.fixed[s.terms[0].v] = lo + r.tripsOf(l)*step
		return
	}
}

// loopsUpTo yields the loops whose upper bound is v, directly or through casts.
func loopsUpTo(v *ir.Value) func(yield func(*ir.Op) bool) {
	return func(yield func(*ir.Op) bool) {
		for u := range v.Uses() {
			op := u.Owner()
			switch {
			case op.Def().Sem == scf.CountedLoop && op.Arg("upperBound") == v:
				if !yield(op) {
					return
				}
			case op.NumOperands() == 1 && op.NumResults() == 1 && isInteger(op.Result(0).Type()) && op.HasTrait(ir.Pure):
				for l := range loopsUpTo(op.Result(0)) {
					if !yield(l) {
						return
					}
				}
			}
		}
	}
}

// counted simulates a counted loop, for the iterations that runner.roundsOf selects.
func (r *runner) counted(op *ir.Op) {
	lo, hi, step := r.x.of(op.Arg("lowerBound")), r.x.of(op.Arg("upperBound")), r.x.of(op.Arg("step"))
	by, known := step.constant()
	span, exact := hi.plus(lo, -1).constant()
	if !known || by <= 0 {
		by, exact = 1, false
	}
	trips := max(0, (span+by-1)/by)
	_, fixed := sumOf(op.Arg("upperBound")).plus(sumOf(op.Arg("lowerBound")), -1).constant()
	open := !fixed
	if !exact {
		key := hi.plus(lo, -1).key() + "/" + step.key()
		n, seen := r.counts[key]
		if !seen {
			n = r.tripsOf(op)
			r.counts[key] = n
		}
		trips = n
	}
	body := op.Region(0).Entry()
	vars := body.Args()[1:]
	r.bind(vars, op.Args("initArgs"))
	r.depth++
	r.rounds = append(r.rounds, roundAt{op: op})
	here := len(r.rounds) - 1
	for _, n := range r.roundsOf(op, trips, exact) {
		r.rounds[here].round, r.rounds[here].last = n, false
		r.rounds[here].last = open && trips == r.mostTrips(op) && n == trips-1 || r.skips(op, trips, n)
		if known {
			r.x.now[body.Arg(0)] = lo.plus(number(n*by), 1)
		} else {
			r.x.renew(body.Arg(0))
		}
		t := r.block(body)
		if r.stopped || t == nil {
			break
		}
		r.bind(vars, t.Operands())
	}
	r.rounds = r.rounds[:here]
	r.depth--
	r.bind(op.Results(), vars)
}

// conditional simulates a while loop for a limited number of iterations.
func (r *runner) conditional(op *ir.Op) {
	before, after := op.Region(0).Entry(), op.Region(1).Entry()
	r.bind(before.Args(), op.Operands())
	r.rounds = append(r.rounds, roundAt{op: op})
	here := len(r.rounds) - 1
	defer func() { r.rounds = r.rounds[:here] }()
	most := r.mostWhile(op)
	for n := int64(0); ; n++ {
		r.rounds[here].round, r.rounds[here].last = n, n == most-1
		t := r.block(before)
		if r.stopped || t == nil {
			return
		}
		if n == most || !r.goesOn(t) {
			r.bind(op.Results(), t.Operands()[1:])
			return
		}
		r.bind(after.Args(), t.Operands()[1:])
		if t = r.block(after); r.stopped || t == nil {
			return
		}
		r.bind(before.Args(), t.Operands())
	}
}

// goesOn reports whether a while loop executes another iteration on this path.
func (r *runner) goesOn(condition *ir.Op) bool { return r.x.holds(condition, condition.Operand(0)) }

// mostCalls is the maximum depth of simulated calls.
const mostCalls = 16

// call simulates a call of a function whose body is in the module, by simulating that
// body.
func (r *runner) call(op *ir.Op) {
	callee := ptoanalysis.CalleeOf(op)
	if callee == nil || fn.Body(callee) == nil || r.depth > mostCalls {
		if callee == nil || fn.Body(callee) == nil {
			r.undecide(op, "call", "the static proof cannot analyze the function that '%s' calls, because it has no body in this module", op.Name())
		} else if r.calls[callee] {
			r.undecide(op, "call", "the static proof does not analyze calls that are nested deeper than %d", mostCalls)
		}
		for _, v := range op.Results() {
			r.x.renew(v)
		}
		return
	}
	r.bind(fn.Body(callee).Args(), op.Operands())
	r.depth++
	t := r.region(callee.Region(0))
	r.depth--
	if t != nil {
		r.bind(op.Results(), t.Operands())
	}
}

// scoped simulates a section for one kind of core, or a vector function.
func (r *runner) scoped(op *ir.Op, kind sem.ScopeKind) {
	switch {
	case len(op.Regions()) == 0 || op.Region(0).Empty():
		r.instruction(op)
		r.results(op)
		return
	case kind.Inline():
		if r.t.runs(kind) {
			r.branch(op, 0)
		}
		return
	case kind == sem.VectorFunction:
		if r.twoCores && r.team == nil {
			r.switchTo(onVector)
		}
		r.bind(op.Region(0).Entry().Args(), op.Operands())
		r.scope = &vectorScope{of: map[*ir.Op]inScope{}, from: r.core.Last(order.Vector).N}
		r.branch(op, 0)
		r.scope = nil
		return
	}
	n := &node{op: op}
	r.t.asOne(n)
	r.group(n.touches, order.Vector)
	r.results(op)
}
