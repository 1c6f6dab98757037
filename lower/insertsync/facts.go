// This file represents what is known to be complete inside nested blocks.

package insertsync

import "slices"

// fact states that a pipe has completed its work in a nested block up to a text position,
// provided that the block has been executed at all. The analysis simulates a few
// iterations of each loop. The key of a fact therefore also identifies the simulated
// iteration in which the block was executed.
type fact struct {
	key  factKey
	upTo int32
}

// factKey encodes a block, an iteration and a pipe, from the most to the least
// significant bits.
type factKey uint64

// keyOf packs three numbers into a factKey: the number of the block, the number of the
// simulated iteration (the second parameter), and the pipe p. The block occupies the
// highest bits, so the order of keys is primarily the order of their blocks.
func keyOf(blk, copy int32, p line) factKey {
	return factKey(blk)<<32 | factKey(copy)<<8 | factKey(p)
}

// pipe returns the pipe whose completed work the fact describes.
func (f fact) pipe() line { return line(f.key & 0xff) }

// copy returns the number of the simulated loop iteration for which the fact f holds. A
// fact states which work a pipe has completed in a nested block.
func (f fact) copy() int32 { return int32(f.key >> 8 & 0xffffff) }

// in returns a copy of the fact f for another iteration of the simulated loop. The
// parameter copy is the number of that iteration.
func (f fact) in(copy int32) fact {
	f.key = f.key&^0xffffff00 | factKey(copy)<<8
	return f
}

// facts is a list of facts that is sorted by key and has no duplicate keys. Several
// states share a list, so functions never modify it but create a new one.
type facts []fact

// upTo returns the text position up to which pipe p has completed its work in one
// simulated iteration of a block. blk is the number of the block, and copy is the number
// of the iteration. If fs contains no such fact, the result is 0.
func (fs facts) upTo(blk, copy int32, p line) int32 {
	key := keyOf(blk, copy, p)
	lo, hi := 0, len(fs)
	for lo < hi {
		if mid := (lo + hi) / 2; fs[mid].key < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(fs) && fs[lo].key == key {
		return fs[lo].upTo
	}
	return 0
}

// joined returns the union of two lists of facts. A fact states that a pipe has completed
// its work in a block, up to a certain text position. The key of a fact consists of the
// block, the simulated iteration and the pipe. If both lists contain a fact with the same
// key, the result contains the one with the later position.
func joined(a, b facts) facts {
	switch {
	case len(b) == 0 || len(a) == len(b) && &a[0] == &b[0] || a.implies(b):
		return a
	case len(a) == 0 || b.implies(a):
		return b
	}
	r := make(facts, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch x, y := a[0], b[0]; {
		case x.key < y.key:
			r, a = append(r, x), a[1:]
		case x.key > y.key:
			r, b = append(r, y), b[1:]
		default:
			r, a, b = append(r, fact{x.key, max(x.upTo, y.upTo)}), a[1:], b[1:]
		}
	}
	return append(append(r, a...), b...)
}

// implies reports whether each fact in other follows from a fact in fs. A fact states the
// text position up to which a pipe has completed a block. It follows from a fact about
// the same pipe and block with the same or a later position.
func (fs facts) implies(other facts) bool {
	if len(other) > len(fs) {
		return false
	}
	i := 0
	for _, f := range other {
		for i < len(fs) && fs[i].key < f.key {
			i++
		}
		if i == len(fs) || fs[i].key != f.key || fs[i].upTo < f.upTo {
			return false
		}
	}
	return true
}

// inRound returns the facts fs, which describe iteration 0 of a simulated loop, as facts
// about another iteration. copy is the number of this iteration.
func (fs facts) inRound(copy int32) facts {
	if copy == 0 || len(fs) == 0 {
		return fs
	}
	r := slices.Clone(fs)
	for i, f := range r {
		r[i] = f.in(copy)
	}
	return r
}
