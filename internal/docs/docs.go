// Package docs makes the pages under docs/isa, docs/status.md and
// docs/ptoas-options.md from the definitions.
package docs

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/dialect/pto"
	"ptogo/internal/cli"
	"ptogo/internal/example"
	"ptogo/ir"
)

// Pages returns the reference: one page per group of instructions, and an
// index, by file name.
func Pages() map[string]string {
	groups := map[string][]*ir.Def{}
	for _, d := range pto.Dialect.Defs {
		g := pto.InfoOf(d).Group
		groups[g] = append(groups[g], d)
	}
	pages := map[string]string{}
	var index strings.Builder
	index.WriteString("# Instructions\n\nMade from the definitions by `go run ./internal/docs/gen`; do not edit.\n\n| group | instructions |\n|---|---|\n")
	for _, g := range sortedKeys(groups) {
		defs := groups[g]
		slices.SortFunc(defs, func(a, b *ir.Def) int { return strings.Compare(a.Name, b.Name) })
		pages[g+".md"] = groupPage(g, defs)
		fmt.Fprintf(&index, "| [%s](%s.md) | %d |\n", g, g, len(defs))
	}
	fmt.Fprintf(&index, "\n%d in all. Their operands and results have these [types](types.md).\n", len(pto.Dialect.Defs))
	pages["types.md"] = typesPage()
	pages["README.md"] = index.String()
	return pages
}

// Tables returns what stands beside the reference, by file name.
func Tables() map[string]string {
	return map[string]string{"status.md": Status(), "ptoas-options.md": cli.PtoasOptions()}
}

func typesPage() string {
	var b strings.Builder
	b.WriteString("# Types\n\nMade from the definitions by `go run ./internal/docs/gen`; do not edit.\n")
	for _, p := range pto.TypePages {
		b.WriteString("\n#" + p.Reference())
	}
	return b.String()
}

func groupPage(group string, defs []*ir.Def) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Group %s\n\nMade from the definitions by `go run ./internal/docs/gen`; do not edit.\n\n", group)
	for _, d := range defs {
		// The page of an instruction becomes a section of the group's.
		for line := range strings.Lines(pto.Reference(d, example.Spellings(d))) {
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
