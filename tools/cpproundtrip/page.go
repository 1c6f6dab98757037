package cpproundtrip

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Passed reports whether the C++ is the program in all respects, or differs only in the
// predicted time, for a reason that Case.Reason names.
func (c Case) Passed() bool { return c.Outcome == Same || c.Outcome == SameSteps }

// numbers and names are parts of reasons that differ between the cases of one reason.
var (
	numbers = regexp.MustCompile(`\b\d+\b`)
	places  = regexp.MustCompile(`^(the (first|second) program: )?\S+:\d+:\d+: `)
	inside  = regexp.MustCompile(`(ends with a fault: )\S+:\d+:\d+: `)
	micro   = regexp.MustCompile(`^'pto\.\S+' op (is a micro instruction)`)
	origin  = regexp.MustCompile(` \((%\S+ = [^)]*|from [^)]*|/\S+:\d+:\d+)\)`)
	values  = regexp.MustCompile(`%\w+`)
	called  = regexp.MustCompile(`'(comm::)?[A-Z]\w*' (has no counterpart in PTO yet)`)
)

// general returns the reason without what differs between its cases.
func (c Case) general() string {
	text := inside.ReplaceAllString(places.ReplaceAllString(c.Reason, ""), "$1")
	text = micro.ReplaceAllString(text, "an op $1")
	text = called.ReplaceAllString(text, "${1}X $2")
	text = values.ReplaceAllString(origin.ReplaceAllString(text, ""), "%X")
	return numbers.ReplaceAllString(text, "N")
}

// row is a class of cases on the page.
type row struct {
	outcome  Outcome
	text     string
	n        int
	programs []string
}

// rows groups the cases by outcome and reason, most frequent first.
func rows(all []Case) []*row {
	known := map[string]*row{}
	for _, c := range all {
		switch c.Outcome {
		case Same, NoKernel, Equivalent, Proved:
			continue
		}
		key := string(c.Outcome) + c.general()
		if known[key] == nil {
			known[key] = &row{outcome: c.Outcome, text: c.general()}
		}
		r := known[key]
		name, _, _ := strings.Cut(c.Program, "#")
		if words := strings.Fields(c.Program); len(words) > 1 { // a use of an instruction: its profile, its name and its types
			name = words[1]
		}
		if r.n++; !slices.Contains(r.programs, name) {
			r.programs = append(r.programs, name)
		}
	}
	list := slices.Collect(maps.Values(known))
	slices.SortFunc(list, func(a, b *row) int {
		return cmp.Or(cmp.Compare(slices.Index(outcomes, a.outcome), slices.Index(outcomes, b.outcome)), cmp.Compare(b.n, a.n), strings.Compare(a.text, b.text))
	})
	return list
}

// outcomes are all outcomes, in the order of the page.
var outcomes = []Outcome{Same, SameSteps, OtherTime, NotProved, OtherBytes, NotRun, NotRead, NotWritten, NoKernel}

// counts returns the number of cases of each outcome.
func counts(all []Case) map[Outcome]int {
	n := map[Outcome]int{}
	for _, c := range all {
		n[c.Outcome]++
	}
	return n
}

// Group is a set of cases with the name of its source.
type Group struct {
	Name  string
	Cases []Case
}

// Page returns the documentation page about the cases.
func Page(groups []Group, note string) string {
	var b strings.Builder
	b.WriteString("# C++ that is read back\n\n" + note + "\n\n" + introduction)
	b.WriteString("| launches of | " + strings.Join(outcomeNames(), " | ") + " |\n|---" + strings.Repeat("|---", len(outcomes)) + "|\n")
	for _, g := range groups {
		n := counts(g.Cases)
		b.WriteString("| " + g.Name)
		for _, o := range outcomes {
			fmt.Fprintf(&b, " | %d", n[o])
		}
		b.WriteString(" |\n")
	}
	b.WriteString("\n" + explanation)
	for _, g := range groups {
		b.WriteString("\n## " + strings.ToUpper(g.Name[:1]) + g.Name[1:] + "\n\nThe launches of one row differ in the numbers N and the names X.\n\n| launches | outcome | reason | programs |\n|---|---|---|---|\n")
		for _, r := range rows(g.Cases) {
			programs := r.programs
			if len(programs) > 3 {
				programs = append(slices.Clone(programs[:3]), fmt.Sprintf("%d more", len(programs)-3))
			}
			fmt.Fprintf(&b, "| %d | %s | %s | %s |\n", r.n, r.outcome, escaped(r.text), escaped(strings.Join(programs, ", ")))
		}
	}
	return b.String()
}

