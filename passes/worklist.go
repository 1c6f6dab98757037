// This file implements the worklist of the rewrite driver.

package passes

import (
	"math/rand/v2"

	"ptogo/ir"
)

// worklist contains the operations that the rewrite driver still has to visit, each at
// most once. pop returns the operation that was pushed last. If a seed is given, pop
// returns a random operation, for tests that the result does not depend on the order.
type worklist struct {
	// ops is a stack; an entry is nil if its operation was dropped.
	ops []*ir.Op
	// at is the index of each operation in ops.
	at map[*ir.Op]int
	// dice selects random operations, or is nil.
	dice *rand.Rand
}

// newWorklist returns an empty list. A seed other than 0 makes the order
// random, but the same in each run.
func newWorklist(seed uint64) *worklist {
	w := &worklist{at: map[*ir.Op]int{}}
	if seed != 0 {
		w.dice = rand.New(rand.NewPCG(seed, seed))
	}
	return w
}

// push adds an operation unless it is already in the list.
func (w *worklist) push(op *ir.Op) {
	if _, ok := w.at[op]; ok {
		return
	}
	w.at[op] = len(w.ops)
	w.ops = append(w.ops, op)
}

// drop removes an operation from the list, for example because it is erased.
func (w *worklist) drop(op *ir.Op) {
	if i, ok := w.at[op]; ok {
		w.ops[i] = nil
		delete(w.at, op)
	}
}

// pop removes and returns the next operation, or returns nil if there is none.
func (w *worklist) pop() *ir.Op {
	for len(w.ops) > 0 {
		last := len(w.ops) - 1
		if w.dice != nil {
			w.swap(w.dice.IntN(len(w.ops)), last)
		}
		op := w.ops[last]
		w.ops = w.ops[:last]
		if op != nil {
			delete(w.at, op)
			return op
		}
	}
	return nil
}

// swap exchanges the entries with the indices i and k. It accepts the empty (nil) entries
// that remain after operations have been dropped from the list.
func (w *worklist) swap(i, k int) {
	w.ops[i], w.ops[k] = w.ops[k], w.ops[i]
	for _, n := range []int{i, k} {
		if w.ops[n] != nil {
			w.at[w.ops[n]] = n
		}
	}
}
