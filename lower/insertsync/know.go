package insertsync

import "ptogo/dialect/pto/order"

type line = order.Line

const lines = order.NumLines

// know is what is over at a point of the program. Of each pipe all
// instructions up to a position of the text are, in the rounds that have run;
// of blocks inside, which need not have run, those of a pipe up to a position.
type know struct {
	at    [lines]int32
	inner map[innerKey]int32 // never changed, only replaced
}

type innerKey struct {
	pipe line
	blk  int32
	copy int32 // of the loop body that is looked at
}

func (k *know) join(o know) {
	for p, n := range o.at {
		k.at[p] = max(k.at[p], n)
	}
	k.inner = joined(k.inner, o.inner)
}

// forget leaves out of what is known of blocks inside all that the positions
// imply; span is the length of a round. Without it, what is known grows with
// every loop of a function.
func (k *know) forget(span int32) {
	implied := func(key innerKey, n int32) bool { return k.at[key.pipe] >= n+key.copy*span }
	left := 0
	for key, n := range k.inner {
		if !implied(key, n) {
			left++
		}
	}
	if left == len(k.inner) {
		return
	}
	old := k.inner
	k.inner = make(map[innerKey]int32, left)
	for key, n := range old {
		if !implied(key, n) {
			k.inner[key] = n
		}
	}
}

func joined(a, b map[innerKey]int32) map[innerKey]int32 {
	if len(a) == 0 {
		return b
	}
	more := false
	for key, n := range b {
		if a[key] < n {
			more = true
			break
		}
	}
	if !more {
		return a
	}
	r := make(map[innerKey]int32, len(a)+len(b))
	for key, n := range a {
		r[key] = n
	}
	for key, n := range b {
		r[key] = max(r[key], n)
	}
	return r
}

// covers reports whether an instruction at a position of a copy is over. chain
// are the blocks around it, below the one that is looked at.
func (k *know) covers(p line, pos, shift, copy int32, chain []int32) bool {
	if k.at[p] >= pos+shift {
		return true
	}
	for _, b := range chain {
		if k.inner[innerKey{p, b, copy}] >= pos {
			return true
		}
	}
	return false
}
