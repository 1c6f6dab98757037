// This file writes the table of package history.

package upstream

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ptogo/dialect/pto/history"
)

// Table returns the text of history.tsv: the versions from first on, and for each
// construct the first and the last version that has it. One row lists the arguments that are
// as old as their operation. A requirement that is as old as its operation has no row.
func (r *Reader) Table(first history.Version) (string, error) {
	releases, err := Releases(r.Dir, first)
	if err != nil {
		return "", err
	}
	spans := map[history.Construct]history.Span{}
	last := releases[len(releases)-1].Version
	versions := make([]*Constructs, len(releases))
	for i, rel := range releases {
		if versions[i], err = r.Constructs(rel); err != nil {
			return "", err
		}
	}
	for i := len(versions) - 1; i > 0; i-- {
		versions[i-1].rename(versions[i])
	}
	for i, rel := range releases {
		for c := range versions[i].set {
			s, ok := spans[c]
			if !ok {
				s.Since = rel.Version
			}
			s.Until = rel.Version
			spans[c] = s
		}
	}
	var b strings.Builder
	b.WriteString("# Written by tools/upstream/gen from the history of the public repository of ptoas. Columns: kind, name,\n" +
		"# first and last version. An empty last column means the newest version. A row of kind args lists the\n" +
		"# arguments that each version of an operation has.\n")
	for _, rel := range releases {
		fmt.Fprintf(&b, "version\t%s\t%s\t%s\n", rel.Version, rel.Date, rel.Commit[:8])
	}
	all := slices.SortedFunc(maps.Keys(spans), func(a, b history.Construct) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	always := map[string][]string{}
	for _, c := range all {
		if owner, arg, _ := strings.Cut(c.Name, " "); c.Kind == history.KindArg && spans[c] == spans[history.Op(owner)] {
			always[owner] = append(always[owner], arg)
		}
	}
	for _, c := range all {
		s := spans[c]
		owner, _, _ := strings.Cut(c.Name, " ")
		switch {
		case c.Kind == history.KindArg && s == spans[history.Op(owner)]:
			continue
		case c.Kind == history.KindMust && s == spans[history.Op(owner)]:
			continue
		}
		until := s.Until.String()
		if s.Until == last {
			until = ""
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", c.Kind, c.Name, s.Since, until)
		if args := always[c.Name]; c.Kind == history.KindOp && len(args) > 0 {
			fmt.Fprintf(&b, "args\t%s\t%s\n", c.Name, strings.Join(args, " "))
		}
	}
	return b.String(), nil
}

// rename gives the arguments of s the names that the next version has for them. An
// argument has got another name if the text of the operation is otherwise the same.
func (s *Constructs) rename(next *Constructs) {
	for op, f := range s.forms {
		g, ok := next.forms[op]
		if !ok || len(f.args) != len(g.args) {
			continue
		}
		renamed := false
		for i, old := range f.args {
			name := g.args[i]
			if name == old || strings.ReplaceAll(f.format, "$"+old, "$"+name) != g.format {
				continue
			}
			for _, c := range [][2]history.Construct{{history.Arg(op, old), history.Arg(op, name)}, {history.Must(op, old), history.Must(op, name)}} {
				if s.set[c[0]] {
					delete(s.set, c[0])
					s.set[c[1]] = true
				}
			}
			renamed = true
		}
		if renamed { // the version before is compared with the new name
			s.forms[op] = g
		}
	}
}
