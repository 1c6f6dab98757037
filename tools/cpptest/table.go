package cpptest

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ptogo/dialect/pto"
)

// tally counts the cases of an instruction on a profile by outcome.
type tally struct{ cases, equal, known, open int }

// Table returns the text of docs/measurements/cpp-table.md. It shows, for each
// instruction and profile, how far its examples get: generated as C++, compiled against
// the library's headers, and equal to the results of the Go engine.
func Table(all []*Instruction, results []*Result) string {
	tallies, reasons := map[string]*tally{}, map[string]map[string]bool{}
	for _, r := range results {
		key := r.Source.Arch + " " + r.Op
		if tallies[key] == nil {
			tallies[key] = &tally{}
		}
		if reasons[r.Op] == nil {
			reasons[r.Op] = map[string]bool{}
		}
		t := tallies[key]
		t.cases++
		switch known := Explain(Known, r); {
		case r.Outcome == Equal:
			t.equal++
		case known != nil:
			t.known++
			reasons[r.Op][known.Reason+" ("+known.Source+")"] = true
		default:
			t.open++
			reasons[r.Op][fmt.Sprintf("**open**: %v", r.Outcome)] = true
		}
	}
	var b strings.Builder
	b.WriteString(tableHead)
	b.WriteString(sums(all, tallies))
	b.WriteString("\n| instruction | group | A2/A3 | A5 | remarks |\n|---|---|---|---|---|\n")
	for _, in := range all {
		remarks := slices.Sorted(maps.Keys(reasons[in.Def.Name]))
		for _, profile := range profiles {
			if s := in.On[profile]; s != nil {
				remarks = append(remarks, s.remark()...)
			}
		}
		slices.Sort(remarks)
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", strings.TrimPrefix(in.Def.Name, "pto."), pto.InfoOf(in.Def).Group,
			in.cell("a3", tallies), in.cell("a5", tallies), strings.ReplaceAll(strings.Join(slices.Compact(remarks), "; "), "|", "\\|"))
	}
	return b.String()
}

const tableHead = `# C++ for the tile library, instruction by instruction

Written by ` + "`go test ./test/diff -run TestSimulatorInstructions -timeout 60m -cpp-table ../../docs/measurements/cpp-table.md`" + ` with PTO_ISA set.
Examples of the definitions are written as C++ and compiled against the headers of the CPU simulator; tile instructions
also run there, as their examples have it and on other types and extents.

- *written*: C++ is written, but the simulator's headers do not compile it.
- *compiles*: it compiles; what it does is not compared by itself: views, synchronization, communication.
- *n of m equal*: so many runs agree with the Go engine byte by byte; *known*: so many differ for the reason told.

`

// remark returns messages about why the examples of an instruction could not be generated
// as C++ or did not compile.
func (s *Stage) remark() []string {
	switch {
	case s.Unwritten != "":
		return []string{s.Unwritten}
	case s.Unbuilt != "":
		return []string{"headers: " + s.Unbuilt}
	}
	return nil
}

// cell returns the text of a table cell, which describes the test results of one
// instruction on one profile (target). tallies are the counts of test cases, for example
// of cases with equal results. Its key consists of the profile, a space and the name of
// the instruction.
func (in *Instruction) cell(profile string, tallies map[string]*tally) string {
	s, t := in.On[profile], tallies[profile+" "+in.Def.Name]
	switch {
	case s == nil:
		return ""
	case len(s.sources) == 0:
		return "none"
	case t != nil && t.equal+t.known > 0:
		text := fmt.Sprintf("%d of %d equal", t.equal, t.cases)
		if t.known > 0 {
			text += fmt.Sprintf(", %d known", t.known)
		}
		return text
	case s.Unbuilt != "":
		return "written"
	}
	return "compiles"
}

// sums returns a table for a report. Each row counts the instructions of one group in
// five steps: instructions that exist, whose C++ is generated, whose C++ compiles, whose
// results are compared with those of the simulator, and whose results are equal or differ
// only for known reasons.
func sums(all []*Instruction, tallies map[string]*tally) string {
	var b strings.Builder
	b.WriteString("| group | instructions | written | compiled | compared | equal, or different as known |\n|---|---|---|---|---|---|\n")
	var total [5]int
	for _, g := range tableGroups {
		var n [5]int
		for _, in := range all {
			if pto.InfoOf(in.Def).Group == g {
				for i, yes := range in.reached(tallies) {
					if yes {
						n[i]++
						total[i]++
					}
				}
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", g, n[0], n[1], n[2], n[3], n[4])
	}
	fmt.Fprintf(&b, "| all | %d | %d | %d | %d | %d |\n", total[0], total[1], total[2], total[3], total[4])
	return b.String()
}

// reached reports how far the tests of an instruction get. The result contains one bool
// for each of five steps: the instruction exists, its C++ is generated, the C++ compiles,
// the results are compared, and all results are equal or differ only for known reasons.
// tallies are the numbers of compared cases; a key consists of a profile and an
// instruction name.
func (in *Instruction) reached(tallies map[string]*tally) [5]bool {
	r := [5]bool{0: true, 4: true}
	for profile, s := range in.On {
		r[1] = r[1] || len(s.sources) > 0
		r[2] = r[2] || len(s.sources) > 0 && s.Unbuilt == ""
		if t := tallies[profile+" "+in.Def.Name]; t != nil {
			r[3] = r[3] || t.equal+t.known > 0
			r[2] = r[2] || t.equal > 0
			r[4] = r[4] && t.open == 0
		}
	}
	r[4] = r[4] && r[3]
	return r
}
