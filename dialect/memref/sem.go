// This file defines the kinds of memref operations.

package memref

import "ptogo/ir/effect"

// Action identifies what an operation of the memref dialect does. The definition of each
// operation specifies its operands. The interpreter and the code generators have one
// routine for each value of this type.
type Action uint8

// The actions of operations. The comment on each constant describes the result or the
// effect.
const (
	Allocate      Action = iota + 1 // a new buffer, until dealloc
	AllocateFrame                   // a new buffer, until the function returns
	Free                            // the end of a buffer
	Read                            // one element
	Write                           // one element
	CopyAll                         // every element of a buffer to another
	Extent                          // the size of a dimension
	CountDims                       // the number of dimensions
	Window                          // part of a buffer: subview
	Describe                        // the same memory with other sizes and strides
	Bytes                           // part of a buffer of bytes as elements of a type
	Same                            // the same buffer under another type
	Address                         // the address of the first element
	Assume                          // nothing: a promise about the address
	Declare                         // a buffer with a name
	Named                           // the buffer with a name
)

// Effects returns the effects on memory. An access can fault, because an index can
// be out of range.
func (a Action) Effects() effect.Set {
	switch a {
	case Allocate, AllocateFrame:
		return effect.Reserves
	case Free:
		return effect.WritesState
	case Address:
		return effect.GivesAddress
	case CountDims, Describe, Same, Assume, Declare, Named:
		return 0
	}
	return effect.MayFault
}
