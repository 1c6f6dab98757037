package examples

import (
	"bytes"
	"encoding/binary"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/internal/cli"
)

// root is the folder of the project, from which commands are written.
const root = "../.."

// TestCommands runs the pto-run commands in the comments of the examples.
func TestCommands(t *testing.T) {
	t.Chdir(root)
	for _, pattern := range []string{"examples/*.pto", "examples/level2/*.pto", "examples/tutorial/*.pto"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no files, %v", pattern, err)
		}
		for _, file := range files {
			commands := commandsIn(t, file)
			if len(commands) == 0 {
				t.Errorf("%s has no command that runs it", file)
			}
			for _, c := range commands {
				run(t, cli.Run, strings.Fields(c)[1:]...)
			}
		}
	}
}

// TestNoWarnings reads all examples: a warning about a right program would teach users not
// to read warnings.
func TestNoWarnings(t *testing.T) {
	t.Chdir(root)
	read := 0
	err := fs.WalkDir(os.DirFS("examples"), ".", func(path string, _ fs.DirEntry, err error) error {
		if filepath.Ext(path) != ".pto" || err != nil {
			return err
		}
		var errs strings.Builder
		if code := cli.Opt([]string{filepath.Join("examples", path), "-o", os.DevNull}, nil, io.Discard, &errs); code == 0 && errs.Len() > 0 {
			t.Errorf("%s: %s", path, errs.String())
		}
		read++
		return nil
	})
	if err != nil || read == 0 {
		t.Fatal(read, err)
	}
}

// commandsIn returns the pto-run commands in the comments of a kernel.
func commandsIn(t *testing.T, file string) []string {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	joined := strings.NewReplacer("\\\n//  ", " ", "\\\n", " ").Replace(string(text))
	var commands []string
	for line := range strings.Lines(joined) {
		line = strings.TrimLeft(line, "/ ")
		if strings.HasPrefix(line, "pto-run examples/") {
			commands = append(commands, strings.TrimSpace(line))
		}
	}
	return commands
}

// TestLevelsAgree runs the tile kernels that stand there twice: the one of Level
// 1, taken to Level 2, gives the bits of the one that was written at Level 2.
func TestLevelsAgree(t *testing.T) {
	t.Chdir(root)
	files, err := filepath.Glob("examples/level2/*.pto")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files, %v", err)
	}
	for _, file := range files {
		one := filepath.Join("examples", filepath.Base(file))
		lowered := filepath.Join(t.TempDir(), filepath.Base(file))
		run(t, cli.Opt, one, "--pto-bufferize", "-o", lowered)
		for _, c := range commandsIn(t, file) {
			for i, want := range outputs(t, c, file) {
				if got := outputs(t, c, lowered)[i]; !bytes.Equal(got, want) {
					t.Errorf("output %d of %s, bufferized, differs from that of Level 2:\n%s", i, one, c)
				}
			}
		}
	}
}

// outputs runs a command on a file, and returns what it writes to the arguments
// that start as zeros.
func outputs(t *testing.T, command, file string) [][]byte {
	t.Helper()
	words := strings.Fields(command)
	args := []string{file}
	var paths []string
	for i := 2; i < len(words); i++ {
		word := words[i]
		if word == "--expect" {
			i++
			continue
		}
		if shape, ok := strings.CutPrefix(word, "zeros="); ok {
			paths = append(paths, filepath.Join(t.TempDir(), "out.bin"))
			word = "out=" + paths[len(paths)-1] + ":" + shape
		}
		args = append(args, word)
	}
	run(t, cli.Run, args...)
	var contents [][]byte
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil || len(bytes.Trim(b, "\x00")) == 0 {
			t.Fatalf("%s wrote nothing: %v", command, err)
		}
		contents = append(contents, b)
	}
	return contents
}

// run runs a tool, which must not fail.
func run(t *testing.T, tool func(args []string, in io.Reader, out, errs io.Writer) int, args ...string) {
	t.Helper()
	var out, errs bytes.Buffer
	if code := tool(args, strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("exit code %d of %s\n%s%s", code, strings.Join(args, " "), out.String(), errs.String())
	}
}

// TestReferences makes the expected values again with numpy.
func TestReferences(t *testing.T) {
	python := withNumpy()
	if python == "" {
		t.Skip("needs python3 with numpy")
	}
	dir := t.TempDir()
	if out, err := exec.Command(python, "-B", root+"/examples/ref/all.py", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	made, _ := os.ReadDir(dir)
	kept, _ := os.ReadDir(root + "/examples/expected")
	if len(made) != len(kept) {
		t.Errorf("scripts make %d files, but %d are kept", len(made), len(kept))
	}
	for _, f := range made {
		want, _ := os.ReadFile(filepath.Join(dir, f.Name()))
		got, _ := os.ReadFile(filepath.Join(root, "examples", "expected", f.Name()))
		if !sameNumbers(got, want) {
			t.Errorf("examples/expected/%s is not what its script makes", f.Name())
		}
	}
}

// withNumpy finds a Python that has numpy.
func withNumpy() string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import numpy").Run() == nil {
			return python
		}
	}
	return ""
}

// headerSize is that of the .npy files of small arrays.
const headerSize = 128

// sameNumbers compares two .npy files; sums of floats may differ in the last
// bits from one numpy to another.
func sameNumbers(a, b []byte) bool {
	if len(a) != len(b) || len(a) < headerSize || !bytes.Equal(a[:headerSize], b[:headerSize]) {
		return false
	}
	if !bytes.Contains(a[:headerSize], []byte("<f4")) {
		return bytes.Equal(a, b)
	}
	for i := headerSize; i < len(a); i += 4 {
		x := math.Float32frombits(binary.LittleEndian.Uint32(a[i:]))
		y := math.Float32frombits(binary.LittleEndian.Uint32(b[i:]))
		if math.Abs(float64(x-y)) > 1e-5*(1+math.Abs(float64(y))) {
			return false
		}
	}
	return true
}
