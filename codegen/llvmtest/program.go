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

// Func describes a compiled function: its name and the C types of its parameters.
type Func = jit.Func

// Fault is the error of a kernel that crashed instead of returning.
type Fault = jit.Fault

// Program is a process that runs compiled kernels for tests.
type Program struct {
	p *jit.Program
	// Out receives what kernels print; nil discards it.
	Out io.Writer
}

// patience is the time limit for the LLVM tools. It is long, because machines that run
// tests are busy.
const patience = 10 * time.Minute

// Cache returns the folder in which tests store compiled programs. A program is compiled
// again only if the generated code or the LLVM tools have changed.
func Cache() string {
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	return filepath.Join(base, "ptogo", "llvm-tests")
}

// Build compiles the LLVM IR text to a program for tests. The parameter fns describes the
// functions that tests call, and level is the optimization level, "0" to "3".
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

// Run launches the function with the given name on the given number of blocks. The
// arguments are buffers ([]byte), which are changed in place, and the bits of scalars as
// uint64. The error is a *Fault if the kernel crashed.
func (p *Program) Run(name string, blocks int, args ...any) error {
	_, err := p.p.Run(jit.Launch{Kernel: name, Blocks: blocks, Args: args, Out: p.Out})
	return err
}
