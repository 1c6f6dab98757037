package headercheck

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Assertion is a condition that the NPU headers check when a kernel runs, in builds with
// debugging (PTO_ASSERT).
type Assertion struct {
	// Condition is the C++ expression, with single spaces.
	Condition string
	// Class is the form of the condition: what it compares (assertionClasses).
	Class string
	// Headers are the files with the condition, under include/pto.
	Headers []string
	// Sites is the number of places.
	Sites int
}

// assertionFolders maps a target to the folders of its headers, under include/pto.
var assertionFolders = map[string][]string{
	"A2/A3": {"npu/a2a3", "common/arch/memory"},
	"A5":    {"npu/a5", "common/arch/register"},
}

// ReadAssertions returns the distinct conditions of the headers in the folders, sorted by
// class and condition. include is the folder include/pto of a checkout.
func ReadAssertions(include string, folders []string) ([]Assertion, error) {
	found := map[string]*Assertion{}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(include, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name, err := filepath.Rel(include, path)
			if err != nil {
				return err
			}
			for _, c := range conditions(string(text)) {
				a := found[c]
				if a == nil {
					a = &Assertion{Condition: c, Class: assertionClass(c)}
					found[c] = a
				}
				a.Sites++
				if name := filepath.ToSlash(name); !slices.Contains(a.Headers, name) {
					a.Headers = append(a.Headers, name)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	var all []Assertion
	for _, a := range found {
		slices.Sort(a.Headers)
		all = append(all, *a)
	}
	slices.SortFunc(all, func(a, b Assertion) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Condition, b.Condition))
	})
	return all, nil
}

// conditions returns the first argument of each call of PTO_ASSERT in the C++ text.
func conditions(text string) []string {
	var all []string
	for {
		_, rest, ok := strings.Cut(text, "PTO_ASSERT(")
		if !ok {
			return all
		}
		text = rest
		if c := firstArgument(rest); c != "" {
			all = append(all, c)
		}
	}
}

// firstArgument returns the first argument of a call, with single spaces. The parameter
// text starts after the opening parenthesis. The result is "" if the call does not end.
func firstArgument(text string) string {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '[' || c == '{':
			depth++
		case (c == ')' || c == ',') && depth == 0:
			return strings.Join(strings.Fields(text[:i]), " ")
		case c == ')' || c == ']' || c == '}':
			depth--
		}
	}
	return ""
}

// assertionClasses are the forms of conditions, from the most special one on. The first
// form that matches applies. The field ours names what decides the same condition here:
// rules of the verifier, which are evaluated when the program is read or when it runs, or
// the reason why none does.
var assertionClasses = []struct {
	name    string
	pattern *regexp.Regexp
	ours    string
}{
	{"address", regexp.MustCompile(`(?i)addr|ptr|\bdata\(\)`), "Apart, the checker mem, and pto-plan-memory"},
	{"alignment", regexp.MustCompile(`(?i)BLOCK_BYTE_SIZE == 0|BYTE_SIZE\) == 0|align`), "the verifier's rules on rows of 32 bytes (tile types), and the device rules window and aligned rows"},
	{"multiple", regexp.MustCompile(`%`), "the rules of tmrgsort, tquant and textract, and the device rule window"},
	{"view shape", regexp.MustCompile(`(?i)gShape|GetShape|Shape[0-4]|DIM_\d`), "copyExtents, positiveDims, and the device rules planes, shape and joined columns"},
	{"mode and layout", regexp.MustCompile(`(?i)mode|layout|isRowMajor|Loc ==|is_same`), "constraints on operands and attributes"},
	{"shape against index", regexp.MustCompile(`(?i)index|offset|\bidx\b|\bpos`), "windowRule, scratch sizes and reaches (checked when the kernel runs)"},
	{"equal valid sizes", regexp.MustCompile(`[^<>=!]==[^=]|!= (1|\w*Valid\w*)$`), "SameValid, SameValidRows, SameValidCols, matrix shapes, and the device rule row vector"},
	{"non-zero", regexp.MustCompile(`(?i)(>\s*0|!=\s*0|>=\s*1)\b`), "NotHalfEmpty, NonEmptyValid"},
	{"range", regexp.MustCompile(`[<>]`), "limits in the rules of the instruction (products: 0 to 4095)"},
	{"other", regexp.MustCompile(``), "none: unreachable places, and flags that the library computes itself"},
}

// assertionClass returns the name of the form of a condition.
func assertionClass(condition string) string {
	for _, c := range assertionClasses {
		if c.pattern.MatchString(condition) {
			return c.name
		}
	}
	return ""
}

// AssertionsPage returns docs/isa/header-assertions.md: the conditions that the headers
// below include, the folder include/pto of a checkout, check when a kernel runs.
func AssertionsPage(include string) (string, error) {
	var b strings.Builder
	b.WriteString(assertionsHead)
	b.WriteString("| class | decided here by |\n|---|---|\n")
	for _, c := range assertionClasses {
		fmt.Fprintf(&b, "| %s | %s |\n", c.name, c.ours)
	}
	b.WriteString("\n| class | conditions of A2/A3 | places | conditions of A5 | places |\n|---|---|---|---|---|\n")
	tables := map[string][]Assertion{}
	for target, folders := range assertionFolders {
		all, err := ReadAssertions(include, folders)
		if err != nil {
			return "", err
		}
		tables[target] = all
	}
	count := func(target, class string) (conditions, places int) {
		for _, a := range tables[target] {
			if a.Class == class || class == "" {
				conditions++
				places += a.Sites
			}
		}
		return conditions, places
	}
	row := func(name, class string) {
		n3, p3 := count("A2/A3", class)
		n5, p5 := count("A5", class)
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", name, n3, p3, n5, p5)
	}
	for _, c := range assertionClasses {
		row(c.name, c.name)
	}
	row("all", "")
	for _, target := range []string{"A2/A3", "A5"} {
		fmt.Fprintf(&b, "\n## %s\n\n| class | condition | places | headers under include/pto |\n|---|---|---|---|\n", target)
		for _, a := range tables[target] {
			names := a.Headers
			if len(names) > 3 {
				names = append(slices.Clone(names[:3]), fmt.Sprintf("and %d more", len(a.Headers)-3))
			}
			fmt.Fprintf(&b, "| %s | `%s` | %d | %s |\n", a.Class, strings.ReplaceAll(a.Condition, "|", `\|`), a.Sites, strings.Join(names, ", "))
		}
	}
	return b.String(), nil
}

const assertionsHead = `# What the NPU headers assert

The NPU headers check some conditions when a kernel runs, in builds with debugging. Without debugging, the same kernel
computes something else, or nothing is wrong and the condition is too strict
([device-judged.md](device-judged.md) lists these). This page lists the conditions of pto-isa 3186c38 by their form.
To write the page anew, run

` + "```sh\nPTO_ISA=path/to/pto-isa go run ./tools/headercheck/genassertions\n```" + `

Each form corresponds to rules of this project, which pto-opt evaluates with the constants of a program and pto-run with
the values of a run.

`
