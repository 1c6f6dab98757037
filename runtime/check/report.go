// This file defines reports and merges repeated ones.

package check

import (
	"cmp"
	"fmt"
	"strings"

	"ptogo/ir"
)

// Report is one thing that is wrong with a kernel.
type Report struct {
	Check    Kind
	Severity ir.Severity
	// Class is RAW, WAR or WAW of a race, and a short name of other findings.
	Class string
	Loc   ir.Loc
	Text  string
	Notes []ir.Note
	// More is how often it came again.
	More int
	// Space, Lo and Hi are the bytes that a report is about, if it is about
	// memory: up to Hi-1.
	Space  string
	Lo, Hi int64
	// Accesses are the two accesses of a race, the earlier one in the order of
	// execution first.
	Accesses []AccessInfo

	simple bool   // a hazard that flags of the core remove
	seq    uint64 // of the last event that it was found at
	pipes  [2]string
}

// AccessInfo is an access of a report.
type AccessInfo struct {
	Loc    ir.Loc
	Op     string // instruction
	Pipe   string
	Core   string
	Rank   int
	Block  int // in its rank
	Writes bool
	Name   string // of the tile or argument, if it has one
	Rounds []int  // of the loops around it, the outermost first, as far as known
}

// Diag returns the report as a diagnostic.
func (r *Report) Diag() *ir.Diag {
	d := &ir.Diag{Loc: r.Loc, Severity: r.Severity, Code: codes[r.Check], Text: "[" + string(r.Check) + "] " + r.Text}
	d.Notes = append(d.Notes, r.Notes...)
	if r.More > 0 {
		d.Note(ir.Loc{}, fmt.Sprintf("found %s more", times(r.More)))
	}
	return d
}

// codes are the codes of diagnostics by checker.
var codes = map[Kind]ir.Code{
	Race: ir.CodeCheckRace, Sync: ir.CodeCheckSync, Init: ir.CodeCheckInit, Mem: ir.CodeCheckMemory, Redundant: ir.CodeCheckRedundant,
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// note adds to a report.
func (r *Report) note(loc ir.Loc, format string, args ...any) *Report {
	r.Notes = append(r.Notes, ir.Note{Loc: loc, Text: fmt.Sprintf(format, args...)})
	return r
}

// findingKey keeps what was said about an operation from being said again.
type findingKey struct {
	check Kind
	class string
	site  int32
	other int32
}

// finding reports something about an operation, the first time; later it only
// counts, once for each event, and returns nil.
func (c *Checker) finding(k findingKey, sev ir.Severity, seq uint64, format string, args ...any) *Report {
	if r := c.found[k]; r != nil {
		if r.seq != seq {
			r.More, r.seq = r.More+1, seq
		}
		return nil
	}
	op := c.sites.all[k.site].op
	r := &Report{Check: k.check, Severity: sev, Class: k.class, Loc: op.Loc(), Text: fmt.Sprintf(format, args...), seq: seq}
	c.found[k] = r
	c.reports = append(c.reports, r)
	return r
}

// Summary is the closing line: how many reports there are of each severity.
func Summary(rs []*Report) string {
	var n [3]int
	for _, r := range rs {
		n[r.Severity]++
	}
	var parts []string
	for _, s := range []ir.Severity{ir.Error, ir.Warning, ir.Remark} {
		if n[s] > 0 {
			parts = append(parts, ir.Count(n[s], s.String()))
		}
	}
	if parts == nil {
		return "no reports"
	}
	return strings.Join(parts, ", ")
}

// Fails reports whether there is an error or a warning.
func Fails(rs []*Report) bool {
	for _, r := range rs {
		if r.Severity != ir.Remark {
			return true
		}
	}
	return false
}

func compareLocs(a, b ir.Loc) int {
	x, i := a.Source()
	y, j := b.Source()
	if x != y || x == nil {
		return 0
	}
	return cmp.Compare(i, j)
}

// lineOf is the line of a location, as in "line 30".
func lineOf(l ir.Loc) string {
	src, off := l.Source()
	if src == nil {
		return l.String()
	}
	n, _ := src.Position(off)
	return fmt.Sprintf("line %d", n)
}
