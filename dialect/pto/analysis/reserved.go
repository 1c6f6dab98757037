// This file describes reserved local buffers.

package analysis

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Reserved is the memory that an instruction of kind sem.LocalBuffer reserves: Size bytes
// of a memory space, at address Base if Placed is set.
type Reserved struct {
	Space      sem.Space
	Size, Base int64
	Placed     bool
}

// ReservedOf decodes the attributes of op, which reserves local memory (kind
// sem.LocalBuffer).
func ReservedOf(op *ir.Op) (r Reserved) {
	r.Size, _ = op.Attr("size").AsInt()
	r.Base, r.Placed = op.Attr("base").AsInt()
	r.Space = pto.SpaceOfAttr(op.Attr("location"))
	return r
}
