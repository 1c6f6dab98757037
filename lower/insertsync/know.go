package insertsync

import (
	"slices"

	"ptogo/dialect/pto/order"
)

type line = order.Line

const lines = order.NumLines

// know is what is over at a point of the program. Of each pipe all
// instructions up to a position of the text are, in the rounds that have run;
// of blocks inside, which need not have run, those of a pipe up to a position.
type know struct {
	at [lines]int32
	// accessed goes further where nothing but blocks lies between that need not
	// have run: all accesses up to there are over, but waits may not be.
	accessed [lines]int32
	inner    facts
	hoists   uint64 // the waits that are over for flags that were moved out of loops, by bit
}

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

// forget leaves out of what is known of blocks inside all that the positions
// imply; span is the length of a round. Without it, what is known grows with
// every loop of a function.
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

// hasAll reports whether all that a pipe does in the blocks of a node is over,
// if these run.
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

// over reports whether an access is over, as covers does of instructions and what
// they have waited for.
func (k *know) over(p line, pos, shift, copy int32, chain []int32) bool {
	return k.accessed[p] >= pos+shift || k.covers(p, pos, shift, copy, chain)
}

// covers reports whether an instruction at a position of a copy is over. chain
// are the blocks around it, below the one that is looked at.
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
