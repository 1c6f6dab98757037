// This file defines reports and merges repeated ones.

package check

import (
	"fmt"
	"strings"

	"ptogo/ir"
)

// Report describes one mistake in a kernel.
type Report struct {
	Check    Kind
	Severity ir.Severity
	// Class is RAW, WAR or WAW for a race, and otherwise a short name of the mistake.
	Class string
	Loc   ir.Loc
	Text  string
	Notes []ir.Note
	// More is the number of further occurrences of the same mistake.
	More int
	// Space, Lo and Hi are the memory and the bytes Lo to Hi-1 that the report concerns.
	// Space is "" if the report does not concern memory.
	Space  string
	Lo, Hi int64
	// Accesses are the two accesses of a race, in the order of execution. If an edge
	// between tasks is missing, they are in the order in which the tasks were submitted.
	Accesses []AccessInfo
	// Edge is the missing edge between two tasks of a graph, or nil.
	Edge *Edge

	// Edits are changes of the program text that add the missing synchronization. All of
	// them must be applied together. Edits is empty if the checker cannot determine them.
	Edits []*ir.Fix

	// simple means that the race is inside one core, so that flags would remove it.
	simple bool
	// seq is the number of the last event with this mistake.
	seq uint64
	// pipes are the names of the pipes of both accesses.
	pipes [2]string
}

// AccessInfo describes one of the two accesses in a report about a race: its location,
// instruction, pipe, core and loop iterations.
type AccessInfo struct {
	Loc ir.Loc
	// Op is the name of the instruction.
	Op   string
	Pipe string
	Core string
	Rank int
	// Block is the number of the block in its rank.
	Block  int
	Writes bool
	// Name is the name of the tile or argument in the text, or "".
	Name string
	// Rounds are the iteration numbers of the enclosing loops, outermost first, if they
	// are known.
	Rounds []int
}

// Diag returns the report as a compiler diagnostic, with its notes.
func (r *Report) Diag() *ir.Diag {
	d := &ir.Diag{Loc: r.Loc, Severity: r.Severity, Code: codes[r.Check], Text: "[" + string(r.Check) + "] " + r.Text}
	d.Notes = append(d.Notes, r.Notes...)
	if r.More > 0 {
		d.Note(ir.Loc{}, fmt.Sprintf("found %s more", times(r.More)))
	}
	return d
}

// codes maps the name of each checker to the diagnostic code that its reports have.
var codes = map[Kind]ir.Code{
	Race: ir.CodeCheckRace, Sync: ir.CodeCheckSync, Init: ir.CodeCheckInit, Mem: ir.CodeCheckMemory, Device: ir.CodeCheckDevice, Output: ir.CodeCheckOutput, Redundant: ir.CodeCheckRedundant,
}

// The function times returns the English text for n repetitions: "once" if n is 1, and
// for example "3 times" if n is 3.
func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// note appends a formatted note with location loc to the report and returns the report.
//
//go:noinline
func (r *Report) note(loc ir.Loc, format string, args ...any) *Report {
	r.Notes = append(r.Notes, ir.Note{Loc: loc, Text: fmt.Sprintf(format, args...)})
	return r
}

// findingKey identifies the reports about one mistake of one operation. Repetitions of
// the mistake only increase a count.
type findingKey struct {
	check Kind
	class string
	site  int32
	other int32
}

// finding adds a report about the mistake that k identifies, and returns the report. If a
// report for k exists already, finding counts a repetition of the mistake and returns
// nil.
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

// Summary returns a line of text with the number of errors, warnings and remarks in rs,
// the last line of the output of a checked run.
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

// Fails reports whether rs contains an error or a warning.
func Fails(rs []*Report) bool {
	for _, r := range rs {
		if r.Severity != ir.Remark {
			return true
		}
	}
	return false
}
