// This file describes reserved local buffers.

package analysis

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Reserved is a sem.LocalBuffer that reserves memory: a number of bytes of one memory,
// at an address if Placed is true.
type Reserved struct {
	Space      sem.Space
	Size, Base int64
	Placed     bool
}

// ReservedOf returns the memory that an instruction reserves.
func ReservedOf(op *ir.Op) (r Reserved) {
	r.Size, _ = op.Attr("size").AsInt()
	r.Base, r.Placed = op.Attr("base").AsInt()
	r.Space = pto.SpaceOfAttr(op.Attr("location"))
	return r
}
