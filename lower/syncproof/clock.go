// This file represents which instructions are known to be complete.

package syncproof

import (
	"math"
	"slices"
)

// A lane is a sequence of instructions that start one after the other: a pipe of a core,
// the issue of its instructions, or one class of accesses in a vector function. Lanes are
// numbered from 0.
type lane int

// missing describes the instructions of one group and one lane that may be incomplete. A
// group has the instructions of a block in a loop, or those of a function outside of loops;
// see group. The current round of the loop has age 0, the round before it age 1, and so on.
// Incomplete may be all instructions of rounds younger than age, and in the round of this
// age those that are after a position in the text.
type missing struct {
	group int32
	// loop is the loop of the group.
	loop  int32
	age   uint8
	after int32
}

// anyAge is the age of missing if instructions of every round may be incomplete.
const anyAge = 255

// covers reports whether m includes an instruction at position at of the round with the
// given age.
func (m missing) covers(age uint8, at int32) bool {
	return age < m.age || m.age == anyAge || age == m.age && at > m.after
}

// less reports whether fewer instructions are missing in m than in o.
func (m missing) less(o missing) bool {
	if m.age != o.age {
		return m.age < o.age
	}
	return m.after > o.after
}

// column holds what is missing of one lane, sorted by group. Groups without an entry are
// complete as far as they have been executed. Columns are immutable.
type column []missing

// find returns the entry for a group.
func (c column) find(group int32) (at int, ok bool) {
	return slices.BinarySearchFunc(c, group, func(m missing, g int32) int { return int(m.group) - int(g) })
}

// with returns the column with m added, unless the group already has an entry: that entry
// then includes m.
func (c column) with(m missing) column {
	at, ok := c.find(m.group)
	if ok {
		return c
	}
	out := make(column, 0, len(c)+1)
	out = append(append(append(out, c[:at]...), m), c[at:]...)
	return out
}

// aged returns the column after another round of a loop has started. Ages above most
// become anyAge.
func (c column) aged(loop int32, most uint8) column {
	out := c
	for i, m := range c {
		if m.loop != loop || m.age == anyAge {
			continue
		}
		if &out[0] == &c[0] {
			out = slices.Clone(c)
		}
		if out[i].age++; m.age >= most {
			out[i].age, out[i].after = anyAge, -1
		}
	}
	return out
}

// folded returns the column after a loop has ended: what is missing of the groups of loops
// that in selects is missing of the group to. The text of the loop starts after position
// start.
func (c column) folded(in func(loop int32) bool, to missing, start int32) column {
	if !slices.ContainsFunc(c, func(m missing) bool { return in(m.loop) }) {
		return c
	}
	to.after = math.MaxInt32
	out := make(column, 0, len(c)+1)
	for _, m := range c {
		switch {
		case !in(m.loop):
			out = append(out, m)
		case m.age > 0:
			to.after = min(to.after, start)
		default:
			to.after = min(to.after, m.after)
		}
	}
	i, ok := out.find(to.group)
	switch {
	case !ok:
		return slices.Insert(out, i, to)
	case out[i].age == 0:
		out[i].after = min(out[i].after, to.after)
	}
	return out
}

// merge combines two columns. The result has the groups of both if all is set, and those
// that are in both columns otherwise. For a group that is in both, pick selects an entry. A
// result that is equal to a or b is that column itself, so that equal columns share memory
// and are compared fast.
func merge(a, b column, all bool, pick func(x, y missing) missing) column {
	if sameColumn(a, b) {
		return a
	}
	var out column // nil as long as the result is a[:n]
	n, i, j := 0, 0, 0
	add := func(m missing) {
		switch {
		case out != nil:
			out = append(out, m)
		case n < len(a) && a[n] == m:
			n++
		default:
			out = append(append(make(column, 0, len(a)+len(b)), a[:n]...), m)
		}
	}
	for i < len(a) || j < len(b) {
		switch {
		case j == len(b) || i < len(a) && a[i].group < b[j].group:
			if all {
				add(a[i])
			}
			i++
		case i == len(a) || b[j].group < a[i].group:
			if all {
				add(b[j])
			}
			j++
		default:
			add(pick(a[i], b[j]))
			i, j = i+1, j+1
		}
	}
	switch {
	case out == nil:
		return a[:n:n]
	case slices.Equal(out, b):
		return b
	}
	return out
}

// sameColumn reports whether two columns are equal.
func sameColumn(a, b column) bool {
	if len(a) == 0 || len(b) == 0 || &a[0] == &b[0] {
		return len(a) == len(b)
	}
	return slices.Equal(a, b)
}

// clock is what is known to be complete at a moment: for each lane, what is missing.
type clock []column

// join adds to c the knowledge of o: complete is what is complete in one of them.
func (c clock) join(o clock) {
	for l := range c {
		if len(c[l]) > 0 {
			c[l] = merge(c[l], o[l], false, func(x, y missing) missing {
				if y.less(x) {
					return y
				}
				return x
			})
		}
	}
}

// meet keeps in c what is complete in both c and o. It reports whether c changed.
func (c clock) meet(o clock) (changed bool) {
	for l := range c {
		m := merge(c[l], o[l], true, func(x, y missing) missing {
			if x.less(y) {
				return y
			}
			return x
		})
		if !sameColumn(m, c[l]) {
			c[l], changed = m, true
		}
	}
	return changed
}
