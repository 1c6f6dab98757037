// This file defines what types tell about memory.

package sem

import "ptogo/ir"

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
