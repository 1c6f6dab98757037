// This file defines common subexpression elimination.

package passes

import (
	"hash/maphash"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// CSE removes operations that compute the same as an earlier one that dominates
// them. A pure operation can be anywhere after the earlier one. A read of memory
// must be in the same block, without a possible write between.
var CSE = &Pass{
	Name:  "cse",
	Title: "CSE",
	Doc:   "Common subexpression elimination: replaces an operation by an equal operation that dominates it.",
	Stats: []Stat{
		{"num-cse'd", "operations replaced by an equal operation"},
		{"num-dce'd", "dead operations removed"},
	},
	Run: func(c *Context, op *ir.Op) error {
		e := &eliminator{c: c, seed: maphash.MakeSeed(), dom: &ir.Dominance{}, table: map[uint64]int{}}
		e.inside(op)
		for _, dead := range e.dead {
			dead.Erase()
		}
		return nil
	},
}

// eliminator implements the pass CSE by traversing the dominator tree. The field known is
// a stack of the operations that dominate the current one. The field table maps each hash
// to the most recent operation in known with this hash. At the end of a block, the
// eliminator removes the operations of the block from the stack, because their values do
// not exist on paths that avoid the block.
type eliminator struct {
	c    *Context
	seed maphash.Seed
	dom  *ir.Dominance
	// table maps a hash to the index in known, plus 1, of the last operation with the
	// hash.
	table map[uint64]int
	known []knownOp
	// dead are the operations to erase at the end. They are not erased earlier, because
	// the table still refers to them.
	dead []*ir.Op
}

// knownOp is an operation that can replace later equal operations.
type knownOp struct {
	op   *ir.Op
	hash uint64
	// prev is the index in eliminator.known, plus 1, of the previous operation with the
	// same hash, or 0 if there is none.
	prev int
}

// inside removes repeated operations in the regions of op. If op is isolated from above,
// it starts with an empty table of known operations, because op cannot use values from
// outside.
func (e *eliminator) inside(op *ir.Op) {
	if len(op.Regions()) == 0 {
		return
	}
	if op.HasTrait(ir.IsolatedFromAbove) {
		table, known := e.table, e.known
		e.table, e.known = map[uint64]int{}, nil
		defer func() { e.table, e.known = table, known }()
	}
	for _, r := range op.Regions() {
		if !r.Empty() {
			e.region(r)
		}
	}
}

// region processes the blocks of a region in the order of the dominator tree. It
// keeps an explicit stack, because a program may have so many blocks that recursion
// would overflow.
func (e *eliminator) region(r *ir.Region) {
	var children map[*ir.Block][]*ir.Block
	if r.Entry() != r.Last() {
		children = map[*ir.Block][]*ir.Block{}
		for b := range r.Blocks() {
			if d := e.dom.Idom(b); d != nil {
				children[d] = append(children[d], b)
			}
		}
	}
	// frame is a block on the stack: mark is the length of known before it, and
	// next is the index of its next child.
	type frame struct {
		b    *ir.Block
		mark int
		next int
	}
	enter := func(b *ir.Block) frame {
		f := frame{b: b, mark: len(e.known)}
		e.block(b)
		return f
	}
	for stack := []frame{enter(r.Entry())}; len(stack) > 0; {
		top := &stack[len(stack)-1]
		if kids := children[top.b]; top.next < len(kids) {
			top.next++
			stack = append(stack, enter(kids[top.next-1]))
			continue
		}
		e.popTo(top.mark)
		stack = stack[:len(stack)-1]
	}
}

// popTo removes the most recently added operations from the stack and keeps the first
// ones. mark is the number of operations to keep: the length of the stack at an earlier
// time. popTo also restores the table entries that the removed operations had replaced.
func (e *eliminator) popTo(mark int) {
	for _, k := range slices.Backward(e.known[mark:]) {
		e.table[k.hash] = k.prev
	}
	e.known = e.known[:mark]
}

// block processes the operations of b in order. It replaces an operation by an earlier,
// equal operation. An operation that contains regions is never replaced, because the pass
// does not compare regions.
func (e *eliminator) block(b *ir.Block) {
	for op := range b.Ops() {
		switch {
		case IsDead(op):
			e.dead = append(e.dead, op)
			e.c.Count("num-dce'd", 1)
		case len(op.Regions()) > 0:
			e.inside(op)
		case IsPure(op), op.NumResults() > 0 && onlyReads(op):
			e.visit(op)
		}
	}
}

// visit replaces op by an equal operation, or adds it to the table of known operations. A
// read of memory cannot be replaced by an equal read if a write between the two may
// change the memory. visit then adds the later read to the table as well, so that it can
// replace equal reads that follow it.
func (e *eliminator) visit(op *ir.Op) {
	h := e.hash(op)
	for i := e.table[h]; i > 0; i = e.known[i-1].prev {
		old := e.known[i-1].op
		if !equalOps(old, op) {
			continue
		}
		if !IsPure(op) && mayChange(old, op) {
			break // the write is also between the older reads and op
		}
		for k := range op.NumResults() {
			op.Result(k).ReplaceAllUses(old.Result(k))
		}
		e.dead = append(e.dead, op)
		e.c.Count("num-cse'd", 1)
		return
	}
	e.known = append(e.known, knownOp{op, h, e.table[h]})
	e.table[h] = len(e.known)
}

// hash returns a hash that is the same for equal operations. It ignores discardable
// attributes, which rarely differ; equalOps compares them.
func (e *eliminator) hash(op *ir.Op) uint64 {
	h := maphash.Comparable(e.seed, op.Def())
	sum := uint64(0)
	for i := range op.NumOperands() {
		x := maphash.Comparable(e.seed, op.Operand(i))
		if op.HasTrait(ir.Commutative) {
			sum += x // independent of the order
		} else {
			sum = sum*31 + x + uint64(i)
		}
	}
	h = h*31 + sum
	for a := range op.OwnAttrs() {
		h = h*31 + maphash.Comparable(e.seed, a.Attr)
	}
	for i := range op.NumResults() {
		h = h*31 + maphash.Comparable(e.seed, op.Result(i).Type())
	}
	return h
}

// equalOps reports whether two operations without regions compute the same results.
// It compares attributes with their defaults, so an explicit default equals an
// absent attribute.
func equalOps(a, b *ir.Op) bool {
	if a.Def() != b.Def() || a.Form() != b.Form() || a.NumResults() != b.NumResults() || !sameOperands(a, b) {
		return false
	}
	for i := range a.NumResults() {
		if a.Result(i).Type() != b.Result(i).Type() {
			return false
		}
	}
	for _, d := range a.Def().Attrs {
		if a.Attr(d.Name) != b.Attr(d.Name) {
			return false
		}
	}
	return slices.Equal(a.ExtraAttrs(), b.ExtraAttrs())
}

// sameOperands reports whether a and b have the same operands for each argument.
// Comparing the lists alone is not enough: if several arguments are optional, equal
// values could belong to different arguments.
func sameOperands(a, b *ir.Op) bool {
	if a.NumOperands() != b.NumOperands() {
		return false
	}
	for i := range a.Form().Operands {
		af, at := a.ArgRange(i)
		if bf, bt := b.ArgRange(i); af != bf || at != bt {
			return false
		}
	}
	equal := true
	for i := range a.NumOperands() {
		equal = equal && a.Operand(i) == b.Operand(i)
	}
	return equal || a.HasTrait(ir.Commutative) && a.NumOperands() == 2 &&
		a.Operand(0) == b.Operand(1) && a.Operand(1) == b.Operand(0)
}

// maxScan is the maximal distance, in operations, between two reads that the pass
// compares. The limit keeps the run time linear.
const maxScan = 200

// mayChange reports whether memory may change between two reads. from is the earlier
// read, and to is the later one. The result is true for reads in different blocks,
// because the paths between the blocks are not searched.
func mayChange(from, to *ir.Op) bool {
	if from.Block() != to.Block() {
		return true
	}
	n := 0
	for op := from.Next(); op != to; op = op.Next() {
		if n++; op == nil || n > maxScan || writes(op) {
			return true
		}
	}
	return false
}

// writes reports whether op may change memory or wait for code that changes it. The
// result is true for an instruction whose list of effects is empty, such as a barrier,
// because other cores may write while the instruction waits.
func writes(op *ir.Op) bool {
	if onlyReads(op) || reserves(op) {
		return false
	}
	info := pto.InfoOf(op.Def())
	if info == nil || len(op.Regions()) > 0 {
		return true
	}
	es := pto.Effects(op)
	for _, e := range es {
		if e.Kind&pto.Writes != 0 {
			return true
		}
	}
	return len(es) == 0
}
