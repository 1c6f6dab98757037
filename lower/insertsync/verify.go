// This file is the entry point of --verify-sync: verdicts, and the search for hazards on
// single paths with its limits.

package insertsync

import (
	"fmt"
	"slices"
	"sync"

	"ptogo/dialect/fn"
	ptoanalysis "ptogo/dialect/pto/analysis"
	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/syncproof"
)

// Where the static proof (package syncproof) has no argument, a search for hazards follows
// the function on single paths without executing it, and explains what it finds. Numbers
// are sums of unknown values. For any two accesses that may share a byte, the search
// decides whether one is complete before the other starts, with the rules of package
// order, which the checkers of the runtime also use.
//
//	prove.go          proofs, and verdicts on functions
//	memory.go         what the proof asks about memory
//	verify.go         functions and their paths
//	values.go         numbers on a path
//	verify_flow.go    loops, branches, calls
//	verify_rounds.go  how many iterations of a loop are followed
//	verify_access.go  accesses against earlier ones
//	verify_sync.go    flags, barriers and buffers
//	verify_cores.go   functions with work for two cores
//	verify_team.go    two kernels that run together
//	verify_report.go  reports of hazards
//
// A loop with an unknown count is followed for 3, 0, 1, 2 and 4 iterations, and for
// more if its slots repeat later. Of a loop with a large count, the first and last
// iterations are followed; the accesses of the others count as anywhere in their range.
// Both directions of an unknown branch are followed. What the search does not see says
// nothing: only the proof says that a function is right.

const (
	// mostPaths and mostSteps limit the number of paths that the proof follows in a
	// function, and the number of operations on all of them.
	mostPaths = 256
	mostSteps = 400_000
)

// Verdict is the result of the static proof for a function: proved, with a hazard, or not
// checked completely.
type Verdict uint8

// The verdicts of the static proof on the synchronization of a function.
const (
	// Proved means that all conflicting accesses of the function on one core are in
	// order. It holds for all arguments of the function that do not share memory.
	Proved Verdict = iota
	// Hazard means that the proof has reported an error or a warning for the function.
	Hazard
	// NotChecked means that the proof could not examine the whole function, so that there
	// may be a hazard that it has not reported.
	NotChecked
)

// Mode determines what Verify reports.
type Mode uint8

// The modes of Verify.
const (
	// Verdicts reports hazards, undecided places, and a verdict on each function.
	Verdicts Mode = iota
	// Strict makes a function that is not checked an error.
	Strict
	// Certificate also reports the arguments of proofs: for each pair of accesses that may
	// conflict, why they are in order or apart.
	Certificate
)

// Tally is the number of functions for each verdict of the proof.
type Tally [NotChecked + 1]int

// Verify proves statically that the synchronization in each function of a module orders
// all conflicting memory accesses. It reports wrong uses of synchronization, and accesses
// that are not ordered. It ends with a verdict on each function. Functions that others
// call are checked as part of their callers. The function target returns the target of a
// function. The result counts the verdicts.
func Verify(module *ir.Op, target func(*ir.Op) ir.Target, mode Mode, diags *ir.Diags) Tally {
	var tally Tally
	v := &verification{
		target: target, mode: mode, calls: busy(module), diags: diags, teams: map[*ir.Op][2]*ir.Op{},
		proofs: map[*ir.Op]syncproof.Result{}, known: map[*ir.Op][]*echo{}, between: map[*ir.Op]*proof{}, told: map[*ir.Op]bool{},
	}
	called := callees(module)
	if p := pairingOf(module); p != nil {
		v.known = p.echoes(target, v.calls)
	}
	for _, k := range teamsOf(module) {
		v.teams[k[0]], v.teams[k[1]] = k, k
	}
	followed := map[*ir.Op]bool{}
	verdict := func(f *ir.Op, v Verdict, text string) {
		tally[v]++
		severity := ir.Remark
		if v == NotChecked && mode == Strict {
			severity = ir.Error
		}
		diags.Add(severity, f.Loc(), "[sync] @"+fn.Name(f)+": "+text).As(ir.CodeUnproved)
	}
	for f := range module.Walk() {
		if !f.Is(fn.Func) || fn.Body(f) == nil || called[f] && !f.HasAttr("pto.kernel") {
			continue
		}
		reached := ptoanalysis.Reached([]*ir.Op{f})
		for _, g := range reached {
			followed[g] = true
		}
		if slices.ContainsFunc(reached, func(g *ir.Op) bool { return ptoanalysis.Unbuffered(g) != nil }) {
			verdict(f, NotChecked, "not checked: tiles have no buffers; run pto-bufferize first, or use --enable-insert-sync, which runs all passes for the device")
			continue
		}
		if v.calls[f] || slices.ContainsFunc(reached, hasUnexamined) {
			k, text := v.function(f)
			verdict(f, k, text)
		}
	}
	for f := range module.Walk() {
		if v.calls[f] && fn.Body(f) != nil && !followed[f] {
			verdict(f, NotChecked, "not checked: it is only called by recursive functions")
		}
	}
	return tally
}

