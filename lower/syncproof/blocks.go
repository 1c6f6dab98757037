// This file compares the accesses of different blocks of a launch.

package syncproof

import (
	"slices"

	"ptogo/ir/term"
)

// BetweenBlocks is the kind of a gap between accesses of different blocks.
const BetweenBlocks = "blocks"

// betweenBlocks compares the accesses of two blocks to global memory, which nothing orders:
// they must not share a byte. All values of the other block are unknown, except for those
// that blocks share (argument).
func (x *prover) betweenBlocks() {
	x.between = true
	defer func() { x.between = false }()
	areas := x.areas()
	for i, p := range areas {
		for j, q := range areas[i:] {
			x.assumeTouchesApart(&p.touch, &q.touch)
			if !p.touch.conflicts(&q.touch) || x.apartInBlocks(p, q) && (j == 0 || x.apartInBlocks(q, p)) {
				continue
			}
			for k, a := range p.parts {
				rest := q.parts
				if j == 0 {
					rest = rest[k:]
				}
				for _, b := range rest {
					if !x.apartInBlocks(a, b) || a != b && !x.apartInBlocks(b, a) {
						x.gap(Gap{Op: b.record.op, Other: a.record.op, Kind: BetweenBlocks, Text: "accesses of different blocks may share a byte", First: &a.touch, Second: &b.touch})
					}
				}
			}
		}
	}
}

// apartInBlocks reports whether the accesses p of a block and the accesses q of a block with a
// larger number share no byte.
func (x *prover) apartInBlocks(p, q *area) bool {
	other := x.renamed(func(v term.Term) bool { return x.owner[v] != shared })
	same := func(t term.Term) term.Term { return t }
	facts := []term.Term{x.pool.Ult(other(x.block), x.block)}
	if x.count.IsZero() {
		return x.apartBy(p.record, q.record, &p.touch, &q.touch, other, same, facts)
	}
	facts = append(facts, x.pool.Ult(x.block, x.count))
	k, l := x.strided(p.record), x.strided(q.record)
	if k.IsZero() || l.IsZero() {
		return x.apartBy(p.record, q.record, &p.touch, &q.touch, other, same, facts)
	}
	// A loop that advances by the number of blocks: the products of this number n and of
	// the rounds are equal, or they differ by at least n.
	n := term.Unsigned(x.count)
	earlier, later := term.Unsigned(x.pool.Mul(x.count, other(k))), term.Unsigned(x.pool.Mul(x.count, l))
	for _, c := range []term.Term{x.pool.Le(earlier.Add(n), later), x.pool.Same(earlier, later), x.pool.Le(later.Add(n), earlier)} {
		if !x.apartBy(p.record, q.record, &p.touch, &q.touch, other, same, append(slices.Clip(facts), c)) {
			return false
		}
	}
	return true
}

// strided returns the number of the round of the outermost loop around r that advances by
// the number of blocks, or the zero Term if there is none.
func (x *prover) strided(r *record) term.Term {
	for _, f := range r.frames {
		if b, ok := x.bounds[f.loop]; ok && slices.Contains(term.Vars(b.step), x.count) {
			return f.k
		}
	}
	return term.Term{}
}
