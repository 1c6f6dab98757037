// This file defines the state that the proof propagates through a program.

package syncproof

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	isasync "ptogo/dialect/pto/isa/sync"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/term"
)

const (
	// stored is the lane of stores by the scalar unit that have reached memory. The
	// scalar unit writes into its data cache first.
	stored = int(order.NumLines)
	// lanesPerCore is the number of lanes of a core.
	lanesPerCore = stored + 1
)

// flagKey identifies a flag of a core.
type flagKey struct {
	core     int
	src, dst sem.Pipe
	id       int64
}

// signalKey identifies a signal between a cube core and one of its vector cores.
type signalKey struct {
	id int64
	// vector is the index of the vector core, and toCube reports that it raises the signal.
	vector int
	toCube bool
}

// laneKey identifies one direction of a queue for one vector core.
type laneKey struct {
	name isasync.QueueName
	// way is the direction, sem.ToVector or sem.ToCube.
	way    int
	vector int
}

// heldKey identifies a buffer token that a pipe holds.
type heldKey struct {
	core   int
	line   order.Line
	buffer int64
}

// arrayKey identifies an array of event IDs of a core.
type arrayKey struct {
	core  int
	array *ir.Value
}

// fifo is a queue between two cores: the clocks of entries that no pop has taken yet, and
// the clocks of freed slots that no push has used yet. A slot that was never used has an
// empty clock.
type fifo struct{ full, free []clock }

// coreState is what the lanes of one core know.
type coreState struct {
	// issue is complete when the scalar unit issues the next instruction; start[l] is
	// complete when the next instruction of line l starts.
	issue clock
	start [order.NumLines]clock
	// fresh was complete when the scalar unit invalidated its data cache. It is nil in a
	// program without accesses by scalar units.
	fresh clock
}

// state is the knowledge at a point of the program, for all executions that reach it.
type state struct {
	// facts are conditions that hold.
	facts []term.Term
	cores []coreState
	// flags are the raised flags, with what was complete when they were raised.
	flags   map[flagKey]clock
	signals map[signalKey][]clock
	queues  map[laneKey]*fifo
	// buffers holds, for each buffer token of a core, what was complete at its releases.
	buffers map[heldKey]clock
	held    map[heldKey]bool
	// arrays are the arrays of event IDs.
	arrays map[arrayKey][]term.Term
	scope  *scopeState
}

// numClasses is the number of classes of accesses in a vector function.
const numClasses = int(order.ScalarStore) + 1

// scopeState is the knowledge inside of a vector function. The lanes of its clocks are the
// classes of accesses.
type scopeState struct {
	// op is the vector function, and depth the number of loops around it.
	op    *ir.Op
	depth int
	// behind[c] is complete when the next access of class c starts, and known[c] was
	// complete at the start of some access of class c.
	behind, known [numClasses]clock
	// of is what was complete when the last execution of a load started, as long as other
	// accesses use its results.
	of map[*ir.Op]clock
}

// newState returns the state before the first instruction: nothing is incomplete. cached means
// that the program has accesses by scalar units.
func newState(cores int, cached bool) *state {
	lanes := cores * lanesPerCore
	s := &state{
		flags: map[flagKey]clock{}, signals: map[signalKey][]clock{}, queues: map[laneKey]*fifo{},
		buffers: map[heldKey]clock{}, held: map[heldKey]bool{}, arrays: map[arrayKey][]term.Term{},
	}
	for range cores {
		c := coreState{issue: make(clock, lanes)}
		if cached {
			c.fresh = make(clock, lanes)
		}
		for l := range c.start {
			c.start[l] = make(clock, lanes)
		}
		s.cores = append(s.cores, c)
	}
	return s
}

// enter starts a vector function.
func (s *state) enter(op *ir.Op, depth int) {
	s.scope = &scopeState{op: op, depth: depth, of: map[*ir.Op]clock{}}
	for c := range numClasses {
		s.scope.behind[c], s.scope.known[c] = make(clock, numClasses), make(clock, numClasses)
	}
}

