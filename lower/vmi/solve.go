// This file finds the cheapest assignment of layouts to values.

package vmi

import "math"

// problem is a choice of one number for each variable such that the sum of factors is
// lowest.
type problem struct {
	// sizes are the numbers of choices of each variable.
	sizes   []int
	factors []*factor
}

// factor is a cost that depends on some variables. The table has an entry for each
// combination of their choices; the last variable changes fastest.
type factor struct {
	vars  []int
	table []float64
}

// maxTable is the largest number of combinations that the solver tabulates. Beyond it, the
// solver decides one variable by its local cost, so that the result may not be optimal.
const maxTable = 1 << 18

// newFactor returns a factor whose entries cost computes from the choices of vars.
func (p *problem) newFactor(vars []int, cost func(choice []int) float64) *factor {
	n := 1
	for _, v := range vars {
		n *= p.sizes[v]
	}
	f := &factor{vars: vars, table: make([]float64, n)}
	choice := make([]int, len(vars))
	for i := range f.table {
		f.table[i] = cost(choice)
		for k := len(vars) - 1; k >= 0; k-- {
			if choice[k]++; choice[k] < p.sizes[vars[k]] {
				break
			}
			choice[k] = 0
		}
	}
	return f
}

// at returns the entry of a factor for the choices of all variables.
func (p *problem) at(f *factor, choice []int) float64 {
	i := 0
	for _, v := range f.vars {
		i = i*p.sizes[v] + choice[v]
	}
	return f.table[i]
}

// elimination is a variable that has been removed, with the factors that depended on it.
type elimination struct {
	v       int
	factors []*factor
}

// solve returns a choice for each variable. It removes variables one by one: the choice of a
// removed variable follows from those of its neighbours. Ties go to the lower number.
func (p *problem) solve() []int {
	active := append([]*factor{}, p.factors...)
	left := map[int]bool{}
	for v := range p.sizes {
		left[v] = true
	}
	choice := make([]int, len(p.sizes))
	fixed := map[int]bool{}
	var done []elimination
	for len(left) > 0 {
		v, vars, size := p.next(active, left)
		if size > maxTable {
			v = p.busiest(active, left)
			choice[v] = p.local(active, v)
			fixed[v] = true
			delete(left, v)
			active = p.restrict(active, v, choice[v])
			continue
		}
		var mine, others []*factor
		for _, f := range active {
			if containsVar(f.vars, v) {
				mine = append(mine, f)
			} else {
				others = append(others, f)
			}
		}
		done = append(done, elimination{v, mine})
		delete(left, v)
		active = others
		if len(vars) > 0 {
			active = append(active, p.without(v, vars, mine))
		}
	}
	for i := len(done) - 1; i >= 0; i-- {
		choice[done[i].v] = p.cheapest(done[i], choice)
	}
	return choice
}

// next returns the variable whose removal needs the smallest table, with the variables of
// that table.
func (p *problem) next(active []*factor, left map[int]bool) (best int, vars []int, size int) {
	best, size = -1, math.MaxInt
	around := make([][]int, len(p.sizes))
	for _, f := range active {
		for _, v := range f.vars {
			for _, w := range f.vars {
				if w != v && !containsVar(around[v], w) {
					around[v] = append(around[v], w)
				}
			}
		}
	}
	for v := range p.sizes {
		if !left[v] {
			continue
		}
		n := p.sizes[v]
		for _, w := range around[v] {
			if n *= p.sizes[w]; n > maxTable {
				n = maxTable + 1
			}
		}
		if n < size {
			best, vars, size = v, around[v], n
		}
	}
	return best, vars, size
}

// containsVar reports whether a list contains n.
func containsVar(list []int, n int) bool {
	for _, k := range list {
		if k == n {
			return true
		}
	}
	return false
}

// without returns the factor that replaces those of a variable: the lowest sum over its
// choices.
func (p *problem) without(v int, vars []int, mine []*factor) *factor {
	choice := make([]int, len(p.sizes))
	return p.newFactor(vars, func(at []int) float64 {
		for i, w := range vars {
			choice[w] = at[i]
		}
		best := math.Inf(1)
		for k := range p.sizes[v] {
			choice[v] = k
			best = min(best, p.sum(mine, choice))
		}
		return best
	})
}

// sum returns the sum of factors.
func (p *problem) sum(fs []*factor, choice []int) (sum float64) {
	for _, f := range fs {
		sum += p.at(f, choice)
	}
	return sum
}

// cheapest returns the best choice of a removed variable, given those of its neighbours.
func (p *problem) cheapest(e elimination, choice []int) int {
	best, cost := 0, math.Inf(1)
	for k := range p.sizes[e.v] {
		choice[e.v] = k
		if c := p.sum(e.factors, choice); c < cost {
			best, cost = k, c
		}
	}
	return best
}

// busiest returns the variable with the most factors.
func (p *problem) busiest(active []*factor, left map[int]bool) int {
	counts := make([]int, len(p.sizes))
	for _, f := range active {
		for _, v := range f.vars {
			counts[v]++
		}
	}
	best := -1
	for v := range p.sizes {
		if left[v] && (best < 0 || counts[v] > counts[best]) {
			best = v
		}
	}
	return best
}

// local returns the choice of a variable with the lowest sum of the minima of its factors.
func (p *problem) local(active []*factor, v int) int {
	best, cost := 0, math.Inf(1)
	for k := range p.sizes[v] {
		sum := 0.0
		for _, f := range p.restrict(active, v, k) {
			low := math.Inf(1)
			for _, c := range f.table {
				low = min(low, c)
			}
			sum += low
		}
		if sum < cost {
			best, cost = k, sum
		}
	}
	return best
}

// restrict returns the factors with a variable fixed.
func (p *problem) restrict(active []*factor, v, k int) []*factor {
	var out []*factor
	for _, f := range active {
		if !containsVar(f.vars, v) {
			out = append(out, f)
			continue
		}
		var vars []int
		for _, w := range f.vars {
			if w != v {
				vars = append(vars, w)
			}
		}
		choice := make([]int, len(p.sizes))
		choice[v] = k
		out = append(out, p.newFactor(vars, func(at []int) float64 {
			for i, w := range vars {
				choice[w] = at[i]
			}
			return p.at(f, choice)
		}))
	}
	return out
}
