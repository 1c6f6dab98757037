package insertsync

import (
	"slices"

	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// entry is an access that the walk has visited in an iteration.
type entry struct {
	*touch
	node  int
	round int32
}

// history is the accesses seen so far, by space. Of accesses to one and the
// same place only the last counts, since flags and barriers are for all that a
// pipe was given before.
type history struct {
	bySpace [][]entry
	limit   []int // how many entries there may be before those that are over are left out
	last    []seen
	run     int32 // entries of last of other runs mean nothing
}

// seen is where in its list the last access to a place stands, of a run.
type seen struct{ run, at int32 }

// reset forgets all, and keeps the memory.
func (h *history) reset() {
	for i := range h.bySpace {
		h.bySpace[i], h.limit[i] = h.bySpace[i][:0], 0
	}
	h.run++
}

func (h *history) add(e entry) {
	for int(e.space) >= len(h.bySpace) {
		h.bySpace, h.limit = append(h.bySpace, nil), append(h.limit, 0)
	}
	list := h.bySpace[e.space]
	if e.same > 0 && len(e.chain) == 0 {
		if int(e.same) >= len(h.last) {
			h.last = append(h.last, make([]seen, int(e.same)+1)...)
		}
		if l := &h.last[e.same]; l.run == h.run {
			list[l.at] = e
			return
		} else {
			*l = seen{h.run, int32(len(list))}
		}
	}
	h.bySpace[e.space] = append(list, e)
}

// samePlace is what accesses agree in of which only the last counts.
type samePlace struct {
	space               sem.Space
	root                *ir.Value
	at, size, wide, gap int64
	pipe                line
	write               bool
}

// number gives the accesses of an instruction numbers: one and the same for those
// of which only the last counts, 0 for others.
func (t *tree) number(xs []*touch) {
	for _, x := range xs {
		c, ok := x.from.constant()
		if !ok || x.ring != nil || x.dims != nil || x.atomic {
			continue
		}
		key := samePlace{x.space, x.root, c, x.size, x.width, x.pitch, x.pipe, x.write}
		if t.same[key] == 0 {
			t.same[key] = int32(len(t.same) + 1)
		}
		x.same = t.same[key]
	}
}

// demand adds the edges that node i lacks, for one pipe after the other. The
// scalar unit comes first, since all wait with it.
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

// leastEntries is how many accesses are kept at least before any are left out.
const leastEntries = 64

// leaveOut occasionally forgets accesses of a memory space for which no later
// instruction has to wait. Otherwise a long block would compare each access with all
// earlier ones, in quadratic time.
func (h *history) leaveOut(space sem.Space, over func(e *entry) bool) {
	list := h.bySpace[space]
	if len(list) < max(leastEntries, h.limit[space]) {
		return
	}
	kept := list[:0]
	for i := range list {
		e := list[i]
		numbered := e.same > 0 && len(e.chain) == 0
		switch {
		case !over(&e):
			if numbered {
				h.last[e.same].at = int32(len(kept))
			}
			kept = append(kept, e)
		case numbered:
			h.last[e.same] = seen{}
		}
	}
	h.bySpace[space], h.limit[space] = kept, 2*len(kept)
}

// overForAll reports whether an access is over for all pipes of the block.
func (w *walk) overForAll(e *entry) bool {
	for q := range lines {
		if w.b.pipes&(1<<q) != 0 && !w.known(q, e) {
			return false
		}
	}
	return true
}

// need is an access that has to be over before another one begins.
type need struct {
	entry
	by *touch
}

// missing returns what node n has to wait for on pipe q and does not, by the
// pipe that is waited for.
func (w *walk) missing(n *node, q line) (needs [lines][]need) {
	for _, x := range n.touches {
		if x.pipe != q || x.source || int(x.space) >= len(w.past.bySpace) {
			continue
		}
		list := w.past.bySpace[x.space]
		for i := range list {
			e := &list[i]
			if !w.a.hazard(e.touch, x) || w.known(q, e) || w.knownBefore(n, q, e) || len(x.chain) > 0 && w.knownInside(x, e) {
				continue
			}
			if w.meet(e, x) {
				needs[e.pipe] = append(needs[e.pipe], need{*e, x})
			}
		}
	}
	return needs
}

func (w *walk) known(q line, e *entry) bool {
	return w.before[q].over(e.pipe, e.pos, e.round*w.span(), e.round, e.chain)
}

// knownBefore reports whether an instruction of several pipes has waited for an
// access on another one, before it goes on on pipe q.
func (w *walk) knownBefore(n *node, q line, e *entry) bool {
	for i, h := range n.hands {
		if h[1] == q && (i == 0 || h[1] != n.hands[0][0]) && w.known(h[0], e) {
			return true
		}
	}
	return false
}

// knownInside reports whether an access in a block has waited for another one in
// front of that block: for its pipe, or for one that had waited for it there, also
// if that has done nothing since.
func (w *walk) knownInside(x *touch, e *entry) bool {
	for p := range lines {
		if x.inside&(1<<p) != 0 && (p == e.pipe || w.known(p, e) || w.done[p].over(e.pipe, e.pos, e.round*w.span(), e.round, e.chain)) {
			return true
		}
	}
	return w.copy-e.round <= 1 && w.a.told(x.hoistsInside, w.b, e.pipe, e.pos, e.chain)
}

// meet reports whether an earlier access, or one of the same iteration, may share a
// byte with an access of this iteration. Two writes of an in-order pipe need no
// synchronization, with one exception. If a write replaces unread data of another write
// completely, the final contents should not depend on the assumed order of the pipe.
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
	if l := w.b.loop; l != nil {
		p, q := l.outside(e.location), l.outside(x.location)
		if !(when{}).overlaps(&p, &q) {
			return false
		}
	}
	return at.overlaps(&e.location, &x.location)
}

// turns reports whether two accesses are to slots of one ring that are known.
func turns(a, b *touch) bool {
	return a.ring != nil && b.ring != nil && a.ring.alloc == b.ring.alloc && a.ring.index.ok && b.ring.index.ok
}

// choose picks the waits that cover all needs: of each pipe the last one, but
// none that the others imply.
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

// coversAll reports whether the known facts imply that all needed accesses are
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

// gain is what pipe q knows when it has waited for a need.
func (w *walk) gain(n need, q line) *know {
	if n.pipe == q {
		return &w.done[q]
	}
	return w.snap(n.round, n.node, n.pipe)
}

// edge makes the edge for a need of node i.
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

// joins lets an edge that is there do what e would: where a pipe is given
// several instructions in a row, one flag after the last of them is for all.
// The first that waits for it waits a little longer for that.
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

// inRow reports whether all nodes from one to another run on a pipe and
// nowhere else.
func (w *walk) inRow(from, to int, p line) bool {
	for _, n := range w.b.nodes[from : to+1] {
		if n.pipes != 1<<p {
			return false
		}
	}
	return true
}
