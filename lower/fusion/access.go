// This file determines which instructions may change their order.

package fusion

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// access is a tile that an instruction reads, writes, or both.
type access struct {
	v             *ir.Value
	reads, writes bool
	// scratch states that the instruction writes the tile only for intermediate results.
	scratch bool
}

// accesses returns one entry for each tile operand of op, an instruction on buffers. The
// entry states whether op reads the tile, writes it, or uses it as a scratch tile.
func accesses(op *ir.Op) []access {
	var all []access
	for i, a := range op.Form().Operands {
		for k, to := op.ArgRange(i); k < to; k++ {
			if v := op.Operand(k); pto.IsTile(v.Type()) {
				scratch := a.Role == ir.Scratch
				all = append(all, access{v, a.Role != ir.Out && !scratch, a.Role != ir.In, scratch})
			}
		}
	}
	return all
}

// conflict reports whether two instructions on buffers may access the same bytes and at
// least one of these accesses is a write.
func conflict(a, b *ir.Op) bool {
	for _, x := range accesses(a) {
		for _, y := range accesses(b) {
			if (x.writes || y.writes) && mayMeet(x.v, y.v) {
				return true
			}
		}
	}
	return false
}

// mayMeet reports whether two tiles may share a byte. Tiles without an address share bytes
// only if they belong to the same allocation.
func mayMeet(a, b *ir.Value) bool {
	x, known := analysis.BytesOf(a)
	y, both := analysis.BytesOf(b)
	switch {
	case pto.SpaceOf(a.Type()) != pto.SpaceOf(b.Type()):
		return false
	case known && both && (x.Root == nil) == (y.Root == nil):
		return x.Meets(y)
	}
	from, to := unplaced(a), unplaced(b)
	return from == nil && to == nil || from == to || from == nil && !isArgument(a) || to == nil && !isArgument(b)
}

// unplaced returns the allocation without an address from which the tile v is derived, or
// nil.
func unplaced(v *ir.Value) *ir.Value {
	v = origin(v)
	if op := v.Op(); op != nil && means[sem.AllocTile](op) && op.Arg("addr") == nil {
		return v
	}
	return nil
}

// isArgument reports whether the tile v is an argument of a function, or a part of one.
func isArgument(v *ir.Value) bool { return origin(v).Op() == nil }

// origin returns the tile of which the tile v is a part or another name.
func origin(v *ir.Value) *ir.Value {
	for v.Op() != nil && (means[sem.SameStorage](v.Op()) || means[sem.SubTile](v.Op())) {
		v = v.Op().Operand(0)
	}
	return v
}

// free reports whether op accesses no memory and does not constrain the order of other
// operations. It may then change places with other operations.
func free(op *ir.Op) bool {
	return (means[sem.AllocTile](op) || op.HasTrait(ir.Pure) || op.HasTrait(ir.ConstantLike)) && len(op.Regions()) == 0
}
