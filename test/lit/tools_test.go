package lit_test

import (
	"io"
	"os/exec"
	"testing"

	"ptogo/internal/cli"
	"ptogo/internal/filecheck"
	"ptogo/internal/lit"
)

// mainFunc is a command of ours as a function.
type mainFunc func(args []string, stdin io.Reader, stdout, stderr io.Writer) int

// ours are the commands RUN lines can use, beside FileCheck and roundtrip.
var ours = map[string]mainFunc{
	"pto-opt": cli.Opt,
	"ptoas":   ptoas,
	"pto-run": cli.Run,
}

// ptoas is pto-opt under the name of the public assembler.
func ptoas(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.OptAs("/usr/bin/ptoas", args, stdin, stdout, stderr)
}

// external are programs of others. A test that needs one says REQUIRES: and
// the name; in RUN lines it has the plain name or the first of its file names.
var external = []struct {
	name     string
	features []string
	files    []string // looked for on PATH in this order
}{
	{"opt", []string{"opt", "llvm"}, []string{"opt-19", "opt"}},
	{"llc", []string{"llc"}, []string{"llc-19", "llc"}},
	{"lli", []string{"lli"}, []string{"lli-19", "lli"}},
	{"clang", []string{"clang"}, []string{"clang-19", "clang"}},
	{"mlir-opt", []string{"mlir-opt"}, []string{"mlir-opt-19", "mlir-opt"}},
}

// config is what the tests find around them.
func config(t *testing.T) lit.Config {
	cfg := lit.Config{
		Tools:    map[string]lit.Tool{"FileCheck": fileCheck(t), "filecheck": fileCheck(t), "roundtrip": roundtrip},
		Programs: map[string]string{},
		Features: map[string]bool{},
	}
	for name, f := range ours {
		cfg.Tools[name] = func(args, _ []string, stdin io.Reader, stdout, stderr io.Writer) int {
			return f(args, stdin, stdout, stderr)
		}
	}
	for _, e := range external {
		for _, file := range e.files {
			path, err := exec.LookPath(file)
			if err != nil {
				continue
			}
			cfg.Programs[e.name], cfg.Programs[e.files[0]] = path, path
			for _, feature := range e.features {
				cfg.Features[feature] = true
			}
			break
		}
	}
	return cfg
}

// fileCheck is our FileCheck. Where LLVM's is found it judges the same input,
// and a difference fails the test.
func fileCheck(t *testing.T) lit.Tool {
	llvm, err := exec.LookPath("FileCheck-19")
	if err != nil || testing.Short() {
		return func(args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
			return filecheck.RunIn(lit.Getenv(env, "PWD"), args, stdin, stdout, stderr)
		}
	}
	return func(args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
		return agreeing(t, llvm, args, env, stdin, stdout, stderr)
	}
}
