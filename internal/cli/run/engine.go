// This file selects and runs the engine that executes kernels.

package run

import (
	"errors"
	"fmt"
	"sync"

	"ptogo/codegen/jit"
	"ptogo/codegen/llvm"
	isasimt "ptogo/dialect/pto/isa/simt"
	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/report"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

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
func (t *runTool) execute(prog *kernel.Program, args []*data.Arg) int {
	if t.flags.engine == engineLLVM {
		why, err := "it runs one rank", error(nil)
		if t.flags.ranks <= 1 {
			why, err = t.executeLLVM(prog, args)
		}
		if err != nil {
			return t.fault(err)
		}
		if why == "" {
			return exit.OK
		}
		fmt.Fprintf(t.Err, "%s: note: --engine=llvm falls back to --engine=go: %s\n", t.Tool, why)
	}
	return t.executeGo(prog, args)
}

// executeLLVM compiles a kernel with LLVM and runs it. If it cannot do this, the result
// why is the reason. The result ended is the error of a kernel that exceeded its time
// limit or was interrupted.
func (t *runTool) executeLLVM(prog *kernel.Program, args []*data.Arg) (why string, ended error) {
	var places llvm.Places
	code, why, err := t.compileLLVM(prog, &places)
	if code == nil {
		return why, err
	}
	defer code.Close()
	if t.flags.maxSteps != 0 {
		fmt.Fprintf(t.Err, "%s: note: --max-steps does not hold here, since compiled code does not count; --timeout does\n", t.Tool)
	}
	l := jit.Launch{Kernel: prog.Name(), Blocks: t.flags.blocks, Workers: t.flags.workers, Limit: t.flags.timeout}
	if isasimt.Combining(prog.Module) {
		l.Workers = 1
	}
	for _, a := range args {
		if a.Array != nil {
			l.Args = append(l.Args, a.Array.Data)
		} else {
			l.Args = append(l.Args, a.Value.Bits)
		}
		l.Parts = append(l.Parts, a.Value.Part)
	}
	out := printed{limit: t.flags.maxOutput}
	l.Out = &out
	stop := limit.NewStopper(t.flags.timeout, t.Cancelled)
	defer stop.End()
	l.Stop = stop.Asked
	_, err = code.Run(l)
	if f, faulted := errors.AsType[*jit.Fault](err); faulted {
		return f.Error() + "; it may say where", nil
	}
	if early, ok := errors.AsType[*jit.Ended](err); ok {
		err = t.endedAt(early, prog, &places)
	} else if errors.Is(err, jit.ErrNoSandbox) {
		return "", fmt.Errorf("--sandbox=require: %w", err)
	} else if err != nil {
		return err.Error(), nil
	}
	if !code.Confined && t.flags.sandbox == sandboxAuto {
		noteNoSandbox.Do(func() { fmt.Fprintf(t.Err, "%s: note: %s\n", t.Tool, jit.ErrNoSandbox) })
	}
	t.Out.Write(out.text)
	return "", err
}

// noteNoSandbox ensures that a process prints only one note about a missing sandbox.
var noteNoSandbox sync.Once

// endedAt returns an error for a compiled kernel that was stopped by a signal or a limit
// before its end. If the process reported which instruction was running, the result is a
// fault at this instruction, in the first core that reported one. Otherwise the error
// contains only the name of the kernel.
func (t *runTool) endedAt(e *jit.Ended, prog *kernel.Program, places *llvm.Places) error {
	why := limit.TextInterrupted
	if e.Late {
		why = fmt.Sprintf(limit.TextTimeout, t.flags.timeout)
	}
	for _, words := range e.Words {
		at, ok := places.Read(words)
		if !ok {
			continue
		}
		core := runtime.Elsewhere{Block: int(at.Block), Blocks: t.flags.blocks, Unit: at.Unit, Sub: int(at.Sub)}
		for _, r := range at.Rounds {
			core.Rounds = append(core.Rounds, runtime.Round{Loop: r.Loop, Index: r.Index})
		}
		return runtime.FaultElsewhere(at.Op, why, core)
	}
	return fmt.Errorf("kernel '%s' %s", ir.Visible(prog.Name()), why)
}

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

// compileLLVM compiles a kernel with LLVM. If that is not possible, the result why is the
// reason. If the user has ended the compilation, the result interrupted is the error.
func (t *runTool) compileLLVM(prog *kernel.Program, places *llvm.Places) (code *jit.Program, why string, interrupted error) {
	switch {
	case len(t.flags.check.kinds) > 0:
		return nil, "--check is for the Go engine only", nil
	case t.flags.observe.option() != "":
		return nil, t.flags.observe.option() + " is for the Go engine only", nil
	case t.flags.trace != "":
		return nil, "--trace is for the Go engine only", nil
	case t.flags.flush:
		return nil, "--flush-denormals is for the Go engine only", nil
	case t.flags.fill != 0:
		return nil, "--scratch-fill is for the Go engine only", nil
	}
	var diags ir.Diags
	opts := llvm.Options{Target: prog.Target, Features: prog.Features, MostInstructions: t.MostInstructions()}
	compile := jit.Compile
	if len(prog.Kernels) > 1 {
		compile = jit.CompileTogether
	}
	how := jit.Options{
		Limit: t.flags.compiling, Stop: t.Cancelled, Places: places, Sandbox: sandboxes[t.flags.sandbox],
		Note: func(text string) { fmt.Fprintf(t.Err, "%s: note: %s\n", t.Tool, text) },
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
	return code, "", nil
}
