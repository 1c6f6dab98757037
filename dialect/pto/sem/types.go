package sem

import "ptogo/ir"

// What kinds ask the types of a dialect that has them.

// InSpace is data of a type that stands for memory.
type InSpace interface{ MemorySpace() Space }

// SpaceOf returns the memory space after a value of type t.
func SpaceOf(t ir.Type) Space {
	if d, ok := t.Data().(InSpace); ok {
		return d.MemorySpace()
	}
	return NoSpace
}
