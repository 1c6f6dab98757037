package vmi

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomProblem returns a random optimization problem with n variables, each with the
// given number of choices, and the given number of factors.
func randomProblem(r *rand.Rand, n, choices, factors int) *problem {
	p := &problem{}
	for range n {
		p.sizes = append(p.sizes, 1+r.IntN(choices))
	}
	for range factors {
		vars := r.Perm(n)[:1+r.IntN(min(3, n))]
		p.factors = append(p.factors, p.newFactor(vars, func([]int) float64 {
			if r.IntN(8) == 0 {
				return math.Inf(1)
			}
			return float64(r.IntN(10))
		}))
	}
	return p
}

// lowestCost returns the lowest cost among all combinations of choices, which it
// enumerates.
func (p *problem) lowestCost() float64 {
	best := math.Inf(1)
	all := make([]int, len(p.sizes))
	for v := range all {
		all[v] = v
	}
	p.newFactor(all, func(choice []int) float64 {
		best = min(best, p.sum(p.factors, choice))
		return 0
	})
	return best
}

// TestSolve compares the cost of the solver's solution with the lowest cost of all
// combinations.
func TestSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		n := 1 + r.IntN(7)
		p := randomProblem(r, n, 4, r.IntN(2*n+1))
		want := p.lowestCost()
		if got := p.sum(p.factors, p.solve()); got != want {
			t.Fatalf("problem %d: the choice costs %v, and the best one %v", i, got, want)
		}
	}
}

// TestSolveLarge solves a problem in which every two variables share a factor. The solver
// cannot solve it exactly with tables of limited size.
func TestSolveLarge(t *testing.T) {
	const n, choices = 24, 6
	r := rand.New(rand.NewPCG(3, 4))
	p := &problem{}
	for range n {
		p.sizes = append(p.sizes, choices)
	}
	for v := range n {
		for w := range v {
			p.factors = append(p.factors, p.newFactor([]int{v, w}, func([]int) float64 { return float64(r.IntN(10)) }))
		}
	}
	got := p.sum(p.factors, p.solve())
	average := 4.5 * float64(len(p.factors))
	if got > 0.8*average {
		t.Errorf("the choice costs %v, and random ones about %v", got, average)
	}
}