// clone returns a copy of the state that can be changed independently.
func (s *state) clone() *state {
	c := &state{
		facts: slices.Clip(s.facts), flags: make(map[flagKey]clock, len(s.flags)), signals: make(map[signalKey][]clock, len(s.signals)),
		queues: make(map[laneKey]*fifo, len(s.queues)), buffers: make(map[heldKey]clock, len(s.buffers)), held: maps.Clone(s.held), arrays: maps.Clone(s.arrays),
	}
	c.cores = make([]coreState, len(s.cores))
	for i := range s.cores {
		from := &s.cores[i]
		to := &c.cores[i]
		to.issue, to.fresh = slices.Clone(from.issue), slices.Clone(from.fresh)
		for l := range from.start {
			to.start[l] = slices.Clone(from.start[l])
		}
	}
	for k, v := range s.flags {
		c.flags[k] = slices.Clone(v)
	}
	for k, v := range s.signals {
		c.signals[k] = cloneAll(v)
	}
	for k, v := range s.queues {
		c.queues[k] = &fifo{cloneAll(v.full), cloneAll(v.free)}
	}
	for k, v := range s.buffers {
		c.buffers[k] = slices.Clone(v)
	}
	if s.scope != nil {
		c.scope = &scopeState{op: s.scope.op, depth: s.scope.depth, of: make(map[*ir.Op]clock, len(s.scope.of))}
		for i := range numClasses {
			c.scope.behind[i], c.scope.known[i] = slices.Clone(s.scope.behind[i]), slices.Clone(s.scope.known[i])
		}
		for op, v := range s.scope.of {
			c.scope.of[op] = slices.Clone(v)
		}
	}
	return c
}

// cloneAll returns copies of clocks.
func cloneAll(list []clock) []clock {
	out := make([]clock, len(list))
	for i, c := range list {
		out[i] = slices.Clone(c)
	}
	return out
}

// each calls f for every clock of the cores.
func (s *state) each(f func(clock)) {
	for i := range s.cores {
		c := &s.cores[i]
		f(c.issue)
		if c.fresh != nil {
			f(c.fresh)
		}
		for l := range c.start {
			f(c.start[l])
		}
	}
	for _, c := range s.flags {
		f(c)
	}
	for _, list := range s.signals {
		for _, c := range list {
			f(c)
		}
	}
	for _, q := range s.queues {
		for _, c := range q.full {
			f(c)
		}
		for _, c := range q.free {
			f(c)
		}
	}
	for _, c := range s.buffers {
		f(c)
	}
}

// eachInScope calls g for every clock of the vector function.
func (s *state) eachInScope(f func(clock)) {
	if s.scope == nil {
		return
	}
	for c := range numClasses {
		f(s.scope.behind[c])
		f(s.scope.known[c])
	}
	for _, c := range s.scope.of {
		f(c)
	}
}

// age records that another round of a loop starts.
func (s *state) age(loop int32, most uint8) {
	older := func(c clock) {
		for l := range c {
			if len(c[l]) > 0 {
				c[l] = c[l].aged(loop, most)
			}
		}
	}
	s.each(older)
	s.eachInScope(older)
}

// fold records that a loop of a core has ended: its groups, of the loops that in selects,
// become part of the group to. The text of the loop starts after position start.
func (s *state) fold(in func(loop int32) bool, core int, to group, start int32) {
	s.each(func(c clock) {
		for l := core * lanesPerCore; l < (core+1)*lanesPerCore; l++ {
			c[l] = c[l].folded(in, missing{group: to.id, loop: to.loop}, start)
		}
	})
}

// step records that an instruction of a group starts on a lane. From now on it may be
// incomplete.
func (s *state) step(l lane, g group, at int32) {
	m := missing{g.id, g.loop, 0, at - 1}
	s.each(func(c clock) { c[l] = c[l].with(m) })
}

// laneOf returns the number of a line of a core.
func laneOf(core int, l order.Line) lane { return lane(core*lanesPerCore + int(l)) }

// release returns what is certainly complete when line l of a core raises a signal.
func (s *state) release(core int, l order.Line) clock {
	c := slices.Clone(s.cores[core].start[l])
	c[laneOf(core, l)] = nil
	if l == order.Scalar {
		c[laneOf(core, order.Issue)] = nil
	}
	return c
}

// acquire records that line l of a core has waited for what c contains.
func (s *state) acquire(core int, l order.Line, c clock) {
	if l == order.Scalar || l == order.Issue {
		s.acquireIssue(core, c)
		return
	}
	s.cores[core].start[l].join(c)
}

// acquireIssue makes all instructions of a core that are issued from now on start after
// what c contains.
func (s *state) acquireIssue(core int, c clock) {
	k := &s.cores[core]
	k.issue.join(c)
	for l := range k.start {
		k.start[l].join(c)
	}
}

// waited counts a completed wait as an instruction of line l, in a group of its own.
func (s *state) waited(core int, l order.Line, g group) {
	if l != order.Scalar && l != order.Issue {
		s.step(laneOf(core, l), g, 0)
		return
	}
	at := laneOf(core, order.Issue)
	s.step(at, g, 0)
	done := func(c clock) {
		if i, ok := c[at].find(g.id); ok {
			c[at] = slices.Delete(slices.Clone(c[at]), i, i+1)
		}
	}
	done(s.cores[core].issue)
	for l := range s.cores[core].start {
		done(s.cores[core].start[l])
	}
}

