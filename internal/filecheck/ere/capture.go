// This file determines which groups need capturing.

package ere

import "slices"

// mark is a node that records the start or the end of a top-level group. Its value is the
// index of the memory slot for this position.
type mark int

func (mark) isNode() {}

// topLevel appends the consecutive elements of the expression n to the list parts, and
// returns the extended list. For a group among these elements, it appends three things: a
// mark for the start of the group, the contents of the group, and a mark for its end.
// Groups inside an alternative or a repetition stay unchanged, because their positions
// are never needed.
func topLevel(n node, parts []node) []node {
	switch n := n.(type) {
	case sequence:
		for _, part := range n {
			parts = topLevel(part, parts)
		}
		return parts
	case group:
		parts = append(parts, mark(2*n.index))
		parts = topLevel(n.body, parts)
		return append(parts, mark(2*n.index+1))
	}
	return append(parts, n)
}

// capture determines which part of an expression matches which text. The whole expression
// has matched text[lo:hi], and parts are its top-level parts. Each part matches the
// longest text for which the following parts still match the rest. capture stores the
// positions of top-level groups in slots.
func (p *program) capture(parts []node, text string, lo, hi int, slots []int) {
	region := text[:hi] // ends are looked for inside the match only
	pos := lo
	for i, part := range parts {
		if m, ok := part.(mark); ok {
			slots[m] = pos
			continue
		}
		ends := p.ends(region, text, p.starts[i], pos, p.starts[i+1])
		slices.SortFunc(ends, func(a, b int) int { return b - a })
		for _, end := range ends {
			rest := p.ends(region, text, p.starts[i+1], end, len(p.code)-1)
			if slices.Contains(rest, hi) {
				pos = end
				break
			}
		}
	}
}

// ends simulates the instructions of the program from index pc up to index stop, starting
// at position pos of text. It returns all positions in text at which they can end. They
// consume only text inside region. Text outside of region only affects anchors.
func (p *program) ends(region, text string, pc, pos, stop int) []int {
	type place struct{ pc, pos int }
	seen := map[place]bool{}
	var ends []int
	todo := []place{{pc, pos}}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[at] {
			continue
		}
		seen[at] = true
		if at.pc == stop {
			ends = append(ends, at.pos)
			continue
		}
		switch in := &p.code[at.pc]; in.op {
		case opDone:
		case opSplit:
			todo = append(todo, place{in.x, at.pos}, place{in.y, at.pos})
		case opJump:
			todo = append(todo, place{in.x, at.pos})
		case opSave:
			todo = append(todo, place{at.pc + 1, at.pos})
		case opAnchor:
			if in.at.holds(text, at.pos) {
				todo = append(todo, place{at.pc + 1, at.pos})
			}
		default:
			if n, ok := in.consume(region, at.pos); ok {
				todo = append(todo, place{at.pc + 1, at.pos + n})
			}
		}
	}
	return ends
}
