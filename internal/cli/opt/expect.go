// This file implements expected-error comments (--verify-diagnostics).

package opt

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"ptogo/internal/cli/report"
	"ptogo/internal/pattern"
	"ptogo/ir"
)

// verifiedDiagnostics are the values of --verify-diagnostics, which compares
// diagnostics with comments in the program.
var verifiedDiagnostics = []string{"all", "only-expected"}

// expectation is a comment in a test program that announces an expected diagnostic:
//
//	// expected-error@+1 {{text}}
type expectation struct {
	// line is the expected line. 0 means any, for @unknown.
	line     int
	severity string
	text     string
	// pattern is the regular expression of expected-error-re, or nil.
	pattern *regexp.Regexp
	// off is the byte offset of the comment.
	off int
	// met reports that a diagnostic has matched the comment.
	met bool
}

// expectRE returns a regular expression that matches a comment that announces a
// diagnostic, such as // expected-error@+1 {{text}}. As in mlir-opt, a line has at most
// one such comment, which ends at the last braces.
var expectRE = pattern.Of(`expected-(error|warning|note|remark)(-re)? *(?:@(unknown|above|below|[+-]\d+))? *\{\{(.*)\}\}`)

// expectations parses the expected diagnostics in the comments of a program. Line
// numbers count from the start of the file.
func expectations(src *ir.Source) ([]*expectation, error) {
	var list []*expectation
	lines := strings.Split(src.Text, "\n")
	prev := 0  // the last line without an expectation, for @above
	start := 0 // where the next line starts
	for i, line := range lines {
		no, from := i+1+src.Line0, start
		start += len(line) + 1
		m := expectRE().FindStringSubmatch(line)
		if m == nil {
			prev = no
			continue
		}
		e := &expectation{line: no, severity: m[1], text: m[4], off: from + strings.Index(line, m[0])}
		switch {
		case m[3] == "unknown":
			e.line = 0
		case m[3] == "above":
			e.line = prev
		case m[3] == "below":
			e.line = nextPlain(lines, i) + 1 + src.Line0
		case m[3] != "":
			n, _ := strconv.Atoi(m[3])
			e.line = no + n
		}
		if m[2] != "" {
			re, err := mixedPattern(m[4])
			if err != nil {
				return nil, fmt.Errorf("%s:%d: bad regular expression: %w", src.Name, no, err)
			}
			e.pattern = re
		}
		list = append(list, e)
	}
	return list, nil
}

// mixedPattern compiles a text that is literal except for regular expressions in
// {{...}}.
func mixedPattern(text string) (*regexp.Regexp, error) {
	var b strings.Builder
	for {
		plain, rest, found := strings.Cut(text, "{{")
		b.WriteString(regexp.QuoteMeta(plain))
		if !found {
			return regexp.Compile(b.String())
		}
		pattern, after, closed := strings.Cut(rest, "}}")
		if !closed {
			return nil, fmt.Errorf("expected '}}' after '{{' in %q", text)
		}
		b.WriteString("(?:" + pattern + ")")
		text = after
	}
}

// nextPlain returns the index of the first of the lines after line i that contains no
// expected diagnostic.
func nextPlain(lines []string, i int) int {
	for i++; i < len(lines) && expectRE().MatchString(lines[i]); i++ {
	}
	return i
}

// matches reports whether a diagnostic with the given severity, line and text satisfies
// the expectation.
func (e *expectation) matches(severity string, line int, text string) bool {
	if e.met || e.severity != severity || e.line != 0 && e.line != line {
		return false
	}
	if e.pattern != nil {
		return e.pattern.MatchString(text)
	}
	return strings.Contains(text, e.text)
}

// checkExpected compares the diagnostics of a program with the comments that announce
// them, and prints every difference. It returns true if there is none. If the parameter
// all is false, diagnostics without a comment are permitted.
func checkExpected(s *report.Streams, src *ir.Source, diags *ir.Diags, all bool) bool {
	list, err := expectations(src)
	if err != nil {
		fmt.Fprintln(s.Err, err)
		return false
	}
	ok := true
	differs := func(loc ir.Loc, format string, args ...any) {
		s.Tell(&ir.Diag{Loc: loc, Severity: ir.Error, Text: fmt.Sprintf(format, args...)})
		ok = false
	}
	seen := func(loc ir.Loc, severity, text string, required bool) {
		line := 0
		if s, off := loc.Source(); s != nil {
			line, _ = s.Position(off)
		}
		for _, e := range list {
			if e.matches(severity, line, text) {
				e.met = true
				return
			}
		}
		if required {
			differs(loc, "unexpected %s: %s", severity, text)
		}
	}
	for _, d := range diags.All() {
		seen(d.Loc, d.Severity.String(), d.Text, all)
		for _, n := range d.Notes {
			seen(n.Loc, "note", n.Text, false)
		}
	}
	for _, e := range list {
		if !e.met {
			differs(ir.LocAt(src, e.off), "expected %s \"%s\" was not produced", e.severity, e.text)
		}
	}
	return ok
}
