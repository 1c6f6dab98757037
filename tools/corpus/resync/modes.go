package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/sem"
	"ptogo/internal/cli"
	"ptogo/internal/filecheck"
	"ptogo/internal/lit"
	"ptogo/ir"
	"ptogo/runtime/check"
	"ptogo/tools/corpus"
)

// The public assembler has tests for its modes that insert synchronization. This file runs
// their command lines with pto-opt instead. The inserted synchronization must be
// sufficient: the kernels and private functions run under the checkers, with scalar
// arguments from 0 to 3. The output also contains the number of flags and barriers in the
// CHECK lines, and whether our text satisfies these lines.

// modes matches the ptoas options that request synchronization.
var modes = regexp.MustCompile(`--enable-(insert-sync|graph-sync-solver|bufid_sync|inject-barrier-all-sync)\b`)

// unmet matches messages of FileCheck. Its group is the text of the first CHECK line that
// FileCheck did not find in its input.
var unmet = regexp.MustCompile(`error: [^\n]*\n\s*// *([^\n]*)`)

// modeTally counts tests of ptoas, the public compiler, by outcome. It includes only
// tests that run ptoas in a mode in which it inserts synchronization. We run these tests
// with pto-opt in place of ptoas.
type modeTally struct {
	files, texts, lines, refused, silent, faulted, noisy int
}

// inModes runs the tests with matching names, with our passes in place of ptoas, and
// prints the outcomes.
func inModes(pattern *regexp.Regexp) error {
	tests, err := modeTests(pattern)
	if err != nil {
		return err
	}
	var t modeTally
	for _, test := range tests {
		t.file(test)
	}
	fmt.Printf("%d tests, %d of which pass as they are; %d command lines, %d refused: %d kernels run silently, %d with reports, %d fault on these arguments\n",
		t.files, t.texts, t.lines, t.refused, t.silent, t.noisy, t.faulted)
	if t.noisy > 0 {
		return errors.New("not all kernels are silent")
	}
	return nil
}

// commands returns the arguments of the RUN lines in text, the text of a test. It
// considers only lines that run ptoas with an option that requests synchronization. The
// result contains equal lists of arguments only once.
func commands(text string) (runs [][]string) {
	var line string
	for l := range strings.Lines(text) {
		_, run, ok := strings.Cut(l, "RUN:")
		if !ok {
			continue
		}
		run = strings.TrimSpace(run)
		if more, ok := strings.CutSuffix(run, "\\"); ok {
			line += more + " "
			continue
		}
		line += run
		cmd, _, _ := strings.Cut(line, "|")
		line = ""
		words := strings.Fields(cmd)
		if len(words) == 0 || words[0] != "ptoas" || !modes.MatchString(cmd) {
			continue
		}
		var args []string
		for i, w := range words[1:] {
			if w == "&&" || strings.Contains(w, ">") {
				break
			}
			if !slices.Contains([]string{"%s", "-o", "--emit-pto-ir", "-"}, w) && words[i] != "-o" && !strings.HasPrefix(w, "--mlir-print") {
				args = append(args, w)
			}
		}
		if !slices.ContainsFunc(runs, func(r []string) bool { return slices.Equal(r, args) }) {
			runs = append(runs, args)
		}
	}
	return runs
}

func (t *modeTally) file(test modeTest) {
	t.files++
	verdict := "text differs"
	if r := lit.RunFile(publicTools(), test.path); !r.Status.Failed() {
		t.texts++
		verdict = "text passes"
	} else if m := unmet.FindStringSubmatch(r.Output); m != nil {
		verdict = "text differs at " + m[1]
	}
	fmt.Printf("%s: %s; CHECK lines name %d set_flag, %d barriers\n", test.name, verdict, named(test.text, "set_flag"), named(test.text, "barrier"))
	for _, args := range test.runs {
		t.lines++
		t.line(test.path, args)
	}
}

