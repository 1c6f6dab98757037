package cpptest

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/cpp"
	"ptogo/internal/cli"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
)

// wait matches a line that waits for loaded data before the vector unit reads it.
var wait = regexp.MustCompile(`(?m)^ *wait_flag\(PIPE_MTE2, PIPE_V, EVENT_ID0\);`)

// waitKernels is the number of kernels from which TestDeviceTestsWithoutWait removes a wait.
const waitKernels = 10

// TestDeviceTestsWithoutWait removes a wait_flag from kernels of the library's device tests.
// The race checker and the static proof must find the race, at a line of the C++ that follows
// the wait. Before, both must find nothing.
func TestDeviceTestsWithoutWait(t *testing.T) {
	root := os.Getenv(variable)
	if root == "" || !cpp.Available() {
		t.Skip(errNone)
	}
	files, err := filepath.Glob(filepath.Join(root, "tests/npu/a2a3/src/st/testcase/*/*_kernel.cpp"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(text, []byte("PIPE_MTE2, PIPE_S")) {
			continue // the scalar unit waits for the data, and starts the instructions after it
		}
		if found == waitKernels || !wait.Match(text) || !Filter().MatchString(filepath.Base(path)) {
			continue
		}
		w := &waitTest{name: path, include: filepath.Join(root, "tests/common")}
		if !w.prepare(string(text)) {
			continue
		}
		found++
		at := wait.FindIndex(text)
		line := 1 + bytes.Count(text[:at[0]], []byte("\n"))
		changed := string(text[:at[0]]) + string(text[at[1]:])
		file := filepath.Join(t.TempDir(), filepath.Base(path))
		if err := os.WriteFile(file, []byte(changed), 0o644); err != nil {
			t.Fatal(err)
		}
		w.name = file
		for how, output := range map[string]string{"--check=race": w.check(), "--verify-sync": w.prove()} {
			place := raceLine(output, filepath.Base(path))
			if place <= line {
				t.Errorf("%s without the wait in line %d: %s reports no race in a later line:\n%s", filepath.Base(path), line, how, output)
			}
			t.Logf("%s without the wait in line %d: %s reports a race in line %d", filepath.Base(path), line, how, place)
		}
	}
	if found < waitKernels && Filter().String() == "" {
		t.Errorf("only %d kernels", found)
	}
}

// waitTest is a kernel of a C++ file with arguments.
type waitTest struct {
	name, include, kernel string
	args                  []string
}

// prepare chooses the first kernel of the file that runs on made-up arguments and in which
// neither the race checker nor the static proof finds anything. It returns false if there is
// none.
func (w *waitTest) prepare(text string) bool {
	var diags ir.Diags
	m := cpp.Read(&ir.Source{Name: w.name, Text: text}, cpp.Options{Target: sem.A3, Include: []string{w.include}}, &diags)
	if m == nil {
		return false
	}
	src := &ir.Source{Name: w.name, Text: string(ir.Bytes(m, ir.PrintOptions{}))}
	for _, name := range kernelNames(src.Text) {
		prog, err := kernel.Load(src, kernel.Options{Arch: "a3", Kernel: name})
		if err != nil {
			continue
		}
		w.kernel, w.args = name, nil
		for _, spec := range data.MadeUp(prog) {
			w.args = append(w.args, "--arg="+spec)
		}
		_, code := w.run(cli.Run, append(w.args, "--check=race")...)
		if code != 0 {
			continue
		}
		_, code = w.run(cli.Opt, "--verify-sync=strict", "-o", os.DevNull)
		return code == 0
	}
	return false
}

var kernelName = regexp.MustCompile(`func\.func @"?([^"(]+)"?\(`)

// kernelNames returns the names of the functions in a program.
func kernelNames(text string) (names []string) {
	for _, m := range kernelName.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	return names
}

// check returns what the race checker prints.
func (w *waitTest) check() string {
	out, _ := w.run(cli.Run, append(w.args, "--check=race")...)
	return out
}

// prove returns what the static proof prints.
func (w *waitTest) prove() string {
	out, _ := w.run(cli.Opt, "--verify-sync", "--max-errors=0", "-o", os.DevNull)
	return out
}

// run executes a tool on the kernel, and returns its output and its exit code.
func (w *waitTest) run(tool func([]string, io.Reader, io.Writer, io.Writer) int, options ...string) (string, int) {
	var out bytes.Buffer
	args := append([]string{w.name, "-I", w.include}, options...)
	if w.args != nil && strings.HasPrefix(options[0], "--arg=") {
		args = append(args, "--kernel="+w.kernel)
	}
	code := tool(args, strings.NewReader(""), &out, &out)
	return out.String(), code
}

// raceLine returns the first line of a file at which the output reports a race, or 0.
func raceLine(output, file string) int {
	m := regexp.MustCompile(fmt.Sprintf(`%s:(\d+):\d+: error: \[race\]`, regexp.QuoteMeta(file))).FindStringSubmatch(output)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}
