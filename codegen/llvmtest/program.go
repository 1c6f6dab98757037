package llvmtest

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ptogo/codegen/jit"
)

// Func describes a function to the program around it.
type Func = jit.Func

// Fault is the error of a kernel that did not return.
type Fault = jit.Fault

// Program is a process that runs kernels.
type Program struct {
	p   *jit.Program
	Out io.Writer // receives what kernels print; nil discards it
}

// patience is how long the tools may take: machines that run tests are busy.
const patience = 10 * time.Minute

// Cache is the folder of the programs of tests: what neither code generation
// nor the tools have changed need not be compiled again.
func Cache() string {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	return filepath.Join(base, "ptogo", "llvm-tests")
}

// Build makes a program of LLVM IR whose functions fns describes. Level is
// the optimization level, "0" to "3".
func Build(t testing.TB, text string, fns []Func, level string) *Program {
	t.Helper()
	p, err := jit.Build(text, fns, jit.Options{Level: level, Cache: Cache(), Limit: patience})
	switch {
	case errors.Is(err, jit.ErrNoLLVM):
		t.Skip(err)
	case err != nil:
		t.Fatalf("%v\n%s", err, numbered(text))
	}
	t.Cleanup(p.Close)
	return &Program{p: p}
}

// Run launches a function on a number of blocks. Buffers ([]byte) are changed
// in place; scalars are their bits as uint64. The error is a *Fault if the
// kernel did not return.
func (p *Program) Run(name string, blocks int, args ...any) error {
	_, err := p.p.Run(jit.Launch{Kernel: name, Blocks: blocks, Args: args, Out: p.Out})
	return err
}
