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
	return Can
}

// Implies reports whether the conclusion is proved to hold whenever all facts hold. The
// result false means that no proof was found within the budget.
func (p *Pool) Implies(b Budget, conclusion Term, facts ...Term) bool {
	return p.Possible(b, append(facts[:len(facts):len(facts)], p.Not(conclusion))...) == No
}

// Disjoint reports whether the ranges [a, a+n) and [b, b+m) are proved to have no common
// integer whenever all facts hold.
func (p *Pool) Disjoint(bud Budget, a, n, b, m Linear, facts ...Term) bool {
	return p.Possible(bud, append(facts[:len(facts):len(facts)], p.Meet(a, n, b, m))...) == No
}
