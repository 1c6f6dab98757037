package ir

// Dominance answers which values are certain to be defined where an operation
// stands. It computes the dominator tree of a region when first asked about
// two of its blocks; drop it when the blocks change.
type Dominance struct {
	trees map[*Region]domTree
}

// domTree maps each reachable block to its position in reverse post-order and
// its immediate dominator.
type domTree struct {
	order map[*Block]int
	idom  map[*Block]*Block
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
	if _, reachable := t.order[b]; !reachable {
		return true
	}
	for b != nil && b != a {
		b = t.idom[b]
	}
	return b == a
}

// Idom returns the immediate dominator of b: the nearest other block that
// every path to b leads through. The entry block and blocks that no path
// reaches have none.
func (d *Dominance) Idom(b *Block) *Block { return d.tree(b.region).idom[b] }

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
	t := domTree{order: map[*Block]int{}, idom: map[*Block]*Block{}}
	for i := range post {
		t.order[post[len(post)-1-i]] = i
	}
	preds := map[*Block][]*Block{}
	for _, b := range post {
		for _, s := range b.successors() {
			preds[s] = append(preds[s], b)
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(post) - 2; i >= 0; i-- { // all but the entry
			b := post[i]
			var idom *Block
			for _, p := range preds[b] {
				switch {
				case p != r.first && t.idom[p] == nil:
				case idom == nil:
					idom = p
				default:
					idom = t.meet(idom, p)
				}
			}
			if t.idom[b] != idom {
				t.idom[b], changed = idom, true
			}
		}
	}
	return t
}

// meet returns the nearest block that dominates both a and b.
func (t domTree) meet(a, b *Block) *Block {
	for a != b {
		for t.order[a] > t.order[b] {
			a = t.idom[a]
		}
		for t.order[b] > t.order[a] {
			b = t.idom[b]
		}
	}
	return a
}

// postOrder lists the blocks that can be reached from entry, each behind its
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
