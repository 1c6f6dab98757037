// This file implements --verify-sync.

package opt

import (
	"fmt"
	"strings"

	"ptogo/ir"
	"ptogo/lower/insertsync"
)

// verifySyncWords are the values of --verify-sync.
var verifySyncWords = []string{"true", "false", "strict", "certificate"}

// syncProofMode proves that synchronization is sufficient (--verify-sync). Its word is one of
// verifySyncWords.
type syncProofMode struct{ word string }

// verify implements --verify-sync: it proves, without running the program, that its
// synchronization is sufficient. It returns false if it finds a race, or, with the
// value strict, if it cannot decide.
func (p *syncProofMode) verify(t *optTool, module *ir.Op, diags *ir.Diags) bool {
	strict := p.word == "strict"
	mode := insertsync.Verdicts
	switch p.word {
	case "strict":
		mode = insertsync.Strict
	case "certificate":
		mode = insertsync.Certificate
	}
	tally := insertsync.Verify(module, func(f *ir.Op) ir.Target {
		if t := t.target; t != 0 {
			return t
		}
		return ir.TargetOf(f)
	}, mode, diags)
	t.proof = &syncProof{tally: tally, failed: tally[insertsync.Hazard] > 0 || strict && tally[insertsync.NotChecked] > 0}
	return !t.proof.failed
}

// syncProof is the result of --verify-sync for one program.
type syncProof struct {
	tally  insertsync.Tally
	failed bool
}

// String returns the line that ends the report, with the number of functions per
// outcome.
func (p *syncProof) String() string {
	var parts []string
	for v, what := range []string{"proved", "with hazards", "not checked"} {
		if n := p.tally[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", ir.Count(n, "function"), what))
		}
	}
	if parts == nil {
		return "no function accesses memory"
	}
	return strings.Join(parts, ", ")
}
