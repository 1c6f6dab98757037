package cpptest

import "regexp"

// Reason describes a class of differences between the Go engine and a witness, which is the
// simulator or the NPU headers, and the reason for them. The project does not intend to
// remove the differences, or has not decided yet.
type Reason struct {
	// Name is a regular expression for the names of cases or of their instructions.
	Name string
	// Outcome is the outcome of the cases, and Detail a regular expression for a part of the
	// message about them.
	Outcome Outcome
	Detail  string
	// Worst is the largest accepted relative difference of numbers; 0 accepts any.
	Worst float64
	// Holds, unless it is nil, reports whether the differing elements of a result have the
	// pattern of this class.
	Holds func(r *Result) bool
	// Class says who is right: "judge" if the witness does not know or does not implement
	// something, "header" if the headers have a fault or reject the program, "ours" if this
	// project differs by decision, "open" if nobody has decided yet. It is empty for the
	// simulator, which decides nothing.
	Class string
	// Reason explains the difference, and Source is the evidence where the reason does not
	// name it.
	Reason, Source string
	// Boards means that kernels that boards have run have the difference, and no variation
	// of an example.
	Boards bool
}

// Explain returns the first of the reasons that matches a result, or nil.
func Explain(reasons []Reason, r *Result) *Reason {
	for i := range reasons {
		if reasons[i].matches(r) {
			return &reasons[i]
		}
	}
	return nil
}

func (k *Reason) matches(r *Result) bool {
	name := regexp.MustCompile(k.Name)
	return k.Outcome == r.Outcome && regexp.MustCompile(k.Detail).MatchString(r.Detail) &&
		(k.Worst == 0 || r.Worst <= k.Worst) && (k.Holds == nil || k.Holds(r)) &&
		(name.MatchString(r.Name) || r.Op != "" && name.MatchString(r.Op))
}
