package docs

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/test/diff"
)

// goldenCounts lists instructions, one per line, each with a tab and the number of public
// kernels with golden data that use it. The function goldenOf parses this list.
//
//go:embed golden.tsv
var goldenCounts string

// levelGroups and otherGroups list the instruction groups in the order of the status
// page. Instructions of levelGroups exist at Level 1 and Level 2.
var (
	levelGroups = []string{"tile", "view"}
	otherGroups = []string{"cube", "vector", "predicate", "scalar", "dma", "sync", "ub", "simt", "vmi", "comm", "struct", "other"}
)

const statusHead = `# What works, instruction by instruction

Made by ` + "`go run ./tools/docs/gen`" + `; do not edit. For each instruction, the command writes a kernel with
the examples of its definition, whose parameters are the operands, and runs each tool on this kernel.

| column | content, or the meaning of "yes" |
|---|---|
| profiles | the profiles whose verifier accepts an example |
| Level 1 | pto-bufferize lowers an example with tiles as values to Level 2 |
| Level 2 | the parser and the verifier accept the printed example with tiles as buffers |
| Go | the Go engine accepts the example |
| LLVM | the code generator writes LLVM IR for the example |
| C++ | ` + "`--emit=cpp`" + ` writes C++ for the example; the tile library has no micro instructions |
| golden | the number of public kernels with golden data that use the instruction |
| random | random programs of the tests that compare levels and engines contain the instruction |

A dash means that the column does not apply to the instruction. "yes" covers the examples, not every variant. The last
column quotes the message of the tool that rejects the instruction.

`

// status returns the page that shows, for every instruction, which tools support it.
func status() string {
	golden, random := goldenOf(), diff.Covered()
	byGroup := map[string][]*state{}
	for _, d := range pto.Dialect.All() {
		g := pto.InfoOf(d).Group
		byGroup[g] = append(byGroup[g], probe(d))
	}
	var b strings.Builder
	b.WriteString(statusHead)
	b.WriteString("| group | defined | verified | Level 1 | Level 2 | Go | LLVM | C++ | golden | random |\n|---|---|---|---|---|---|---|---|---|---|\n")
	all := slices.Concat(levelGroups, otherGroups)
	for _, g := range all {
		summary(&b, g, byGroup[g], golden, random)
	}
	var every []*state
	for _, g := range all {
		every = append(every, byGroup[g]...)
	}
	summary(&b, "all", every, golden, random)
	for _, g := range all {
		slices.SortFunc(byGroup[g], func(x, y *state) int { return strings.Compare(x.def.Name, y.def.Name) })
		groupTable(&b, g, byGroup[g], golden, random)
	}
	return b.String()
}

// summary writes one table row to b, for a group of instructions with the given name. The
// row contains the number of instructions in the group that each tool supports. states
// are the instructions of the group. golden maps the name of an instruction to the number
// of public kernels with golden data that use it. random contains the instructions that
// random test programs contain.
func summary(b *strings.Builder, name string, states []*state, golden map[string]int, random map[*ir.Def]bool) {
	count := func(has func(s *state) bool) int {
		n := 0
		for _, s := range states {
			if has(s) {
				n++
			}
		}
		return n
	}
	leveled := func(f func(*state) bool) string {
		if count((*state).leveled) == 0 {
			return "–"
		}
		return fmt.Sprintf("%d of %d", count(f), count((*state).leveled))
	}
	if name != "all" {
		name = fmt.Sprintf("[%s](#%s)", name, name)
	}
	fmt.Fprintf(b, "| %s | %d | %d | %s | %s | %d | %d | %d | %d | %d |\n", name, len(states),
		count(func(s *state) bool { return len(s.profiles) > 0 }),
		leveled(func(s *state) bool { return s.level1 }),
		leveled(func(s *state) bool { return s.leveled() && s.level2 }),
		count(func(s *state) bool { return s.run }),
		count(func(s *state) bool { return s.llvm }),
		count(func(s *state) bool { return s.cpp }),
		count(func(s *state) bool { return golden[s.def.Name] > 0 }),
		count(func(s *state) bool { return random[s.def] }))
}

// groupTable writes a table of the status page with one row for each instruction of a
// group. The row states which tools support the instruction. It also states how often
// golden tests (with published results) use the instruction, and whether random tests use
// it.
func groupTable(b *strings.Builder, group string, states []*state, golden map[string]int, random map[*ir.Def]bool) {
	fmt.Fprintf(b, "\n## %s\n\n", group)
	levels := slices.Contains(levelGroups, group)
	if levels {
		b.WriteString("| instruction | profiles | Level 1 | Level 2 | Go | LLVM | C++ | golden | random | message of a tool that rejects it |\n|---|---|---|---|---|---|---|---|---|---|\n")
	} else {
		b.WriteString("| instruction | profiles | Go | LLVM | C++ | golden | random | message of a tool that rejects it |\n|---|---|---|---|---|---|---|---|\n")
	}
	for _, s := range states {
		cells := []string{"[" + s.def.Name + "](isa/" + group + ".md)", s.where()}
		if levels {
			cells = append(cells, s.level(s.level1), s.level(s.level2))
		}
		cells = append(cells, yes(s.run), yes(s.llvm), yes(s.cpp), number(golden[s.def.Name]), yes(random[s.def]), cell(s.back()))
		b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
	}
}

// leveled reports whether the instruction has a form for Level 1, in which tiles are
// values. Instructions with tiles have this form in addition to that of Level 2.
func (s *state) leveled() bool { return s.def.Form(ir.SSA) != nil }

func (s *state) level(ok bool) string {
	if !s.leveled() {
		return "–"
	}
	return yes(ok)
}

// where returns the names of the profiles on which the instruction is legal.
func (s *state) where() string {
	var names []string
	for _, t := range s.profiles {
		names = append(names, profileNames[t])
	}
	return strings.Join(names, ", ")
}

var profileNames = map[ir.Target]string{sem.A3: "A2/A3", sem.A5: "A5"}

// back returns the messages with which the runtime and the LLVM back end reject the
// instruction. It returns "" if both accept it.
func (s *state) back() string {
	var parts []string
	if !s.run {
		parts = append(parts, s.own(s.why))
	}
	if s.run && !s.llvm {
		parts = append(parts, s.own(s.whyLLVM))
	}
	return strings.Join(parts, "; ")
}

// own returns the error message msg without the name of the instruction at its start. The
// page that shows the message already names the instruction.
func (s *state) own(msg string) string { return strings.TrimPrefix(msg, "'"+s.def.Name+"' op ") }

func yes(ok bool) string {
	if ok {
		return "yes"
	}
	return "no"
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// cell escapes text for a cell of a Markdown table.
func cell(s string) string { return strings.ReplaceAll(s, "|", `\|`) }

// goldenOf returns how many public kernels with golden data use each instruction.
func goldenOf() map[string]int {
	counts := map[string]int{}
	for line := range strings.Lines(goldenCounts) {
		name, n, _ := strings.Cut(strings.TrimSpace(line), "\t")
		counts[name], _ = strconv.Atoi(n)
	}
	return counts
}
