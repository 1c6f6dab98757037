package cli

import (
	"fmt"
	"strings"

	"ptogo/ir"
	"ptogo/lower/insertsync"
)

// verifySync is --verify-sync: it proves without a run that synchronization is
// enough. It reports false if something is wrong.
func (t *optTool) verifySync(module *ir.Op, diags *ir.Diags) bool {
	found := insertsync.Verify(module, func(f *ir.Op) ir.Target {
		if t := t.target(module); t != 0 {
			return t
		}
		return ir.TargetOf(f)
	}, diags).Found
	return !found
}

// syncVerdict closes the report of --verify-sync with what was found, and
// returns the exit code of a program that is wrong.
func (t *optTool) syncVerdict(diags *ir.Diags) int {
	code, errors, warnings, undecided := exitCheck, 0, 0, 0
	for _, d := range diags.All() {
		ours := strings.HasPrefix(d.Text, "[race] ") || strings.HasPrefix(d.Text, "[sync] ")
		switch {
		case !ours && d.Severity == ir.Error:
			code = exitDiag
		case !ours:
		case d.Severity == ir.Error:
			errors++
		case d.Severity == ir.Warning:
			warnings++
		default:
			undecided++
		}
	}
	if code == exitCheck {
		fmt.Fprintf(t.err, "%s: verify-sync: %s\n", t.tool, syncSummary(errors, warnings, undecided))
	}
	return code
}

func syncSummary(errors, warnings, undecided int) string {
	var parts []string
	if errors > 0 {
		parts = append(parts, ir.Count(errors, "error"))
	}
	if warnings > 0 {
		parts = append(parts, ir.Count(warnings, "warning"))
	}
	if parts == nil {
		parts = append(parts, "nothing found")
	}
	if undecided > 0 {
		parts = append(parts, ir.Count(undecided, "place")+" not decided")
	}
	return strings.Join(parts, ", ")
}
