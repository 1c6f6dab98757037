package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"ptogo/internal/filecheck"
	"ptogo/internal/lit"
	"ptogo/tools/corpus"
)

// With -checks, the command applies the CHECK lines of public tests to our output, for
// tests of modes that insert flags, barriers or buffers. CHECK lines may fail for other
// reasons, such as names in C++. In that case only the lines about synchronization, and
// those around a NOT, are applied. If these fail too, or require fewer operations than we
// insert, reasons.go must contain the reason.

// syncText matches a synchronization operation in PTO IR or C++.
var syncText = regexp.MustCompile(`\b(set_flag|wait_flag|(?:pipe_)?barrier|get_buf|rls_buf)(?:_dyn)?\b`)

// directive is one FileCheck line of a test.
type directive struct {
	// prefix is the check prefix, kind the suffix ("", "-NOT", "-NEXT" and so on), and
	// text the pattern.
	prefix, kind, text string
	sync               bool
}

var directiveLine = regexp.MustCompile(`^\s*//\s*([A-Za-z0-9_-]+?)(-NOT|-NEXT|-SAME|-DAG|-LABEL|-EMPTY|-COUNT-\d+)?:(.*)`)

// directives returns the FileCheck lines in a test that have one of the given prefixes.
func directives(test string, prefixes []string) (all []directive) {
	for l := range strings.Lines(test) {
		if m := directiveLine.FindStringSubmatch(strings.TrimRight(l, "\n")); m != nil && slices.Contains(prefixes, m[1]) {
			all = append(all, directive{m[1], m[2], m[3], syncText.MatchString(m[3])})
		}
	}
	return all
}

// aboutSync selects the FileCheck lines of a test that are about synchronization, and
// returns them as text. It also selects label lines. A NOT line forbids a match between
// the lines that surround it, so for each NOT line about synchronization, aboutSync also
// selects these two lines. A NEXT line requires a match directly after that of the
// previous line, which may be missing in the selection; aboutSync therefore replaces it
// by a plain CHECK line.
func aboutSync(all []directive) string {
	keep := make([]bool, len(all))
	for i, d := range all {
		keep[i] = keep[i] || d.sync || d.kind == "-LABEL"
		if d.sync && d.kind == "-NOT" {
			for _, step := range []int{-1, 1} {
				j := i + step
				for j >= 0 && j < len(all) && all[j].kind == "-NOT" {
					j += step
				}
				if j >= 0 && j < len(all) {
					keep[j] = true
				}
			}
		}
	}
	var b strings.Builder
	for i, d := range all {
		if d.kind == "-NEXT" || d.kind == "-SAME" && !d.sync {
			d.kind = ""
		}
		if keep[i] {
			fmt.Fprintf(&b, "// %s%s:%s\n", d.prefix, d.kind, d.text)
		}
	}
	return b.String()
}

// operations counts the operations in a text that order pipes. Each field is the number
// of operations of one kind: flags that are raised, barriers, and buffer tokens that are
// acquired.
type operations struct{ flags, barriers, buffers int }

// tailHelper matches the C++ definition of the function that ptoas emits for the
// synchronization at the end of a kernel.
var tailHelper = regexp.MustCompile(`(?ms)^static AICORE inline void ptoas_auto_sync_tail.*?^}`)

func (n *operations) add(text string) {
	text = tailHelper.ReplaceAllString(text, "")
	for _, m := range syncText.FindAllStringSubmatch(text, -1) {
		switch m[1] {
		case "set_flag":
			n.flags++
		case "barrier", "pipe_barrier":
			n.barriers++
		case "get_buf":
			n.buffers++
		}
	}
}

func (n operations) exceed(o operations) bool {
	return n.flags > o.flags || n.barriers > o.barriers || n.buffers > o.buffers
}

func (n operations) String() string {
	var parts []string
	for _, p := range []struct {
		n    int
		name string
	}{{n.flags, "f"}, {n.barriers, "b"}, {n.buffers, "t"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprint(p.n, p.name))
		}
	}
	if parts == nil {
		return "0"
	}
	return strings.Join(parts, "+")
}

// verdict is the result of applying the CHECK lines of a test to the output of our tools.
type verdict struct {
	named, ours operations
	// whole reports whether the output satisfies all CHECK lines, and sync whether it
	// satisfies all that are about synchronization.
	whole, sync bool
	unmet       string
}

// inChecks applies the CHECK lines of tests to our output, and prints the differences. It
// considers only the tests whose names match the regular expression.
func inChecks(wanted *regexp.Regexp) error {
	tests, err := modeTests(wanted)
	if err != nil {
		return err
	}
	t := checkTally{why: map[string][]string{}, all: wanted.String() == ""}
	for _, test := range tests {
		t.test(test)
	}
	return t.report()
}

// checkTally counts the verdicts of all tests. A verdict is the result of applying the
// CHECK lines of a test to the output of our tools.
type checkTally struct {
	whole, sync, fewer int
	// why lists the differing tests by the reason of the difference.
	why  map[string][]string
	open int
	// all reports whether every test was examined, because no regular expression selects
	// a part of them.
	all bool
}

// test runs the RUN lines of a test of the public compiler with our tools. A failing
// CHECK line is recorded as a verdict and does not end the test, so that all RUN lines
// are examined.
func (t *checkTally) test(test modeTest) {
	var all []verdict
	tools := publicTools()
	tools.Tools["FileCheck"] = func(args, _ []string, in io.Reader, _, _ io.Writer) int {
		if v, ok := hold(args, in); ok {
			all = append(all, v)
		}
		return 0
	}
	lit.RunFile(tools, test.path)
	if len(all) == 0 {
		return
	}
	name := strings.TrimSuffix(filepath.Base(test.name), ".pto")
	worst := slices.MaxFunc(all, func(a, b verdict) int { return a.rank() - b.rank() })
	switch worst.rank() {
	case 0:
		t.whole++
		return
	case 1:
		t.sync++
		return
	}
	entry := fmt.Sprintf("%s %s:%s", name, worst.named, worst.ours)
	if !worst.ours.exceed(worst.named) {
		t.fewer++
	}
	why := reasonFor(entry)
	if why == "" {
		t.open++
		why = "no reason is given; unmet: " + worst.unmet
	}
	t.why[why] = append(t.why[why], entry)
}

