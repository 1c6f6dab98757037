// This file selects and runs the engine that executes kernels.

package run

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"ptogo/codegen/jit"
	"ptogo/codegen/llvm"
	isasimt "ptogo/dialect/pto/isa/simt"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/report"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// engineMode selects the engine that executes kernels, and has the options of LLVM.
type engineMode struct {
	// name is one of engines, and sandbox one of sandboxModes.
	name    string
	sandbox string
	// compiling is the time limit for compiling a kernel with LLVM.
	compiling time.Duration
}

// The engines that execute kernels: the Go runtime, and code that LLVM compiles.
const (
	engineGo   = "go"
	engineLLVM = "llvm"
)

// engines are the values of --engine, which selects how kernels are executed.
var engines = []string{engineGo, engineLLVM}

// The values of --sandbox, which determine whether compiled kernels run in a sandbox:
// if possible, always, or never.
const (
	sandboxAuto    = "auto"
	sandboxRequire = "require"
	sandboxOff     = "off"
)

// sandboxModes are the values of --sandbox, which determines whether compiled kernels run
// in a sandbox.
var sandboxModes = []string{sandboxAuto, sandboxRequire, sandboxOff}

// sandboxes maps the values of --sandbox to the modes of package jit.
var sandboxes = map[string]jit.Sandbox{
	sandboxAuto: jit.SandboxAuto, sandboxRequire: jit.SandboxRequired, sandboxOff: jit.SandboxOff,
}

// execute runs the kernels on the selected engine and returns the exit code. If LLVM
// does not support a kernel, the Go engine runs it with the same result. A kernel that
// exceeded its time limit is not run again.
func (m *engineMode) execute(l *launch) int {
	if m.name == engineLLVM {
		why, err := "it runs one rank", error(nil)
		if l.flags.ranks <= 1 {
			why, err = m.executeLLVM(l)
		}
		if err != nil {
			return l.fault(err)
		}
		if why == "" {
			return exit.OK
		}
		fmt.Fprintf(l.Err, "%s: note: --engine=llvm falls back to --engine=go: %s\n", l.Tool, why)
	}
	return executeGo(l)
}

// executeLLVM compiles a kernel with LLVM and runs it. If it cannot do this, the result
// why is the reason. The result ended is the error of a kernel that exceeded its time
// limit or was interrupted.
func (m *engineMode) executeLLVM(l *launch) (why string, ended error) {
	if option := l.flags.beside("--engine=llvm"); option != "" {
		return option + " is for the Go engine only", nil
	}
	k, why, err := m.compile(l.host, l.prog, l.flags.blocks)
	if k == nil {
		return why, err
	}
	defer k.code.Close()
	m.noteSteps(l.host)
	how := jit.Launch{Limit: l.flags.timeout}
	for _, a := range l.args {
		if a.Array != nil {
			how.Args = append(how.Args, a.Array.Data)
		} else {
			how.Args = append(how.Args, a.Value.Bits)
		}
		how.Parts = append(how.Parts, a.Value.Part)
	}
	stop := l.stopper()
	defer stop.End()
	how.Stop = stop.Asked
	return k.run(l.host, how)
}

// noteSteps prints a note if the command line limits the steps of a kernel.
func (m *engineMode) noteSteps(h *host) {
	if h.flags.maxSteps != 0 {
		fmt.Fprintf(h.Err, "%s: note: --max-steps does not hold here, since compiled code does not count; --timeout does\n", h.Tool)
	}
}

// compiledKernel is a kernel that LLVM has compiled for launches with a number of blocks.
type compiledKernel struct {
	code   *jit.Program
	places llvm.Places
	prog   *kernel.Program
	blocks int
	// inOrder means that the blocks run one after the other.
	inOrder bool
}

