package diff

import "ptogo/ir"

// Covered returns the instructions that random programs are made of.
func Covered() map[*ir.Def]bool {
	seen := map[*ir.Def]bool{}
	for _, profile := range []string{"a3", "a5"} {
		for _, in := range instructions(profile) {
			seen[in.def] = true
		}
	}
	for _, t := range templates() {
		seen[t.def] = true
	}
	return seen
}
