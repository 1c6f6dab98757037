// This file finds the cheapest assignment of layouts to values.

package vmi

import "math"

// problem is an optimization problem: choose a value for each variable so that the sum of
// all factors is minimal. In layout assignment, a choice is a layout and a factor is the
// cost of an instruction.
type problem struct {
	// sizes holds the number of choices of each variable.
	sizes   []int
	factors []*factor
}

// factor is a cost that depends on the variables vars of an optimization problem. The
// table contains the cost for each combination of choices for these variables. In the
// order of the table, the choice of the last variable changes fastest.
type factor struct {
	vars  []int
	table []float64
}

// maxTable is the maximum number of combinations in a table of the solver. Beyond this
// size, the solver fixes one variable by its local cost, so that the solution may not be
// optimal.
const maxTable = 1 << 18

// newFactor returns a factor of an optimization problem: a table of costs. Each variable
// of the problem has a number of choices, and the table has one cost for each combination
// of choices of the variables in vars. The function cost computes this cost.
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

// at returns the contribution of the factor f to the total cost of the problem. The total
// cost is a sum of such contributions, each of which depends on the choices for a few
// variables. The parameter choice contains, for every variable of the problem, the index
// of its choice.
func (p *problem) at(f *factor, choice []int) float64 {
	i := 0
	for _, v := range f.vars {
		i = i*p.sizes[v] + choice[v]
	}
	return f.table[i]
}

// elimination is a variable that the solver has removed, together with the factors that
// depended on the variable. These factors determine the choice for the variable once the
// other variables are chosen.
type elimination struct {
	v       int
	factors []*factor
}

// solve returns a choice for each variable that minimizes the total cost. The cost is the
// sum of the factors, each of which depends on the choices for a few variables. solve
// removes the variables one by one; the choice of a removed variable then follows from
// the choices of the variables that share a factor with it. If two choices have equal
// costs, solve selects the one with the lower index.
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

// next returns the variable that should be eliminated next. Eliminating a variable
// creates a table over all variables that share a factor with it. The result best is the
// variable with the smallest table, vars are the other variables of this table, and size
// is its number of entries. The parameter active contains the current factors, and left
// is the set of variables that are not yet eliminated.
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

// containsVar reports whether the list contains the variable n.
func containsVar(list []int, n int) bool {
	for _, k := range list {
		if k == n {
			return true
		}
	}
	return false
}

// without returns the factor that replaces several factors when the variable v is removed
// from the problem. The parameter mine lists the replaced factors, and the parameter vars
// lists the variables of the new factor. For each choice of these variables, the new
// factor is the minimum of the sum of the replaced factors over all choices of v.
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

// sum returns the sum of the costs of the factors fs. A factor depends on a few variables
// of the problem. For each variable, the parameter choice contains the index of the
// selected option.
func (p *problem) sum(fs []*factor, choice []int) (sum float64) {
	for _, f := range fs {
		sum += p.at(f, choice)
	}
	return sum
}

// cheapest returns the best choice for the variable that elimination step e removed from
// the problem. The parameter choice contains the choices of the other variables. cheapest
// minimizes the sum of the factors that contain the removed variable.
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

// busiest returns the variable that occurs in the largest number of active factors. The
// parameter left is the set of variables that have not been removed yet.
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

// local returns a choice for the variable v. It only considers the cost of this choice,
// not its effect on the choices for other variables. For each choice, it adds up the
// lowest possible cost of each factor in the list active. It returns the choice with the
// smallest sum.
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

// restrict returns the factors in active, which are summands of the cost, with the
// variable v fixed to its choice with index k.
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