// run executes the kernel with the arguments and limits in how. If it cannot do this, the
// result why is the reason, and the arguments are unchanged. The result ended is the error of
// a kernel that exceeded its time limit or was interrupted.
func (k *compiledKernel) run(h *host, how jit.Launch) (why string, ended error) {
	how.Kernel, how.Blocks, how.Workers = k.prog.Name(), k.blocks, h.flags.workers
	if k.inOrder {
		how.Workers = 1
	}
	out := printed{limit: h.flags.maxOutput}
	how.Out = &out
	_, err := k.code.Run(how)
	if f, faulted := errors.AsType[*jit.Fault](err); faulted {
		return f.Error() + "; it may say where", nil
	}
	sandbox := h.flags.engine.sandbox
	if early, ok := errors.AsType[*jit.Ended](err); ok {
		err = k.endedAt(h, early)
	} else if errors.Is(err, jit.ErrNoSandbox) {
		return "", fmt.Errorf("--sandbox=require: %w", err)
	} else if err != nil {
		return err.Error(), nil
	}
	if !k.code.Confined && sandbox == sandboxAuto {
		noteNoSandbox.Do(func() { fmt.Fprintf(h.Err, "%s: note: %s\n", h.Tool, jit.ErrNoSandbox) })
	}
	h.Out.Write(out.text)
	return "", err
}

// endedAt returns an error for a compiled kernel that was stopped by a signal or a limit
// before its end. If the process reported which instruction was running, the result is a
// fault at this instruction, in the first core that reported one. Otherwise the error
// contains only the name of the kernel.
func (k *compiledKernel) endedAt(h *host, e *jit.Ended) error {
	why := limit.TextInterrupted
	if e.Late {
		why = fmt.Sprintf(limit.TextTimeout, h.flags.timeout)
	}
	for _, words := range e.Words {
		at, ok := k.places.Read(words)
		if !ok {
			continue
		}
		core := runtime.Elsewhere{Block: int(at.Block), Blocks: k.blocks, Unit: at.Unit, Sub: int(at.Sub)}
		for _, r := range at.Rounds {
			core.Rounds = append(core.Rounds, runtime.Round{Loop: r.Loop, Index: r.Index})
		}
		return runtime.FaultElsewhere(at.Op, why, core)
	}
	return fmt.Errorf("kernel '%s' %s", ir.Visible(k.prog.Name()), why)
}

// compile compiles the kernel of prog with LLVM. If that is not possible, the result why is
// the reason. If the user has ended the compilation, the result interrupted is the error.
func (m *engineMode) compile(h *host, prog *kernel.Program, blocks int) (k *compiledKernel, why string, interrupted error) {
	k = &compiledKernel{prog: prog, blocks: blocks, inOrder: isasimt.Combining(prog.Module)}
	var diags ir.Diags
	opts := llvm.Options{Target: prog.Target, MostInstructions: h.MostInstructions()}
	compile := jit.Compile
	if len(prog.Kernels) > 1 {
		compile = jit.CompileTogether
	}
	how := jit.Options{
		Limit: m.compiling, Stop: h.Cancelled, Places: &k.places, Sandbox: sandboxes[m.sandbox],
		Note: func(text string) { fmt.Fprintf(h.Err, "%s: note: %s\n", h.Tool, text) },
	}
	code, err := compile(prog.Module, prog.Kernels, opts, how, &diags)
	switch {
	case errors.Is(err, jit.ErrStopped):
		return nil, "", err
	case errors.Is(err, jit.ErrNoLLVM), errors.Is(err, jit.ErrCache):
		return nil, err.Error(), nil
	case err != nil:
		return nil, "the generated code does not compile: " + err.Error(), nil
	case code == nil:
		return nil, report.FirstLine(diags.All()[0].Format()), nil
	}
	k.code = code
	return k, "", nil
}

// noteNoSandbox ensures that a process prints only one note about a missing sandbox.
var noteNoSandbox sync.Once

// printed buffers the output of a compiled kernel. If the compiled code faults, the Go
// engine runs the kernel again from the start to explain the fault, and produces the same
// output. The buffered output is therefore printed only when a second run is not needed.
type printed struct {
	text  []byte
	limit limit.Bytes
}

// Write implements io.Writer and appends b to the collected output of the kernel. It
// returns an error if the output would then exceed the limit of --max-output.
func (p *printed) Write(b []byte) (int, error) {
	if len(p.text)+len(b) > int(p.limit) {
		return 0, fmt.Errorf("the kernel prints more than %s, the limit of --max-output", &p.limit)
	}
	p.text = append(p.text, b...)
	return len(b), nil
}
