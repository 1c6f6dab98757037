// This file defines blocks and regions.

package ir

import (
	"iter"
	"slices"
	"sync/atomic"
)

// Block is a sequence of operations that run one after the other. Predecessor blocks,
// which branch to it, supply the values of its arguments.
type Block struct {
	// region is the region that contains the block, or nil.
	region *Region
	// prev and next are the neighbours in the list of blocks of the region.
	prev, next *Block
	// first and last are the first and the last operation of the block; both are nil if
	// the block is empty.
	first, last *Op
	// args are the arguments, whose Value.index is their position.
	args []*Value
	// ordered reports whether the fields Op.order, which number the operations of the
	// block in order, are valid. Inserting an operation makes them invalid.
	ordered bool
	// symbols caches the result of symbolsOf, the table of the symbols that the
	// operations of the block define. It is nil before the first query and after each
	// change of the block.
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

// Arg returns the argument of the block with index i.
func (b *Block) Arg(i int) *Value { return b.args[i] }

// AddArg appends an argument.
func (b *Block) AddArg(t Type) *Value {
	v := &Value{typ: t, block: b, index: int32(len(b.args))}
	b.args = append(b.args, v)
	return v
}

// addArgs sets the arguments of a new block to the given types. It allocates the values
// in m, the parser's pool of memory, because allocating each argument alone is slower.
func (b *Block) addArgs(args []BlockArg, m *slabs) {
	values := take(&m.values, len(args))
	b.args = take(&m.args, len(args))
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

// First returns the first operation of the block, or nil if the block is empty.
func (b *Block) First() *Op { return b.first }

// Last returns the last operation of the block, or nil if the block is empty.
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

// Ops yields the operations of the block in order. During an iteration, the loop body may
// erase or move the current operation, but not the operation after it.
func (b *Block) Ops() iter.Seq[*Op] {
	return func(yield func(*Op) bool) {
		n := 0
		for o := b.first; o != nil; {
			if n++; n%askEvery == 0 && active.Load() != 0 {
				ask(b.Parent(), 0)
			}
			next := o.next
			if !yield(o) {
				return
			}
			o = next
		}
	}
}

// Append puts op at the end of the block. If op is in a block already, it is removed from
// that block first.
func (b *Block) Append(op *Op) { b.insert(op, b.last) }

// Prepend puts op at the start of the block.
func (b *Block) Prepend(op *Op) { b.insert(op, nil) }

// InsertBefore puts op before ref.
func (b *Block) InsertBefore(op, ref *Op) { b.insert(op, ref.prev) }

// InsertAfter puts op after ref.
func (b *Block) InsertAfter(op, ref *Op) { b.insert(op, ref) }

// insert puts op after the operation prev, or first in the block if prev is nil. If op is
// already in a block, insert removes it from that block first. If prev is op, then op is
// already in the right position and nothing changes.
func (b *Block) insert(op, prev *Op) {
	if op == prev {
		return
	}
	op.Remove()
	if active.Load() != 0 && insertions.Add(1)%askEvery == 0 {
		ask(b.Parent(), askEvery)
	}
	b.link(op, prev)
}

// link puts op, which is in no block, after the operation prev, or first in the block if
// prev is nil. Unlike insert it does not ask the budget. The parser calls it: while bodies
// are parsed on several goroutines, no goroutine may read the operations around its body.
func (b *Block) link(op, prev *Op) {
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

// unlink removes op from the list of operations and clears the list pointers in op. The
// numbering of the remaining operations stays valid, since their order does not change.
func (b *Block) unlink(op *Op) {
	if active.Load() != 0 && removals.Add(1)%askEvery == 0 {
		ask(b.Parent(), -askEvery)
	}
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

// Before reports whether op precedes other; both must be in the same block. The block
// numbers its operations on the first query after a change. A series of queries on an
// unchanged block therefore costs constant time each.
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

// Ancestor returns the operation directly in b that is op or contains op. op must be in b
// or in a nested block.
func (b *Block) Ancestor(op *Op) *Op {
	for op.block != b {
		op = op.Parent()
	}
	return op
}

// Splice moves all operations of the source block (the parameter from) to the end of b.
// The source block is empty afterwards.
func (b *Block) Splice(from *Block) {
	for op := range from.Ops() {
		b.Append(op)
	}
}

// SplitAfter moves the operations that follow op into a new block and returns the new
// block. The new block is inserted after b in their region. op must be in b.
func (b *Block) SplitAfter(op *Op) *Block {
	nb := &Block{}
	for op.next != nil {
		nb.Append(op.next)
	}
	b.region.insert(nb, b)
	return nb
}

// Predecessors maps each block of the region to its predecessors: the blocks whose
// terminator has it as a successor. Each predecessor is listed once, in the order of the
// region. A pass that needs the predecessors of many blocks calls this method instead of
// Block.Predecessors, which visits the region in every call.
func (r *Region) Predecessors() map[*Block][]*Block {
	preds := map[*Block][]*Block{}
	for b := r.first; b != nil; b = b.next {
		for _, s := range b.successors() {
			if l := preds[s]; len(l) == 0 || l[len(l)-1] != b { // a terminator can name a block several times
				preds[s] = append(l, b)
			}
		}
	}
	return preds
}

// Predecessors returns the blocks of the same region whose terminator has b as a
// successor. Each call visits all blocks of the region. A caller that needs the
// predecessors of many blocks should call Region.Predecessors once.
func (b *Block) Predecessors() []*Block {
	var preds []*Block
	for p := b.region.first; p != nil; p = p.next {
		if slices.Contains(p.successors(), b) {
			preds = append(preds, p)
		}
	}
	return preds
}

// Erase removes the block from its region and destroys the operations in it. Erase does
// not check for uses: values that the block defines may only be used in blocks that the
// caller erases too.
func (b *Block) Erase() {
	for op := range b.Ops() {
		op.Remove()
		op.dropAll()
	}
	b.region.unlink(b)
}

// Op returns the operation to which the region belongs, or nil.
func (r *Region) Op() *Op { return r.op }

// Entry returns the first block, or nil for an empty region.
func (r *Region) Entry() *Block { return r.first }

// Last returns the last block, or nil for an empty region.
func (r *Region) Last() *Block { return r.last }

// Empty reports whether the region has no blocks.
func (r *Region) Empty() bool { return r.first == nil }

// Blocks yields the blocks of the region in order. During an iteration, the loop body may
// erase the current block.
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

// insert puts b after the block prev, or first in the region if prev is nil. If b is
// already in a region, insert removes it from that region first. If prev is b, nothing
// changes.
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

// unlink removes b from the list of blocks of the region and clears the list pointers in
// b.
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

// Take moves all blocks of the source region (the parameter from) to the end of r. The
// source region is empty afterwards.
func (r *Region) Take(from *Region) {
	for b := range from.Blocks() {
		r.Append(b)
	}
}
