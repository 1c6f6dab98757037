// This file defines blocks and regions.

package ir

import (
	"iter"
	"slices"
	"sync/atomic"
)

// Block is a list of operations that run one after the other, with arguments
// that its predecessors supply.
type Block struct {
	// region is the region that contains the block, or nil.
	region *Region
	// prev and next are the neighbours in the list of blocks of the region.
	prev, next *Block
	// first and last are the ends of the list of operations; both are nil if the block is
	// empty.
	first, last *Op
	// args are the arguments, whose Value.index is their position.
	args []*Value
	// ordered reports whether the Op.order fields of the operations are valid.
	ordered bool
	// symbols is the cache of symbolsOf; it is nil after a change.
	symbols atomic.Pointer[blockSymbols]
}

// Region is a list of blocks that an operation owns. The first is the entry block.
type Region struct {
	op          *Op
	first, last *Block
}

// NewBlock makes a block with arguments of the given types.
func NewBlock(args ...Type) *Block {
	b := &Block{}
	for _, t := range args {
		b.AddArg(t)
	}
	return b
}

// NewRegion makes a region of the given blocks.
func NewRegion(blocks ...*Block) *Region {
	r := &Region{}
	for _, b := range blocks {
		r.Append(b)
	}
	return r
}

// Args returns the arguments of the block.
func (b *Block) Args() []*Value { return b.args }

// Arg returns argument i.
func (b *Block) Arg(i int) *Value { return b.args[i] }

// AddArg appends an argument.
func (b *Block) AddArg(t Type) *Value {
	v := &Value{typ: t, block: b, index: int32(len(b.args))}
	b.args = append(b.args, v)
	return v
}

// addArgs sets the arguments of a new block to the given types, in memory from m.
// The parser uses it, because allocating each argument alone is slower.
func (b *Block) addArgs(args []BlockArg, m *slabs) {
	values := m.values.take(len(args))
	b.args = m.args.take(len(args))
	for i := range values {
		v := &values[i]
		v.typ, v.block, v.index = args[i].Type, b, int32(i)
		b.args[i] = v
	}
}

// RemoveArg removes argument i and renumbers the later ones. It panics if the
// argument still has uses.
func (b *Block) RemoveArg(i int) {
	if b.args[i].uses != nil {
		panic("BUG: removing a block argument that is still used")
	}
	b.args = append(b.args[:i:i], b.args[i+1:]...)
	for k, a := range b.args {
		a.index = int32(k)
	}
}

// Region returns the region that contains the block, or nil.
func (b *Block) Region() *Region { return b.region }

// Next returns the block after b in its region, or nil.
func (b *Block) Next() *Block { return b.next }

// Parent returns the operation whose region contains the block, or nil.
func (b *Block) Parent() *Op {
	if b.region == nil {
		return nil
	}
	return b.region.op
}

// First returns the first operation, or nil.
func (b *Block) First() *Op { return b.first }

// Last returns the last operation, or nil.
func (b *Block) Last() *Op { return b.last }

// Empty reports whether the block has no operations.
func (b *Block) Empty() bool { return b.first == nil }

// Terminator returns the last operation if it has the trait Terminator, and nil
// otherwise.
func (b *Block) Terminator() *Op {
	if b.last != nil && b.last.HasTrait(Terminator) {
		return b.last
	}
	return nil
}

// Ops yields the operations in order. The loop body may erase or move the operation
// that it was given, but not the one after it.
func (b *Block) Ops() iter.Seq[*Op] {
	return func(yield func(*Op) bool) {
		for o := b.first; o != nil; {
			next := o.next
			if !yield(o) {
				return
			}
			o = next
		}
	}
}

// Append puts op at the end of the block.
func (b *Block) Append(op *Op) { b.insert(op, b.last) }

// Prepend puts op at the start of the block.
func (b *Block) Prepend(op *Op) { b.insert(op, nil) }

// InsertBefore puts op before ref.
func (b *Block) InsertBefore(op, ref *Op) { b.insert(op, ref.prev) }

// InsertAfter puts op after ref.
func (b *Block) InsertAfter(op, ref *Op) { b.insert(op, ref) }

// insert moves op to the place after prev; nil as prev means the front. op may
// already be in a block. prev == op happens if op is already at the place, so
// nothing changes then.
func (b *Block) insert(op, prev *Op) {
	if op == prev {
		return
	}
	op.Remove()
	b.forget(op)
	op.block, op.prev = b, prev
	if prev == nil {
		op.next, b.first = b.first, op
	} else {
		op.next, prev.next = prev.next, op
	}
	if op.next != nil {
		op.next.prev, b.ordered = op, false
		return
	}
	b.last = op
	// An append keeps the numbering valid, so building a block stays linear.
	if prev != nil && b.ordered {
		op.order = prev.order + 1
	}
}

