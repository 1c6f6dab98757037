// This file defines what types tell about memory.

package sem

import "ptogo/ir"

// These interfaces are what the kinds need from types of the dialect. The dialect
// implements them, because sem cannot import it.

// InSpace is the data of a type that refers to memory.
type InSpace interface{ MemorySpace() Space }

// SpaceOf returns the memory space after a value of type t.
func SpaceOf(t ir.Type) Space {
	if d, ok := t.Data().(InSpace); ok {
		return d.MemorySpace()
	}
	return NoSpace
}
