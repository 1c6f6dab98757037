package lit_test

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ptogo/internal/cli"
	"ptogo/internal/lit"
)

// publicVariable names a checkout of the public assembler, whose lit tests
// show what its programs mean.
const publicVariable = "PTO_PTOAS"

// TestPublic runs the public lit tests that need no more than reading,
// checking and printing, with pto-opt in the place of the public tools. A
// program rejected against the test fails. Tests where only the words differ,
// which are ours, and those whose program the public tool may reject in a later
// stage, are counted, and -v names them.
func TestPublic(t *testing.T) {
	root := os.Getenv(publicVariable)
	if root == "" {
		t.Skipf("no public tests: set %s to a checkout of PTOAS", publicVariable)
	}
	paths, err := lit.Discover(filepath.Join(root, "test", "lit"), ".pto")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name, _ := filepath.Rel(root, path)
		outcome := beyond(string(text))
		if outcome == "" {
			outcome = publicOutcome(t, name, path, string(text))
		}
		counts[outcome]++
	}
	if counts[passes] == 0 {
		t.Errorf("none of %d public tests passes", len(paths))
	}
	for _, outcome := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d %s", counts[outcome], outcome)
	}
}

// Outcomes of public tests.
const (
	passes   = "pass"
	agrees   = "accepted or rejected as wanted, in other words"
	expected = "other diagnostics than --verify-diagnostics wants"
	accepted = "accepted, but rejected by the public tool, perhaps in a later stage"
	differs  = "fail: rejected against the test"
)

// publicOutcome runs a test. One that fails is run once more without
// FileCheck, which tells words from decisions.
func publicOutcome(t *testing.T, name, path, text string) string {
	cfg := config(t)
	cfg.TempDir = t.TempDir()
	for _, tool := range []string{"ptoas", "pto-test-opt"} {
		cfg.Tools[tool] = publicTool
	}
	first := lit.RunFile(cfg, path)
	if first.Status != lit.Fail {
		if first.Status != lit.Pass {
			return fmt.Sprintf("not run: %v", first.Status)
		}
		return passes
	}
	cfg.Tools["FileCheck"] = func(_, _ []string, stdin io.Reader, _, _ io.Writer) int {
		_, _ = io.Copy(io.Discard, stdin) // a broken pipe would be an error of its own
		return 0
	}
	second := lit.RunFile(cfg, path)
	outcome, output := differs, second.Output
	switch {
	case second.Status == lit.Pass:
		outcome, output = agrees, first.Output
	case strings.Contains(text, "verify-diagnostics"):
		outcome = expected
	case negated.MatchString(text):
		outcome = accepted
	}
	if outcome == differs {
		t.Errorf("%s: %v\n%s", name, second.Status, tail(output, 12))
	} else if testing.Verbose() {
		t.Logf("%s: %s\n%s", name, outcome, tail(output, 12))
	}
	return outcome
}

// publicTool is pto-opt with the options of the public tools. Options that say
// what is made of a good program are left out: only bad ones come with them.
func publicTool(args, _ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return emission.MatchString(a) })
	return cli.Opt(args, stdin, stdout, stderr)
}

var (
	emission  = regexp.MustCompile(`^--?(pto-backend=\w+|emit-vpto|emit-pto-ir)$`)
	continued = regexp.MustCompile(`\\\n\s*//\s*RUN:`)
	runLine   = regexp.MustCompile(`RUN:\s*(.*)`)
	command   = regexp.MustCompile(`^\s*((?:not|!)\s+)?(?:env\s.*?\s)?(ptoas|pto-test-opt)\s(.*)$`)
	negated   = regexp.MustCompile(`RUN:.*(\bnot|!)\s+(env\s.*?\s)?(ptoas|pto-test-opt)\s`)
	printed   = regexp.MustCompile(`^--?(emit-pto-ir|pto-arch(=\w+)?|o|split-input-file|verify-diagnostics|allow-unregistered-dialect)$`)
)

// beyond says why a test is not about reading, checking and printing, or "".
func beyond(text string) string {
	joined := continued.ReplaceAllString(text, " ")
	found := false
	for _, m := range runLine.FindAllStringSubmatch(joined, -1) {
		for _, part := range strings.Split(m[1], "|") {
			c := command.FindStringSubmatch(strings.TrimLeft(part, " ({"))
			if c == nil {
				continue
			}
			found = true
			if why := needs(c[1] != "", c[2], strings.Fields(c[3])); why != "" {
				return why
			}
		}
	}
	if !found {
		return "left out: uses neither ptoas nor pto-test-opt"
	}
	return ""
}

// needs says what a command asks for beyond reading, checking and printing.
func needs(negative bool, tool string, words []string) string {
	ir := tool == "pto-test-opt"
	for _, w := range words {
		w = strings.Trim(w, `'"`)
		switch {
		case !strings.HasPrefix(w, "-") || w == "-" || strings.HasPrefix(w, "--check") && ir:
		case printed.MatchString(w):
			ir = ir || strings.HasSuffix(w, "emit-pto-ir")
		case negative && emission.MatchString(w):
		case emission.MatchString(w):
			return "left out: emits code"
		default:
			return "left out: runs passes or other options"
		}
	}
	if !ir && !negative {
		return "left out: emits code"
	}
	return ""
}

// tail returns the last lines of a text.
func tail(text string, lines int) string {
	all := strings.SplitAfter(strings.TrimRight(text, "\n"), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "")
}
