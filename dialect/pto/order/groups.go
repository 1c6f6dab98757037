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
type endedSet struct {
	groups *Groups
	bits   []uint64
}

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
	return s != nil && group >= 0 && s.bits[group/64]>>(group%64)&1 != 0
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
	for i, b := range o.bits {
		if b&^s.bits[i] != 0 {
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
	u := &endedSet{o.groups, make([]uint64, len(o.bits))}
	for i := range u.bits {
		u.bits[i] = s.bits[i] | o.bits[i]
	}
	return u
}

// each calls the function f for the number of every group in the set, in increasing
// order. A nil set is empty.
func (s *endedSet) each(f func(group int32)) {
	if s == nil {
		return
	}
	for i, b := range s.bits {
		for ; b != 0; b &= b - 1 {
			f(int32(64*i + bits.TrailingZeros64(b)))
		}
	}
}

// AddGroup adds to the clock c that all instructions of all cores of a group are
// complete.
func (c *Clock) AddGroup(g *Groups, group int32) {
	one := &endedSet{g, make([]uint64, (g.count+63)/64)}
	one.bits[group/64] = 1 << (group % 64)
	c.joinEnded(one)
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
