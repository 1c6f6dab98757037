package ir

import (
	"maps"
	"slices"
)

// Nearest returns the candidate that is most like name, or "" if none is
// close enough to be what the user meant.
func Nearest(name string, candidates []string) string {
	best, bestDist := "", max(2, len(name)/3)+1
	for _, c := range candidates {
		if d := editDistance(name, c, bestDist); d < bestDist {
			best, bestDist = c, d
		}
	}
	return best
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
