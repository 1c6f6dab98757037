// This file reads the fitted cycle counts of A5.

package timing

import (
	_ "embed"
	"strconv"
	"strings"

	"ptogo/ir"
)

// a5Table is the embedded table of the times of tile instructions on A5, which were
// fitted to published measurements.
//
//go:embed a5_tiles.tsv
var a5Table string

// readA5Fits parses the table of instruction times on A5. Each time is a linear model
// that was fitted to measurements. readA5Fits panics on a malformed row, because the
// table is part of the program.
func readA5Fits(text string) map[a5Key]a5Fit {
	fits := map[a5Key]a5Fit{}
	for _, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 8 {
			panic("BUG: a5_tiles.tsv: " + line)
		}
		var x [3]float64
		for i := range x {
			var err error
			if x[i], err = strconv.ParseFloat(f[5+i], 64); err != nil {
				panic("BUG: a5_tiles.tsv: " + line)
			}
		}
		op := ir.Lookup("pto." + f[0])
		if op == nil {
			panic("BUG: a5_tiles.tsv: " + line)
		}
		fits[a5Key{op, f[1], f[2], f[3], f[4]}] = a5Fit{x[0], x[1], x[2]}
	}
	return fits
}
