package isatest

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/cpp"
	"ptogo/frontend/llir"
	"ptogo/ir"
	"ptogo/kernel"
)

// Outcome is the result of one case.
type Outcome string

// The outcomes of cases.
const (
	Passed  Outcome = "pass"
	Wrong   Outcome = "wrong"   // the comparison of the test fails
	Refused Outcome = "refused" // a kernel cannot be read or run
	NotRun  Outcome = "not run" // data or host program are missing or not understood
)

// Case is the result of one test case.
type Case struct {
	Folder, Suite, Name string
	Outcome             Outcome
	// Reason describes why a case did not pass.
	Reason string
}

// Suite describes a set of test folders.
type Suite struct {
	// Root is the checkout of pto-isa, and Arch is a3 or a5.
	Root, Arch string
	// Work is a folder for data. Data that a script made before is used again.
	Work string
	// Python runs gen_data.py.
	Python string
}

//go:embed host/isatest.hpp
var hostHeader embed.FS

// standIns are the headers that isatest.hpp replaces.
var standIns = []string{"gtest/gtest.h", "test_common.h", "string", "vector", "fstream", "iostream", "sstream", "iomanip", "filesystem", "runtime/rt.h", "runtime/rt_ffts.h", "securec.h"}

// dir returns the folder of the tests.
func (s Suite) dir() string {
	name := map[string]string{"a3": "a2a3", "a5": "a5"}[s.Arch]
	return filepath.Join(s.Root, "tests", "npu", name, "src", "st", "testcase")
}

// Folders returns the names of all test folders.
func (s Suite) Folders() ([]string, error) {
	mains, err := filepath.Glob(filepath.Join(s.dir(), "*", "main.cpp"))
	if err != nil || len(mains) == 0 {
		return nil, fmt.Errorf("%s contains no test folders", s.dir())
	}
	var names []string
	for _, m := range mains {
		names = append(names, filepath.Base(filepath.Dir(m)))
	}
	return names, nil
}

// outside matches the names of folders of queues, signals, communication and convolution.
// outsideRule describes it.
var outside = regexp.MustCompile(`^(tpushpop.*|syncall|tfa|timg2col|ttrans_conv|ttrans_3d|tprefetch_async|tload_gm2mat|tload_mix|texpands_mat)$`)

const outsideRule = "`tpushpop*`, `tfa`, `syncall`, `tprefetch_async`, and the folders whose kernels use convolution tiles:\n" +
	"`timg2col`, `ttrans_conv`, `ttrans_3d`, `tload_gm2mat`, `tload_mix`, `texpands_mat`"

// Outside reports whether a folder is about queues, signals, communication or convolution,
// which the aims of the page leave out.
func Outside(folder string) bool { return outside.MatchString(folder) }

// Run runs the cases of one folder.
func (s Suite) Run(folder string) []Case {
	all, err := s.run(folder)
	if err != nil {
		all = nil
		for _, n := range testNames(filepath.Join(s.dir(), folder)) {
			all = append(all, Case{Folder: folder, Suite: n[0], Name: n[1], Outcome: NotRun, Reason: err.Error()})
		}
	}
	return all
}

var testName = regexp.MustCompile(`(?m)^\s*TEST_F\(\s*(\w+)\s*,\s*(\w+)\s*\)`)

// testNames returns suite and name of the tests in the text of a folder, for folders that
// do not compile.
func testNames(dir string) [][2]string {
	var all [][2]string
	text, _ := os.ReadFile(filepath.Join(dir, "main.cpp"))
	for _, m := range testName.FindAllStringSubmatch(string(text), -1) {
		all = append(all, [2]string{m[1], m[2]})
	}
	return all
}

func (s Suite) run(folder string) ([]Case, error) {
	include, err := s.writeHeaders()
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(s.dir(), folder)
	target, _ := sem.ParseProfile(s.Arch)
	o := cpp.Options{Target: target, Include: []string{include, filepath.Join(s.Root, "tests", "common")}}
	m := &machine{functions: map[string]*llir.Function{}, skipped: map[string]error{}, strings: map[string]string{}, pointers: map[string][]string{}}
	main, err := compileHost(filepath.Join(dir, "main.cpp"), "#include \"isatest.hpp\"\n#line 1\n", o)
	if err != nil {
		return nil, fmt.Errorf("main.cpp does not compile: %w", err)
	}
	m.add(main)
	ks := &kernels{arch: s.Arch, refused: map[string]string{}, loaded: map[string]*kernel.Program{}}
	if err := s.readKernels(dir, o, m, ks); err != nil {
		return nil, err
	}
	data, dataErr := s.makeData(folder, dir)
	var all []Case
	for _, f := range main.Functions {
		if f.Section == "isa_test" {
			c := runTest(m, ks, f, data)
			c.Folder = folder
			if c.Outcome == Wrong && dataErr != nil {
				c.Outcome, c.Reason = NotRun, "gen_data.py failed: "+dataErr.Error()
			}
			all = append(all, c)
		}
	}
	return all, nil
}

// add makes the functions and strings of a module available.
func (m *machine) add(mod *llir.Module) {
	for _, f := range mod.Functions {
		m.functions[f.Symbol] = f
	}
	for name, err := range mod.Skipped {
		m.skipped[name] = err
	}
	for name, text := range mod.Strings {
		m.strings[name] = text
	}
	for name, list := range mod.Pointers {
		m.pointers[name] = list
	}
}

