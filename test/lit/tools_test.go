package lit_test

import (
	"io"
	"os/exec"
	"sync"
	"testing"

	"ptogo/codegen/jit"
	"ptogo/frontend/cpp"
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

// outsiders are the programs of LLVM that RUN lines can use, with their paths, and the
// features of this machine. A program is a feature too, and also has its name with -19. The
// search runs once, because it executes the programs to ask for their versions.
var outsiders = sync.OnceValue(func() (o struct {
	programs map[string]string
	features map[string]bool
}) {
	o.programs = map[string]string{}
	o.features = map[string]bool{"llvm": jit.Available(), "clang": cpp.Available()}
	for _, name := range []string{"opt", "llc", "lli", "mlir-opt"} {
		if path, ok := jit.Find(name); ok {
			o.programs[name], o.programs[name+"-19"] = path, path
			o.features[name] = true
		}
	}
	return o
})

// config is what the tests find around them.
func config(t *testing.T) lit.Config {
	cfg := lit.Config{
		Tools:    map[string]lit.Tool{"FileCheck": fileCheck(t), "filecheck": fileCheck(t), "roundtrip": roundtrip},
		Programs: outsiders().programs,
		Features: outsiders().features,
	}
	for name, f := range ours {
		cfg.Tools[name] = func(args, _ []string, stdin io.Reader, stdout, stderr io.Writer) int {
			return f(args, stdin, stdout, stderr)
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
