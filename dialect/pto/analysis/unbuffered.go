// This file finds Level-1 tiles that have no buffer.

package analysis

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// Unbuffered returns the first operation, root or nested in it, that defines a Level 1
// tile (a tile value) as a result or block argument, or nil. Such a tile has no buffer,
// so its address is undefined.
func Unbuffered(root *ir.Op) *ir.Op {
	isTile := func(v *ir.Value) bool { return ir.Is[pto.Tile](v.Type()) }
	for op := range root.Walk() {
		if slices.ContainsFunc(op.Results(), isTile) {
			return op
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				if slices.ContainsFunc(b.Args(), isTile) {
					return op
				}
			}
		}
	}
	return nil
}
