// This file represents what a pipe knows to be complete at a point of the program.

package insertsync

import (
	"slices"

	"ptogo/dialect/pto/order"
)

// line is a pipe as an array index.
type line = order.Line

const lines = order.NumPipes

// know is what a pipe knows to be complete at a point of the program.
type know struct {
	// at gives, for each pipe, the text position up to which all its instructions are
	// complete, including what they waited for.
	at [lines]int32
	// accessed gives the position up to which all memory accesses of each pipe are
	// complete. It can be larger than at, where the blocks between are optional: skipped
	// blocks have no accesses, but then their waits have not been executed.
	accessed [lines]int32
	// inner are facts about nested blocks, which possibly have not run.
	inner facts
	// hoists is the set of hoisted flags whose wait is complete, one bit each.
	hoists uint64
}

// join adds everything that o knows to k.
func (k *know) join(o *know) {
	for p, n := range o.at {
		k.at[p] = max(k.at[p], n)
		k.accessed[p] = max(k.accessed[p], n, o.accessed[p])
	}
	k.inner = joined(k.inner, o.inner)
	k.hoists |= o.hoists
}

// mostInner limits how many facts about inner blocks are kept in addition to facts
// about accesses. The latter make the former unnecessary, but say less about waits.
const mostInner = 256

// forget removes facts about nested blocks that the positions already imply. span is the
// length of an iteration in positions. Without this step, the number of facts would grow
// with every loop of a function.
func (k *know) forget(span int32) {
	upTo := &k.at
	if len(k.inner) > mostInner {
		upTo = &k.accessed
	}
	implied := func(f fact) bool { return upTo[f.pipe()] >= f.upTo+f.copy()*span }
	if slices.ContainsFunc(k.inner, implied) {
		k.inner = slices.DeleteFunc(slices.Clone(k.inner), implied)
	}
}

// hasAll reports whether pipe p has completed all its work in the nested blocks of node
// n, if those have run.
func (k *know) hasAll(n *node, p line, copy int32) bool {
	for _, b := range n.bodies {
		last := int32(0)
		for _, c := range b.nodes {
			if c.pipes&(1<<p) != 0 {
				last = max(last, c.lastOf[p])
			}
		}
		if last > 0 && k.inner.upTo(b.id, copy, p) < last {
			return false
		}
	}
	return true
}

// over reports whether an access at position pos of pipe p is complete. Unlike covers, it
// does not require that the waits of the instruction are complete.
func (k *know) over(p line, pos, shift, copy int32, chain []int32) bool {
	return k.accessed[p] >= pos+shift || k.covers(p, pos, shift, copy, chain)
}

// covers reports whether an instruction at position pos of pipe p, and everything it
// waited for, is complete. shift is the offset of its iteration in positions, and chain
// are the blocks around the instruction below the block in question.
func (k *know) covers(p line, pos, shift, copy int32, chain []int32) bool {
	if k.at[p] >= pos+shift {
		return true
	}
	for _, b := range chain {
		if k.inner.upTo(b, copy, p) >= pos {
			return true
		}
	}
	return false
}