// compileHost compiles a C++ file with text before its own.
func compileHost(path, before string, o cpp.Options) (*llir.Module, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	mod, err := cpp.Compile(&ir.Source{Name: path, Text: before + string(text)}, o)
	if err != nil {
		return nil, errors.New(compilerError(err))
	}
	return mod, nil
}

var compilerLine = regexp.MustCompile(`(?m)^(.+?):(\d+):\d+: (?:fatal )?error: (.*)$`)

// compilerError returns the first error in the output of the compiler.
func compilerError(err error) string {
	if m := compilerLine.FindStringSubmatch(err.Error()); m != nil {
		return filepath.Base(m[1]) + ":" + m[2] + ": " + m[3]
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return line
}

// readKernels reads the kernel files of a folder.
func (s Suite) readKernels(dir string, o cpp.Options, m *machine, ks *kernels) error {
	files, _ := filepath.Glob(filepath.Join(dir, "*_kernel.cpp"))
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		src := &ir.Source{Name: path, Text: string(text)}
		mod, err := cpp.Compile(src, o)
		if err != nil {
			return fmt.Errorf("the kernels do not compile: %s", compilerError(err))
		}
		for _, f := range mod.Functions { // a file's own constants do not reach other files
			m.functions[f.Symbol] = f
		}
		for name, err := range mod.Skipped {
			m.skipped[name] = err
		}
		var diags ir.Diags
		read := cpp.Read(src, o, &diags)
		for _, d := range diags.All() {
			if rest, ok := strings.CutPrefix(d.Text, "kernel '"); ok {
				name, reason, _ := strings.Cut(rest, "' cannot be read: ")
				ks.refused[name] = reason
			}
		}
		if read != nil {
			ks.modules = append(ks.modules, read)
		}
	}
	return nil
}

// writeHeaders writes the declarations for host programs and returns their folder.
func (s Suite) writeHeaders() (string, error) {
	dir := filepath.Join(s.Work, "include")
	own, err := hostHeader.ReadFile("host/isatest.hpp")
	if err != nil {
		return "", err
	}
	for _, name := range append([]string{"isatest.hpp"}, standIns...) {
		text := "#pragma once\n#include \"isatest.hpp\"\n"
		if name == "isatest.hpp" {
			text = string(own)
		}
		path := filepath.Join(dir, name)
		if old, err := os.ReadFile(path); err == nil && string(old) == text {
			continue // keeps its time, on which the compiler's cache depends
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// dataLimit limits the time of gen_data.py.
const dataLimit = 10 * time.Minute

// makeData runs gen_data.py, unless its data exist, and returns the folder in which tests
// find their data in the parent folder.
func (s Suite) makeData(folder, dir string) (string, error) {
	script, err := filepath.Abs(filepath.Join(dir, "gen_data.py"))
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(script)
	if err != nil {
		return "", errors.New("gen_data.py is missing")
	}
	sum := sha256.Sum256(text)
	work := filepath.Join(s.Work, s.Arch, folder)
	mark := filepath.Join(work, "made-"+hex.EncodeToString(sum[:8]))
	tests := filepath.Join(work, "bin")
	if err := os.MkdirAll(tests, 0o755); err != nil {
		return "", err
	}
	if old, err := os.ReadFile(mark); err == nil {
		if len(old) > 0 {
			return tests, errors.New(string(old))
		}
		return tests, nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), dataLimit)
	defer cancel()
	c := exec.CommandContext(ctx, s.Python, "-B", script)
	c.Dir = work
	out, err := c.CombinedOutput()
	reason := ""
	if err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		reason = err.Error() + ": " + lines[len(lines)-1]
	}
	if werr := os.WriteFile(mark, []byte(reason), 0o644); werr != nil {
		return tests, werr
	}
	if reason != "" {
		return tests, errors.New(reason)
	}
	return tests, nil
}

// runTest interprets one test.
func runTest(program *machine, ks *kernels, f *llir.Function, dir string) (c Case) {
	m := &machine{functions: program.functions, skipped: program.skipped, strings: program.strings, pointers: program.pointers, globals: map[string]*object{}}
	h := &host{m: m, dir: dir, written: map[string][]byte{}}
	m.externals = h.functions()
	m.launch = func(k *llir.Function, args []value) { ks.run(h, k, args) }
	defer func() {
		if len(h.all) > 2 {
			c.Suite, c.Name = h.get(h.suite), h.get(h.name)
		}
		x := recover()
		switch e := x.(type) {
		case nil:
		case *refusal:
			c.Outcome, c.Reason = Refused, e.text
		case *hostFault:
			c.Outcome, c.Reason = NotRun, e.text
		default:
			panic(x)
		}
	}()
	h.add("")
	h.suite, h.name = h.add(""), h.add("")
	m.call(f, nil, 0)
	switch {
	case h.missing != "": // even if its expectations hold: they then compare nothing with nothing
		c.Outcome, c.Reason = NotRun, "gen_data.py makes no "+filepath.Base(h.missing)+" for this case"
	case h.failed > 0:
		c.Outcome, c.Reason = Wrong, strings.Join(h.differences, "; ")
		if c.Reason == "" {
			c.Reason = "an expectation does not hold"
		}
	case len(h.kernels) == 0:
		c.Outcome, c.Reason = NotRun, "the test launches no kernel"
	case h.expectations == 0:
		c.Outcome, c.Reason = NotRun, "the test expects nothing"
	default:
		c.Outcome = Passed
	}
	return c
}

// Sort orders cases by folder and name.
func Sort(all []Case) {
	slices.SortStableFunc(all, func(a, b Case) int { return strings.Compare(a.Folder, b.Folder) })
}
