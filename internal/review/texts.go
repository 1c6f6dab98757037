// This file compares the words of programs and tests that change what counts as a failure.

package review

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// sorted returns the keys of m in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// tolerance matches a tolerance and its value.
var tolerance = regexp.MustCompile(`\b(rtol|atol|ulp|tol|tolerance|eps)\s*=\s*([0-9.eE+-]+)`)

// tolerances compares the tolerances in two texts, which belong to what.
func (r *Report) tolerances(before, after, what string) {
	old, now := tolerance.FindAllStringSubmatch(before, -1), tolerance.FindAllStringSubmatch(after, -1)
	seen := map[string]int{}
	for _, n := range now {
		k := seen[n[1]]
		seen[n[1]]++
		was, found := "0", 0
		for _, o := range old {
			if o[1] == n[1] {
				if found == k {
					was = o[2]
				}
				found++
			}
		}
		if number(n[2], 0) > number(was, 0) && (found > k || what != "") {
			r.add("tolerance", "%s is %s instead of %s%s", n[1], n[2], was, of(what))
		}
	}
}

// of returns " for " and the text, or "".
func of(what string) string {
	if what == "" {
		return ""
	}
	return " for " + what
}

// marks are the words with which tests are left out or reports suppressed. More of them make
// tests weaker.
var marks = []struct {
	kind, text string
	re         *regexp.Regexp
}{
	{"suppressed", "a comment suppresses reports", regexp.MustCompile(`pto-check:\s*allow.*`)},
	{"left out", "a lit test is left out or may fail", regexp.MustCompile(`\b(XFAIL|UNSUPPORTED|REQUIRES):.*`)},
	{"left out", "a Python test is left out or may fail", regexp.MustCompile(`(@|pytest\.)\S*(skip|xfail)\w*.*`)},
	{"checks", "FileCheck accepts an empty input", regexp.MustCompile(`--allow-empty`)},
	{"checks", "errors are ignored", regexp.MustCompile(`\bset \+e\b|except[^:\n]*:\s*pass|check=False`)},
}

// assertions are the lines that make a test fail. Fewer of them make tests weaker.
var assertions = []struct {
	text string
	re   *regexp.Regexp
}{
	{"lines of FileCheck", regexp.MustCompile(`(?m)^.*\b[A-Z][A-Z0-9_]*(-(NEXT|SAME|NOT|DAG|LABEL|COUNT-\d+|EMPTY))?: .*$`)},
	{"assertions", regexp.MustCompile(`\bassert(_\w+)?\b`)},
	{"comparisons of arrays", regexp.MustCompile(`allclose|array_equal|assert_array|\.expect\(`)},
	{"cases", regexp.MustCompile(`"id"\s*:|\bparametrize\b|def test_\w+`)},
}

// self matches the comparison of a value with itself.
var self = regexp.MustCompile(`(?:allclose|array_equal|assert_\w+)\(\s*([\w.\[\]]+)\s*,\s*([\w.\[\]]+)\s*[,)]`)

// texts compares the words of the two versions.
func (r *Report) texts(before, after Version) {
	old, now := before.Program+"\n"+before.Tests, after.Program+"\n"+after.Tests
	for _, m := range marks {
		was := m.re.FindAllString(old, -1)
		for _, s := range m.re.FindAllString(now, -1) {
			if i := slices.Index(was, s); i >= 0 {
				was = slices.Delete(was, i, i+1)
				continue
			}
			r.add(m.kind, "%s: %s", m.text, strings.TrimSpace(s))
		}
	}
	for _, a := range assertions {
		if o, n := len(a.re.FindAllString(before.Tests, -1)), len(a.re.FindAllString(after.Tests, -1)); n < o {
			r.add("assertions", "%d %s instead of %d", n, a.text, o)
		}
	}
	for _, m := range self.FindAllStringSubmatch(after.Tests, -1) {
		if m[1] == m[2] {
			r.add("assertions", "a value is compared with itself: %s", m[0])
		}
	}
	r.wildcards(before.Tests, after.Tests)
	r.tolerances(withoutCommands(before.Tests), withoutCommands(after.Tests), "")
}

// wildcard matches a FileCheck pattern that accepts everything.
var wildcard = regexp.MustCompile(`\{\{\.[*+]\??\}\}`)

// wildcards reports lines of FileCheck that accept more.
func (r *Report) wildcards(before, after string) {
	old, now := assertions[0].re.FindAllString(before, -1), assertions[0].re.FindAllString(after, -1)
	for i := range min(len(old), len(now)) {
		if len(wildcard.FindAllString(now[i], -1)) > len(wildcard.FindAllString(old[i], -1)) {
			r.add("assertions", "accepts more: %s", strings.TrimSpace(now[i]))
		}
	}
}

// withoutCommands returns the text without the lines of commands, whose tolerances
// expectations compares.
func withoutCommands(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "--expect") {
			b.WriteString(line)
		}
	}
	return b.String()
}
