package cli

import (
	"errors"
	"fmt"
	"strings"

	"ptogo/codegen"
	"ptogo/codegen/jit"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/kernel"
)

// The engines that execute kernels.
const (
	engineGo   = "go"
	engineLLVM = "llvm"
)

var engines = []string{engineGo, engineLLVM}

// execute runs kernels on the chosen engine. What LLVM cannot do here, the Go
// engine does: the result is the same. A kernel that does not end is not tried
// again.
func (t *runTool) execute(prog *kernel.Program, args []*kernelArg) int {
	if t.flags.engine == engineLLVM {
		why, err := t.executeLLVM(prog, args)
		if err != nil {
			t.fail("%v", err)
			return exitFault
		}
		if why == "" {
			return exitOK
		}
		fmt.Fprintf(t.err, "%s: note: --engine=llvm gives way to --engine=go: %s\n", t.tool, why)
	}
	return t.executeGo(prog, args)
}

// errInterrupted is the error of a launch that somebody ended by Ctrl-C.
var errInterrupted = errors.New("the launch was interrupted; compiled code does not tell where it was, --engine=go does")

// executeLLVM runs a kernel through LLVM and says why not if it did not. The
// error is of a kernel that took too long or was interrupted.
func (t *runTool) executeLLVM(prog *kernel.Program, args []*kernelArg) (why string, late error) {
	code, why := t.compileLLVM(prog)
	if code == nil {
		return why, nil
	}
	defer code.Close()
	if t.flags.maxSteps != 0 {
		fmt.Fprintf(t.err, "%s: note: --max-steps does not hold here, since compiled code does not count; --timeout does\n", t.tool)
	}
	l := jit.Launch{Kernel: prog.Name(), Blocks: t.flags.blocks, Workers: t.flags.workers, Limit: t.flags.timeout}
	if pto.Combining(prog.Module) {
		l.Workers = 1
	}
	for _, a := range args {
		if a.array != nil {
			l.Args = append(l.Args, a.array.Data)
		} else {
			l.Args = append(l.Args, a.value.Bits)
		}
	}
	var out printed
	l.Out = &out
	stop := newStopper(t.flags.timeout, t.cancelled)
	defer stop.end()
	l.Stop = stop.asked
	_, err := code.Run(l)
	select {
	case <-stop.asked: // what it may have said since means nothing
		return "", errInterrupted
	default:
	}
	if f, faulted := errors.AsType[*jit.Fault](err); faulted {
		return f.Error() + "; it may say where", nil
	}
	if _, late := errors.AsType[*jit.TimeoutError](err); err != nil && !late {
		return err.Error(), nil
	}
	t.out.Write(out.text)
	if err != nil {
		return "", fmt.Errorf("%w (--timeout); --engine=go says where", err)
	}
	return "", nil
}

// printed keeps what a kernel prints until it is known that no other engine
// has to run it again.
type printed struct{ text []byte }

// mostPrinted is how much is kept.
const mostPrinted = 64 << 20

// Write implements io.Writer.
func (p *printed) Write(b []byte) (int, error) {
	if len(p.text)+len(b) > mostPrinted {
		return 0, fmt.Errorf("it prints more than %d MiB, which is kept until it ends", mostPrinted>>20)
	}
	p.text = append(p.text, b...)
	return len(b), nil
}

// compileLLVM makes a program of a kernel, or says why not.
func (t *runTool) compileLLVM(prog *kernel.Program) (code *jit.Program, why string) {
	switch {
	case len(t.flags.check.kinds) > 0:
		return nil, "--check is for the Go engine only"
	case t.flags.observe.option() != "":
		return nil, t.flags.observe.option() + " is for the Go engine only"
	case t.flags.trace != "":
		return nil, "--trace is for the Go engine only"
	case t.flags.flush:
		return nil, "--flush-denormals is for the Go engine only"
	case t.flags.fill != 0:
		return nil, "--scratch-fill is for the Go engine only"
	}
	var diags ir.Diags
	opts := codegen.Options{Target: prog.Target, Features: prog.Features}
	compile := jit.Compile
	if len(prog.Kernels) > 1 {
		compile = jit.CompileTogether
	}
	code, err := compile(prog.Module, prog.Kernels, opts, jit.Options{Limit: t.flags.compiling}, &diags)
	switch {
	case errors.Is(err, jit.ErrNoLLVM):
		return nil, err.Error()
	case err != nil:
		return nil, "the code does not compile: " + err.Error()
	case code == nil:
		return nil, firstLine(diags.All()[0].Format())
	}
	return code, ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
