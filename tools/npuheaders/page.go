package npuheaders

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"ptogo/tools/cpptest"
)

// Page returns the documentation page about the results: numbers per profile, the classes
// of differences with their reasons, and the instructions that were equal in all cases.
// The command is the one that produced the results.
func Page(results []*Judged, command string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Instructions judged by the NPU headers\n\nMade by `%s`; do not edit.\n\n", command)
	b.WriteString("`tools/npuheaders` compiles the C++ of `--emit=cpp` against the headers of pto-isa for NPUs (`include/pto/npu`), and\n" +
		"executes it on a host. The folder `tools/npuheaders/host` gives the intrinsics of the compiler a meaning. The results\n" +
		"of each kernel are compared bit by bit with those of `pto-run`.\n\nThe meaning of an intrinsic is ours where no manual describes it. " +
		"An equal result shows that the headers and `pto-run`\nagree under this meaning; it does not replace a run on a device.\n\n" +
		"Each kernel is a case with small numbers, and most are a second case with numbers at edges: NaN, infinities, zeros of\n" +
		"both signs, denormal numbers, the limits of integers, and ties. Sums, products and tiles of the cube unit have none.\n\n")
	b.WriteString("| profile | cases | equal | equal, but assert | differ | abort | do not compile | not written | fault here |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, profile := range Profiles {
		counts, all := map[cpptest.Outcome]int{}, 0
		for _, r := range results {
			if r.Source.Arch == profile {
				counts[r.Outcome]++
				all++
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d | %d |\n", profile, all, counts[cpptest.Equal], counts[cpptest.Asserts], counts[cpptest.Differs],
			counts[cpptest.Aborts], counts[cpptest.Unbuilt], counts[cpptest.Unwritten], counts[cpptest.Faults])
	}
	b.WriteString("\n## Differences that this project reports\n\nThe verifier, `pto-run --check=device` or `--emit=cpp` reports these kernels. The class is that of the report; the\n" +
		"pages of the instructions describe it.\n\n| class | cases | instructions |\n|---|---|---|\n")
	for _, class := range classesOf(results) {
		fmt.Fprintf(&b, "| %s | %s |\n", class, among(results, func(j *Judged) bool { return slices.Contains(j.Reports, class) }))
	}
	b.WriteString("\n## Reasons\n\nThe classes are: `judge`, an intrinsic or a header without a meaning here; `header`, the headers have a fault or reject\n" +
		"the program; `ours`, this project differs by decision.\n\n| class | reason | cases | instructions |\n|---|---|---|---|\n")
	for i := range Known {
		k := &Known[i]
		if text := among(results, func(j *Judged) bool { return j.Known == k }); text != "" {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", k.Class, strings.ReplaceAll(k.Reason, "|", `\|`), text)
		}
	}
	b.WriteString("\n## Assumptions\n\nThese meanings follow from the headers or from this project alone, so an equal result that needs one may be\n" +
		"circular. Rules that rest on one are warnings, never errors.\n\n| intrinsic | assumed | source | rules | kernels | instructions |\n|---|---|---|---|---|---|\n")
	for _, a := range Assumptions {
		text := among(results, func(j *Judged) bool { return slices.Contains(j.Assumed, a.Name) })
		if text == "" {
			text = "0 | "
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", a.Name, a.Meaning, a.Source, strings.Join(a.Rules, ", "), text)
	}
	for _, profile := range Profiles {
		equal := map[string]bool{}
		for _, r := range results {
			if name := instruction(r); r.Source.Arch == profile {
				before, seen := equal[name]
				equal[name] = r.Outcome == cpptest.Equal && (before || !seen)
			}
		}
		var names []string
		for _, name := range slices.Sorted(maps.Keys(equal)) {
			if equal[name] {
				names = append(names, name)
			}
		}
		fmt.Fprintf(&b, "\n## Equal in all cases on %s\n\n%d of %d instructions: %s.\n", profile, len(names), len(equal), strings.Join(names, ", "))
	}
	return b.String()
}

// instruction returns the name of the instruction of a case.
func instruction(r *Judged) string {
	_, name, _ := strings.Cut(r.Name, " ")
	name, _, _ = strings.Cut(name, " ")
	return strings.TrimPrefix(name, "pto.")
}

// classesOf returns the classes of the reports about results.
func classesOf(results []*Judged) []string {
	all := map[string]bool{}
	for _, j := range results {
		for _, class := range j.Reports {
			all[class] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// among returns two cells of a table: the number of results that match, and their
// instructions. It returns "" if no result matches.
func among(results []*Judged, matches func(j *Judged) bool) string {
	names, n := map[string]bool{}, 0
	for _, j := range results {
		if matches(j) {
			names[j.Source.Arch+" "+instruction(j)] = true
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d | %s", n, strings.Join(slices.Sorted(maps.Keys(names)), ", "))
}