// publicTools returns the configuration with which this package executes the tests of
// ptoas. The commands ptoas and FileCheck call our implementations instead of the public
// programs.
func publicTools() lit.Config {
	tool := func(run func(args []string, in io.Reader, out, err io.Writer) int) lit.Tool {
		return func(args, env []string, in io.Reader, out, err io.Writer) int { return run(args, in, out, err) }
	}
	as := func(args []string, in io.Reader, out, err io.Writer) int {
		return cli.OptAs("ptoas", args, in, out, err)
	}
	return lit.Config{Tools: map[string]lit.Tool{"ptoas": tool(as), "FileCheck": tool(filecheck.Run)}}
}

// named returns the number of CHECK lines in a test that require a certain operation. The
// parameter what is the name of the operation. NOT lines do not count.
func named(text, what string) (n int) {
	for l := range strings.Lines(text) {
		if check, rest, ok := strings.Cut(l, ":"); ok && strings.HasPrefix(l, "//") && !strings.HasSuffix(check, "-NOT") && !strings.Contains(check, "RUN") && strings.Contains(rest, what) {
			n++
		}
	}
	return n
}

// line runs one RUN line of the test file at the given path, with our tools in place of
// the public ones. args are the arguments of ptoas, which request synchronization. If
// there is an output, line runs its kernels under the checkers. It counts the outcome.
func (t *modeTally) line(path string, args []string) {
	out, err := os.CreateTemp("", "resync*.pto")
	if err != nil {
		stop(err)
	}
	out.Close()
	defer os.Remove(out.Name())
	var msg strings.Builder
	full := append(slices.Clone(args), "--emit-pto-ir", "-o", out.Name())
	for i, a := range full {
		full[i] = strings.ReplaceAll(a, "%S", filepath.Dir(path))
	}
	if !slices.ContainsFunc(args, func(a string) bool { return strings.HasSuffix(a, ".pto") }) {
		full = append(full, path)
	}
	if code := cli.OptAs("ptoas", full, strings.NewReader(""), io.Discard, &msg); code != 0 {
		t.refused++
		first, _, _ := strings.Cut(msg.String(), "\n")
		fmt.Printf("  %s: refused: %s\n", strings.Join(args, " "), first)
		return
	}
	text, err := os.ReadFile(out.Name())
	if err != nil {
		stop(err)
	}
	p := corpus.Program{Name: path, Text: string(text), Profile: profileOf(args)}
	m, target := p.Read()
	if m == nil {
		t.refused++
		fmt.Printf("  %s: what is written is not legal\n", strings.Join(args, " "))
		return
	}
	fmt.Printf("  %s: %d set_flag, %d barriers\n", strings.Join(args, " "), strings.Count(string(text), "pto.set_flag"), strings.Count(string(text), "pto.barrier"))
	for _, f := range fn.Functions(m) {
		if fn.Body(f) != nil {
			t.function(m, fn.Name(f), target)
		}
	}
}

// profileOf returns the target that the option --pto-arch of a command line names. It
// returns 0 if the command line has no such option or the name is unknown.
func profileOf(args []string) ir.Target {
	for i, a := range args {
		name, ok := strings.CutPrefix(a, "--pto-arch=")
		if a == "--pto-arch" && i+1 < len(args) {
			name, ok = args[i+1], true
		}
		if t, known := sem.ParseProfile(name); ok && known {
			return t
		}
	}
	return 0
}

// function runs the function with the given name several times under the checkers, with
// different scalar arguments, and counts the outcomes. It ignores reports about signals
// and queues, because the test may lack the function of the other core.
func (t *modeTally) function(m *ir.Op, name string, target ir.Target) {
	faulted := 0
	for n := range 4 {
		o := launch(m.Clone(map[*ir.Value]*ir.Value{}), name, target, n)
		o.reports = slices.DeleteFunc(o.reports, func(r *check.Report) bool { return r.Check == check.Sync && crosses(m) })
		switch {
		case len(o.reports) > 0:
			t.noisy++
			fmt.Printf("    @%s with %d: %d reports: %s\n", name, n, len(o.reports), o.reports[0].Diag().Format())
			return
		case o.fault != nil:
			faulted++
			if faulted == 4 {
				fmt.Printf("    @%s: %v\n", name, o.fault)
			}
		}
	}
	if faulted == 4 {
		t.faulted++
	} else {
		t.silent++
	}
}
