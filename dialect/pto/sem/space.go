// This file defines the memory spaces and their sizes.

package sem

import (
	"strings"

	"ptogo/ir"
)

// Space is a memory of the chip, such as global memory or the unified buffer of a vector
// core. Its values are those of the address_space enum.
type Space uint8

// The memories: global memory (GM), the input buffer of a cube core (L1), the two operand
// buffers (L0A, L0B) and the accumulator (L0C) of the cube unit, the unified buffer of a
// vector core (UB), and small buffers for biases (BT) and quantization factors (FB).
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

// spaceNames holds two names per memory space: the name in pointer types, and the name in
// tile types.
var spaceNames = [numSpaces][2]string{
	{"zero", "zero"}, {"gm", "gm"}, {"l1", "mat"}, {"l0a", "left"}, {"l0b", "right"},
	{"l0c", "acc"}, {"ub", "vec"}, {"bt", "bias"}, {"fb", "scaling"},
}

// String returns the name of the memory space in pointer types, such as ub.
func (s Space) String() string { return spaceNames[s][0] }

// Loc returns the name of the memory space in tile types, such as vec.
func (s Space) Loc() string { return spaceNames[s][1] }

// ParseSpace returns the memory space with the given name in pointer types or tile types.
// The bool result is false if the name is unknown.
func ParseSpace(name string) (Space, bool) {
	for s, n := range spaceNames {
		if n[0] == name || n[1] == name {
			return Space(s), true
		}
	}
	return 0, false
}

// NumberedSpace returns the memory space with number n, as in !llvm.ptr<6>. The bool
// result is false if n is not the number of a space.
func NumberedSpace(n uint32) (Space, bool) { return Space(n), n > 0 && n < uint32(numSpaces) }

// Size returns the size of the memory space on target t in bytes, or 0 if it has no fixed
// size.
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

// SpacesOf returns the set that contains the given memory spaces.
func SpacesOf(spaces ...Space) Spaces {
	var set Spaces
	for _, s := range spaces {
		set |= 1 << s
	}
	return set
}

// Has reports whether the set contains the memory space s.
func (set Spaces) Has(s Space) bool { return set>>s&1 != 0 }

// In returns text such as " in vec or mat" for messages, or "" if the set is empty, which
// means that every memory space is permitted.
func (set Spaces) In() string {
	if set == 0 {
		return ""
	}
	return " in " + set.Names(Space.Loc)
}

// Names returns the memory spaces of the set as text for messages, such as "vec or mat".
// name is a function that returns the name of a space.
func (set Spaces) Names(name func(Space) string) string {
	var names []string
	for s := range numSpaces {
		if set.Has(s) {
			names = append(names, name(s))
		}
	}
	return strings.Join(names, " or ")
}

// These interfaces are what the kinds need from types of the dialect. The dialect
// implements them, because sem cannot import it.

// InSpace is implemented by the data of types whose values refer to memory, such as
// pointers and tiles.
type InSpace interface{ MemorySpace() Space }

// SpaceOf returns the memory space to which values of type t refer, or NoSpace if t does
// not refer to memory.
func SpaceOf(t ir.Type) Space {
	if d, ok := t.Data().(InSpace); ok {
		return d.MemorySpace()
	}
	return NoSpace
}
