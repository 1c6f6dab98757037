package lit_test

import (
	"bytes"
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

// TestPublicVector runs the public lit tests of expansion, of fusion, and of passes on
// vector instructions, with pto-opt in the place of the public tools. Tests of accepted
// programs compare texts, and tests of rejected programs compare verdicts. The test logs
// how many of each group agree, and with -v it names the others. It fails if none agrees,
// because the numbers are in docs/measurements/expansion.md.
func TestPublicVector(t *testing.T) {
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
		group := vectorGroup(name, string(text))
		if group == "" {
			continue
		}
		outcome, output := vectorOutcome(t, path, string(text))
		counts[group+": "+outcome]++
		if testing.Verbose() {
			t.Logf("%s: %s: %s\n%s", name, group, outcome, tail(output, 14))
		}
	}
	if counts["expansion: pass"] == 0 {
		t.Errorf("no public test agrees: %v", counts)
	}
	for _, outcome := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d %s", counts[outcome], outcome)
	}
}

var (
	// expansionRuns finds tests that run the expansion of tile instructions.
	expansionRuns = regexp.MustCompile(`RUN:.*-(enable-tile-op-expand|pto-expand-tile-op|pto-fold-tile-buf-intrinsics|pto-insert-template-attributes)\b`)
	// cleanupRuns finds tests of passes on vector instructions.
	cleanupRuns = regexp.MustCompile(`RUN:.*-(vpto-(soft-postupdate|optimize-vcvt|combine-reductions|mask-simplify|expand-wrapper-ops|ptr-\w+)|pto-(vpto-scheduler|narrow-vpto-loop-counters|infer-vpto-vecscope))\b`)
	tileUse     = regexp.MustCompile(`(?m)^\s*pto\.t\w+ ins`)
	checksLane  = regexp.MustCompile(`(?m)^// *[A-Z0-9-]+: .*pto\.v\w+`)
)

// vectorGroup returns the group of a public test, or "" if the test has another subject.
func vectorGroup(name, text string) string {
	joined := continued.ReplaceAllString(text, " ")
	switch {
	case strings.Contains(name, "tile_fusion"):
		return "fusion"
	case strings.Contains(name, "vmi"):
		return ""
	case cleanupRuns.MatchString(joined) || strings.Contains(name, "postupdate") || strings.Contains(name, "auto_vecscope"):
		return "vector passes"
	case !expansionRuns.MatchString(joined) && !strings.Contains(name, "expand_tile_op"):
		if !strings.Contains(joined, "-emit-vpto") || !tileUse.MatchString(text) || !checksLane.MatchString(text) {
			return ""
		}
	}
	return "expansion"
}

// vectorOutcome runs one test.
func vectorOutcome(t *testing.T, path, text string) (outcome, output string) {
	cfg := config(t)
	cfg.TempDir = t.TempDir()
	cfg.Tools["ptoas"] = namedTool(ptoasTool)
	cfg.Tools["pto-test-opt"] = namedTool(cli.Opt)
	first := lit.RunFile(cfg, path)
	rejects := negated.MatchString(text) || strings.Contains(text, "verify-diagnostics")
	if first.Status == lit.Pass {
		return "pass", ""
	}
	if first.Status != lit.Fail {
		return fmt.Sprintf("not run: %v", first.Status), first.Output
	}
	cfg.Tools["FileCheck"] = func(_, _ []string, stdin io.Reader, _, _ io.Writer) int {
		_, _ = io.Copy(io.Discard, stdin)
		return 0
	}
	second := lit.RunFile(cfg, withoutWords(t, path, text))
	switch {
	case second.Status != lit.Pass:
		return "other verdict", second.Output
	case rejects:
		return "same verdict", ""
	}
	return "other text", first.Output
}

// ptoasTool is pto-opt under the name of the public assembler.
func ptoasTool(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Opt(append([]string{"--as-ptoas"}, args...), stdin, stdout, stderr)
}

// namedTool is a tool whose programs, including those that it writes between passes, have
// the names of values that MLIR prints.
func namedTool(run func([]string, io.Reader, io.Writer, io.Writer) int) lit.Tool {
	return func(args, _ []string, stdin io.Reader, stdout, stderr io.Writer) int {
		var text, log bytes.Buffer
		code := run(args, stdin, &text, &log)
		var err error
		for i, part := range bytes.Split(log.Bytes(), []byte(dumpStart)) {
			if i > 0 {
				head, body, _ := bytes.Cut(part, []byte("\n"))
				part = slices.Concat([]byte(dumpStart), head, []byte("\n"), plain(body))
			}
			if _, wrong := stderr.Write(part); wrong != nil {
				err = wrong
			}
		}
		if _, wrong := stdout.Write(plain(text.Bytes())); wrong != nil {
			err = wrong
		}
		if err != nil && code == 0 {
			code = 1
		}
		return code
	}
}

// dumpStart begins the line before a program that is written between passes.
const dumpStart = "// -----// IR Dump"
