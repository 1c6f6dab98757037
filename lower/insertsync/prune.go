// This file removes edges that the remaining ones make redundant.

package insertsync

import "slices"

// The analysis finds edges one after the other, those of inner blocks first. A later edge,
// or a barrier that replaces a flag without a free event, may make an earlier edge
// redundant. prune removes such edges.

// mostPruning limits the work of the function prune. The work is the number of visited
// nodes: prune visits all nodes of the block once for each edge.
const mostPruning = 400_000

// prune removes edges (required orders) that the remaining ones make redundant. It tries
// the most expensive edges first. number is a function that assigns events to the flags
// of all edges. It returns false if the events were not sufficient and it has therefore
// changed some edges.
func (a *analysis) prune(root *blk, number func() bool) {
	var edges []*placed
	visits := 0
	everyBlock(root, func(b *blk) {
		visits += len(b.nodes) * int(b.copies)
		for _, e := range b.edges {
			edges = append(edges, &placed{e, b})
		}
	})
	if len(edges)*visits > mostPruning {
		return
	}
	slices.SortStableFunc(edges, func(x, y *placed) int { return x.rank() - y.rank() })
	if a.weigh(root) { // events that were merged may have changed what is known
		return
	}
	for _, p := range edges {
		if !p.needed {
			a.spareable(root, p, number)
		}
	}
	number()
}

// weigh determines which edges of the block root and its nested blocks are needed, and
// reports whether an order is missing. If one is missing, prune removes no edge. A needed
// edge stays needed when other edges are removed, because less is known without them.
// Therefore prune need not examine the block again without each needed edge, which most
// edges are.
func (a *analysis) weigh(root *blk) bool {
	everyBlock(root, func(b *blk) {
		for _, e := range b.edges {
			e.needed = false
		}
	})
	a.weighing = true
	defer func() { a.weighing = false }()
	return a.lacks(root)
}

// spareable tries to remove the edge p, a required order. It removes the edge if all
// accesses are still in order without the flag or barrier of p. The function number then
// assigns events to all remaining edges, and returns false if it could not do so without
// changing edges. In that case, spareable restores the edge p. The analysis results of
// all blocks are valid before and after the call.
func (a *analysis) spareable(root *blk, p *placed, number func() bool) {
	all := p.b.edges
	p.b.edges = slices.DeleteFunc(slices.Clone(all), func(e *edge) bool { return e == p.edge })
	missing := a.lacksFrom(p.b)
	if missing == nil {
		before := saveEdges(root)
		if number() {
			if before.differ() {
				a.weigh(root)
			}
			return
		}
		before.restore()
	}
	p.b.edges = all
	for b := p.b; b != missing; b = b.tellAround() {
		a.leave(b)
	}
}

// lacksFrom tests whether enough synchronization remains after the caller has removed an
// edge (required order) of block b. It analyzes b and the blocks that contain b, from the
// inside to the outside. It returns the first block with two accesses that no flag or
// barrier orders, or nil if no such block exists. The synchronization of all other
// blocks must be unchanged.
func (a *analysis) lacksFrom(b *blk) *blk {
	a.probing, a.missed = true, false
	for a.look(b); !a.missed; a.look(b) {
		if b = b.tellAround(); b == nil {
			break
		}
	}
	a.probing, a.missed = false, false
	return b
}

// tellAround updates the enclosing block after a change of block b. In the enclosing
// block, one node represents the operation that contains b, and this node has a copy of
// the state of each access in b. tellAround updates these copies by calling tellInside.
// It returns the enclosing block, or nil if no block encloses b.
func (b *blk) tellAround() *blk {
	if b.parent != nil {
		b.parent.nodes[b.at].tellInside()
	}
	return b.parent
}

// rank returns the position of edge e in the order in which the function prune examines
// edges, the most expensive first: 0 for barriers of all pipes, 1 for barriers of one
// pipe, 2 for flags carried by loops, and 3 for other flags.
func (e *edge) rank() int {
	switch {
	case e.all:
		return 0
	case e.barrier():
		return 1
	case e.dist > 0:
		return 2
	}
	return 3
}

// everyBlock calls the function do for b and for each block nested in it.
func everyBlock(b *blk, do func(b *blk)) {
	do(b)
	for _, n := range b.nodes {
		for _, k := range n.bodies {
			everyBlock(k, do)
		}
	}
}

// lacks searches the block root and its nested blocks for required orders without an
// edge. It reports whether there is at least one, and adds no edges.
func (a *analysis) lacks(root *blk) bool {
	a.probing, a.missed = true, false
	a.find(root)
	missed := a.missed
	a.probing, a.missed = false, false
	return missed
}

// savedEdges is a copy of the edges of all blocks. Its method restore undoes later
// changes of the edges.
type savedEdges struct {
	// blocks are the blocks, edges the lists of edges of each block, and values copies of
	// the edges themselves.
	blocks []*blk
	edges  [][]*edge
	values [][]edge
}

// saveEdges copies the edges (required orders between instructions) of root and of all
// blocks nested in it. The caller can then remove edges as an experiment, and restore
// them from the copy.
func saveEdges(root *blk) *savedEdges {
	s := &savedEdges{}
	everyBlock(root, func(b *blk) {
		var values []edge
		for _, e := range b.edges {
			values = append(values, *e)
		}
		s.blocks, s.edges, s.values = append(s.blocks, b), append(s.edges, slices.Clone(b.edges)), append(s.values, values)
	})
	return s
}

// differ reports whether the edges have changed since they were saved.
func (s *savedEdges) differ() bool {
	for i, b := range s.blocks {
		if !slices.Equal(b.edges, s.edges[i]) {
			return true
		}
		for k, e := range b.edges {
			if v := &s.values[i][k]; !e.same(v) || e.all != v.all || e.home != v.home {
				return true
			}
		}
	}
	return false
}

// restore undoes all changes to the edges of the saved blocks since saveEdges was called.
func (s *savedEdges) restore() {
	for i, b := range s.blocks {
		b.edges = slices.Clone(s.edges[i]) // later changes of the list must not reach the copy
		for k, e := range b.edges {
			*e = s.values[i][k]
		}
	}
}

// weigh determines which of the edges that end at the node with index i are needed. An
// edge is needed if, without it, an order is missing that the node requires of the waiting
// pipe. Edges that only matter for other nodes are not marked.
func (w *walk) weigh(i int) {
	n := w.b.nodes[i]
	for _, e := range w.ends[i] {
		if e.given || e.needed {
			continue
		}
		before, done := w.before, w.done
		for _, o := range w.ends[i] {
			if o != e {
				w.apply(o)
			}
		}
		for _, needs := range w.missing(n, e.dst) {
			e.needed = e.needed || len(needs) > 0
		}
		w.before, w.done = before, done
	}
}
