package isatest

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Summary returns one line about the cases of a folder.
func Summary(folder string, all []Case) string {
	n := counts(all)
	return fmt.Sprintf("%-32s pass %3d  wrong %3d  refused %3d  not run %3d", folder, n[Passed], n[Wrong], n[Refused], n[NotRun])
}

// numbers are numbers in reasons, which differ between the cases of one reason.
var numbers = regexp.MustCompile(`\b\d+\b`)

func counts(all []Case) map[Outcome]int {
	n := map[Outcome]int{}
	for _, c := range all {
		n[c.Outcome]++
	}
	return n
}

// Inside returns the cases of folders that the front end is meant to read.
func Inside(all []Case) []Case {
	return slices.DeleteFunc(slices.Clone(all), func(c Case) bool { return Outside(c.Folder) })
}

// Report returns the numbers of cases and the reasons by frequency.
func Report(all []Case) string {
	var b strings.Builder
	inside := Inside(all)
	for _, g := range []struct {
		name  string
		cases []Case
	}{{"all folders", all}, {"without queues, signals, communication, convolution", inside}} {
		n := counts(g.cases)
		total := max(len(g.cases), 1)
		fmt.Fprintf(&b, "%s: %d cases: %d pass (%.1f%%), %d wrong (%.1f%%), %d refused, %d not run\n", g.name, len(g.cases), n[Passed],
			100*float64(n[Passed])/float64(total), n[Wrong], 100*float64(n[Wrong])/float64(total), n[Refused], n[NotRun])
	}
	type row struct {
		reason  string
		n       int
		folders []string
	}
	byReason := map[string]*row{}
	for _, c := range inside {
		if c.Outcome == Passed {
			continue
		}
		key := string(c.Outcome) + ": " + c.Reason
		if c.Outcome == Wrong {
			key = string(Wrong)
		}
		key = numbers.ReplaceAllString(key, "N")
		if byReason[key] == nil {
			byReason[key] = &row{reason: key}
		}
		r := byReason[key]
		if r.n++; !slices.Contains(r.folders, c.Folder) {
			r.folders = append(r.folders, c.Folder)
		}
	}
	var rows []*row
	for _, r := range byReason {
		rows = append(rows, r)
	}
	slices.SortFunc(rows, func(a, b *row) int {
		if a.n != b.n {
			return b.n - a.n
		}
		return strings.Compare(a.reason, b.reason)
	})
	for _, r := range rows {
		fmt.Fprintf(&b, "%5d %s (%s)\n", r.n, r.reason, strings.Join(r.folders, " "))
	}
	return b.String()
}

// Table returns all cases as lines with tab-separated columns.
func Table(all []Case) string {
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "%s\t%s.%s\t%s\t%s\n", c.Folder, c.Suite, c.Name, c.Outcome, strings.ReplaceAll(c.Reason, "\t", " "))
	}
	return b.String()
}
