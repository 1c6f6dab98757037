package ir

import "slices"

// Dominance answers which values are certain to be defined where an operation
// stands. It computes the dominator tree of a region when first asked about
// two of its blocks; drop it when the blocks change.
type Dominance struct {
	trees map[*Region]domTree
}

// domTree has a node for each reachable block.
type domTree map[*Block]*domNode

// domNode is a block in the dominator tree.
type domNode struct {
	block *Block
	order int // position in reverse post-order
	idom  *domNode
	preds []*domNode
	// The nodes that this one dominates are numbered from enter on, itself first;
	// size is how many they are.
	enter, size int
	next        int // while nodes are numbered, the number of the next child
}

// Dominates reports whether v is defined whenever control reaches op.
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

// graphRegion reports whether the order of operations in b says nothing. Of an
// operation that nobody registered that is not known, so anything is allowed.
func graphRegion(b *Block) bool {
	p := b.Parent()
	return p != nil && p.HasTrait(GraphRegion|Unregistered)
}

// Visible reports whether no operation between the definition of v and op is
// isolated from above.
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

// ancestorIn returns op or the operation around it that lies in region r.
func ancestorIn(op *Op, r *Region) *Op {
	for op != nil && op.block != nil && op.block.region != r {
		op = op.Parent()
	}
	if op == nil || op.block == nil {
		return nil
	}
	return op
}

// BlockDominates reports whether every path to b leads through a. Nothing is
// known to be wrong about a block that no path reaches.
func (d *Dominance) BlockDominates(a, b *Block) bool {
	t := d.tree(a.region)
	x, y := t[a], t[b]
	if y == nil {
		return true
	}
	return x != nil && x.enter <= y.enter && y.enter < x.enter+x.size
}

// Idom returns the immediate dominator of b: the nearest other block that
// every path to b leads through. The entry block and blocks that no path
// reaches have none.
func (d *Dominance) Idom(b *Block) *Block {
	if n := d.tree(b.region)[b]; n != nil && n.idom != nil {
		return n.idom.block
	}
	return nil
}

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

// dominators computes immediate dominators by the iterative algorithm of
// Cooper, Harvey and Kennedy.
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
			for _, p := range slices.Backward(n.preds) { // the nearest first, so that meet has short ways
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
	for i := len(nodes) - 1; i > 0; i-- { // a dominator comes before what it dominates
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

// meet returns the nearest block that dominates both a and b.
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

// postOrder lists the blocks that can be reached from entry, each after its
// successors. It keeps its own stack, since a program may have many blocks.
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
