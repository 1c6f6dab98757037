// This file finds the function that an elementwise instruction computes.

package sem

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// ElementFn returns the function that op applies to each element. It returns nil if op is
// not an elementwise instruction.
func ElementFn(op *ir.Op) *scalar.Fn {
	switch k := op.Def().Sem.(type) {
	case TileMap:
		return k.Fn
	case TileReduce:
		return k.Fn
	case TileExpand:
		return k.Fn
	case TilePart:
		return k.Fn
	case VecMap:
		return k.Fn
	}
	return nil
}
