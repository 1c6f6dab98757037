// This file finds similar names for "did you mean" notes.

package ir

import (
	"maps"
	"slices"
)

// Nearest returns the candidate that is most similar to name, or "" if none is similar
// enough for a suggestion. At most about a third of the letters may differ.
func Nearest(name string, candidates []string) string {
	best, bestDist := "", min(max(2, len(name)/3)+1, len(name))
	for _, c := range candidates {
		// Among equally similar candidates, prefer the one with the longest common
		// prefix.
		d := editDistance(name, c, bestDist+1)
		if d < bestDist || d == bestDist && best != "" && samePrefix(name, c) > samePrefix(name, best) {
			best, bestDist = c, d
		}
	}
	return best
}

// SimilarOps returns the names of operations of the same dialect that are similar enough to
// name, as for Nearest: the most similar ones first, at most n.
func SimilarOps(name string, n int) []string {
	dialect := LookupDialect(dialectOf(name))
	if dialect == nil {
		return nil
	}
	left := slices.Clone(opNames(dialect))
	var all []string
	for len(all) < n {
		near := Nearest(name, left)
		if near == "" {
			break
		}
		all = append(all, near)
		left = slices.DeleteFunc(left, func(other string) bool { return other == near })
	}
	return all
}

// DidYouMean returns the suggestion ": did you mean X?", where X is prefix followed by the
// candidate most similar to name. It returns "" if no candidate is similar.
func DidYouMean(prefix, name string, candidates []string) string {
	if near := Nearest(name, candidates); near != "" {
		return ": did you mean " + prefix + near + "?"
	}
	return ""
}

// samePrefix returns the length in bytes of the common prefix of a and b.
func samePrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Suggest adds a note "did you mean" with the candidate that is most similar to name, if
// a candidate is similar enough. The note has a fix that replaces name. at is the
// location of name in the text. Suggest returns d.
func (d *Diag) Suggest(at Loc, name string, candidates ...string) *Diag {
	if near := Nearest(name, candidates); near != "" {
		d.DidYouMean(at, name, near)
	}
	return d
}

// editDistance returns the minimal number of insertions, deletions and substitutions that
// turn the text in the parameter a into the text in the parameter b. If this number is at
// least limit, editDistance returns limit.
func editDistance(a, b string, limit int) int {
	if abs(len(a)-len(b)) >= limit || len(a) > 100 {
		return limit
	}
	var few [64]int // on the stack: one call compares a name with hundreds of others
	row := few[:0]
	for j := range len(b) + 1 {
		row = append(row, j)
	}
	for i := range len(a) {
		diag, least := row[0], i+1
		row[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
			least = min(least, row[j+1])
		}
		if least >= limit {
			return limit
		}
	}
	return min(row[len(b)], limit)
}

// abs returns the absolute value of x.
func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}

// keys returns the keys of m in ascending order. Callers print them in diagnostics, and
// the random order of map iteration would change the text from run to run.
func keys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
