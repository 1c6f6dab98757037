// This file defines the memory spaces and their sizes.

package sem

import (
	"strings"

	"ptogo/ir"
)

// Space is a memory space. Its values are those of the address_space enum.
type Space uint8

// The memory spaces of a core: global memory, L1 (mat), the two operand
// buffers and the accumulator of the cube unit, the unified buffer (vec) and
// the small buffers for bias and scaling factors.
const (
	NoSpace Space = iota
	GM
	L1
	L0A
	L0B
	L0C
	UB
	BT
	FB
	numSpaces
)

// spaceNames holds the names per space: for pointers first, for tiles second.
var spaceNames = [numSpaces][2]string{
	{"zero", "zero"}, {"gm", "gm"}, {"l1", "mat"}, {"l0a", "left"}, {"l0b", "right"},
	{"l0c", "acc"}, {"ub", "vec"}, {"bt", "bias"}, {"fb", "scaling"},
}

// String returns the name that pointers use.
func (s Space) String() string { return spaceNames[s][0] }

// Loc returns the name that tiles use.
func (s Space) Loc() string { return spaceNames[s][1] }

// ParseSpace returns the space for either name.
func ParseSpace(name string) (Space, bool) {
	for s, n := range spaceNames {
		if n[0] == name || n[1] == name {
			return Space(s), true
		}
	}
	return 0, false
}

// NumberedSpace returns the space with the given number, as in !llvm.ptr<6>. The bool
// result is false if there is none.
func NumberedSpace(n uint32) (Space, bool) { return Space(n), n > 0 && n < uint32(numSpaces) }

// Size returns the size of the space on a profile in bytes, or 0 if it has no fixed size.
func (s Space) Size(t ir.Target) int {
	const k = 1 << 10
	switch s {
	case UB:
		if t == A5 {
			return 256 * k
		}
		return 192 * k
	case L1:
		return 512 * k
	case L0A, L0B:
		return 64 * k
	case L0C:
		if t == A5 {
			return 256 * k
		}
		return 128 * k
	case BT:
		if t == A5 {
			return 4 * k
		}
		return 1 * k
	case FB:
		if t == A5 {
			return 4 * k
		}
		return 7 * k
	}
	return 0
}

// Spaces is a set of memory spaces.
type Spaces uint16

// SpacesOf returns the set of the given spaces.
func SpacesOf(spaces ...Space) Spaces {
	var set Spaces
	for _, s := range spaces {
		set |= 1 << s
	}
	return set
}

// Has reports whether the set contains s.
func (set Spaces) Has(s Space) bool { return set>>s&1 != 0 }

// In is " in vec or mat" for messages, "" for no demand.
func (set Spaces) In() string {
	if set == 0 {
		return ""
	}
	return " in " + set.Names(Space.Loc)
}

// Names lists the spaces for messages.
func (set Spaces) Names(name func(Space) string) string {
	var names []string
	for s := range numSpaces {
		if set.Has(s) {
			names = append(names, name(s))
		}
	}
	return strings.Join(names, " or ")
}
