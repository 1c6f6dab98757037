// This file represents knowledge about groups of cores that have ended.

package order

import "math/bits"

// Groups divides cores into groups that end as a whole, such as the tasks of a graph. A
// clock that knows the end of a group needs one bit for it instead of an entry for each
// core, so clocks stay small in graphs of thousands of tasks.
type Groups struct {
	// of is the group of each core.
	of    []int32
	count int
}

// NewGroups divides the cores of a launch into groups. The first argument contains, for
// each core, the number of its group. The numbers are from 0 to count-1, because the
// parameter count is the number of groups.
func NewGroups(of []int32, count int) *Groups { return &Groups{of, count} }

// endedSet is a set of groups of instructions; all instructions of these groups are
// complete. The set does not change after its creation, so several clocks can share it.
//
// The tasks of a graph are numbered in the order of their submission, so a task usually
// depends on most tasks that precede it by far. The set therefore stores no words for a
// prefix of groups that it contains completely, and none before and after its other groups.
// Otherwise the sets of a graph would need memory that grows with the square of the number of
// its tasks.
type endedSet struct {
	groups *Groups
	// full is the number of words of 64 groups at the start that contain all their groups.
	// bits are the words from the number first up to the last one that is not 0. The words
	// between are 0.
	full, first int
	bits        []uint64
}

// word returns the word with number i of the set, which has a bit for each of 64 groups.
func (s *endedSet) word(i int) uint64 {
	switch {
	case i < s.full:
		return ^uint64(0)
	case i >= s.first && i < s.end():
		return s.bits[i-s.first]
	}
	return 0
}

// end returns the number of words up to the last one that is not 0.
func (s *endedSet) end() int { return max(s.full, s.first+len(s.bits)) }

// has reports whether the set contains the group of the given core, which means that the
// group has ended. A nil set contains no groups.
func (s *endedSet) has(core int32) bool {
	if s == nil || int(core) >= len(s.groups.of) {
		return false
	}
	return s.hasGroup(s.groups.of[core])
}

// hasGroup reports whether the set s contains the group of cores with the given number.
// It returns false for negative numbers, and for a nil set.
func (s *endedSet) hasGroup(group int32) bool {
	return s != nil && group >= 0 && s.word(int(group/64))>>(group%64)&1 != 0
}

// contains reports whether the set s contains all groups of the set o. A nil set contains
// no groups.
func (s *endedSet) contains(o *endedSet) bool {
	if o == nil || s == o {
		return true
	}
	if s == nil {
		return false
	}
	for i := s.full; i < o.full; i++ {
		if s.word(i) != ^uint64(0) {
			return false
		}
	}
	for i, b := range o.bits {
		if b&^s.word(o.first+i) != 0 {
			return false
		}
	}
	return true
}

// union returns the set of the groups that are in s, in o, or in both.
func (s *endedSet) union(o *endedSet) *endedSet {
	switch {
	case s.contains(o):
		return s
	case o.contains(s):
		return o
	}
	u := &endedSet{groups: o.groups, full: max(s.full, o.full)}
	end := max(s.end(), o.end())
	for u.full < end && s.word(u.full)|o.word(u.full) == ^uint64(0) {
		u.full++
	}
	for u.first = u.full; u.first < end && s.word(u.first)|o.word(u.first) == 0; u.first++ {
	}
	u.bits = make([]uint64, end-u.first)
	for i := range u.bits {
		u.bits[i] = s.word(u.first+i) | o.word(u.first+i)
	}
	return u
}

// each calls the function f for the number of every group in the set, in increasing
// order. A nil set is empty.
func (s *endedSet) each(f func(group int32)) {
	if s == nil {
		return
	}
	for i := range s.end() {
		for b := s.word(i); b != 0; b &= b - 1 {
			f(int32(64*i + bits.TrailingZeros64(b)))
		}
	}
}

// AddGroup adds to the clock c that all instructions of all cores of a group are
// complete.
func (c *Clock) AddGroup(g *Groups, group int32) {
	c.joinEnded(&endedSet{groups: g, first: int(group / 64), bits: []uint64{1 << (group % 64)}})
}

// joinEnded adds the ended groups of o to those that the clock knows to be complete. It
// removes the separate entries of the cores of these groups. It reports whether a group
// was new to the clock.
func (c *Clock) joinEnded(o *endedSet) bool {
	if c.ended.contains(o) {
		return false
	}
	c.ended = c.ended.union(o)
	kept := c.parts[:0]
	for i := range c.parts {
		if !c.ended.has(c.parts[i].core) {
			kept = append(kept, c.parts[i])
		}
	}
	c.parts = kept
	return true
}
