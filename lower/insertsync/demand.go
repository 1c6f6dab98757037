// This file determines which orders between instructions are missing, and creates an
// edge for each.

package insertsync

import (
	"slices"
	"sort"

	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// entry is an access that the abstract execution of a block has already visited.
type entry struct {
	*touch
	// node is the index of the instruction in its block, and round the loop iteration in
	// which the instruction was visited.
	node  int
	round int32
}

// history lists the accesses that the abstract execution of a block has visited, by
// memory space. If a pipe accesses the same location several times, the list contains
// only the last access. This is sufficient, because flags and barriers wait for all
// earlier work of a pipe: a wait for the last access covers the earlier accesses as well.
// Accesses inside of loops and branches are all kept, because a wait inside of one of them
// need not be executed.
type history struct {
	spaces []visited
	// last is the position in visited.single of the last access to each location, and
	// group the position in visited.groups of its newest group, indexed by touch.same.
	last, group []seen
	// run is the number of the current abstract execution. Entries of last and group from
	// other executions are invalid, so that reset does not have to clear them.
	run int32
}

// visited are the accesses to one memory space.
type visited struct {
	// single are accesses that belong to no group.
	single []entry
	// groups are accesses inside of loops and branches. The accesses of a group are to the
	// same location and in the same simulated iteration, and their positions ascend.
	groups [][]entry
	// count is the number of entries, and limit the number at which leaveOut removes
	// completed accesses.
	count, limit int
}

// seen records that an access has an entry in a list. The field at is the position of the
// entry. The field run is the number of an abstract execution; the position is valid only
// in this execution.
type seen struct{ run, at int32 }

// reset removes all entries but keeps the allocated memory.
func (h *history) reset() {
	for i := range h.spaces {
		s := &h.spaces[i]
		s.single, s.groups, s.count, s.limit = s.single[:0], s.groups[:0], 0, 0
	}
	h.run++
}

// add appends an access to the history. It replaces the previous access of the same pipe
// to the same location, unless one of the two is inside of a loop or a branch.
func (h *history) add(e entry) {
	for int(e.space) >= len(h.spaces) {
		h.spaces = append(h.spaces, visited{})
	}
	for int(e.same) >= len(h.last) {
		h.last, h.group = append(h.last, make([]seen, e.same+1)...), append(h.group, make([]seen, e.same+1)...)
	}
	s := &h.spaces[e.space]
	switch {
	case e.same == 0:
		s.single = append(s.single, e)
	case len(e.chain) == 0:
		l := &h.last[e.same]
		if l.run == h.run {
			s.single[l.at] = e
			return
		}
		*l = seen{h.run, int32(len(s.single))}
		s.single = append(s.single, e)
	default:
		g := &h.group[e.same]
		if g.run != h.run || s.groups[g.at][0].round != e.round {
			*g = seen{h.run, int32(len(s.groups))}
			s.groups = append(s.groups, nil)
		}
		s.groups[g.at] = append(s.groups[g.at], e)
	}
	s.count++
}

// samePlace is the key of accesses that are equivalent for synchronization: the same
// bytes, the same pipe, and both reads or both writes.
type samePlace struct {
	space sem.Space
	// root is the object from whose start offsets are counted, or nil for the start of
	// the memory space.
	root *ir.Value
	// partition is the value whose location is a part of a view, or nil.
	partition *ir.Value
	// at is the offset of the first byte, and size the number of bytes. A strided access
	// touches only runs of wide bytes, whose starts are gap bytes apart.
	at, size, wide, gap int64
	// pipe is the pipe that executes the access.
	pipe line
	// write means that the access is a write, and frees that it frees a slot of a queue.
	write, frees bool
}

// number assigns a number to each access in xs and stores it in the field same. Accesses
// with equal keys (samePlace) have the same positive number. The number 0 is for accesses
// without a key: atomic accesses, and accesses with a varying location (ring buffers,
// views in loops, unknown offsets).
func (t *tree) number(xs []*touch) {
	for _, x := range xs {
		c, ok := x.from.constant()
		if !ok || x.ring != nil || x.atomic {
			continue
		}
		key := samePlace{x.space, x.root, nil, c, x.size, x.width, x.pitch, x.pipe, x.write, x.frees}
		if x.dims != nil {
			if key.partition = x.value; inLoop(x.value) {
				continue
			}
		}
		if t.same[key] == 0 {
			t.same[key] = int32(len(t.same) + 1)
		}
		x.same = t.same[key]
	}
}

// inLoop reports whether v is defined in a loop, and can change in each iteration.
func inLoop(v *ir.Value) bool {
	for op := v.Block().Parent(); op != nil; op = op.Parent() {
		if op.HasTrait(ir.LoopLike) {
			return true
		}
	}
	return false
}

// demand adds the missing edges (required orders) that end at node i of the block, for
// one waiting pipe after the other. It starts with the scalar unit. All pipes receive
// their instructions from the scalar unit, so a wait of the scalar unit holds for all
// pipes.
func (w *walk) demand(i int) {
	n := w.b.nodes[i]
	for q := order.Scalar; q < lines; q++ {
		if n.pipes&(1<<q) == 0 {
			continue
		}
		missing := w.missing(n, q)
		if w.a.probing {
			w.a.miss(missing)
			continue
		}
		for _, m := range w.choose(q, missing) {
			e := w.edge(m, q, i)
			w.changed = true
			if !w.joins(e) {
				w.b.edges = append(w.b.edges, e)
			}
			w.apply(e)
		}
	}
	for _, x := range n.touches {
		w.past.add(entry{x, i, w.copy})
		w.past.leaveOut(x.space, w.overForAll)
	}
}

// miss records the first missing order of the analysis. An order is missing if an access
// must be complete before another one, and no synchronization ensures this. The argument
// lists such pairs of accesses by pipe. miss stores the first pair, unless an earlier
// call has already stored one.
func (a *analysis) miss(needs [lines][]need) {
	for _, ns := range needs {
		if len(ns) > 0 && !a.missed {
			a.missed, a.lacking = true, [2]*touch{ns[0].touch, ns[0].by}
		}
	}
}

// leastEntries is the minimum length of a list of accesses from which leaveOut removes
// accesses. For shorter lists, the search would cost more than it saves.
const leastEntries = 64

// leaveOut removes accesses from the history of one memory space. It removes an access if
// the function over returns true, which means that no later instruction has to wait for
// the access. It does nothing while there are few accesses. Without leaveOut, the pass would
// compare each access of a long block with all earlier accesses, in quadratic time.
func (h *history) leaveOut(space sem.Space, over func(e *entry) bool) {
	s := &h.spaces[space]
	if s.count < max(leastEntries, s.limit) {
		return
	}
	kept := s.single[:0]
	for _, e := range s.single {
		switch gone := over(&e); {
		case gone && e.same > 0:
			h.last[e.same] = seen{}
		case !gone:
			if e.same > 0 {
				h.last[e.same].at = int32(len(kept))
			}
			kept = append(kept, e)
		}
	}
	s.single, s.count = kept, len(kept)
	groups := s.groups[:0]
	for at, g := range s.groups {
		newest := &h.group[g[0].same]
		current := *newest == seen{h.run, int32(at)}
		g = slices.DeleteFunc(g, func(e entry) bool { return over(&e) })
		switch {
		case len(g) > 0:
			if current {
				newest.at = int32(len(groups))
			}
			groups, s.count = append(groups, g), s.count+len(g)
		case current:
			*newest = seen{}
		}
	}
	clear(s.groups[len(groups):])
	s.groups, s.limit = groups, 2*s.count
}

// overForAll reports whether every pipe of the block knows that the access e is complete.
// The analysis can then forget the access, because no later instruction needs an edge (a
// required order) after it.
func (w *walk) overForAll(e *entry) bool {
	for q := range lines {
		if w.b.pipes&(1<<q) != 0 && !w.known(q, e) {
			return false
		}
	}
	return true
}

// need describes a required order between two accesses. The embedded entry is the earlier
// access, and the field by is the later one, which must not begin before the earlier one
// is complete.
type need struct {
	entry
	by *touch
}

// missing returns the accesses that must be complete before pipe q may execute node n,
// and that existing synchronization does not cover yet. The result is indexed by the pipe
// that executes the earlier access.
func (w *walk) missing(n *node, q line) (needs [lines][]need) {
	for _, x := range n.touches {
		if x.pipe != q || x.source || int(x.space) >= len(w.past.spaces) {
			continue
		}
		s := &w.past.spaces[x.space]
		for i := range s.single {
			if e := &s.single[i]; w.a.hazard(e.touch, x) && !w.ordered(n, q, e, x) && w.meet(e, x) {
				needs[e.pipe] = append(needs[e.pipe], need{*e, x})
			}
		}
		for _, g := range s.groups {
			if !w.a.hazard(g[0].touch, x) {
				continue
			}
			i := w.passed(q, x, g)
			if i == len(g) || !w.meet(&g[i], x) {
				continue
			}
			for ; i < len(g); i++ {
				if e := &g[i]; !w.ordered(n, q, e, x) {
					needs[e.pipe] = append(needs[e.pipe], need{*e, x})
				}
			}
		}
	}
	return needs
}

// passed returns the number of accesses at the start of the group g that are complete
// before the access x, which pipe q executes, by their positions alone: q, or a pipe for
// which x has waited inside of its loop or branch, has waited for these positions.
func (w *walk) passed(q line, x *touch, g []entry) int {
	pipe := g[0].pipe
	upTo := w.before[q].accessed[pipe]
	for p := range lines {
		if len(x.chain) > 0 && x.inside&(1<<p) != 0 {
			upTo = max(upTo, w.before[p].accessed[pipe], w.done[p].accessed[pipe])
		}
	}
	upTo -= g[0].round * w.span()
	return sort.Search(len(g), func(i int) bool { return g[i].pos > upTo })
}

// ordered reports whether synchronization orders the access x of node n, which pipe q
// executes, after the earlier access e.
func (w *walk) ordered(n *node, q line, e *entry, x *touch) bool {
	return w.known(q, e) || w.knownBefore(n, q, e) || len(x.chain) > 0 && w.knownInside(x, e)
}

// known reports whether the access e is complete, as far as pipe q is concerned, before
// the current node executes. The synchronization before this node must guarantee it.
func (w *walk) known(q line, e *entry) bool {
	return w.before[q].over(e.pipe, e.pos, e.round*w.span(), e.round, e.chain)
}

// knownBefore handles an instruction that several pipes execute one after the other,
// which is node n. Within the instruction, pipe q waits for an earlier pipe. knownBefore
// reports whether an earlier pipe has already waited for the access e, so that pipe q
// need not wait for it once more.
func (w *walk) knownBefore(n *node, q line, e *entry) bool {
	for i, h := range n.hands {
		if h[1] == q && (i == 0 || h[1] != n.hands[0][0]) && w.known(h[0], e) {
			return true
		}
	}
	return false
}

// knownInside reports whether synchronization in a nested block already orders x after e.
// The access x is in that block, and e precedes the block. The order exists if the
// instruction of x has waited for the pipe of e, or for another pipe that had waited for
// e.
func (w *walk) knownInside(x *touch, e *entry) bool {
	for p := range lines {
		if x.inside&(1<<p) != 0 && (p == e.pipe || w.known(p, e) || w.done[p].over(e.pipe, e.pos, e.round*w.span(), e.round, e.chain)) {
			return true
		}
	}
	return w.copy-e.round <= 1 && w.a.told(x.hoistsInside, w.b, e.pipe, e.pos, e.chain)
}

// meet reports whether the earlier access e and the access x of the current iteration
// need synchronization. They need it if they may share a byte, with one exception. If
// both are writes of the same pipe, and the rules state that this pipe writes in order,
// they need none. The exception does not apply if the second write completely replaces
// the bytes of the first one, which no instruction has read. The final contents of the
// memory would then depend on the rule alone, which could be wrong for a device.
func (w *walk) meet(e *entry, x *touch) bool {
	rounds := w.copy - e.round
	if rounds > 1 && !turns(e.touch, x) {
		return false // the next round has looked at all later ones
	}
	at := when{}
	if rounds > 0 {
		at = when{w.b.loop, int64(rounds)}
	}
	if e.pipe == x.pipe && e.write && x.write && w.a.rules.OrderedWrites(x.pipe) && !at.replaces(&e.location, &x.location) {
		return false
	}
	if !at.overlaps(&e.location, &x.location) {
		return false
	}
	l := w.b.loop
	if l == nil {
		return true
	}
	p, q := l.outside(e.location), l.outside(x.location)
	return (when{}).overlaps(&p, &q)
}

// turns reports whether the accesses a and b are to slots of the same ring buffer and
// both slot numbers are expressions that the pass can compute. If so, a flag with one
// event for each slot can order the two accesses.
func turns(a, b *touch) bool {
	return a.ring != nil && b.ring != nil && a.ring.alloc == b.ring.alloc && a.ring.index.ok && b.ring.index.ok
}

// choose selects the waits that cover all needs of pipe q. For each other pipe it uses
// the last needed access, since waiting for that access implies the earlier ones. It then
// drops waits that the remaining ones imply.
func (w *walk) choose(q line, needs [lines][]need) []need {
	var picked []need
	for _, ns := range needs {
		if len(ns) > 0 {
			picked = append(picked, slices.MaxFunc(ns, func(a, b need) int {
				if a.round != b.round {
					return int(a.round - b.round)
				}
				return a.node - b.node
			}))
		}
	}
	for i := 0; i < len(picked) && len(picked) > 1; {
		k := w.before[q]
		for j, other := range picked {
			if j != i {
				k.join(w.gain(other, q))
			}
		}
		if w.coversAll(&k, &needs) {
			picked = slices.Delete(picked, i, i+1)
		} else {
			i++
		}
	}
	return picked
}

// coversAll reports whether all accesses in needs are known to be complete. needs lists
// accesses that must be complete, and k records which accesses a pipe knows to be
// complete.
func (w *walk) coversAll(k *know, needs *[lines][]need) bool {
	for _, ns := range needs {
		for _, n := range ns {
			if !k.over(n.pipe, n.pos, n.round*w.span(), n.round, n.chain) {
				return false
			}
		}
	}
	return true
}

// gain returns what pipe q knows after it has waited for an access, the earlier access of
// the need n. When that access is complete, other work is complete as well, and the
// result describes all this work.
func (w *walk) gain(n need, q line) *know {
	if n.pipe == q {
		return &w.done[q]
	}
	return w.snap(n.round, n.node, n.pipe)
}

// edge returns an edge (required order) for the need n, an access that must be complete
// before the node with index i. The node executes on pipe q. If the access is on pipe q
// too, the edge is a barrier.
func (w *walk) edge(n need, q line, i int) *edge {
	e := &edge{src: n.pipe, dst: q, from: n.node, to: i, dist: w.copy - n.round, why: [2]*touch{n.touch, n.by}}
	switch {
	case e.src == e.dst:
		e.dist = 0
	case e.dist == 0:
	case turns(n.touch, n.by) && (e.dist > 1 || e.from < e.to):
		e.slots, e.fromSlot, e.toSlot = n.ring.count, n.ring, n.by.ring
	case e.from < e.to:
		e.dist = 0
	}
	return e
}

// joins tries to use an existing edge instead of the new edge e, and reports whether this
// was possible. If a pipe executes several instructions in succession, one flag after the
// last of them suffices for all of them. The disadvantage is that the first waiting
// instruction waits a little longer.
func (w *walk) joins(e *edge) bool {
	if e.barrier() || e.slots > 0 {
		return false
	}
	for _, f := range slices.Backward(w.b.edges) {
		if f.src != e.src || f.dst != e.dst || f.dist != e.dist || f.slots > 0 || f.all {
			continue
		}
		if f.from <= e.from && f.to <= e.to && (e.dist > 0 || e.from < f.to) && w.inRow(f.from, e.from, e.src) {
			f.from = e.from
			return true
		}
		return false
	}
	return false
}

// inRow reports whether all nodes of the block in a closed range of indices run only on
// pipe p. from and to are the first and the last index.
func (w *walk) inRow(from, to int, p line) bool {
	for _, n := range w.b.nodes[from : to+1] {
		if n.pipes != 1<<p {
			return false
		}
	}
	return true
}
