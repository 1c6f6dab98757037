// This file defines the state of the proof, and the threads that it follows.

package syncproof

import (
	"fmt"

	"ptogo/dialect/arith/terms"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/term"
)

// Core is a core of a block with the function that it executes.
type Core struct {
	Func *ir.Op
	Unit sem.Unit
	// Vector is the number of the vector core in its block.
	Vector int
}

// Input is what the proof is about: the cores of a block, which run side by side.
type Input struct {
	Target ir.Target
	Cores  []Core
	// Twins means that the vector cores execute the same instructions on the same global
	// memory, because the function does not ask for their number.
	Twins  bool
	Queues *isasync.Queues
	// Memory returns the accesses of one core. The function value returns the current term
	// of an integer, or the zero Term if the proof has not followed its definition.
	Memory func(core int, pool *term.Pool, value func(*ir.Value) term.Term) Memory
	// Runs reports whether a core executes op, an operation without regions, or a section.
	Runs func(core int, op *ir.Op) bool
	// Explain means that the proof records an argument for every pair of accesses.
	Explain bool
	// Inside means that only accesses of one execution of a vector function are compared with
	// each other, for Result.Meetings alone.
	Inside bool
}

// thread is a core that the proof follows.
type thread struct {
	n int
	Core
	env    map[*ir.Value]term.Term
	memory Memory
}

// prover is the state of a proof.
type prover struct {
	Input
	pool    *term.Pool
	rules   *order.Rules
	threads []*thread
	// apart keeps states separate that came along different paths.
	apart bool
	// peeled means that the first rounds of all loops are nodes of their own.
	peeled bool
	// nodes are the invariants at loop heads. In a checking pass they do not change.
	nodes    map[nodeKey]*node
	checking bool
	// changed reports that a pass has changed a node or a plan.
	changed, replanned bool
	// unsettled reports that the state at the head of a loop in a nest has changed after the
	// loop was followed.
	unsettled bool
	plans     map[int32]*plan
	loops     map[loopKey]*loop
	byID      []*loop
	inits     map[initKey]term.Term
	rounds    map[roundKey]*node
	bodies    map[bodyKey]*body
	calls     map[callKey]int32
	depth     map[int32]int
	vars      map[varKey]term.Term
	owner     map[term.Term]int32
	// varyIn caches the loops that own the variables of a term.
	varyIn map[term.Term][]int32
	waits  map[flagKey]int32
	// tables caches the results of tableOf.
	tables map[*ir.Value][]int64
	// loads caches, for each instruction, the loads whose results it uses.
	loads map[*ir.Op][]*ir.Op
	// lastUse is, for each load of a vector function, the last access that uses its results.
	lastUse   map[*ir.Op]*ir.Op
	groups    map[groupKey]int32
	positions map[*ir.Op]int32
	steps     int
	stopped   bool
	// gaps are the places that the proof could not decide.
	gaps []Gap
	seen map[gapKey]bool
	// answers are those of the solver.
	answers map[answerKey]bool
	// records are the accesses that a checking pass has found, and duties what has to be
	// complete before them.
	records []*record
	// scalars are the records of scalar units.
	scalars []*record
	// scalarAccess reports that scalar units access memory, through their data caches.
	scalarAccess bool
	// oneLines are operations that invalidate a single line of the data cache.
	oneLines []oneLine
	// block is the number of the block, and count the number of blocks. They are zero Terms
	// if the functions do not ask for them.
	block, count term.Term
	// between means that the proof compares accesses of different blocks.
	between bool
	bounds  map[int32]bounds
	assumed map[string]bool
	// meetings lists, for accesses in vector functions, earlier ones that no argument orders
	// before them.
	meetings  map[*ir.Op][]*ir.Op
	arguments map[argumentKey]bool
}

// Gap is a place that the proof could not decide, with the reason.
type Gap struct {
	Op, Other *ir.Op
	// Kind is pair for two accesses without an argument, and another word for everything
	// else that ends the proof.
	Kind, Text string
	// First and Second are the accesses of a pair. Local means that one core makes both, and
	// Inside that one execution of a vector function does.
	First, Second *Touch
	Local, Inside bool
}

type (
	bodyKey struct {
		thread int
		ctx    int32
		block  *ir.Block
	}
	callKey struct {
		ctx int32
		op  *ir.Op
	}
	varKey struct {
		thread int
		ctx    int32
		what   any
		tag    string
	}
)

// mostSteps limits the operations that one pass of the proof visits.
const mostSteps = 400_000

