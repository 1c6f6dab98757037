// This file finds dominators and loops.

package cpp

import (
	"ptogo/frontend/llir"
)

// graph is the control flow of a function.
type graph struct {
	blocks []*llir.Block
	// above is the immediate dominator of each block, and below its immediate
	// post-dominator; nil means the common end of the function.
	above, below map[*llir.Block]*llir.Block
	// loops are the bodies of the loops by header.
	loops map[*llir.Block]map[*llir.Block]bool
}

// newGraph analyses the reachable blocks of a function.
func newGraph(f *llir.Function) *graph {
	g := &graph{loops: map[*llir.Block]map[*llir.Block]bool{}}
	succs := func(b *llir.Block) []*llir.Block { return b.Succs }
	preds := func(b *llir.Block) []*llir.Block { return b.Preds }
	g.blocks = postorder(f.Blocks[0], succs)
	g.above = dominators(g.blocks, preds)
	end := &llir.Block{}
	var exits []*llir.Block
	reachable := map[*llir.Block]bool{}
	for _, b := range g.blocks {
		reachable[b] = true
		if len(b.Succs) == 0 {
			exits = append(exits, b)
		}
	}
	back := func(b *llir.Block) []*llir.Block {
		if b == end {
			return exits
		}
		var in []*llir.Block
		for _, p := range b.Preds {
			if reachable[p] {
				in = append(in, p)
			}
		}
		return in
	}
	forward := func(b *llir.Block) []*llir.Block {
		if len(b.Succs) == 0 && b != end {
			return []*llir.Block{end}
		}
		return b.Succs
	}
	g.below = dominators(postorder(end, back), forward)
	for b, to := range g.below {
		if to == end {
			g.below[b] = nil
		}
	}
	g.findLoops()
	return g
}

// postorder returns the blocks that are reachable from the first one, in postorder.
func postorder(first *llir.Block, next func(*llir.Block) []*llir.Block) []*llir.Block {
	type step struct {
		b *llir.Block
		i int
	}
	var order []*llir.Block
	seen := map[*llir.Block]bool{first: true}
	for stack := []step{{first, 0}}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if to := next(top.b); top.i < len(to) {
			b := to[top.i]
			top.i++
			if !seen[b] {
				seen[b] = true
				stack = append(stack, step{b, 0})
			}
			continue
		}
		order = append(order, top.b)
		stack = stack[:len(stack)-1]
	}
	return order
}

// dominators returns the immediate dominator of each block. order contains the blocks in
// postorder; the last one is the entry, which is its own dominator.
func dominators(order []*llir.Block, preds func(*llir.Block) []*llir.Block) map[*llir.Block]*llir.Block {
	number := map[*llir.Block]int{}
	for i, b := range order {
		number[b] = i
	}
	entry := order[len(order)-1]
	above := map[*llir.Block]*llir.Block{entry: entry}
	for changed := true; changed; {
		changed = false
		for i := len(order) - 2; i >= 0; i-- {
			var best *llir.Block
			for _, p := range preds(order[i]) {
				if above[p] == nil {
					continue
				}
				if best == nil {
					best = p
					continue
				}
				for a, b := best, p; ; {
					if a == b {
						best = a
						break
					}
					for number[a] < number[b] {
						a = above[a]
					}
					for number[b] < number[a] {
						b = above[b]
					}
				}
			}
			if best != nil && above[order[i]] != best {
				above[order[i]], changed = best, true
			}
		}
	}
	return above
}

// dominates reports whether every path to b passes a.
func (g *graph) dominates(a, b *llir.Block) bool {
	for {
		up := g.above[b]
		if a == b || up == nil || up == b {
			return a == b
		}
		b = up
	}
}

// findLoops finds the natural loops.
func (g *graph) findLoops() {
	for _, b := range g.blocks {
		for _, head := range b.Succs {
			if !g.dominates(head, b) {
				continue
			}
			body := g.loops[head]
			if body == nil {
				body = map[*llir.Block]bool{head: true}
				g.loops[head] = body
			}
			for stack := []*llir.Block{b}; len(stack) > 0; {
				x := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				if !body[x] {
					body[x] = true
					stack = append(stack, x.Preds...)
				}
			}
		}
	}
}
