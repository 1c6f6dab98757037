package ir

import (
	"maps"
	"slices"
)

// Nearest returns the candidate that is most like name, or "" if none is
// close enough to be what the user meant: at least one letter is right.
func Nearest(name string, candidates []string) string {
	best, bestDist := "", min(max(2, len(name)/3)+1, len(name))
	for _, c := range candidates {
		// Of two that are equally like it, the one that begins like it.
		d := editDistance(name, c, bestDist+1)
		if d < bestDist || d == bestDist && best != "" && samePrefix(name, c) > samePrefix(name, best) {
			best, bestDist = c, d
		}
	}
	return best
}

// samePrefix counts the bytes with which both texts begin.
func samePrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Suggest adds a note with the candidate that is most like name, if one is.
func (d *Diag) Suggest(at Loc, name string, candidates ...string) *Diag {
	if near := Nearest(name, candidates); near != "" {
		d.Note(at, "did you mean '"+near+"'?")
	}
	return d
}

// editDistance counts the insertions, deletions and substitutions between a
// and b; it gives up and returns limit when they are at least that many.
func editDistance(a, b string, limit int) int {
	if abs(len(a)-len(b)) >= limit || len(a) > 100 {
		return limit
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return min(row[len(b)], limit)
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}

func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