// rank returns a number for sorting, which is smaller for a better result. It is 0 if the
// program passes the whole check, 1 if it passes the check of synchronization only, and 2
// if it fails.
func (v verdict) rank() int {
	switch {
	case v.whole:
		return 0
	case v.sync:
		return 1
	}
	return 2
}

// hold applies the CHECK lines of a test to a text. args are the arguments of FileCheck,
// which name the file with the CHECK lines; the text is in another file or in the reader
// in. The result ok is false if no line is about synchronization.
func hold(args []string, in io.Reader) (v verdict, ok bool) {
	file, prefixes := "", []string{}
	for i, a := range args {
		if name, found := strings.CutPrefix(strings.TrimLeft(a, "-"), "input-file"); found {
			if name = strings.TrimPrefix(name, "="); name == "" && i+1 < len(args) {
				name = args[i+1]
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return v, false
			}
			in = bytes.NewReader(text)
		} else if !strings.HasPrefix(a, "-") && file == "" {
			file = a
		}
		for _, flag := range []string{"check-prefix=", "check-prefixes="} {
			if p, found := strings.CutPrefix(strings.TrimLeft(a, "-"), flag); found {
				prefixes = append(prefixes, strings.Split(p, ",")...)
			}
		}
	}
	if len(prefixes) == 0 {
		prefixes = []string{"CHECK"}
	}
	test, err1 := os.ReadFile(file)
	text, err2 := io.ReadAll(in)
	if errors.Join(err1, err2) != nil {
		return v, false
	}
	lines := directives(string(test), prefixes)
	for _, d := range lines {
		if d.sync && d.kind != "-NOT" {
			v.named.add(d.text)
		}
		ok = ok || d.sync
	}
	v.ours.add(string(text))
	v.whole = filecheck.Run(append(slices.Clone(args), "--allow-empty"), bytes.NewReader(text), io.Discard, io.Discard) == 0
	var msg strings.Builder
	v.sync = v.whole || met(aboutSync(lines), prefixes, text, &msg) == 0
	v.unmet = strings.TrimSpace(msg.String())
	if m := unmet.FindStringSubmatch(msg.String()); m != nil {
		v.unmet = m[1]
	}
	return v, ok
}

// met runs FileCheck on the output text with CHECK lines, which the parameter directives
// contains. It returns the exit code of FileCheck, which is 0 if the output satisfies the
// lines. prefixes are the check prefixes, and msg receives the messages.
func met(directives string, prefixes []string, text []byte, msg io.Writer) int {
	f, err := os.CreateTemp("", "checks*.pto")
	if err != nil {
		stop(err)
	}
	defer os.Remove(f.Name())
	if _, err := f.WriteString(directives); err != nil {
		stop(err)
	}
	f.Close()
	return filecheck.Run([]string{f.Name(), "--check-prefixes=" + strings.Join(prefixes, ","), "--allow-empty"}, bytes.NewReader(text), io.Discard, msg)
}

// report prints the table of docs/measurements/synchronization.md about tests of the
// public compiler. A test differs if the output of our tools does not satisfy the CHECK
// lines about synchronization. The table lists the differing tests by reason. report
// returns an error if no reason is known for one of them.
func (t *checkTally) report() error {
	var whys []string
	differ := 0
	for why, tests := range t.why {
		whys = append(whys, why)
		differ += len(tests)
	}
	slices.Sort(whys)
	fmt.Printf("%d tests name flags, barriers or buffers: %d are met as they are, %d in all that is synchronization; %d differ, %d of them without more operations of any kind than are named\n\n",
		t.whole+t.sync+differ, t.whole, t.sync, differ, t.fewer)
	fmt.Printf("| why | tests, with what is named there : what is here (f flags raised, b barriers, t buffers taken) |\n|---|---|\n")
	for _, why := range whys {
		slices.Sort(t.why[why])
		fmt.Printf("| %s | %s |\n", why, strings.Join(t.why[why], ", "))
	}
	if t.open > 0 {
		return fmt.Errorf("%d tests differ, but the list of known differences does not contain a reason for them", t.open)
	}
	if old := outdated(slices.Concat(slices.Collect(maps.Values(t.why))...)); t.all && len(old) > 0 {
		return fmt.Errorf("the list of known differences contains a reason for tests that no longer differ: %s", strings.Join(old, ", "))
	}
	return nil
}

// modeTest is a test of the public compiler for a mode of ptoas that inserts
// synchronization.
type modeTest struct {
	name, path, text string
	runs             [][]string
}

// modeTests returns the public tests with matching names.
func modeTests(pattern *regexp.Regexp) (tests []modeTest, err error) {
	root := os.Getenv("PTO_PTOAS")
	if root == "" {
		return nil, corpus.ErrNone
	}
	paths, err := lit.Discover(filepath.Join(root, "test", "lit"), ".pto")
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if !filepath.IsAbs(path) {
			path = filepath.Join(root, "test", "lit", path)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		name, _ := filepath.Rel(root, path)
		if runs := commands(string(text)); len(runs) > 0 && pattern.MatchString(name) {
			tests = append(tests, modeTest{name, path, string(text), runs})
		}
	}
	return tests, nil
}
