package cpptest

import (
	"regexp"
	"strings"
)

// known is a disagreement that is not ours to fix, or not decided.
type known struct {
	name    string  // regular expression on the names of cases and instructions
	outcome Outcome // what becomes of them
	detail  string  // is part of what is said about it
	worst   float64 // how far apart numbers may be, relative; 0: any
	reason  string
	source  string
}

// Known are the disagreements of which reason and source are known.
var Known = []known{}

// explain returns the known disagreement that a result is one of.
func (r *Result) explain() *known {
	for i := range Known {
		k := &Known[i]
		if k.outcome != r.Outcome || !strings.Contains(r.Detail, k.detail) || k.worst > 0 && r.Worst > k.worst {
			continue
		}
		if regexp.MustCompile(k.name).MatchString(r.Name) || r.Op != "" && regexp.MustCompile(k.name).MatchString(r.Op) {
			return k
		}
	}
	return nil
}
