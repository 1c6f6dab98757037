package flow

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestComponents compares components of random graphs with what can be reached from each
// node.
func TestComponents(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 0))
		n := 1 + r.IntN(12)
		edges := make([][]int, n)
		for range r.IntN(2 * n) {
			from := r.IntN(n)
			edges[from] = append(edges[from], r.IntN(n))
		}
		reach := make([][]bool, n)
		for i := range n {
			reach[i] = make([]bool, n)
			work := []int{i}
			for len(work) > 0 {
				v := work[0]
				work = work[1:]
				if !reach[i][v] {
					reach[i][v] = true
					work = append(work, edges[v]...)
				}
			}
		}
		roots := make([]int, n)
		for i := range roots {
			roots[i] = i
		}
		of := make([]int, n)
		all := Components(roots, func(i int) []int { return edges[i] })
		count := 0
		for c, component := range all {
			count += len(component)
			for _, v := range component {
				of[v] = c
			}
		}
		if count != n {
			t.Fatalf("seed %d: the components of %v have %d nodes", seed, edges, count)
		}
		for i := range n {
			for j := range n {
				if together := reach[i][j] && reach[j][i]; together != (of[i] == of[j]) {
					t.Fatalf("seed %d: nodes %d and %d of %v are in components %d and %d", seed, i, j, edges, of[i], of[j])
				}
				if reach[i][j] && of[j] > of[i] {
					t.Fatalf("seed %d: component %d of %v is reached from component %d, but stands after it", seed, of[j], edges, of[i])
				}
			}
		}
	}
}

// TestComponentsDeep follows a chain that is much longer than a recursion could be.
func TestComponentsDeep(t *testing.T) {
	const n = 1 << 18
	all := Components([]int{0}, func(i int) []int { return []int{(i + 1) % n} })
	if len(all) != 1 || len(all[0]) != n || !slices.Contains(all[0], n-1) {
		t.Errorf("a circle of %d nodes has %d components", n, len(all))
	}
}
