// This file finds tiles that are computed but never read.

package notes

import (
	"fmt"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel"
)

// UnusedTiles returns a note about each tile that a kernel computes but never reads. Such
// a kernel probably reads a different tile by mistake.
func UnusedTiles(prog *kernel.Program) (notes []string) {
	for _, f := range analysis.Reached(prog.Kernels) {
		for op := range f.Walk() {
			if made := unusedTile(op); made != nil {
				notes = append(notes, fmt.Sprintf("nothing reads the tile that '%s' computes (%s)", made.Name(), made.Loc()))
			}
		}
	}
	return notes
}

// unusedTile returns an instruction that writes the tile which op allocates, if no
// instruction reads the tile. Otherwise it returns nil.
//
// It ignores four groups of tiles. Tiles with addresses are ignored, because another tile
// at the same address may be read. The other groups are tiles that control flow carries,
// scratch tiles, and tiles that an instruction with several results writes.
func unusedTile(op *ir.Op) (made *ir.Op) {
	if _, ok := op.Def().Sem.(sem.AllocTile); !ok || op.Arg("addr") != nil {
		return nil
	}
	tile := op.Result(0)
	for u := range tile.Uses() {
		made = u.Owner()
		written := slices.DeleteFunc(pto.Effects(made), func(e pto.Effect) bool { return e.Kind == pto.Reads && e.Value != tile })
		if len(written) != 1 || written[0].Value != tile || written[0].Kind != pto.Writes {
			return nil
		}
	}
	return made
}
