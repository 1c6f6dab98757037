// This file finds Level-1 tiles that have no buffer.

package analysis

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// Unbuffered searches root and the operations nested in it for a tile value (a tile of
// Level 1). It returns the first operation that has a tile value as a result or block
// argument, or nil. Passes that need the addresses of tiles, such as the memory planner,
// reject a program with tile values, because such a tile has no buffer and therefore no
// address.
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
