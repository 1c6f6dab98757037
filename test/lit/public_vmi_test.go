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

	"ptogo/dialect/arith"
	"ptogo/internal/cli"
	"ptogo/internal/lit"
	"ptogo/ir"
)

// vmiRuns finds tests of the passes on VMI instructions.
var vmiRuns = regexp.MustCompile(`RUN:.*(-vmi-|-pto-validate-vmi|-pto-vmi-)`)

// TestPublicVMI runs the public lit tests of VMI passes with pto-opt in the place of the
// public tools. Tests of accepted programs compare texts; the words of diagnostics are ours,
// so tests of rejected programs compare verdicts. The test logs how many agree, and with -v
// it names the others. It fails if none agrees, because the numbers are in
// docs/measurements/expansion.md.
func TestPublicVMI(t *testing.T) {
	root := os.Getenv(publicVariable)
	if root == "" {
		t.Skipf("no public tests: set %s to a checkout of PTOAS", publicVariable)
	}
	paths, err := lit.Discover(filepath.Join(root, "test", "lit"), ".pto")
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	sizes := &programSizes{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !vmiRuns.Match(text) && !strings.Contains(path, "vmi_new") {
			continue
		}
		outcome, output := vmiOutcome(t, path, sizes)
		counts[outcome]++
		if testing.Verbose() {
			name, _ := filepath.Rel(root, path)
			t.Logf("%s: %s\n%s", name, outcome, tail(output, 14))
		}
	}
	if counts["text: pass"] == 0 || counts["diagnostic: same verdict"] == 0 {
		t.Errorf("no public test agrees: %v", counts)
	}
	for _, outcome := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%5d %s", counts[outcome], outcome)
	}
	t.Logf("%d programs of vector instructions: %d have at most as many as the test names", sizes.all, sizes.small)
	t.Logf("%d have at most as many of each instruction that the test names, %d have more", sizes.all-len(sizes.larger), len(sizes.larger))
	for _, text := range sizes.larger {
		t.Logf("larger: %s", text)
	}
}

// programSizes compares how many vector instructions programs have with how many the tests
// name, which is at most the number that the public compiler emits.
type programSizes struct {
	// all is the number of programs, and small the number of those that have in total at
	// most as many instructions as the test names.
	all, small int
	// larger lists the programs that have more instructions of a name than the test names.
	larger []string
}

var (
	vectorInstruction = regexp.MustCompile(`(?m)^\s*(?:%\S.* = )?pto\.v(\w+)`)
	namedInstruction  = regexp.MustCompile(`^// *([A-Z0-9-]+?)(?:-(COUNT-\d+|NEXT|DAG|SAME|NOT|LABEL))?:.*?\bpto\.v(\w+)`)
)

// compare counts the vector instructions of a program that has no vmi instructions any more.
func (s *programSizes) compare(path string, args []string, program []byte) {
	if bytes.Contains(program, []byte("pto.vmi.")) || !bytes.Contains(program, []byte("pto.v")) {
		return
	}
	prefix := "CHECK"
	for _, a := range args {
		if p, ok := strings.CutPrefix(a, "--check-prefix="); ok {
			prefix = p
		}
	}
	total, ours, named := 0, map[string]int{}, map[string]int{}
	for _, m := range vectorInstruction.FindAllSubmatch(program, -1) {
		if word := string(m[1]); word != "bitcast" && word != "ecscope" {
			ours[word]++
			total++
		}
	}
	text, _ := os.ReadFile(path)
	for _, line := range strings.Split(string(text), "\n") {
		m := namedInstruction.FindStringSubmatch(line)
		if m == nil || m[1] != prefix || m[2] == "NOT" || m[2] == "SAME" || m[3] == "bitcast" || m[3] == "mi" || m[3] == "reg" {
			continue
		}
		n := 1
		_, _ = fmt.Sscanf(m[2], "COUNT-%d", &n)
		named[m[3]] += n
		total -= n
	}
	if len(named) == 0 {
		return
	}
	s.all++
	if total <= 0 {
		s.small++
	}
	var more []string
	for _, word := range slices.Sorted(maps.Keys(named)) {
		if ours[word] > named[word] {
			more = append(more, fmt.Sprintf("%d v%s, and the test names %d", ours[word], word, named[word]))
		}
	}
	if more != nil {
		s.larger = append(s.larger, fmt.Sprintf("%s (%s): %s", filepath.Base(path), prefix, strings.Join(more, "; ")))
	}
}

