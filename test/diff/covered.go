package diff

import (
	"math/rand/v2"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/ir"
)

// Covered returns the instructions that random programs are made of.
func Covered() map[*ir.Def]bool {
	seen := map[*ir.Def]bool{}
	for _, profile := range []string{"a3", "a5"} {
		m := &maker{rules: newRules(profile), r: rand.New(rand.NewPCG(1, 1))}
		for _, u := range m.seeds {
			if !seen[u.def] && m.able(u).runs && m.operands(u) {
				seen[u.def] = true
			}
		}
	}
	for _, t := range templates() {
		seen[t.def] = true
	}
	for _, d := range pto.Dialect.Defs {
		if slices.Contains(memoryInstructions, d.Name) {
			seen[d] = true
		}
	}
	return seen
}
