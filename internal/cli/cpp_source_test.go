package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ptogo/frontend/cpp"
	"ptogo/internal/cli/clitest"
	"ptogo/internal/cli/exit"
)

// notReadBack lists the examples whose C++ is not read back, with a part of the message
// that says why: they cannot be written as C++, neither here nor by the public compiler.
var notReadBack = map[string]string{
	"cube_gemm": "is a micro instruction", "mixed_attention": "is a micro instruction",
	"ratio": "is a micro instruction", "vector_softmax": "is a micro instruction",
}

// TestCppRoundTrip writes every example as C++, reads it back, and runs both programs with
// the arguments that the example's comment shows: the results must have the same bytes.
func TestCppRoundTrip(t *testing.T) {
	if !cpp.Available() {
		t.Skip("clang is not installed")
	}
	t.Chdir("../..")
	files, err := filepath.Glob("examples/*.pto")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d examples: %v", len(files), err)
	}
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".pto")
		t.Run(name, func(t *testing.T) {
			if err := roundTrip(t, path); err == nil && notReadBack[name] != "" {
				t.Error("the example is read back: remove it from notReadBack")
			} else if err != nil && (notReadBack[name] == "" || !strings.Contains(err.Error(), notReadBack[name])) {
				t.Error(err)
			}
		})
	}
}

// roundTrip returns an error if the C++ of the program in the file path cannot be written
// or read, or computes other bytes.
func roundTrip(t *testing.T, path string) error {
	dir := t.TempDir()
	for i, command := range clitest.CommandsOf(t, path) {
		emit := []string{"--emit=cpp", "--cpp-launch", path, "-o", filepath.Join(dir, "kernel.cpp")}
		arch := ""
		for k, word := range command {
			if word == "--pto-arch" && k+1 < len(command) {
				arch = "--pto-arch=" + command[k+1]
			} else if strings.HasPrefix(word, "--pto-arch=") {
				arch = word
			}
		}
		if text, err := os.ReadFile(path); err == nil && arch == "" && bytes.Contains(text, []byte(`target_arch = "a5"`)) {
			arch = "--pto-arch=a5"
		}
		if arch != "" {
			emit = append(emit, arch)
		}
		var stderr bytes.Buffer
		if code := Opt(emit, strings.NewReader(""), &bytes.Buffer{}, &stderr); code != exit.OK {
			return fmt.Errorf("emission: %s", stderr.String())
		}
		var results [2]map[string]string
		for k, file := range []string{path, filepath.Join(dir, "kernel.cpp")} {
			var err error
			if results[k], err = bytesOf(command, file, arch, filepath.Join(dir, fmt.Sprint(i, k))); err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
		}
		if len(results[0]) == 0 {
			return fmt.Errorf("command %d has no output argument", i)
		}
		for file, want := range results[0] {
			if results[1][file] != want {
				return fmt.Errorf("command %d: output %s differs", i, file)
			}
		}
	}
	return nil
}

// bytesOf runs the program in the file path with the arguments of a command, and returns
// the contents of its output arguments. Files with the prefix receive them.
func bytesOf(command []string, path, arch, prefix string) (map[string]string, error) {
	var args []string
	var outputs []string
	for _, word := range command {
		switch {
		case strings.HasSuffix(word, ".pto"):
			word = path
		case strings.HasPrefix(word, "zeros="):
			outputs = append(outputs, fmt.Sprintf("%s.%d.npy", prefix, len(outputs)))
			word = "out=" + outputs[len(outputs)-1] + ":" + strings.TrimPrefix(word, "zeros=")
		case word == "--print":
			continue
		}
		args = append(args, word)
	}
	if arch != "" {
		args = append(args, arch)
	}
	if code, _, stderr := runKernel(args...); code != exit.OK {
		return nil, fmt.Errorf("exit code %d: %s", code, stderr)
	}
	results := map[string]string{}
	for i, file := range outputs {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		results[fmt.Sprint(i)] = string(data)
	}
	return results, nil
}

// runKernel runs pto-run without standard input.
func runKernel(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = Run(args, strings.NewReader(""), &out, &err)
	return code, out.String(), err.String()
}
