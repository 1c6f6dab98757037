package main

// known are the shapes that grow faster than their text, with the ratio to which each may
// come, and the reason.
var known = map[string]struct {
	ratio float64
	why   string
}{
	"sync/nest": {2.8, "the state at the head of each loop holds the accesses of all n loops"},
	"pass/pto-insert-sync of vector in order":  {2.4, "accesses of a vector function to the same bytes are compared in pairs"},
	"pass/pto-insert-sync of vector in a loop": {2.4, "accesses of a vector function to the same bytes are compared in pairs"},
	"pass/canonicalize of always":              {2.2, "n regions in each other: dominance and budgets climb from an operation to the module"},
	"pass/cse of always":                       {2.2, "n regions in each other: dominance and budgets climb from an operation to the module"},
}
