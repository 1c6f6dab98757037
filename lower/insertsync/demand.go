package insertsync

import (
	"slices"

	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// entry is an access that has been seen in a round.
type entry struct {
	*touch
	node  int
	round int32
}

// history is the accesses seen so far, by space. Of accesses to one and the
// same place only the last counts, since flags and barriers are for all that a
// pipe was given before.
type history struct {
	bySpace map[sem.Space][]entry
	last    map[samePlace]int
	limit   map[sem.Space]int // how many entries there may be before those that are over are left out
}

type samePlace struct {
	space               sem.Space
	root                *ir.Value
	at, size, wide, gap int64
	pipe                line
	write               bool
}

func (h *history) add(e entry) {
	if h.bySpace == nil {
		h.bySpace, h.last, h.limit = map[sem.Space][]entry{}, map[samePlace]int{}, map[sem.Space]int{}
	}
	list := h.bySpace[e.space]
	if key, ok := e.key(); ok {
		if i, seen := h.last[key]; seen {
			list[i] = e
			return
		}
		h.last[key] = len(list)
	}
	h.bySpace[e.space] = append(list, e)
}

// key is what accesses agree in of which only the last counts.
func (e entry) key() (samePlace, bool) {
	c, ok := e.from.constant()
	if !ok || e.ring != nil || e.dims != nil || len(e.chain) > 0 || e.atomic {
		return samePlace{}, false
	}
	return samePlace{e.space, e.root, c, e.size, e.width, e.pitch, e.pipe, e.write}, true
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

// leaveOut forgets accesses of a space that nobody has to wait for any more, now
// and then, so that a long block does not compare all with all.
func (h *history) leaveOut(space sem.Space, over func(e entry) bool) {
	list := h.bySpace[space]
	if len(list) < max(leastEntries, h.limit[space]) {
		return
	}
	list = slices.DeleteFunc(list, over)
	h.bySpace[space], h.limit[space] = list, 2*len(list)
	for key := range h.last {
		if key.space == space {
			delete(h.last, key)
		}
	}
	for i, e := range list {
		if key, ok := e.key(); ok {
			h.last[key] = i
		}
	}
}

// overForAll reports whether an access is over for all pipes of the block.
func (w *walk) overForAll(e entry) bool {
	for q := range lines {
		if w.pipes&(1<<q) != 0 && !w.known(q, e) {
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
		if x.pipe != q || x.source {
			continue
		}
		for _, e := range w.past.bySpace[x.space] {
			if !w.a.hazard(e.touch, x) || w.known(q, e) || w.knownBefore(n, q, e) || len(x.chain) > 0 && w.knownInside(x, e) {
				continue
			}
			if w.meet(e, x) {
				needs[e.pipe] = append(needs[e.pipe], need{e, x})
			}
		}
	}
	return needs
}

func (w *walk) known(q line, e entry) bool {
	return w.before[q].over(e.pipe, e.pos, e.round*w.span(), e.round, e.chain)
}

// knownBefore reports whether an instruction of several pipes has waited for an
// access on another one, before it goes on on pipe q.
func (w *walk) knownBefore(n *node, q line, e entry) bool {
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
func (w *walk) knownInside(x *touch, e entry) bool {
	for p := range lines {
		if x.inside&(1<<p) != 0 && (p == e.pipe || w.known(p, e) || w.done[p].over(e.pipe, e.pos, e.round*w.span(), e.round, e.chain)) {
			return true
		}
	}
	return w.copy-e.round <= 1 && w.a.told(x.hoistsInside, w.b, e.pipe, e.pos, e.chain)
}

// meet reports whether an access of an earlier or of this round may share a
// byte with one of this round. Writes of a pipe that keeps their order need
// none but where one replaces all that the other wrote, which nobody has read:
// then which of them remains had better not depend on that.
func (w *walk) meet(e entry, x *touch) bool {
	rounds := w.copy - e.round
	if rounds > 1 && !turns(e.touch, x) {
		return false // the next round has looked at all later ones
	}
	at := when{}
	if rounds > 0 {
		at = when{w.b.loop, int64(rounds)}
	}
	if e.pipe == x.pipe && e.write && x.write && w.a.rules.OrderedWrites(x.pipe) && !at.replaces(&e.place, &x.place) {
		return false
	}
	if l := w.b.loop; l != nil {
		p, q := l.outside(e.place), l.outside(x.place)
		if !(when{}).overlaps(&p, &q) {
			return false
		}
	}
	return at.overlaps(&e.place, &x.place)
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
		if w.coversAll(k, needs) {
			picked = slices.Delete(picked, i, i+1)
		} else {
			i++
		}
	}
	return picked
}

// coversAll reports whether what is known says that all needs are over.
func (w *walk) coversAll(k know, needs [lines][]need) bool {
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
func (w *walk) gain(n need, q line) know {
	if n.pipe == q {
		return w.done[q]
	}
	return w.snaps[w.index(n.round, n.node)][n.pipe]
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
// several instructions in a row, one flag behind the last of them is for all.
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
