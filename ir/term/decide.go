// This file decides whether conditions can hold together.

package term

// Answer is the result of a decision.
type Answer uint8

const (
	// Can means that the decision needs more than the budget. The caller must treat it
	// like Yes.
	Can Answer = iota
	// No means that no values of the variables and unknown functions fulfil the
	// conditions.
	No
	// Yes means that some values fulfil the conditions.
	Yes
)

// String returns "can", "no" or "yes".
func (a Answer) String() string { return [...]string{"can", "no", "yes"}[a] }

// Budget limits the work of a decision. It counts steps and never measures time, so
// decisions are deterministic.
type Budget struct {
	// Cases is the largest number of cases into which integer reasoning splits.
	Cases int
	// Clauses and Conflicts limit the SAT solver: the size of its problem, and the
	// conflicts after which it gives up. With Conflicts 0 the solver is not used.
	Clauses, Conflicts int
}

// DefaultBudget suffices for the conditions of usual kernels.
var DefaultBudget = Budget{Cases: 64, Clauses: 200_000, Conflicts: 20_000}

// CheapBudget is a budget without the SAT solver.
var CheapBudget = Budget{Cases: 16}

// Possible decides whether all facts, which have width 1, can hold together.
func (p *Pool) Possible(b Budget, facts ...Term) Answer {
	all := p.All(facts...)
	switch {
	case all.IsFalse():
		return No
	case all.IsTrue():
		return Yes
	}
	list := []*node{all.n}
	if all.n.op == opAnd {
		list = all.n.args
	}
	parts := independent(list)
	if parts == nil {
		return Can
	}
	answer := Yes
	for _, part := range parts {
		switch a := p.possible(b, part); a {
		case No:
			return No
		case Can:
			answer = Can
		}
	}
	return answer
}

// decided is a decision that was made before.
type decided struct {
	facts *node
	b     Budget
}

// possible decides whether facts that depend on each other can hold together. It remembers
// its answers.
func (p *Pool) possible(b Budget, facts []*node) Answer {
	terms := make([]Term, len(facts))
	for i, f := range facts {
		terms[i] = Term{f}
	}
	key := decided{p.All(terms...).n, b}
	if a, ok := p.answers[key]; ok {
		return a
	}
	d := decision{p: p, cases: b.Cases}
	a := d.decide(facts)
	if a == Can && b.Conflicts > 0 {
		a = p.solve(b, facts)
	}
	p.answers[key] = a
	return a
}

// maxNodes limits the number of terms inside the facts of a decision.
const maxNodes = 3000

// independent divides facts into parts that have no variable and no unknown function in
// common. The parts can hold together if each of them can hold. The result is nil if the
// facts are too large.
func independent(facts []*node) [][]*node {
	parent := make([]int, len(facts))
	for i := range parent {
		parent[i] = i
	}
	find := func(i int) int {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	owner := map[*node]int{} // the first fact with a node
	apps := map[string]int{} // the first fact with an unknown function
	var visit func(n *node, i int)
	visit = func(n *node, i int) {
		if n.op == opConst || len(owner) > maxNodes {
			return
		}
		if k, ok := owner[n]; ok {
			parent[find(i)] = find(k)
			return
		}
		owner[n] = i
		if n.op == opOpaque || n.op == opOrder {
			key := n.function()
			if k, ok := apps[key]; ok {
				parent[find(i)] = find(k)
			}
			apps[key] = i
		}
		for _, a := range n.args {
			visit(a, i)
		}
	}
	for i, f := range facts {
		visit(f, i)
	}
	if len(owner) > maxNodes {
		return nil
	}
	var parts [][]*node
	place := map[int]int{}
	for i, f := range facts {
		r := find(i)
		k, ok := place[r]
		if !ok {
			k = len(parts)
			place[r], parts = k, append(parts, nil)
		}
		parts[k] = append(parts[k], f)
	}
	return parts
}

// solve decides by the SAT solver whether facts can hold together.
func (p *Pool) solve(b Budget, facts []*node) Answer {
	q := newQuery(p, facts)
	if !q.refine() {
		return No
	}
	bits, ok := blast(q, b.Clauses)
	if !ok {
		return Can
	}
	a := bits.s.solve(b.Conflicts)
	if a != Yes {
		return a
	}
	// The translation omits some declarations, so the values are examined.
	model := bits.model()
	if q.fulfils(make([]Int, len(model)), func(i int, _ *node) Int { return model[i] }) {
		return Yes
	}
	return Can
}

// decision is the state of a decision.
type decision struct {
	p     *Pool
	cases int // that are left
}

// decide decides whether facts can hold together. If the integer constraints of the facts
// have a solution, but depend on a condition that is not known, it decides both cases.
func (d *decision) decide(facts []*node) Answer {
	q := newQuery(d.p, facts)
	if !q.refine() {
		return No
	}
	if q.sample() {
		return Yes
	}
	s := newSystem(q)
	switch {
	case !s.solvable():
		return No
	case len(s.splits) == 0 || d.cases <= 0:
		return Can
	}
	d.cases--
	c := Term{s.splits[0]}
	for _, t := range []Term{c, d.p.Not(c)} {
		if a := d.decide(append(facts[:len(facts):len(facts)], t.n)); a != No {
			return a
		}
	}
	return No
}

// Implies reports whether the conclusion is proved to hold whenever all facts hold. The
// result false means that no proof was found within the budget.
func (p *Pool) Implies(b Budget, conclusion Term, facts ...Term) bool {
	return p.Possible(b, append(facts[:len(facts):len(facts)], p.Not(conclusion))...) == No
}
