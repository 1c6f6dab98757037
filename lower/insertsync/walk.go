// This file simulates a block symbolically, to find missing orders and the effect of
// the block.

package insertsync

import (
	"math/bits"

	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// edge is a required order between two nodes of a block. The fields from and to are the
// numbers of the nodes. All work of pipe src up to the first node must be complete before
// pipe dst begins the second node. The edge becomes a flag if the two pipes differ, and a
// barrier of the pipe if they are the same.
type edge struct {
	src, dst line
	// from and to are indices of blk.nodes.
	from, to int
	// dist is 0 if both nodes are in the same iteration. Otherwise it is the number of
	// iterations by which the second node follows the first one.
	dist int32
	// given means that the order holds although the function has no synchronization for
	// it.
	given bool
	// slots, if not 0, is the number of events that the edge uses in turn, one for each
	// slot of a ring buffer. fromSlot and toSlot select the event.
	slots            int64
	fromSlot, toSlot *ring
	// all means that a flag cannot implement the edge, which is a barrier of all pipes. The
	// text allWhy says why, after "because".
	all    bool
	allWhy string
	// home, if not nil, is the body of the loop around which the flag is raised once
	// before and waited for once after.
	home *blk
	// joined means that another flag with the same home and event is raised before home and
	// waited for after it.
	joined bool
	// bit is the bit in know.hoists for a flag that is hoisted out of a loop, as
	// described for home.
	bit uint64
	// facts is a list of the work that was complete when the flag was raised in the
	// previous execution of the block.
	facts facts
	// needed means that an order would be missing at the second node without the edge, even
	// if all other edges stay. An execution that weighs the edges computes it.
	needed bool
	// why are the two accesses that the edge must keep in order. Remarks name them.
	why [2]*touch
	// ids are the assigned event IDs.
	ids []int64
	// ops are the inserted operations that implement the edge.
	ops []*ir.Op
}

// barrier reports whether the edge is a barrier of a single pipe.
func (e *edge) barrier() bool { return e.src == e.dst && !e.all }

// analysis computes the edges (required orders between instructions) of a function.
type analysis struct {
	rules *order.Rules
	// buffers, in mode=buffers, are the tokens that order accesses without edges.
	buffers *buffers
	// probing means that the analysis only checks whether an edge is missing. missed is
	// then the result, and lacking are the two accesses without the required order.
	probing, missed bool
	lacking         [2]*touch
	// weighing means that the analysis also computes which edges are needed.
	weighing bool
	// hoisted are the hoisted flags, indexed by their bit in know.hoists.
	hoisted [64]placed
	// scratch is the abstract execution state that look reuses for all blocks.
	scratch walk
}

// hazard reports whether the pass must order two accesses if they share a byte. This is
// not necessary, for example, for two reads, for two atomic updates, or if the hardware
// or a buffer token orders the accesses.
func (a *analysis) hazard(x, y *touch) bool {
	switch {
	case !x.write && !y.write, x.atomic && y.atomic, x.frees:
		return false
	case x.pipe != y.pipe:
		return a.buffers == nil || !a.buffers.cover(x, y)
	}
	return !a.rules.InOrder(x.pipe)
}

// find adds the edges (required orders) that block b and all blocks nested in it need and
// do not have yet. It processes the innermost blocks first.
func (a *analysis) find(b *blk) {
	for _, n := range b.nodes {
		for _, k := range n.bodies {
			a.find(k)
		}
		n.takeAll()
	}
	a.look(b)
}

// look adds missing edges between the instructions of block b, and computes what is known
// after its execution. An edge is an order that two instructions require; it is missing if
// no flag or barrier orders them yet. The caller must have completed the edges of the
// blocks nested in b.
func (a *analysis) look(b *blk) {
	w := &a.scratch
	w.reset(a, b)
	w.discover, w.marking = true, true
	switch w.run(); {
	case a.missed:
	case w.changed: // a new edge adds knowledge to nodes that the execution has passed
		a.leave(b)
	default:
		b.keep(w)
	}
}

// takeAll copies the accesses in the nested blocks of n to n itself. If an earlier call
// has copied them, takeAll only updates two sets of each access: the pipes whose work the
// instruction of the access has waited for, and the hoisted flags (raised before an outer
// loop) that it has waited for.
func (n *node) takeAll() {
	if len(n.touches) > 0 && len(n.bodies) > 0 {
		n.tellInside()
		return
	}
	for _, k := range n.bodies {
		n.take(k)
	}
}

// tellInside updates the accesses of node n, an operation with nested blocks such as a
// loop. The list of accesses of n contains a copy of each access in these blocks, in the
// same order. The analysis of the blocks has computed two sets for each access: the pipes
// for which its instruction has waited, and the hoisted flags for which it has waited.
// tellInside stores both sets in the copies.
func (n *node) tellInside() {
	i := 0
	for _, k := range n.bodies {
		for _, c := range k.nodes {
			for _, x := range c.touches {
				n.touches[i].inside, n.touches[i].hoistsInside = x.covered, x.hoists
				i++
			}
		}
	}
}

// take adds copies of the accesses in a nested block k to the accesses of node n. If k is
// the body of a loop, the location of each copy covers the memory that the access uses in
// all iterations of the loop.
func (n *node) take(k *blk) {
	for _, c := range k.nodes {
		for _, x := range c.touches {
			y := *x
			if k.loop != nil {
				y.location = k.loop.outside(y.location)
			}
			y.inside, y.hoistsInside = x.covered, x.hoists
			y.chain = append(append([]int32(nil), x.chain...), k.id)
			n.touches = append(n.touches, &y)
		}
		n.pipes |= c.pipes
		for p := range n.lastOf {
			n.lastOf[p] = max(n.lastOf[p], c.lastOf[p])
		}
	}
}

// leave computes what is known after the execution of block b: which work is complete,
// and for which pipes the instruction of each access in b has waited. The analysis of the
// enclosing block uses these facts.
func (a *analysis) leave(b *blk) {
	if b.run == nil {
		b.run = &walk{}
	}
	w := b.run
	w.reset(a, b)
	w.marking = true
	w.run()
	w.conclude()
}

// keep makes the execution w of block b the one that determines what is known after the
// block. The execution has to be complete. Afterwards w has the snapshots of the previous
// execution as memory for the next one, and its own memory for everything else.
func (b *blk) keep(w *walk) {
	w.conclude()
	if b.run == nil {
		b.run = &walk{}
	}
	*b.run, *w = *w, *b.run
	w.past, w.ends, w.marks = b.run.past, b.run.ends, b.run.marks
	b.run.past, b.run.ends, b.run.marks = history{}, nil, nil
}

// conclude stores the results of the execution w in its block, in the accesses of the
// block, and in the edges that are flags raised before an outer loop.
func (w *walk) conclude() {
	b := w.b
	for _, m := range w.marks {
		m.covered, m.hoists = m.pipes, m.flags
	}
	if b.parent != nil {
		for p := range b.exit {
			b.exit[p], b.exitOf[p] = w.outcome(&w.before[p]), w.outcome(&w.done[p])
		}
	}
	for _, e := range b.edges {
		if e.home != nil {
			e.facts = w.outcome(w.snap(w.copy, e.from, e.src)).inner
		}
	}
}

// mark holds what an execution has found for an access: the set of pipes and the set of
// hoisted flags for which the instruction has waited since the start of the block.
type mark struct {
	*touch
	pipes uint8
	flags uint64
}

// walk is an abstract execution of a block that propagates which work is known to be
// complete. It simulates two iterations if the block is the body of a loop. The second
// iteration finds the orders between iterations.
type walk struct {
	a *analysis
	b *blk
	// copies is the number of simulated iterations, and the field copy is the number of
	// the current one, from 0 to copies-1.
	copies int32
	// discover means that the abstract execution adds the edges (required orders) that
	// are missing in the block.
	discover bool
	// changed means that the execution has added an edge or changed one.
	changed bool
	// marking means that the execution records for each access which pipes it has waited
	// for, in the list marks.
	marking bool
	marks   []mark

	copy int32
	// before is, for each pipe, the work that the next instruction of the pipe has waited
	// for.
	before [lines]know
	// done is, for each pipe, the work that is complete once the pipe has completed all
	// instructions that it has received so far.
	done [lines]know
	// enters holds a copy of the field before for each node with nested blocks, in each
	// simulated iteration.
	enters [][lines]know
	// snaps holds copies of entries of the field done: one for each node, pipe of the
	// node and simulated iteration.
	snaps []know
	past  history
	// ends lists, for each node of the block, the edges (required orders) that end at the
	// node.
	ends [][]*edge
	// handed is the text position of the last instruction that each pipe has received so
	// far.
	handed [lines]int32
}

// reset prepares w for a new execution of block b. It reuses the allocated memory, since
// each block is executed many times.
func (w *walk) reset(a *analysis, b *blk) {
	b.measure()
	past := w.past
	past.reset()
	*w = walk{a: a, b: b, copies: b.copies, past: past, ends: w.ends, marks: w.marks[:0],
		snaps: zeroed(w.snaps, int(b.copies*b.snaps)), enters: zeroed(w.enters, int(b.copies*b.enters))}
	if !b.top { // there may be more before it
		for p := range w.handed {
			w.handed[p] = b.first - 1
		}
	}
}

// zeroed returns a slice of n zero elements. It reuses the memory of s if it is large
// enough.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// measure computes what the abstract execution of the block b needs: the number of
// simulated iterations (copies), the numbers of snapshots (snaps and enters), and the set
// of pipes (pipes). The analysis allocates its memory by these numbers. Only the first
// call of measure for a block computes them.
func (b *blk) measure() {
	if b.copies > 0 {
		return
	}
	b.copies = 1
	if b.loop != nil {
		b.copies = 2
	}
	for _, n := range b.nodes {
		b.pipes |= n.pipes
		n.snap, n.enter = b.snaps, b.enters
		b.snaps += int32(bits.OnesCount8(n.pipes))
		if len(n.bodies) > 0 {
			b.enters++
		}
		for _, x := range n.touches {
			if b.loop != nil && x.ring != nil {
				b.copies = max(b.copies, 1+int32(x.ring.count))
			}
		}
	}
}

// nothing is an empty record of complete work: it means that no work of any pipe is known
// to be complete. The walk returns it when it looks up what a pipe knew at a node that
// does not use the pipe.
var nothing know

// snap returns the work of other pipes that is certain to be complete when pipe p has
// executed a node of the block. round is the index of the simulated iteration, and node
// is the index of the node in the block. If the node does not use pipe p, the result is
// empty.
func (w *walk) snap(round int32, node int, p line) *know {
	n := w.b.nodes[node]
	if n.pipes&(1<<p) == 0 {
		return &nothing
	}
	return &w.snaps[round*w.b.snaps+n.snap+int32(bits.OnesCount8(n.pipes&(1<<p-1)))]
}

// enter returns a pointer to a record. When the analysis starts to process a node with
// nested blocks, it stores in this record what it knows: for each pipe, the work that is
// complete before the pipe executes the node. round is the simulated iteration, and node
// is the index of the node.
func (w *walk) enter(round int32, node int) *[lines]know {
	return &w.enters[round*w.b.enters+w.b.nodes[node].enter]
}

// span returns the number of text positions in the block. The walk simulates several
// iterations of a loop. In each simulated iteration, the position of an instruction of
// the loop body is larger by this number than in the previous one.
func (w *walk) span() int32 { return w.b.last - w.b.first + 1 }

// shift returns the number of text positions by which the current iteration is shifted
// relative to the first iteration. The walk simulates several iterations of a loop and
// numbers their instructions consecutively. Each iteration has as many text positions as
// the block has instructions.
func (w *walk) shift() int32 { return w.copy * w.span() }

// run simulates all nodes of the block, for each simulated iteration.
func (w *walk) run() {
	for w.copy = 0; w.copy < w.copies; w.copy++ {
		for i := range w.ends {
			w.ends[i] = w.ends[i][:0]
		}
		for len(w.ends) < len(w.b.nodes) {
			w.ends = append(w.ends, nil)
		}
		for _, list := range [][]*edge{w.b.given, w.b.edges} {
			for _, e := range list {
				w.ends[e.to] = append(w.ends[e.to], e)
			}
		}
		for i := range w.b.nodes {
			if w.visit(i); w.a.missed {
				return
			}
		}
	}
	w.copy--
}

// visit simulates the node with index i: first the waits of the edges (required orders)
// that end at the node, then its accesses.
func (w *walk) visit(i int) {
	n := w.b.nodes[i]
	switch {
	case n.stop:
		w.wall(n.last)
		return
	case n.isBar:
		w.barrier(n)
		return
	}
	if w.a.weighing {
		w.weigh(i)
	}
	for _, e := range w.ends[i] {
		w.apply(e)
	}
	if w.discover {
		w.demand(i)
	}
	if w.marking {
		if len(n.bodies) > 0 {
			*w.enter(w.copy, i) = w.before
		}
		if w.copy == 0 {
			w.mark(n)
		}
	}
	w.execute(i)
}

// wall records a barrier of all pipes: all work up to text position pos is complete for
// every pipe.
func (w *walk) wall(pos int32) {
	for p := range w.before {
		for q := range w.before[p].at {
			w.before[p].at[q] = pos + w.shift()
			w.done[p].at[q] = pos + w.shift()
		}
	}
}

// apply records that the pipe e.dst waits for the edge e: the work that was complete when
// the flag of e was raised is now known to this pipe.
func (w *walk) apply(e *edge) {
	switch {
	case e.all:
		w.wall(w.b.nodes[e.to].first - 1)
	case e.barrier():
		w.hold(e.src, w.b.nodes[e.to].first-1)
	case e.given && e.dist > w.copy: // nothing is known in the first iteration
	case e.dist <= w.copy:
		k := *w.snapshot(e)
		k.hoists |= e.bit
		w.await(e.dst, &k)
	default: // what was raised before the loop
		k := know{hoists: e.bit}
		k.at[e.src] = e.outer(w.b).first - 1
		w.await(e.dst, &k)
	}
}

// barrier updates the analysis for a barrier that the program already contains. The
// barrier waits for one pipe or for all pipes. Their earlier work is complete after it.
func (w *walk) barrier(n *node) {
	if n.bar == sem.PipeAll {
		w.wall(n.first)
	} else if p := order.LineOf(n.bar); p != order.NoLine {
		w.hold(p, n.first)
	}
}

// hold makes pipe p wait for its own instructions up to text position pos. This is the
// effect of a barrier of one pipe.
func (w *walk) hold(p line, pos int32) {
	k := w.done[p]
	k.at[p] = max(k.at[p], pos+w.shift())
	w.await(p, &k)
}

// snapshot returns which work was complete when the flag of edge e was raised. If the
// flag is raised in several iterations, snapshot considers the raise for which the
// current iteration waits.
func (w *walk) snapshot(e *edge) *know {
	return w.snap(w.copy-e.dist, e.from, e.src)
}

// await makes pipe p wait for the work in k. If p is the scalar unit, the wait holds for
// all pipes, because the scalar unit issues all later instructions.
func (w *walk) await(p line, k *know) {
	if p != order.Scalar {
		w.before[p].join(k)
		return
	}
	for q := range w.before {
		w.before[q].join(k)
	}
}

// mark records, for each access of node n, the pipes whose work before the block is
// complete when the access starts. These are the pipes that the instruction of the node
// has waited for since the start of the block.
func (w *walk) mark(n *node) {
	for _, x := range n.touches {
		m := mark{x, x.inside, x.hoistsInside | w.before[x.pipe].hoists} // what an earlier search found may hold no more
		m.pipes |= w.a.homed(m.flags, w.b)
		if w.b.walled {
			m.pipes = 1<<lines - 1
		}
		for q, at := range w.before[x.pipe].at {
			if at >= w.b.first-1 && at > 0 {
				m.pipes |= 1 << q
			}
		}
		w.marks = append(w.marks, m)
	}
}

// execute records that the instructions of the node with index i have been issued to
// their pipes.
func (w *walk) execute(i int) {
	n := w.b.nodes[i]
	if len(n.bodies) > 0 {
		w.executeBodies(n)
	}
	w.gather(n)
	for p := range lines {
		w.before[p].forget(w.span())
		w.done[p].forget(w.span())
		if n.pipes&(1<<p) == 0 {
			continue
		}
		w.done[p].join(&w.before[p])
		w.done[p].at[p] = max(w.done[p].at[p], n.lastOf[p]+w.shift())
		if w.a.rules.InOrder(p) {
			w.before[p].at[p] = w.done[p].at[p]
		}
		*w.snap(w.copy, i, p) = w.done[p]
	}
	for _, h := range n.hands {
		w.done[h[1]].join(&w.done[h[0]])
		*w.snap(w.copy, i, h[1]) = w.done[h[1]]
	}
}

// executeBodies adds what is known after the execution of the blocks inside node n, a loop
// or a branch.
func (w *walk) executeBodies(n *node) {
	entry := [2][lines]know{w.before, w.done} // what flags raised in a loop may count on
	for _, k := range n.bodies {
		for p := range w.before {
			w.before[p].inner = joined(w.before[p].inner, k.exit[p].inner.inRound(w.copy))
			w.done[p].inner = joined(w.done[p].inner, k.exitOf[p].inner.inRound(w.copy))
		}
		for _, e := range k.edges {
			if e.dist > 0 && e.home == nil && !e.barrier() && !e.all {
				w.awaitLast(k, e, &entry)
			}
		}
	}
}

// gather replaces detailed knowledge about the nested blocks of node n by simpler
// knowledge. For each pipe, the analysis knows a text position up to which all accesses
// of the pipe are complete. In addition, it knows facts about single nested blocks. If
// these facts show that all accesses of the pipe inside n are complete, gather raises the
// text position to the end of n. The facts are then unnecessary.
func (w *walk) gather(n *node) {
	for p := range lines {
		if n.pipes&(1<<p) == 0 {
			continue
		}
		at := n.lastOf[p] + w.shift()
		for _, ks := range []*[lines]know{&w.before, &w.done} {
			for q := range ks {
				k := &ks[q]
				if k.accessed[p] = max(k.accessed[p], k.at[p]); len(n.bodies) > 0 && k.accessed[p] >= w.handed[p] && k.accessed[p] < at && k.hasAll(n, p, w.copy) {
					k.accessed[p] = at
				}
			}
		}
		w.handed[p] = at
	}
}

// awaitLast handles the loop-carried edge e of the loop with body k. Each iteration
// raises a flag, and the next iteration waits for it. No iteration waits for the flag of
// the last iteration, so the pass inserts a wait for this flag after the loop. awaitLast
// records which work is complete after this wait. The analysis simulates the first two
// iterations; the parameter entry contains, for the start of each of them, which
// instructions each pipe knows to be complete.
func (w *walk) awaitLast(k *blk, e *edge, entry *[2][lines]know) {
	d := entry[0][e.src]
	d.join(&entry[1][e.src])
	for _, n := range k.nodes[:e.from+1] {
		d.at[e.src] = max(d.at[e.src], n.lastOf[e.src]+w.shift())
	}
	d.at[e.src] = max(d.at[e.src], k.first-1+w.shift())
	w.await(e.dst, &d)
}

// outcome converts the knowledge k at the end of the last simulated iteration to a form
// that code outside of the block can use. Outside, it is not certain that the block was
// executed. The result therefore contains no text positions of pipes. It contains only
// facts of the form: if the block was executed, a pipe has completed it up to a position.
func (w *walk) outcome(k *know) know {
	var r know
	for p, n := range k.at {
		if n -= w.shift(); n >= w.b.first {
			if r.inner == nil {
				r.inner = make(facts, 0, len(k.at)-p+len(k.inner))
			}
			r.inner = append(r.inner, fact{keyOf(w.b.id, 0, line(p)), n})
		}
	}
	for _, f := range k.inner { // of blocks inside, the numbers of which are higher
		if f.copy() == w.copy {
			r.inner = append(r.inner, f.in(0))
		}
	}
	return r
}
