package offers

import (
	"fmt"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/kernel"
)

// LargerTiles returns a text that recommends larger tiles. It considers the smallest tile
// that the program loads from global memory. The text lists larger sizes of this tile
// with which all tiles of the program still fit into memory, and the command that
// compares these sizes. The result is "" if no larger size fits.
func LargerTiles(prog *kernel.Program) string {
	used := map[sem.Space]int64{}
	var small pto.TileInfo
	for _, f := range analysis.Reached(prog.Kernels) {
		for op := range f.Walk() {
			if _, ok := op.Def().Sem.(sem.AllocTile); ok {
				t := op.Result(0).Type()
				used[sem.SpaceOf(t)] += pto.StorageOf(t)
			}
			v := op.Arg("dst")
			if _, ok := op.Def().Sem.(sem.TileLoad); !ok || v == nil {
				continue
			}
			if t, ok := pto.TileOf(v.Type()); ok && (small.Bytes() == 0 || t.Bytes() < small.Bytes()) {
				small = t
			}
		}
	}
	if small.Bytes() == 0 || used[small.Space] == 0 {
		return ""
	}
	size := int64(small.Space.Size(prog.Profile()))
	var fit []string
	for rows, cols := small.Rows, small.Cols; len(fit) < 3; {
		if cols <= rows {
			cols *= 2
		} else {
			rows *= 2
		}
		factor := rows * cols / (small.Rows * small.Cols)
		if used[small.Space]*factor > size {
			break
		}
		fit = append(fit, fmt.Sprintf("%dx%d", rows, cols))
	}
	if len(fit) == 0 {
		return ""
	}
	return fmt.Sprintf("larger tiles: loads fill tiles of %dx%dx%s, and all tiles use %d %% of %s; %s would fit, and pto-run --tune compares them (docs/tuning.md)\n",
		small.Rows, small.Cols, small.Elem, 100*used[small.Space]/size, small.Space.Loc(), strings.Join(fit, ", "))
}
