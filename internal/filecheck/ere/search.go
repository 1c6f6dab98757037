// This file executes expressions with back references.

package ere

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// Limits of one search with back references: the number of executed instructions and the
// number of states in memory.
const (
	maxSteps  = 20_000_000
	maxStates = 500_000
)

// state is a state that the search still has to explore: the next instruction, the
// position in the text and the group positions.
type state struct {
	pc, pos int
	// slots holds the group positions. Several states share the slice until an opSave
	// copies it.
	slots []int
}

// search matches a regular expression, which has been compiled to instructions of a
// program. It explores all alternatives in order of preference, with longer repetitions
// first. A state of the search consists of the current instruction, the position in the
// text, and the contents of the groups to which back references refer. Each state is
// explored only once, so that the search terminates.
type search struct {
	prog *program
	text string
	// refs lists the groups to which back references refer.
	refs   []int
	nslots int
	steps  int

	seen map[string]struct{}
	key  []byte
}

// find returns the group positions of the leftmost match, or nil if no match exists.
// Among several matches at the leftmost position, it selects the longest. starts is a
// function that returns the next possible start of a match at or after an offset.
func (s *search) find(starts func(from int) int) ([]int, error) {
	for start := starts(0); start >= 0; {
		slots, err := s.from(start)
		if slots != nil || err != nil {
			return slots, err
		}
		if start >= len(s.text) {
			break
		}
		_, n := utf8.DecodeRuneInString(s.text[start:])
		start = starts(start + n)
	}
	return nil, nil
}

// from returns the positions of the groups in the longest match that starts at a given
// offset, the parameter start. It returns nil if no match starts there.
func (s *search) from(start int) ([]int, error) {
	slots := make([]int, s.nslots)
	for i := range slots {
		slots[i] = -1
	}
	slots[0] = start
	clear(s.seen)
	var best []int
	stack := []state{{0, start, slots}}
	for len(stack) > 0 {
		st := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if s.steps++; s.steps > maxSteps || len(s.seen) > maxStates {
			return nil, errSearchLimit
		}
		// Every loop and every way to meet again passes a split.
		op := s.prog.code[st.pc].op
		if op == opSplit && s.visited(st) {
			continue
		}
		if op == opDone {
			if best == nil || st.pos > best[1] {
				best = append([]int(nil), st.slots...)
				best[1] = st.pos
			}
			continue
		}
		stack = s.step(st, stack)
	}
	return best, nil
}

// visited records the state st, and reports whether it was already recorded.
func (s *search) visited(st state) bool {
	k := binary.AppendUvarint(s.key[:0], uint64(st.pc))
	k = binary.AppendUvarint(k, uint64(st.pos))
	for _, g := range s.refs {
		k = binary.AppendVarint(k, int64(st.slots[2*g]))
		k = binary.AppendVarint(k, int64(st.slots[2*g+1]))
	}
	s.key = k
	if _, ok := s.seen[string(k)]; ok {
		return true
	}
	s.seen[string(k)] = struct{}{}
	return false
}

// step pushes the successor states of st to the stack and returns the stack. At a branch
// of the regular expression there are two successors. The alternative that the search
// must try first is pushed last.
func (s *search) step(st state, stack []state) []state {
	in := &s.prog.code[st.pc]
	switch in.op {
	case opSplit:
		return append(stack, state{in.y, st.pos, st.slots}, state{in.x, st.pos, st.slots})
	case opJump:
		return append(stack, state{in.x, st.pos, st.slots})
	case opSave:
		slots := append([]int(nil), st.slots...)
		slots[in.x] = st.pos
		return append(stack, state{st.pc + 1, st.pos, slots})
	case opRef:
		lo, hi := st.slots[2*in.x], st.slots[2*in.x+1]
		if lo < 0 || hi < lo {
			return stack
		}
		if word := s.text[lo:hi]; strings.HasPrefix(s.text[st.pos:], word) {
			return append(stack, state{st.pc + 1, st.pos + len(word), st.slots})
		}
		return stack
	default:
		if n, ok := in.consume(s.text, st.pos); ok {
			return append(stack, state{st.pc + 1, st.pos + n, st.slots})
		}
		return stack
	}
}

// consume executes an instruction that tests one character or position at offset pos of
// the text. It returns the number of consumed bytes, and false if the test fails.
func (in *instruction) consume(text string, pos int) (int, bool) {
	if in.op == opAnchor {
		return 0, in.at.holds(text, pos)
	}
	if pos >= len(text) {
		return 0, false
	}
	c, n := rune(text[pos]), 1
	if c >= utf8.RuneSelf {
		c, n = utf8.DecodeRuneInString(text[pos:])
	}
	if in.op == opChar {
		return n, c == in.char
	}
	return n, in.set.has(c)
}

// holds reports whether the anchor matches at offset pos of the text.
func (a anchor) holds(text string, pos int) bool {
	switch a {
	case lineStart:
		return pos == 0 || text[pos-1] == '\n'
	case lineEnd:
		return pos == len(text) || text[pos] == '\n'
	}
	before := pos > 0 && isWord(rune(text[pos-1]))
	after := pos < len(text) && isWord(rune(text[pos]))
	if a == wordStart {
		return !before && after
	}
	return before && !after
}
