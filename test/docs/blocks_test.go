package docs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// root is the folder of the project.
const root = "../.."

// block is a fenced code block of a page.
type block struct {
	kind  string            // first word after the fence
	words map[string]string // the words KEY=VALUE after it
	line  int               // of the opening fence, from 1
	text  string
}

// blocksOf returns the code blocks of a page.
func blocksOf(t *testing.T, page string) []block {
	t.Helper()
	var all []block
	var open *block
	for i, line := range lines(t, page) {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case fence && open == nil:
			open = &block{line: i + 1, words: map[string]string{}}
			for n, word := range strings.Fields(info) {
				if key, value, ok := strings.Cut(word, "="); ok {
					open.words[key] = value
				} else if n == 0 {
					open.kind = word
				} else {
					t.Errorf("%s:%d: the word %q is not of the form KEY=VALUE", page, i+1, word)
				}
			}
		case fence:
			all = append(all, *open)
			open = nil
		case open != nil:
			open.text += line + "\n"
		}
	}
	if open != nil {
		t.Errorf("%s:%d: the block has no end", page, open.line)
	}
	return all
}

// lines returns the lines of a file below the root.
func lines(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// pages returns the pages that people write, relative to the root. The
// reference pages of instructions are made from the definitions, whose examples
// package test/definitions runs.
func pages(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/tutorial/*.md", "docs/measurements/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: no pages, %v", pattern, err)
		}
		for _, p := range found {
			rel, err := filepath.Rel(root, p)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, filepath.ToSlash(rel))
		}
	}
	return all
}

// TestBlocks runs the code blocks of every page.
func TestBlocks(t *testing.T) {
	bin := t.TempDir()
	build := exec.Command("go", "build", "-ldflags=-w", "-o", bin+string(filepath.Separator), "./cmd/...", ".")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sources := excerptsFrom(t, ".go")
	kernels := excerptsFrom(t, ".pto")
	for _, page := range pages(t) {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			dir := checkout(t)
			for _, b := range blocksOf(t, page) {
				at := fmt.Sprintf("%s:%d", page, b.line)
				if why := b.missing(dir, bin); why != "" {
					t.Logf("%s: skipped, needs %s", at, why)
					continue
				}
				if script := b.words["runs"]; script != "" {
					checkScript(t, at, b, script)
					continue
				}
				switch b.kind {
				case "sh":
					if out, code := shell(dir, bin, "set -e\n"+b.text); code != 0 {
						t.Errorf("%s: exit code %d\n%s", at, code, out)
					}
				case "console":
					checkConsole(t, at, dir, bin, b.text)
				case "pto", "mlir":
					if !contains(kernels, b.text) {
						check := filepath.Join(dir, "block.pto")
						if err := os.WriteFile(check, []byte(b.text), 0o600); err != nil {
							t.Fatal(err)
						}
						if out, code := shell(dir, bin, "pto-opt block.pto -o /dev/null"); code != 0 {
							t.Errorf("%s: pto-opt rejects the block, and no kernel contains it:\n%s", at, out)
						}
					}
				case "python":
					checkPython(t, at, dir, bin, b.text)
				case "go":
					if !contains(sources, b.text) {
						t.Errorf("%s: no Go file contains the block", at)
					}
				case "json":
					for line := range strings.Lines(b.text) {
						if !json.Valid([]byte(line)) {
							t.Errorf("%s: not JSON: %s", at, line)
						}
					}
				case "cpp": // a file that later blocks of the page use
					if err := os.WriteFile(filepath.Join(dir, b.words["file"]), []byte(b.text), 0o600); err != nil {
						t.Errorf("%s: needs file=NAME after cpp: %v", at, err)
					}
				case "text":
				default:
					t.Errorf("%s: a block of kind %q, which package docs does not define", at, b.kind)
				}
			}
		})
	}
}

// missing returns the first thing that the block needs and that is not here, or "".
func (b block) missing(dir, bin string) string {
	for _, need := range strings.Split(b.words["needs"], ",") {
		name, variable := strings.CutPrefix(need, "$")
		module, isModule := strings.CutPrefix(need, "py:")
		switch {
		case need == "":
		case variable:
			if os.Getenv(name) == "" {
				return need
			}
		case isModule: // of any version, or of a version from X.Y on, as in py:torch>=2.4
			module, version, _ := strings.Cut(module, ">=")
			test := "import " + module
			if version != "" {
				test += "; assert [int(n) for n in " + module + ".__version__.split('.')[:2]] >= [" + strings.ReplaceAll(version, ".", ", ") + "]"
			}
			if python() == "" || exec.Command(python(), "-c", test).Run() != nil {
				return "Python module " + strings.TrimPrefix(need, "py:")
			}
		default:
			if _, code := shell(dir, bin, "command -v "+need); code != 0 {
				return need
			}
		}
	}
	if b.kind == "python" && python() == "" {
		return "Python with numpy"
	}
	return ""
}

// checkout returns a new folder that shows the files of the project, in which
// commands may write.
func checkout(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	abs, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(abs)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if err := os.Symlink(filepath.Join(abs, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			t.Skipf("needs symbolic links: %v", err)
		}
	}
	return dir
}

// goRun matches how pages start a tool without installing it. The command in the root
// folder has the name of the module.
var goRun = regexp.MustCompile(`go run \.(/cmd/| )`)

// goInstall matches how pages install a tool.
var goInstall = regexp.MustCompile(`go install \./cmd/`)

// installed replaces "go run ./cmd/pto-run" by "pto-run", "go run ." by "ptogo", and the
// installation of a tool by a search for it: the folder of a page is another one each
// time, so that Go would compile all packages again.
func installed(script string) string {
	script = goInstall.ReplaceAllString(script, "command -v ")
	return goRun.ReplaceAllStringFunc(script, func(start string) string {
		if strings.HasSuffix(start, "/") {
			return ""
		}
		return "ptogo "
	})
}

// shell runs a script with the built tools on the path, and returns what it
// prints to both of its outputs, and its exit code. pto-run starts the Python that
// PYTHON names.
func shell(dir, bin, script string) (string, int) {
	cmd := exec.Command("sh", "-c", installed(script))
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "PYTHON="+python())
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		return err.Error(), -1
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// checkConsole runs the commands of a console block and compares what they
// print with what the page shows.
func checkConsole(t *testing.T, at, dir, bin, text string) {
	t.Helper()
	for _, part := range strings.Split("\n"+text, "\n$ ")[1:] {
		command, rest, _ := strings.Cut(part, "\n")
		for strings.HasSuffix(command, "\\") {
			var more string
			more, rest, _ = strings.Cut(rest, "\n")
			command += "\n" + more
		}
		out, code := shell(dir, bin, command)
		if code != 0 {
			out = strings.TrimSuffix(out, "\n") + fmt.Sprintf("\n[exit code %d]\n", code)
		}
		got, want := split(out), split(rest)
		if !matches(want, got) {
			t.Errorf("%s: %s\nprints:\n%s\nthe page shows:\n%s", at, command, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// split returns the lines of a text without spaces at their ends, and without
// empty lines at the end.
func split(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		all = append(all, strings.TrimRight(line, " \n"))
	}
	for len(all) > 0 && all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// matches reports whether lines equal those of a pattern, in which "..." stands
// for any number of lines.
func matches(pattern, lines []string) bool {
	for i, want := range pattern {
		if strings.TrimSpace(want) == "..." {
			for skip := i; skip <= len(lines); skip++ {
				if matches(pattern[i+1:], lines[skip:]) {
					return true
				}
			}
			return false
		}
		if i >= len(lines) || lines[i] != want {
			return false
		}
	}
	return len(lines) == len(pattern)
}

// checkScript requires that a script of the project contains every command of a block.
func checkScript(t *testing.T, at string, b block, script string) {
	t.Helper()
	commands := lines(t, script)
	for i, c := range commands {
		commands[i] = strings.TrimSpace(c)
	}
	for _, c := range split(b.text) {
		if command, _, _ := strings.Cut(c, "  #"); !slices.Contains(commands, strings.TrimSpace(command)) {
			t.Errorf("%s: %s does not run %q", at, script, command)
		}
	}
}

// python returns a Python that has numpy, or "".
func python() string {
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(name, "-c", "import numpy").Run() == nil {
			return name
		}
	}
	return ""
}

// checkPython runs a Python block with the built tools.
func checkPython(t *testing.T, at, dir, bin, text string) {
	t.Helper()
	cmd := exec.Command(python(), "-c", text)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PYTHONPATH=python", "PYTHONDONTWRITEBYTECODE=1",
		"PTO_RUN="+filepath.Join(bin, "pto-run"), "PTO_OPT="+filepath.Join(bin, "pto-opt"))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", at, err, out)
	}
}

// excerptsFrom returns the texts of all files with a suffix, as contains needs them.
func excerptsFrom(t *testing.T, suffix string) [][]byte {
	t.Helper()
	var all [][]byte
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, suffix) {
			return err
		}
		text, err := os.ReadFile(path)
		all = append(all, unindented(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// unindented returns a text without the spaces around its lines and without
// empty lines, so that an excerpt may have another indentation.
func unindented(text []byte) []byte {
	out := []byte{'\n'}
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			out = append(append(out, line...), '\n')
		}
	}
	return out
}

// contains reports whether one of the texts contains an excerpt.
func contains(texts [][]byte, excerpt string) bool {
	want := unindented([]byte(excerpt))
	return slices.ContainsFunc(texts, func(text []byte) bool { return bytes.Contains(text, want) })
}
