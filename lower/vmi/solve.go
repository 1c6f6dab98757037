// This file finds the cheapest assignment of layouts to values.

package vmi

import (
	"container/heap"
	"math"
	"slices"
)

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
// variables. choice contains, for every variable of the problem, the index of its choice.
func (p *problem) at(f *factor, choice []int) float64 {
	i := 0
	for _, v := range f.vars {
		i = i*p.sizes[v] + choice[v]
	}
	return f.table[i]
}

// search is the state of the elimination of variables. It keeps, for each variable, the
// factors that depend on it, so that a step only looks at the neighbours of one variable.
type search struct {
	*problem
	// of are the active factors of each variable, in the order in which they were created.
	of [][]*factor
	// left states which variables are not eliminated yet.
	left []bool
	// size is the number of entries of the table that the elimination of a variable
	// creates. The queue orders the variables by it; it can hold old sizes, too.
	size  []int
	queue sizeQueue
	// choice is scratch memory with one entry per variable.
	choice []int
}

// sized is a variable with the size of its table.
type sized struct{ size, v int }

// sizeQueue is a heap of variables. The first one has the smallest table, and the lowest
// number among equals.
type sizeQueue []sized

func (q sizeQueue) Len() int { return len(q) }
func (q sizeQueue) Less(i, j int) bool {
	return q[i].size < q[j].size || q[i].size == q[j].size && q[i].v < q[j].v
}
func (q sizeQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *sizeQueue) Push(x any)   { *q = append(*q, x.(sized)) }
func (q *sizeQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// newSearch returns the state before the first elimination.
func newSearch(p *problem) *search {
	n := len(p.sizes)
	s := &search{problem: p, of: make([][]*factor, n), left: make([]bool, n), size: make([]int, n), choice: make([]int, n)}
	for _, f := range p.factors {
		s.add(f)
	}
	for v := range p.sizes {
		s.left[v] = true
		s.measure(v)
	}
	return s
}

// add makes the factor f active.
func (s *search) add(f *factor) {
	for i, v := range f.vars {
		if !containsVar(f.vars[:i], v) {
			s.of[v] = append(s.of[v], f)
		}
	}
}

// around returns the variables that share an active factor with v.
func (s *search) around(v int) (vars []int) {
	seen := map[int]bool{v: true}
	for _, f := range s.of[v] {
		for _, w := range f.vars {
			if !seen[w] {
				seen[w], vars = true, append(vars, w)
			}
		}
	}
	return vars
}

// measure computes the size of the table for the elimination of v.
func (s *search) measure(v int) {
	n := s.sizes[v]
	for _, w := range s.around(v) {
		if n *= s.sizes[w]; n > maxTable {
			n = maxTable + 1
		}
	}
	s.size[v] = n
	heap.Push(&s.queue, sized{n, v})
}

// next removes the variable with the smallest table from the queue and returns it.
func (s *search) next() int {
	for {
		x := heap.Pop(&s.queue).(sized)
		if s.left[x.v] && x.size == s.size[x.v] {
			return x.v
		}
	}
}

// replace makes the factors of v inactive and the factors in with active, and measures the
// other variables of these factors again.
func (s *search) replace(v int, with []*factor) {
	others, gone := s.around(v), map[*factor]bool{}
	for _, f := range s.of[v] {
		gone[f] = true
	}
	for _, w := range others {
		s.of[w] = slices.DeleteFunc(s.of[w], func(f *factor) bool { return gone[f] })
	}
	s.of[v], s.left[v] = nil, false
	for _, f := range with {
		s.add(f)
	}
	for _, w := range others {
		s.measure(w)
	}
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
	s := newSearch(p)
	choice := make([]int, len(p.sizes))
	var done []elimination
	for left := len(p.sizes); left > 0; left-- {
		v := s.next()
		if s.size[v] > maxTable {
			heap.Push(&s.queue, sized{s.size[v], v})
			v = s.busiest()
			choice[v] = p.local(s.of[v], v)
			s.replace(v, p.restrict(s.of[v], v, choice[v]))
			continue
		}
		mine, vars := s.of[v], s.around(v)
		done = append(done, elimination{v, mine})
		var with []*factor
		if len(vars) > 0 {
			with = append(with, s.without(v, vars, mine))
		}
		s.replace(v, with)
	}
	for i := len(done) - 1; i >= 0; i-- {
		choice[done[i].v] = p.cheapest(done[i], choice)
	}
	return choice
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
// from the problem. mine lists the replaced factors, and vars lists the variables of the
// new factor. For each choice of these variables, the new factor is the minimum of the
// sum of the replaced factors over all choices of v.
func (s *search) without(v int, vars []int, mine []*factor) *factor {
	p, choice := s.problem, s.choice
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
// the problem. choice contains the choices of the other variables. cheapest minimizes the
// sum of the factors that contain the removed variable.
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

// busiest returns the variable that occurs in the largest number of active factors.
func (s *search) busiest() int {
	best := -1
	for v, left := range s.left {
		if left && (best < 0 || len(s.of[v]) > len(s.of[best])) {
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
		choice := map[int]int{v: k}
		out = append(out, p.newFactor(vars, func(at []int) float64 {
			for i, w := range vars {
				choice[w] = at[i]
			}
			i := 0
			for _, w := range f.vars {
				i = i*p.sizes[w] + choice[w]
			}
			return f.table[i]
		}))
	}
	return out
}
