// This file applies suppressions.

package check

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"strings"

	"ptogo/ir"
)

// Suppressions selects reports that the user wants to omit. There are two ways. The first
// is a comment in the kernel. It is at the end of a line to which the report refers, or
// on a separate line above it. For a report about two accesses, both of their lines
// count:
//
//	pto.tload ...  // pto-check: allow(race) rows are the same
//
// The second is a file. Each line has the name of a checker, or *, and the name of a
// source file, optionally with a line number. The last components of the path suffice. #
// starts a comment.
//
//	race  kernels/online_update.pto:30
//	init  generated_*.pto
type Suppressions struct{ rules []suppression }

// suppression is one line of a suppression file: a checker, a source file, and a line
// number. line is "" if the suppression covers the complete source file.
type suppression struct {
	check, file, line string
}

// ParseSuppressions reads a suppression file from r. name is the name of the file in
// error messages.
func ParseSuppressions(r io.Reader, name string) (*Suppressions, error) {
	s := &Suppressions{}
	scan := bufio.NewScanner(r)
	for n := 1; scan.Scan(); n++ {
		text, _, _ := strings.Cut(scan.Text(), "#")
		f := strings.Fields(text)
		if len(f) == 0 {
			continue
		}
		if len(f) != 2 || !known(f[0]) {
			return nil, fmt.Errorf("%s:%d: expected the name of a check, or *, and a source position, FILE or FILE:LINE", name, n)
		}
		rule := suppression{check: f[0], file: f[1]}
		if file, line, ok := strings.Cut(f[1], ":"); ok {
			rule.file, rule.line = file, line
		}
		if _, err := path.Match(rule.file, ""); err != nil {
			return nil, fmt.Errorf("%s:%d: %v", name, n, err)
		}
		s.rules = append(s.rules, rule)
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return s, nil
}

// known reports whether check is the name of a checker.
func known(check string) bool {
	for _, k := range Kinds() {
		if check == string(k) {
			return true
		}
	}
	return check == "*"
}

// has reports whether the report r is suppressed. A line of the suppression file can
// suppress it. A comment in the program can suppress it too, but only if the parameter
// comments is set.
func (s *Suppressions) has(r *Report, comments bool) bool {
	locs := []ir.Loc{r.Loc}
	for _, a := range r.Accesses {
		locs = append(locs, a.Loc)
	}
	for _, l := range locs {
		if comments && allowed(l, r.Check) || s != nil && s.covers(l, r.Check) {
			return true
		}
	}
	return false
}

// covers reports whether a line of the suppression file applies to reports of the checker
// at location l.
func (s *Suppressions) covers(l ir.Loc, check Kind) bool {
	src, off := l.Source()
	if src == nil {
		return false
	}
	line, _ := src.Position(off)
	for _, rule := range s.rules {
		if rule.check != "*" && rule.check != string(check) || rule.line != "" && rule.line != fmt.Sprint(line) {
			continue
		}
		if matches(rule.file, src.Name) {
			return true
		}
	}
	return false
}

// matches reports whether the last components of the path name match the pattern,
// component by component, with * as a wildcard.
func matches(pattern, name string) bool {
	parts := strings.Split(name, "/")
	n := strings.Count(pattern, "/") + 1
	if n > len(parts) {
		return false
	}
	ok, _ := path.Match(pattern, strings.Join(parts[len(parts)-n:], "/"))
	return ok
}

// allowed reports whether a comment suppresses reports of the given checker at location
// l. The comment must be at the end of the source line of l, or on a separate line above
// it.
func allowed(l ir.Loc, check Kind) bool {
	src, off := l.Source()
	if src == nil {
		return false
	}
	if allows(src.Line(off), check) {
		return true
	}
	_, col := src.Position(off)
	start := off - col + 1
	if start < 2 {
		return false
	}
	above := src.Line(start - 1)
	return strings.HasPrefix(strings.TrimSpace(above), "//") && allows(above, check)
}

// allows reports whether the source line contains a comment "// pto-check: allow(...)"
// that suppresses reports of the checker check. The comment suppresses them if it lists
// the name of this checker or "all".
func allows(line string, check Kind) bool {
	_, text, ok := strings.Cut(line, "// pto-check: allow(")
	if !ok {
		return false
	}
	list, _, ok := strings.Cut(text, ")")
	if !ok {
		return false
	}
	for _, name := range strings.Split(list, ",") {
		if name = strings.TrimSpace(name); name == string(check) || name == "all" {
			return true
		}
	}
	return false
}
