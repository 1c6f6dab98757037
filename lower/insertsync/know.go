// This file represents what a pipe knows to be complete at a point of the program.

package insertsync

import (
	"slices"

	"ptogo/dialect/pto/order"
)

// line is the number of a pipe, used as an array index.
type line = order.Line

const lines = order.NumPipes

// know describes which work a pipe knows to be complete at a point of the program.
type know struct {
	// at is, for each pipe, the text position up to which all its instructions are
	// complete, including the work that these instructions waited for.
	at [lines]int32
	// accessed is, for each pipe, the position up to which all memory accesses are
	// complete. It can be larger than at if blocks in between may be skipped: a skipped
	// block has no accesses, but its waits have not been executed either.
	accessed [lines]int32
	// inner are facts about blocks inside loops and branches: which pipes have completed
	// which work in them, provided that the blocks have run.
	inner facts
	// hoists is the set of hoisted flags (raised before an outer loop) whose wait is
	// complete, one bit each.
	hoists uint64
}

// join adds to k the knowledge in o: every instruction that o records as complete counts
// as complete in k.
func (k *know) join(o *know) {
	for p, n := range o.at {
		k.at[p] = max(k.at[p], n)
		k.accessed[p] = max(k.accessed[p], n, o.accessed[p])
	}
	k.inner = joined(k.inner, o.inner)
	k.hoists |= o.hoists
}

// mostInner limits the number of facts about nested blocks in a know. A fact states how
// far a pipe has executed a block. If there are more facts, the method forget also
// removes those that the field accessed implies. The field states only which accesses are
// complete, so the information about other waits is then lost.
const mostInner = 256

// forget limits the number of facts in k.inner. A fact states that a pipe has completed
// its work in a nested block up to a text position. The array k.at contains, for each
// pipe, the position up to which all its instructions are complete. forget removes each
// fact that k.at already implies. If k.inner is too long, it removes each fact that
// k.accessed implies, whose positions are larger. Without forget, the number of facts
// would grow with every loop of a function. span is the length of a loop iteration in
// text positions.
func (k *know) forget(span int32) {
	if len(k.inner) == 0 {
		return
	}
	upTo := &k.at
	if len(k.inner) > mostInner {
		upTo = &k.accessed
	}
	implied := func(f fact) bool { return upTo[f.pipe()] >= f.upTo+f.copy()*span }
	if slices.ContainsFunc(k.inner, implied) {
		k.inner = slices.DeleteFunc(slices.Clone(k.inner), implied)
	}
}

// hasAll concerns the blocks inside node n, a loop or branch. It reports whether pipe p
// has completed all its work in these blocks if they have been executed. The proof
// simulates several copies of a loop iteration; the parameter copy is the number of the
// copy to which the work belongs.
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

// over reports whether an access to memory is known to be complete. It differs from the
// method covers, which also requires that the instruction has completed everything that
// it waited for before the access.
//
// p is the pipe of the access, and pos is its text position. The analysis simulates a
// loop for several iterations. copy is the number of the simulated iteration, and shift
// is the distance in text positions from the first iteration to this one. The list chain
// contains the nested blocks around the access.
func (k *know) over(p line, pos, shift, copy int32, chain []int32) bool {
	return k.accessed[p] >= pos+shift || k.covers(p, pos, shift, copy, chain)
}

// covers reports whether k, the known facts, imply that an instruction is complete,
// together with everything that it waited for. The instruction runs on pipe p, and pos is
// its position in the text.
//
// If the instruction is in a loop, the analysis simulates several iterations, and the
// question concerns one of them. copy is the number of this iteration. shift is added to
// text positions of this iteration, to distinguish them from those of the first one.
// chain lists the nested blocks around the instruction; a fact about one of these blocks
// can imply that the instruction is complete.
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