// hasUnexamined reports whether f contains operations that may access memory, but that the
// proof does not examine. Such a function needs a verdict even if no pipe of it accesses memory.
func hasUnexamined(f *ir.Op) bool {
	for op := range f.Walk() {
		if syncproof.Unexamined(op) {
			return true
		}
	}
	return false
}

// proof is the state of the static proof for one function. It simulates the function
// along its execution paths with symbolic values, and compares each memory access with
// the preceding ones.
type proof struct {
	f *ir.Op
	// twoCores reports that the function has work for both kinds of cores outside of
	// sections. pair reports that, in addition, both vector cores of a block do the same
	// work.
	twoCores bool
	pair     bool
	// works is the set of the kinds of cores for which the function has instructions.
	works  sem.Unit
	target ir.Target
	// calls are the functions that run instructions on a pipe.
	calls map[*ir.Op]bool
	paths int
	steps int
	// flags is the number of flags, barriers and buffer tokens in the function.
	flags int
	// loads caches, for each instruction, the loads whose results it uses.
	loads map[*ir.Op][]*ir.Op
	// turns is, for each loop, the number of iterations after which its ring buffer slots
	// repeat.
	turns map[*ir.Op]int64
	// trips is the maximum number of simulated iterations of loops with an unknown trip
	// count, by function.
	trips map[*ir.Op]int64
	// across is the first operation whose effect depends on other cores.
	across *ir.Op
	// accessed are the instructions that access memory.
	accessed map[*ir.Op]bool
	// mixes caches whether a loop contains accesses whose addresses advance by different
	// steps.
	mixes map[*ir.Op]bool
	// found and list are the findings; found prevents duplicates.
	found map[findingKey]*finding
	list  []*finding
	// without, if not nil, are operations that the simulation ignores. In that mode the
	// proof stops at the first error and does not report anything.
	without map[*ir.Op]bool
	// echoes are orders that the other core of the block ensures.
	echoes []*echo
	// vector is the vector kernel, if f is a cube kernel that runs together with it, and the
	// proof follows both.
	vector *ir.Op
	// questions are pairs for which the proof finds out whether the function answers, and
	// unanswered those for which it may not.
	questions  []*echo
	unanswered map[*echo]bool
}

// newProof returns the initial state of the proof of f for a target. The map calls
// contains true for each function that executes instructions on a pipe, directly or
// through calls. The proof does not follow calls that are nested too deeply. Such a call
// makes the proof incomplete only if calls contains the called function.
func newProof(f *ir.Op, target ir.Target, calls map[*ir.Op]bool) *proof {
	mixed := ptoanalysis.Mixed(f)
	return &proof{f: f, twoCores: mixed, pair: mixed && ptoanalysis.PerVectorCore(f) == nil, works: ptoanalysis.WorkUnit(f), target: target, calls: calls, loads: map[*ir.Op][]*ir.Op{}, turns: map[*ir.Op]int64{}, trips: map[*ir.Op]int64{}, accessed: map[*ir.Op]bool{}, mixes: map[*ir.Op]bool{}, found: map[findingKey]*finding{}, unanswered: map[*echo]bool{}}
}

// run simulates the function on all execution paths. Constants limit the number of paths
// and the number of simulated operations. If the function exceeds a limit, the proof
// remains undecided.
func (p *proof) run() {
	for op := range p.f.Walk() {
		if orders(op) {
			p.flags++
		}
	}
	if p.vector != nil {
		p.paths, p.steps = 0, 0
	}
	queues := sync.OnceValue(func() *isasync.Queues { return isasync.FindQueues(p.f) })
	if p.without == nil && p.vector == nil && p.coresApart() {
		p.acrossCores(p.f, "accesses of its cube core and its vector cores to the same memory are not compared")
	}
	for _, u := range p.units() {
		way := &way{}
		for more := true; more; more = way.next() {
			if p.without != nil && p.faulty() {
				return
			}
			if p.paths == mostPaths || p.steps > mostSteps {
				p.undecide(p.f, "paths", "the static proof did not examine all paths of @%s: there are more than %d, or they are too long", fn.Name(p.f), mostPaths)
				return
			}
			p.paths++
			way.begin()
			r := &runner{
				proof: p, rules: order.RulesOf(p.target), x: newValues(way.choose), way: way,
				channels: map[channelKey]*channel{}, held: map[holdKey]*ir.Op{}, arrays: map[*ir.Value][]sum{},
				past: map[spaceKey][]*access{}, last: map[sameAccess]int{}, counts: map[string]int64{},
				pushed: map[*echo]*order.Clock{}, popped: map[*echo]order.Epoch{},
			}
			for at := range p.cores() {
				r.cores = append(r.cores, order.NewCore(r.rules, at))
			}
			r.core = r.cores[0]
			r.t = &tree{resolver: &resolver{known: map[*ir.Value][]location{}, queues: queues, path: r.x}, target: p.target, calls: p.calls, unit: u}
			r.static = &tree{resolver: &resolver{known: map[*ir.Value][]location{}, queues: queues}, target: p.target, calls: p.calls, unit: u}
			if p.vector != nil {
				r.meetAll()
			} else {
				r.function()
			}
		}
		if p.steps > mostSteps {
			p.undecide(p.f, "paths", "the static proof stopped on a path of @%s after %d operations, its limit", fn.Name(p.f), mostSteps)
		}
	}
}

