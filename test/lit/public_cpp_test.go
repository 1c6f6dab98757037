package lit_test

import (
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

// TestPublicCPP runs the public lit tests that check the C++ which the public
// assembler writes, with pto-opt under its name. They check names and order of
// calls, spelling of types, and where the synchronization of ptoas lies, so not
// all can pass: the test wants as many as have passed before, counts the others
// by cause, and -v names them.
func TestPublicCPP(t *testing.T) {
	root := os.Getenv(publicVariable)
	if root == "" {
		t.Skipf("no public tests: set %s to a checkout of PTOAS", publicVariable)
	}
	paths, err := lit.Discover(filepath.Join(root, "test", "lit"), ".pto")
	if err != nil {
		t.Fatal(err)
	}
	counts, all := map[string]int{}, 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !checksCPP(string(text)) {
			continue
		}
		all++
		name, _ := filepath.Rel(root, path)
		cause, detail := cppOutcome(t, path)
		counts[cause]++
		if cause != passes && testing.Verbose() {
			t.Logf("%s: %s: %s", name, cause, detail)
		}
	}
	for _, cause := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d of %d %s", counts[cause], all, cause)
	}
	if counts[passes]*100 < leastCPP*all {
		t.Errorf("%d of %d public tests of C++ pass, which is less than %d%%", counts[passes], all, leastCPP)
	}
}

// leastCPP is how many of a hundred public tests of C++ must pass.
const leastCPP = 60

var (
	ptoasCommand = regexp.MustCompile(`^[\s({]*((?:not|!)\s+(?:--crash\s+)?)?(?:env\s.*?\s)?ptoas\s(.*)$`)
	otherOutput  = regexp.MustCompile(`emit-pto-ir|emit-vpto|print-ir|pto-backend=vpto|seam-ir|dump-vpto|--help|--version`)
	separators   = regexp.MustCompile(`&&|;|\|`)
)

// checksCPP reports whether a test has ptoas write C++ and looks at it.
func checksCPP(text string) bool {
	if !strings.Contains(text, "FileCheck") {
		return false
	}
	for _, m := range runLine.FindAllStringSubmatch(continued.ReplaceAllString(text, " "), -1) {
		for _, part := range separators.Split(m[1], -1) {
			c := ptoasCommand.FindStringSubmatch(part)
			if c != nil && c[1] == "" && !otherOutput.MatchString(c[2]) {
				return true
			}
		}
	}
	return false
}

// cppOutcome runs a test and says why it fails: what ptoas says, or the first
// line that is missing in what it writes.
func cppOutcome(t *testing.T, path string) (cause, detail string) {
	cfg := config(t)
	cfg.TempDir = t.TempDir()
	var rejected string
	cfg.Tools["ptoas"] = func(args, _ []string, stdin io.Reader, stdout, stderr io.Writer) int {
		var said strings.Builder
		code := cli.OptAs("ptoas", args, stdin, stdout, io.MultiWriter(stderr, &said))
		if code != 0 && rejected == "" {
			rejected = said.String()
		}
		return code
	}
	r := lit.RunFile(cfg, path)
	if r.Status == lit.Pass {
		return passes, ""
	}
	if rejected != "" && !notFound.MatchString(r.Output) || strings.Contains(rejected, "error") && !negated.MatchString(r.Output) {
		m := firstError.FindStringSubmatch(rejected)
		if m == nil {
			return "refused", tail(rejected, 3)
		}
		return "refused: " + quoted.ReplaceAllString(m[1], "'...'"), m[1]
	}
	m := notFound.FindStringSubmatch(r.Output)
	if m == nil {
		return "other", tail(r.Output, 5)
	}
	return "text: " + classOf(m[1]), strings.TrimSpace(m[1])
}

var (
	notFound   = regexp.MustCompile(`error: .*\n(?:#\s*)?(.*)`)
	firstError = regexp.MustCompile(`error: (.*)`)
	quoted     = regexp.MustCompile(`'[^']*'|"[^"]*"|\d+`)
)

// classOf says what a line of C++ is about.
func classOf(line string) string {
	for _, c := range []struct{ pattern, class string }{
		{`-NOT:`, "something that must not be there"},
		{`_flag|pipe_barrier|get_buf|rls_buf|auto_sync_tail`, "synchronization"},
		{`last_use`, "last use"},
		{`PTOAS__|PTOAS_|PtoStruct|FixpipeConfig`, "names of helpers"},
		{`[A-Z]{3,}\w*(<.*>)?\(`, "calls"},
		{`Tile<|GlobalTensor<|Shape<|Stride<`, "types"},
		{`__global__|AICORE|#if|#endif`, "skeleton"},
		{`\b(for|while|if|goto|switch)\b`, "control flow"},
	} {
		if regexp.MustCompile(c.pattern).MatchString(line) {
			return c.class
		}
	}
	return "variables and expressions"
}
