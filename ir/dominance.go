// This file computes which values are visible at an operation.

package ir

import "slices"

// Dominance determines which values are defined at a given operation. It computes the
// dominator tree of a region on the first query about two of its blocks and caches it. A
// pass that adds or removes blocks or branches must create a new Dominance.
type Dominance struct {
	// trees caches the dominator tree of each region that has been queried.
	trees map[*Region]domTree
}

// domTree maps each block that is reachable from the entry block to its node in the
// dominator tree.
type domTree map[*Block]*domNode

// domNode is a block in the dominator tree.
type domNode struct {
	// block is the block that the node represents.
	block *Block
	// order is the number in reverse post-order; a dominator has a smaller number than
	// the blocks it dominates.
	order int
	// idom is the immediate dominator: the closest other block through which every path
	// from the entry block to this block leads.
	idom *domNode
	// preds are the nodes of those predecessors that are reachable from the entry block.
	preds []*domNode
	// enter is the number of the node in a preorder traversal of the dominator tree, and
	// size is the number of nodes in its subtree. The nodes that this node dominates,
	// including itself, have the numbers enter to enter+size-1.
	enter, size int
	// next is the preorder number of the next child; it is used only while the tree is
	// numbered.
	next int
}

// Dominates reports whether v is defined whenever control reaches op. A value is
// not defined inside the regions of its own operation.
func (d *Dominance) Dominates(v *Value, op *Op) bool {
	def := v.Block()
	if def == nil {
		return false
	}
	user := ancestorIn(op, def.region)
	if user == nil {
		return false
	}
	if v.op != nil && v.op == user { // inside a region of its own definition
		return false
	}
	if user.block == def {
		return v.op == nil || v.op.Before(user) || graphRegion(def)
	}
	return d.BlockDominates(def, user.block)
}

// graphRegion reports whether the order of the operations in b has no meaning, as in an
// MLIR graph region. It returns true if the parent operation is unregistered: its rules
// are unknown, and the verifier must not reject a correct program.
func graphRegion(b *Block) bool {
	p := b.Parent()
	return p != nil && p.HasTrait(GraphRegion|Unregistered)
}

// Visible reports whether op may refer to v as far as the isolation of regions is
// concerned. An operation with the trait IsolatedFromAbove is a boundary: operations in
// its regions cannot use values from outside. Visible returns true if there is no such
// boundary between op and the region that defines v.
func (d *Dominance) Visible(v *Value, op *Op) bool {
	def := v.Block()
	if def == nil {
		return false
	}
	for p := op; p != nil && p.block != nil; p = p.Parent() {
		if p.block.region == def.region {
			return true
		}
		if parent := p.Parent(); parent != nil && parent.HasTrait(IsolatedFromAbove) {
			return false
		}
	}
	return true
}

// ancestorIn returns op or the enclosing operation that is directly in region r, or
// nil if op is outside r.
func ancestorIn(op *Op, r *Region) *Op {
	for op != nil && op.block != nil && op.block.region != r {
		op = op.Parent()
	}
	if op == nil || op.block == nil {
		return nil
	}
	return op
}

// BlockDominates reports whether every path from the entry block to block b passes
// through block a. It returns true if b is unreachable, because the condition then holds
// for an empty set of paths.
func (d *Dominance) BlockDominates(a, b *Block) bool {
	t := d.tree(a.region)
	x, y := t[a], t[b]
	if y == nil {
		return true
	}
	return x != nil && x.enter <= y.enter && y.enter < x.enter+x.size
}

// Idom returns the immediate dominator of b: the last block other than b that every
// path to b leads through. It returns nil for the entry and for unreachable blocks.
func (d *Dominance) Idom(b *Block) *Block {
	if n := d.tree(b.region)[b]; n != nil && n.idom != nil {
		return n.idom.block
	}
	return nil
}

// tree returns the dominator tree of r and computes it on the first call.
func (d *Dominance) tree(r *Region) domTree {
	t, ok := d.trees[r]
	if !ok {
		t = dominators(r)
		if d.trees == nil {
			d.trees = map[*Region]domTree{}
		}
		d.trees[r] = t
	}
	return t
}

// dominators returns the dominator tree of r. It uses the iterative algorithm of
// Cooper, Harvey and Kennedy, then numbers the tree in preorder.
func dominators(r *Region) domTree {
	post := postOrder(r.first)
	nodes := make([]domNode, len(post)) // in reverse post-order
	t := make(domTree, len(post))
	for i := range nodes {
		b := post[len(post)-1-i]
		nodes[i] = domNode{block: b, order: i, size: 1}
		t[b] = &nodes[i]
	}
	for i := range nodes {
		for _, s := range nodes[i].block.successors() {
			t[s].preds = append(t[s].preds, &nodes[i])
		}
	}
	entry := &nodes[0]
	for changed := true; changed; {
		changed = false
		for i := 1; i < len(nodes); i++ {
			n := &nodes[i]
			var idom *domNode
			for _, p := range slices.Backward(n.preds) { // nearest first, so that meet walks short paths
				switch {
				case p != entry && p.idom == nil:
				case idom == nil:
					idom = p
				default:
					idom = meet(idom, p)
				}
			}
			if n.idom != idom {
				n.idom, changed = idom, true
			}
		}
	}
	for i := len(nodes) - 1; i > 0; i-- { // reverse order: a dominator precedes what it dominates
		nodes[i].idom.size += nodes[i].size
	}
	entry.next = 1
	for i := 1; i < len(nodes); i++ {
		n := &nodes[i]
		n.enter = n.idom.next
		n.idom.next += n.size
		n.next = n.enter + 1
	}
	return t
}

// meet returns the nearest common dominator of the nodes a and b.
func meet(a, b *domNode) *domNode {
	for a != b {
		for a.order > b.order {
			a = a.idom
		}
		for b.order > a.order {
			b = b.idom
		}
	}
	return a
}

// postOrder returns the blocks that are reachable from entry, each after its
// successors except along back edges. It keeps an explicit stack, because the call
// stack would overflow on a program with very many blocks.
func postOrder(entry *Block) []*Block {
	type frame struct {
		b    *Block
		next int
	}
	seen := map[*Block]bool{entry: true}
	stack := []frame{{entry, 0}}
	var out []*Block
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		succs := top.b.successors()
		if top.next == len(succs) {
			out = append(out, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		s := succs[top.next]
		top.next++
		if !seen[s] {
			seen[s] = true
			stack = append(stack, frame{s, 0})
		}
	}
	return out
}
