package isatest

import (
	"cmp"
	"fmt"
	"maps"
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
	for _, r := range reasons(inside) {
		fmt.Fprintf(&b, "%5d %s: %s (%s)\n", r.n, r.outcome, r.text, strings.Join(r.folders, " "))
	}
	return b.String()
}

// reason is a reason for which cases do not pass.
type reason struct {
	outcome Outcome
	text    string
	n       int
	folders []string
}

// reasons groups the cases that do not pass, most frequent reasons first.
func reasons(all []Case) []*reason {
	known := map[string]*reason{}
	for _, c := range all {
		if c.Outcome == Passed {
			continue
		}
		text := numbers.ReplaceAllString(c.Reason, "N")
		if c.Outcome == Wrong {
			text = explanation(c)
		}
		key := string(c.Outcome) + text
		if known[key] == nil {
			known[key] = &reason{outcome: c.Outcome, text: text}
		}
		r := known[key]
		if r.n++; !slices.Contains(r.folders, c.Folder) {
			r.folders = append(r.folders, c.Folder)
		}
	}
	rows := slices.Collect(maps.Values(known))
	slices.SortFunc(rows, func(a, b *reason) int {
		return cmp.Or(cmp.Compare(b.n, a.n), strings.Compare(string(a.outcome), string(b.outcome)), strings.Compare(a.text, b.text))
	})
	return rows
}

// Page returns the documentation page about the cases of several profiles.
func Page(profiles []string, cases map[string][]Case, note string) string {
	var b strings.Builder
	b.WriteString("# Device tests of the tile library\n\n" + note + "\n\n" +
		"`tools/isatest` runs the device tests of pto-isa without a device. `frontend/cpp` reads the kernels, and the Go engine\n" +
		"executes them. The host program of a test (`main.cpp`) is compiled to LLVM IR, which the tool interprets. The test's own\n" +
		"script makes the data, and the comparison follows the rule of the library. The second group of columns leaves out the\n" +
		"folders about queues, signals between cores, communication and convolution\n(" + outsideRule + ").\n\n" +
		"| profile | cases | pass | wrong | refused | not run | of these: cases | pass | wrong |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, p := range profiles {
		n, inside := counts(cases[p]), Inside(cases[p])
		m := counts(inside)
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d (%.1f%%) | %d (%.1f%%) |\n", p, len(cases[p]), n[Passed], n[Wrong], n[Refused], n[NotRun],
			len(inside), m[Passed], percent(m[Passed], len(inside)), m[Wrong], percent(m[Wrong], len(inside)))
	}
	b.WriteString("\nA case is *wrong* if the comparison of the test fails, *refused* if a kernel cannot be read or run, and *not run* if\n" +
		"the kernels or the host program do not compile, or if data is missing.\n")
	for _, p := range profiles {
		fmt.Fprintf(&b, "\n## Cases on %s that do not pass\n\nN stands for numbers that differ between the cases.\n\n| cases | outcome | reason | folders |\n|---|---|---|---|\n", p)
		for _, r := range reasons(cases[p]) {
			fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", r.n, r.outcome, escaped(r.text), strings.Join(r.folders, ", "))
		}
		b.WriteString("\n| wrong case | difference |\n|---|---|\n")
		for _, c := range cases[p] {
			if c.Outcome == Wrong {
				fmt.Fprintf(&b, "| %s.%s | %s |\n", c.Suite, c.Name, escaped(c.Reason))
			}
		}
	}
	return b.String()
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// escaped returns text for a cell of a table.
func escaped(text string) string {
	return strings.NewReplacer("|", "\\|", "<", "\\<", ">", "\\>", "*", "\\*", "_", "\\_").Replace(text)
}

// ReadTable reads the text that Table returns.
func ReadTable(text string) ([]Case, error) {
	var all []Case
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			return nil, fmt.Errorf("line %d has %d columns, not 4", i+1, len(f))
		}
		suite, name, _ := strings.Cut(f[1], ".")
		all = append(all, Case{Folder: f[0], Suite: suite, Name: name, Outcome: Outcome(f[2]), Reason: f[3]})
	}
	return all, nil
}

// Table returns all cases as lines with tab-separated columns.
func Table(all []Case) string {
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "%s\t%s.%s\t%s\t%s\n", c.Folder, c.Suite, c.Name, c.Outcome, strings.ReplaceAll(c.Reason, "\t", " "))
	}
	return b.String()
}

// explained are the wrong cases whose reason is known: a folder, a part of the name of the
// case or "", and the reason.
var explained = []struct{ folder, name, reason string }{
	{"tassign", "", "the kernel stores the address of a buffer, which is another number in the host program of the tool than in pto-run"},
	{"tcvt", "nonsattorch", "the data expect that infinity converts to -1 without saturation, as PyTorch computes on a GPU; pto-run computes 0"},
	{"tfusedmuladd", "half", "the data round products of f16 before the addition; pto-run rounds once"},
	{"tfusedmuladdrelu", "half", "the data round products of f16 before the addition; pto-run rounds once"},
	{"tmuladddst", "half", "the data round products of f16 before the addition; pto-run rounds once"},
	{"tprefetch_async", "l2_access_benefit", "the test measures times by the clock of the device, which pto-run reads as 0"},
	{"tinsert", "case_nz_", "the kernel fills the destination with 1 before the insertion; the data expect 0 outside of the inserted rows"},
	{"tquant_dn", "mxfp4_fp16", "the data expect bits of bf16 in the maxima of f16, which the manual calls scratch; pto-run stores numbers of f16"},
	{"tpows", "case9", "the data round the power to f32 and then to f16; pto-run rounds once"},
	{"trsqrt", "", "the data round the root before the division, pto-run rounds once; these cases allow no difference of the last bit"},
}

// explanation returns the reason of a wrong case, or a text that says that it is open.
func explanation(c Case) string {
	for _, e := range explained {
		if c.Folder == e.folder && strings.Contains(c.Name, e.name) {
			return e.reason
		}
	}
	return "not explained yet"
}