// newProver returns the initial state of a proof.
func newProver(in Input) *prover {
	x := &prover{
		Input: in, pool: term.NewPool(), rules: order.RulesOf(in.Target), nodes: map[nodeKey]*node{}, plans: map[int32]*plan{}, loops: map[loopKey]*loop{}, inits: map[initKey]term.Term{}, rounds: map[roundKey]*node{},
		bodies: map[bodyKey]*body{}, calls: map[callKey]int32{}, depth: map[int32]int{}, vars: map[varKey]term.Term{}, owner: map[term.Term]int32{}, varyIn: map[term.Term][]int32{}, waits: map[flagKey]int32{}, groups: map[groupKey]int32{}, positions: map[*ir.Op]int32{}, tables: map[*ir.Value][]int64{}, loads: map[*ir.Op][]*ir.Op{}, lastUse: map[*ir.Op]*ir.Op{}, seen: map[gapKey]bool{}, answers: map[answerKey]bool{}, bounds: map[int32]bounds{}, assumed: map[string]bool{}, meetings: map[*ir.Op][]*ir.Op{}, arguments: map[argumentKey]bool{},
	}
	var fns []*ir.Op
	for _, c := range in.Cores {
		fns = append(fns, c.Func)
	}
	for _, f := range ptoanalysis.Reached(fns) {
		for op := range f.Walk() {
			x.scalarAccess = x.scalarAccess || len(pto.Effects(op)) > 0 && order.LineOf(pto.PipeFor(op, in.Target)) == order.Scalar
		}
	}
	for n, c := range in.Cores {
		t := &thread{n: n, Core: c, env: map[*ir.Value]term.Term{}}
		t.memory = in.Memory(n, x.pool, func(v *ir.Value) term.Term { return x.known(t, v) })
		x.threads = append(x.threads, t)
		first := fn.Body(in.Cores[0].Func).Args()
		for i, v := range fn.Body(c.Func).Args() {
			if n > 0 && i < len(first) && refers(v) && refers(first[i]) { // all cores have the same arguments
				t.memory.Bind(v, x.threads[0].memory.Places(first[i]))
			}
			if w, ok := terms.Width(v.Type()); ok {
				t.env[v] = x.argument(t, v, w)
			}
		}
	}
	return x
}

// fresh returns the variable of width w that stands for an unknown value. Equal keys give
// the same variable. The loop owns the variable: it can have another value in each round.
func (x *prover) fresh(k varKey, w int, loop int32) term.Term {
	v, ok := x.vars[k]
	if !ok {
		v = x.pool.Var(fmt.Sprintf("%s%d", k.tag, len(x.vars)), w)
		x.vars[k], x.owner[v] = v, loop
	}
	return v
}

// freshIn returns the variable for an unknown value from lo to hi.
func (x *prover) freshIn(k varKey, w int, loop int32, lo, hi int64) term.Term {
	v, ok := x.vars[k]
	if !ok {
		v = x.pool.VarIn(fmt.Sprintf("%s%d", k.tag, len(x.vars)), w, term.Range{Lo: lo, Hi: hi})
		x.vars[k], x.owner[v] = v, loop
	}
	return v
}

// fail records a place that the proof could not decide.
func (x *prover) fail(op *ir.Op, kind, format string, args ...any) {
	x.gap(Gap{Op: op, Kind: kind, Text: fmt.Sprintf(format, args...)})
}

// gap records g, unless it is known.
func (x *prover) gap(g Gap) {
	k := gapKey{g.Op, g.Other, g.Kind}
	if !x.seen[k] {
		x.seen[k] = true
		x.gaps = append(x.gaps, g)
	}
}

// gapKey identifies gaps of which only the first is kept.
type gapKey struct {
	op, other *ir.Op
	kind      string
}

// possible reports whether facts can hold together. The answer true includes that the
// budget did not suffice to find out.
func (x *prover) possible(facts ...term.Term) bool { return x.possibleIn(branchBudget, facts) }

// possibleIn is possible with a budget. It remembers the answers.
func (x *prover) possibleIn(b term.Budget, facts []term.Term) bool {
	for _, f := range facts {
		if f.IsFalse() {
			return false
		}
	}
	if len(facts) == 0 {
		return true
	}
	k := answerKey{b, factsKey(facts)}
	a, known := x.answers[k]
	if !known {
		a = x.pool.Possible(b, facts...) != term.No
		x.answers[k] = a
	}
	return a
}

// answerKey identifies a question to the solver.
type answerKey struct {
	budget term.Budget
	facts  string
}

var (
	// branchBudget limits a question whether a path is possible. If it is exceeded, the
	// proof follows a path that does not exist.
	branchBudget = term.CheapBudget
	// pairBudget limits a question whether two accesses can share a byte.
	pairBudget = term.Budget{Cases: 64, Clauses: 60_000, Conflicts: 1_000}
)

// noLoop is the loop of instructions that never age.
const noLoop = -1

// begin returns the cursors at the start of the functions.
func (x *prover) begin() []cursor {
	cs := make([]cursor, len(x.threads))
	for i, t := range x.threads {
		cs[i] = cursor{th: t, body: x.bodyOf(t, 0, fn.Body(t.Func))}
	}
	return cs
}

// pass follows the functions once.
func (x *prover) pass() {
	x.steps, x.stopped, x.gaps, x.records, x.oneLines = 0, false, nil, nil, nil
	clear(x.seen)
	s := newState(len(x.threads), x.scalarAccess)
	x.startQueues(s)
	cs := x.begin()
	for _, c := range cs {
		if f := c.th.Func; f.Region(0).Entry() != f.Region(0).Last() {
			x.fail(f, "blocks", "the proof does not analyze functions with several basic blocks")
			return
		}
	}
	for _, o := range x.run(cs, s) {
		x.leftOver(o.s, cs)
	}
}

// leftOver checks that nothing is raised or held at the end of the functions.
func (x *prover) leftOver(s *state, cs []cursor) {
	op := cs[0].th.Func
	for k := range s.flags {
		x.fail(op, "left", "event %d from %s to %s may still be raised when the kernel ends", k.id, k.src, k.dst)
		return
	}
	for k := range s.held {
		x.fail(op, "held", "pipe %s may still hold buffer %d when the kernel ends", k.line.Pipe(), k.buffer)
		return
	}
}
