// Package docs generates the pages under docs/isa, docs/status.md, docs/ptoas-options.md
// and other reference pages from the definitions. Pages and Tables return them.
package docs

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/internal/cli"
	"ptogo/internal/cli/opt"
	"ptogo/internal/example"
	"ptogo/internal/refpage"
	"ptogo/ir"
)

// Pages returns the instruction reference by file name: one page for each group of
// instructions, and an index.
func Pages() map[string]string {
	groups := map[string][]*ir.Def{}
	for _, d := range pto.Dialect.All() {
		g := pto.InfoOf(d).Group
		groups[g] = append(groups[g], d)
	}
	pages := map[string]string{}
	var index strings.Builder
	index.WriteString("# Instructions\n\nMade from the definitions by `go run ./tools/docs/gen`; do not edit.\n\n| group | instructions |\n|---|---|\n")
	for _, g := range sortedKeys(groups) {
		defs := groups[g]
		slices.SortFunc(defs, func(a, b *ir.Def) int { return strings.Compare(a.Name, b.Name) })
		pages[g+".md"] = groupPage(g, defs)
		fmt.Fprintf(&index, "| [%s](%s.md) | %d |\n", g, g, len(defs))
	}
	fmt.Fprintf(&index, "\n%d in all. Their operands and results have these [types](types.md). Where public sources contradict\neach other, [this](differences.md) is what was decided. Operations on plain values, such as pto.addi, are\nread as those of arith and math: [values](values.md).\n", len(pto.Dialect.All()))
	writeIndex(&index)
	pages["types.md"] = typesPage()
	pages["differences.md"] = differencesPage()
	pages["values.md"] = refpage.ValuesPage()
	pages["README.md"] = index.String()
	return wrapPages(pages)
}

// writeIndex writes a list of all instructions by name, with links.
func writeIndex(b *strings.Builder) {
	b.WriteString("\n## By name\n\n| instruction | |\n|---|---|\n")
	defs := slices.SortedFunc(slices.Values(pto.Dialect.All()), func(a, b *ir.Def) int { return strings.Compare(a.Name, b.Name) })
	for _, d := range defs {
		anchor := strings.ReplaceAll(d.Name, ".", "")
		fmt.Fprintf(b, "| [%s](%s.md#%s) | %s |\n", d.Name, pto.InfoOf(d).Group, anchor, strings.ReplaceAll(d.Summary, "|", `\|`))
	}
}

// Tables returns the generated pages of docs that are not about instructions, by file name.
func Tables() map[string]string {
	return wrapPages(map[string]string{
		"status.md": status(), "ptoas-options.md": opt.PtoasOptions(), "options.md": cli.OptionsPage(),
		"passes.md": opt.PassesPage(), "topics.md": opt.TopicsPage(), "diagnostics-codes.md": opt.CodesPage(),
	})
}

func typesPage() string {
	var b strings.Builder
	b.WriteString("# Types\n\nMade from the definitions by `go run ./tools/docs/gen`; do not edit.\n")
	for _, p := range refpage.TypePages {
		b.WriteString("\n#" + p.Reference())
	}
	return b.String()
}

// differencesPage returns the page about contradictions between the public sources, with
// our decisions.
func differencesPage() string {
	var b strings.Builder
	b.WriteString("# Where the sources differ\n\nMade from the definitions by `go run ./tools/docs/gen`; do not edit.\n\n" +
		"This page records every case in which public sources contradict each other, and our choice. We follow code that runs first: the NPU " +
		"headers, executed on a host ([device-judged.md](device-judged.md)), with device tests; then the simulator or reports from devices. Then public golden data, the ISA manual and the IR manual decide, in this order.\n\n" +
		"## For several instructions\n\n| question | decided | sources |\n|---|---|---|\n")
	for _, d := range analysis.Decided {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", d.About, d.Choice, d.Sources)
	}
	b.WriteString("\n## For one instruction\n")
	defs := slices.SortedFunc(slices.Values(pto.Dialect.All()), func(a, b *ir.Def) int { return strings.Compare(a.Name, b.Name) })
	for _, d := range defs {
		info := pto.InfoOf(d)
		if len(info.Notes) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n### [%s](%s.md)\n\n", d.Name, info.Group)
		for _, n := range info.Notes {
			fmt.Fprintf(&b, "- %s\n", n)
		}
	}
	return b.String()
}

func groupPage(group string, defs []*ir.Def) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Group %s\n\nMade from the definitions by `go run ./tools/docs/gen`; do not edit.\n\n", group)
	for _, d := range defs {
		// The page of an instruction becomes a section of the group's.
		for line := range strings.Lines(refpage.Reference(d, example.Named(d))) {
			if strings.HasPrefix(line, "#") {
				line = "#" + line
			}
			b.WriteString(line)
		}
	}
	return b.String()
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
