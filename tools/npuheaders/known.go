package npuheaders

import (
	"regexp"
	"strings"

	"ptogo/tools/cpptest"
)

// Reason describes one class of differences between the Go engine and the NPU headers.
type Reason struct {
	// Name is a regular expression for the names of cases.
	Name string
	// Outcome is the outcome of the cases, and Detail a part of the message about them.
	Outcome cpptest.Outcome
	Detail  string
	// Class is the short name of the class: "judge" if an intrinsic lacks a meaning,
	// "header" if the headers have a fault or lack the instruction, "ours" if this project
	// differs by decision.
	Class string
	// Reason explains the difference, with the evidence.
	Reason string
}

// Known lists the known classes. The first that matches a result applies.
var Known = []Reason{
	{`.`, cpptest.Aborts, "no meaning: ", "judge", "an intrinsic has no meaning here (host/stubs.hpp)"},
	{`.`, cpptest.Unwritten, "", "ours", "the program is not written as C++; pto-opt reports the reason"},
}

// Explain returns the known reason for a result that is not equal, or nil.
func Explain(r *cpptest.Result) *Reason {
	if r.Outcome == cpptest.Equal {
		return nil
	}
	for i := range Known {
		k := &Known[i]
		if k.Outcome == r.Outcome && strings.Contains(r.Detail, k.Detail) && regexp.MustCompile(k.Name).MatchString(r.Name) {
			return k
		}
	}
	return nil
}