// coresApart reports whether the function has separate code for the cube core and for
// vector cores, in sections or in functions that it calls. If so, the proof simulates
// each kind of core separately. It then does not compare the accesses of one kind of core
// with those of the other.
func (p *proof) coresApart() bool {
	reached := ptoanalysis.Reached([]*ir.Op{p.f})
	if p.twoCores {
		return len(reached) > 1
	}
	seen := map[sem.Unit]bool{}
	for _, g := range reached {
		if len(units(g)) > 1 {
			return true
		}
		if u := ptoanalysis.UnitOf(g); u != sem.AnyUnit {
			seen[u] = true
			continue
		}
		for op := range g.Walk() {
			if !orders(op) {
				seen[ptoanalysis.UnitFor(op, p.target)] = true
			}
		}
	}
	return seen[sem.CubeUnit] && seen[sem.VectorUnit]
}

// units returns the kinds of cores for which the proof simulates the function, one
// simulation per kind. If cube code and vector code of the function synchronize with each
// other, the list contains AnyUnit only, and one simulation covers both kinds of cores.
func (p *proof) units() []sem.Unit {
	if p.twoCores {
		return []sem.Unit{sem.AnyUnit}
	}
	return units(p.f)
}

// way identifies an execution path by the choice made at each decision.
type way struct {
	choices []choice
	at      int
	// often lists the directions that each branch has taken so far on the path.
	often map[*ir.Op][]int
}

// choice is a decision on an execution path, such as the direction of a branch. The field
// what is the operation whose direction is decided. The field named of is the number of
// possible directions, and the field won is the index of the selected direction.
type choice struct {
	what    any // the operation that has to be decided
	of, won int
}

// begin prepares w for another simulation of the same execution path. A path is a list of
// choices, one for each decision, such as the direction of a branch. The simulation asks
// for the next choice by calling the method choose, which starts again with the first
// choice in the list.
func (w *way) begin() { w.at, w.often = 0, map[*ir.Op][]int{} }

// mostTurns limits the execution paths that the proof simulates. In this number of
// iterations of a loop, a branch can go in each direction independently. Later iterations
// repeat these directions cyclically. Without this limit, the number of paths would grow
// exponentially.
const mostTurns = 2

// choose returns which alternative the simulated path selects at a decision, as an index
// from 0 to n-1. The parameter what identifies the decision.
func (w *way) choose(what any, n int) int {
	op, branch := what.(*ir.Op)
	if branch {
		if done := w.often[op]; len(done) >= mostTurns {
			k := done[len(done)%mostTurns]
			w.often[op] = append(done, k)
			return k
		}
	}
	if w.at == len(w.choices) {
		w.choices = append(w.choices, choice{what: what, of: n})
	}
	k := w.choices[w.at].won
	w.at++
	if branch {
		w.often[op] = append(w.often[op], k)
	}
	return k
}

// next changes w to the next combination of choices, that is, to the next execution path.
// It returns false if all paths have been visited.
func (w *way) next() bool {
	w.choices = w.choices[:w.at]
	for n := len(w.choices); n > 0; n-- {
		c := &w.choices[n-1]
		if c.won++; c.won < c.of {
			w.choices = w.choices[:n]
			return true
		}
		w.choices = w.choices[:n-1]
	}
	return false
}

// text describes the decisions of the simulated path for a report, for example how often
// a loop runs. It returns "" if the path has no decisions.
func (w *way) text() string {
	s := ""
	for _, c := range w.choices[:w.at] {
		part := ""
		switch what := c.what.(type) {
		case tripsOf:
			part = fmt.Sprintf("the loop in %s runs %s", what.op.Loc().Line(), timesOf(what.count(c.won)))
		case remainderOf:
			part = fmt.Sprintf("the division in %s leaves %d", what.op.Loc().Line(), c.won)
		case *ir.Op:
			part = fmt.Sprintf("%s takes the %s", what.Loc().Line(), [2]string{"branch where its condition holds", "other branch"}[min(c.won, 1)])
		}
		if s != "" {
			s += ", "
		}
		s += part
	}
	return s
}

// timesOf returns n as a phrase: "not at all" for 0, "once" for 1, and otherwise a phrase
// such as "3 times".
func timesOf(n int64) string {
	switch n {
	case 0:
		return "not at all"
	case 1:
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}