func outcomeNames() (all []string) {
	for _, o := range outcomes {
		all = append(all, string(o))
	}
	return all
}

// Summary returns a table with the number of cases of each outcome and reason of a command.
func Summary(command string, all []Case) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| `%s` | cases | reason |\n|---|---|---|\n", command)
	count := counts(all)
	for _, o := range []Outcome{Equivalent, Proved} {
		if count[o] > 0 {
			fmt.Fprintf(&b, "| %s | %d | |\n", o, count[o])
		}
	}
	for _, r := range rows(all) {
		fmt.Fprintf(&b, "| %s | %d | %s |\n", r.outcome, r.n, escaped(r.text))
	}
	return b.String()
}

// escaped returns text for a cell of a table.
func escaped(text string) string {
	return strings.NewReplacer("|", "\\|", "<", "\\<", ">", "\\>", "*", "\\*", "_", "\\_").Replace(text)
}

// Table returns all cases as lines with tab-separated columns.
func Table(all []Case) string {
	var b strings.Builder
	for _, c := range all {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", c.Program, c.Launch, c.Outcome, strings.ReplaceAll(c.Reason, "\t", " "))
	}
	return b.String()
}

// ReadTable reads the text that Table returns.
func ReadTable(text string) (all []Case, err error) {
	for i, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			return nil, fmt.Errorf("line %d has %d columns, not 4", i+1, len(f))
		}
		all = append(all, Case{f[0], f[1], Outcome(f[2]), f[3]})
	}
	return all, nil
}

// introduction and explanation are texts of the page.
const (
	introduction = "`pto-opt --emit=cpp` writes a program as C++, and pto-opt reads the C++ back. `tools/cpproundtrip` compares each launch\n" +
		"of the program with the launch of the result, on one block:\n\n" +
		"- the bytes of all buffers, for random data or, if the program faults on random data, for zeros\n" +
		"- a proof that both programs compute the same bytes for all data ([equivalence.md](equivalence.md))\n" +
		"- the predicted time; the program is compared as it is after the passes that `--emit=cpp` runs\n\n"
	explanation = "- *same*: all of this is equal.\n" +
		"- *same steps*: bytes and proof are equal, and every core executes the same instructions in the same order, but the\n" +
		"  predicted time differs. A C++ compiler computes addresses and constants with other scalar instructions.\n" +
		"- *other time*: bytes and proof are equal, but a core executes other instructions. In C++, a fence is a barrier of each\n" +
		"  pipe, stores of the scalar unit are followed by barriers, and a `tci` without scratch memory runs on the scalar unit.\n" +
		"  `TADDC` and its kin are two calls, since the headers for devices lack them; `tgemv` is `TMATMUL`; a move from vec into\n" +
		"  boxes of mat is `TINSERT`.\n" +
		"- *not proved*: the bytes are equal, but the proof is not decided. The two kernels of `two_vectors.pto` have a race\n" +
		"  between two vector cores on purpose, of which pto-run executes one for a kernel without sections.\n" +
		"- *other bytes*: the results differ. `two_cores.pto` has a flag between a cube core and a vector core, which pto-run\n" +
		"  executes one after the other: its C++ waits forever, as a device does.\n" +
		"- *not run*: the program itself faults, cannot run alone, or has a result that depends on memory never written.\n" +
		"- *not read*, *not written*: the C++ cannot be read, or the program cannot be written as C++. In C++, a kernel that\n" +
		"  another function calls has no parameters for the number of the block (`spmd_params.pto`); rows must be multiples of\n" +
		"  32 bytes (`short_lines.pto`); `abort` of the C library has its own type (`library_names_llvm.pto`); and a number of 8\n" +
		"  bits (f8) cannot be the argument of `SetValue`.\n" +
		"- *no kernel*: a host cannot launch the function, because its parameters are tiles, views or vectors.\n\n" +
		"The public compiler does not write C++ for micro instructions (instructions on vector registers, `pto.mte_*`,\n" +
		"`pto.mad`, `pto.section.simt`) either: it compiles them to objects directly. It has no `pto.timg2col`. The examples in\n" +
		"`examples/cores` are programs for both types of cores, which `pto-split-cores` divides before they can be written.\n"
)
