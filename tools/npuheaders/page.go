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
func Page(results []*cpptest.Result, command string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Instructions judged by the NPU headers\n\nMade by `%s`; do not edit.\n\n", command)
	b.WriteString("`tools/npuheaders` compiles the C++ of `--emit=cpp` against the headers of pto-isa for NPUs (`include/pto/npu`), and\n" +
		"executes it on a host. The folder `tools/npuheaders/host` gives the intrinsics of the compiler a meaning. The results\n" +
		"of each kernel are compared bit by bit with those of `pto-run`.\n\nThe meaning of an intrinsic is ours where no manual describes it. " +
		"An equal result shows that the headers and `pto-run`\nagree under this meaning; it does not replace a run on a device.\n\n")
	b.WriteString("| profile | cases | equal | differ | abort | do not compile | not written | fault here |\n|---|---|---|---|---|---|---|---|\n")
	for _, profile := range Profiles {
		counts, all := map[cpptest.Outcome]int{}, 0
		for _, r := range results {
			if r.Source.Arch == profile {
				counts[r.Outcome]++
				all++
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", profile, all, counts[cpptest.Equal], counts[cpptest.Differs],
			counts[cpptest.Aborts], counts[cpptest.Unbuilt], counts[cpptest.Unwritten], counts[cpptest.Faults])
	}
	b.WriteString("\n## Reasons\n\nThe classes are: `judge`, an intrinsic or a header without a meaning here; `header`, the headers have a fault or reject\n" +
		"the program; `ours`, this project differs by decision; `open`, nobody has decided yet.\n\n| class | reason | cases | instructions |\n|---|---|---|---|\n")
	for i := range Known {
		names, n := map[string]bool{}, 0
		for _, r := range results {
			if Explain(r) == &Known[i] {
				names[r.Source.Arch+" "+instruction(r)] = true
				n++
			}
		}
		if n > 0 {
			fmt.Fprintf(&b, "| %s | %s | %d | %s |\n", Known[i].Class, strings.ReplaceAll(Known[i].Reason, "|", `\|`), n, strings.Join(slices.Sorted(maps.Keys(names)), ", "))
		}
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
func instruction(r *cpptest.Result) string {
	_, name, _ := strings.Cut(r.Name, " ")
	name, _, _ = strings.Cut(name, " ")
	return strings.TrimPrefix(name, "pto.")
}