// barrier makes later instructions of a pipe start after its earlier ones, or those of all
// pipes after all earlier ones.
func (s *state) barrier(core int, p sem.Pipe) {
	if p == sem.PipeAll {
		all := s.release(core, order.Scalar)
		for l := order.Scalar + 1; l < order.NumPipes; l++ {
			all.join(s.release(core, l))
		}
		s.acquireIssue(core, all)
		return
	}
	if l := order.LineOf(p); l != order.NoLine {
		s.cores[core].start[l][laneOf(core, l)] = nil
	}
}

// clean records that the scalar unit writes its data cache to memory.
func (s *state) clean(core int) {
	s.cores[core].start[order.Scalar][core*lanesPerCore+stored] = nil
}

// signature returns a text that identifies what waits for a consumer: raised flags,
// signals, queue entries and held tokens. States with different signatures are not merged.
func (s *state) signature() string {
	var parts []string
	for k := range s.flags {
		parts = append(parts, fmt.Sprintf("f%d:%d>%d#%d", k.core, k.src, k.dst, k.id))
	}
	for k, list := range s.signals {
		if len(list) > 0 {
			parts = append(parts, fmt.Sprintf("s%d@%d%t=%d", k.id, k.vector, k.toCube, len(list)))
		}
	}
	for k, q := range s.queues {
		parts = append(parts, fmt.Sprintf("q%v@%d/%d=%d/%d", k.name, k.vector, k.way, len(q.full), len(q.free)))
	}
	for k := range s.held {
		parts = append(parts, fmt.Sprintf("h%d:%d#%d", k.core, k.line, k.buffer))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

// meet keeps in s only what holds in o as well. Both have the same signature. It reports
// whether s changed.
func (s *state) meet(o *state) (changed bool) {
	keep := func(a, b clock) {
		changed = a.meet(b) || changed
	}
	for i := range s.cores {
		a, b := &s.cores[i], &o.cores[i]
		keep(a.issue, b.issue)
		keep(a.fresh, b.fresh)
		for l := range a.start {
			keep(a.start[l], b.start[l])
		}
	}
	for k, c := range s.flags {
		keep(c, o.flags[k])
	}
	for k, list := range s.signals {
		for i, c := range list {
			keep(c, o.signals[k][i])
		}
	}
	for k, q := range s.queues {
		for i, c := range q.full {
			keep(c, o.queues[k].full[i])
		}
		for i, c := range q.free {
			keep(c, o.queues[k].free[i])
		}
	}
	for k, c := range s.buffers {
		if b, ok := o.buffers[k]; ok {
			keep(c, b)
		} else {
			delete(s.buffers, k)
			changed = true
		}
	}
	for v, ids := range s.arrays {
		if !slices.Equal(ids, o.arrays[v]) {
			delete(s.arrays, v)
			changed = true
		}
	}
	if s.scope != nil {
		for c := range numClasses {
			keep(s.scope.behind[c], o.scope.behind[c])
			keep(s.scope.known[c], o.scope.known[c])
		}
		for op, c := range s.scope.of {
			if b, ok := o.scope.of[op]; ok {
				keep(c, b)
			} else {
				delete(s.scope.of, op)
				changed = true
			}
		}
	}
	if kept := commonFacts(s.facts, o.facts); len(kept) != len(s.facts) {
		s.facts, changed = kept, true
	}
	return changed
}

// commonFacts returns the facts of a that b has, too.
func commonFacts(a, b []term.Term) []term.Term {
	if len(a) == len(b) && slices.Equal(a, b) {
		return a
	}
	has := make(map[term.Term]bool, len(b))
	for _, f := range b {
		has[f] = true
	}
	var out []term.Term
	for _, f := range a {
		if has[f] {
			out = append(out, f)
		}
	}
	return out
}

// mostFacts limits the facts of a state, so that the time for a nest of loops or branches
// grows in proportion to its depth.
const mostFacts = 128

// assume adds a fact. If there are too many, it drops the oldest one, which is of the
// outermost loop or branch: with fewer facts the proof assumes less.
func (s *state) assume(f term.Term) {
	if !f.IsTrue() && !slices.Contains(s.facts, f) {
		s.facts = append(slices.Clip(s.facts[max(0, len(s.facts)-mostFacts+1):]), f)
	}
}

// factsKey returns a text that identifies a set of facts.
func factsKey(facts []term.Term) string {
	ids := make([]uint64, len(facts))
	for i, f := range facts {
		ids[i] = uint64(f.ID())
	}
	slices.Sort(ids)
	var key []byte
	for _, id := range ids {
		key = binary.AppendUvarint(key, id)
	}
	return string(key)
}

// weaker reports whether everything that s says holds in o.
func (s *state) weaker(o *state) bool {
	t := s.clone()
	return !t.meet(o)
}