// unlink takes op out of the list and clears its links. The numbering of the
// remaining operations stays valid, since their order does not change.
func (b *Block) unlink(op *Op) {
	b.forget(op)
	if op.prev == nil {
		b.first = op.next
	} else {
		op.prev.next = op.next
	}
	if op.next == nil {
		b.last = op.prev
	} else {
		op.next.prev = op.prev
	}
	op.block, op.prev, op.next = nil, nil, nil
}

// Before reports whether op precedes other; both must be in the same block. It
// numbers the operations of the block when a change has made the numbers invalid,
// so a series of queries on an unchanged block costs constant time each.
func (op *Op) Before(other *Op) bool {
	b := op.block
	if !b.ordered {
		n := int32(0)
		for o := b.first; o != nil; o = o.next {
			o.order = n
			n++
		}
		b.ordered = true
	}
	return op.order < other.order
}

// Splice moves all operations of from to the end of b.
func (b *Block) Splice(from *Block) {
	for op := range from.Ops() {
		b.Append(op)
	}
}

// SplitAfter moves the operations after op into a new block and returns it. The new
// block follows the block of op in its region. b must be the block of op.
func (b *Block) SplitAfter(op *Op) *Block {
	nb := &Block{}
	for op.next != nil {
		nb.Append(op.next)
	}
	b.region.insert(nb, b)
	return nb
}

// Predecessors returns the predecessors of each block of the region: the blocks
// whose terminator names it, without repetition, in the order of the region. Use it
// instead of Block.Predecessors when a pass asks for many blocks.
func (r *Region) Predecessors() map[*Block][]*Block {
	preds := map[*Block][]*Block{}
	for b := r.first; b != nil; b = b.next {
		succs := b.successors()
		for i, s := range succs {
			if !slices.Contains(succs[:i], s) {
				preds[s] = append(preds[s], b)
			}
		}
	}
	return preds
}

// Predecessors returns the blocks of the region whose terminator names b. Each call
// visits all blocks of the region; Region.Predecessors answers for all blocks in
// one visit.
func (b *Block) Predecessors() []*Block {
	var preds []*Block
	for p := b.region.first; p != nil; p = p.next {
		if slices.Contains(p.successors(), b) {
			preds = append(preds, p)
		}
	}
	return preds
}

// Erase removes the block from its region and destroys the operations in it. It
// does not check for uses, so values of the block may only have uses in blocks that
// are erased too.
func (b *Block) Erase() {
	for op := range b.Ops() {
		op.Remove()
		op.dropAll()
	}
	b.region.unlink(b)
}

// Op returns the operation the region belongs to.
func (r *Region) Op() *Op { return r.op }

// Entry returns the first block, or nil for an empty region.
func (r *Region) Entry() *Block { return r.first }

// Last returns the last block, or nil for an empty region.
func (r *Region) Last() *Block { return r.last }

// Empty reports whether the region has no blocks.
func (r *Region) Empty() bool { return r.first == nil }

// Blocks yields the blocks in order. The loop body may erase the block that it was
// given.
func (r *Region) Blocks() iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		for b := r.first; b != nil; {
			next := b.next
			if !yield(b) {
				return
			}
			b = next
		}
	}
}

// Append puts b at the end of the region.
func (r *Region) Append(b *Block) { r.insert(b, r.last) }

// InsertAfter puts b after ref.
func (r *Region) InsertAfter(b, ref *Block) { r.insert(b, ref) }

// insert moves b to the place after prev; nil as prev means the front. It follows
// the same rules as Block.insert.
func (r *Region) insert(b, prev *Block) {
	if b == prev {
		return
	}
	if b.region != nil {
		b.region.unlink(b)
	}
	b.region, b.prev = r, prev
	if prev == nil {
		b.next, r.first = r.first, b
	} else {
		b.next, prev.next = prev.next, b
	}
	if b.next == nil {
		r.last = b
	} else {
		b.next.prev = b
	}
}

// unlink takes b out of the list of blocks and clears its links.
func (r *Region) unlink(b *Block) {
	if b.prev == nil {
		r.first = b.next
	} else {
		b.prev.next = b.next
	}
	if b.next == nil {
		r.last = b.prev
	} else {
		b.next.prev = b.prev
	}
	b.region, b.prev, b.next = nil, nil, nil
}

// Take moves all blocks of from to the end of r.
func (r *Region) Take(from *Region) {
	for b := range from.Blocks() {
		r.Append(b)
	}
}