// vmiOutcome runs one test.
func vmiOutcome(t *testing.T, path string, sizes *programSizes) (outcome, output string) {
	text, _ := os.ReadFile(path)
	cfg := config(t)
	cfg.TempDir = t.TempDir()
	for _, tool := range []string{"ptoas", "pto-test-opt"} {
		cfg.Tools[tool] = plainTool
	}
	check := cfg.Tools["FileCheck"]
	cfg.Tools["FileCheck"] = func(args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
		program, _ := io.ReadAll(stdin)
		sizes.compare(path, args, program)
		return check(args, env, bytes.NewReader(program), stdout, stderr)
	}
	first := lit.RunFile(cfg, path)
	rejects := negated.Match(text) || bytes.Contains(text, []byte("verify-diagnostics"))
	if first.Status == lit.Pass && !rejects {
		return "text: pass", ""
	}
	cfg.Tools["FileCheck"] = func(_, _ []string, stdin io.Reader, _, _ io.Writer) int {
		_, _ = io.Copy(io.Discard, stdin)
		return 0
	}
	second := lit.RunFile(cfg, withoutWords(t, path, string(text)))
	kind := "text"
	if rejects {
		kind = "diagnostic"
	}
	switch {
	case first.Status != lit.Pass && first.Status != lit.Fail:
		return fmt.Sprintf("not run: %v", first.Status), first.Output
	case second.Status != lit.Pass:
		return kind + ": other verdict", second.Output
	case rejects:
		return "diagnostic: same verdict", ""
	}
	return "text: other text", first.Output
}

// expectedError finds the errors that a test expects at a line.
var expectedError = regexp.MustCompile(`(expected-error)((?:@\S+)?) \{\{.*\}\}`)

// withoutWords returns the path of a copy of a test that expects the same errors at the same
// lines, in any words.
func withoutWords(t *testing.T, path, text string) string {
	copied := filepath.Join(t.TempDir(), filepath.Base(path))
	if err := os.WriteFile(copied, []byte(expectedError.ReplaceAllString(text, "$1-re$2 {{{{.*}}}}")), 0o600); err != nil {
		t.Fatal(err)
	}
	return copied
}

// plainTool is publicTool, which here also lowers VMI instructions for --emit-vpto, with the output in the form of MLIR: values are numbered, and
// attributes are in alphabetical order.
func plainTool(args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var text bytes.Buffer
	run := publicTool
	if slices.Contains(args, "--emit-vpto") {
		run = func(args, _ []string, stdin io.Reader, stdout, stderr io.Writer) int {
			return cli.Opt(append([]string{"--as-ptoas"}, args...), stdin, stdout, stderr)
		}
	}
	code := run(args, env, stdin, &text, stderr)
	_, err := stdout.Write(plain(text.Bytes()))
	if err != nil && code == 0 {
		code = 1
	}
	return code
}

// plain returns a program without names of values.
func plain(text []byte) []byte {
	var out bytes.Buffer
	for i, part := range bytes.Split(text, []byte("// -----\n")) {
		if i > 0 {
			out.WriteString("// -----\n")
		}
		module, err := ir.Parse(&ir.Source{Name: "out", Text: string(part)}, ir.ParseOptions{}, nil)
		if err != nil {
			out.Write(part)
			continue
		}
		for op := range module.Walk() {
			name(op)
			for _, r := range op.Regions() {
				for b := range r.Blocks() {
					for _, v := range b.Args() {
						v.SetName("")
					}
				}
			}
		}
		var numbered bytes.Buffer
		if err := ir.Print(&numbered, module, ir.PrintOptions{}); err != nil {
			out.Write(part)
			continue
		}
		out.Write(dictionary.ReplaceAllFunc(numbered.Bytes(), sorted))
	}
	return out.Bytes()
}

// name gives the results of an operation the names that MLIR prints: those of constants
// contain the value, and instructions with several results have a name for each.
func name(op *ir.Op) {
	for i, v := range op.Results() {
		v.SetName("")
		if op.NumResults() > 1 && strings.HasPrefix(op.Name(), "pto.") && len(op.Regions()) == 0 {
			v.SetName(string(rune('p' + i)))
		}
	}
	if op.NumResults() != 1 {
		return
	}
	if n, ok := arith.ConstantInt(op.Result(0)); ok && op.Result(0).Type() != ir.I1 {
		text := fmt.Sprintf("c%d", n)
		if t := op.Result(0).Type(); t != ir.Index {
			text += "_" + t.String()
		}
		op.Result(0).SetName(text)
	}
}

// dictionary finds attribute dictionaries without nested ones.
var dictionary = regexp.MustCompile(`\{\w+ = [^{}\n]*\}`)

// sorted sorts the entries of a dictionary.
func sorted(d []byte) []byte {
	parts := strings.Split(strings.Trim(string(d), "{}"), ", ")
	for _, p := range parts {
		if !regexp.MustCompile(`^\w+( = [^,<>]*)?$`).MatchString(p) {
			return d
		}
	}
	slices.Sort(parts)
	return []byte("{" + strings.Join(parts, ", ") + "}")
}
