package cli

import (
	"errors"
	"fmt"
	"strings"

	"ptogo/codegen"
	"ptogo/codegen/jit"
	fn "ptogo/dialect/func"
	"ptogo/dialect/pto"
	"ptogo/ir"
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
func (t *runTool) execute(module *ir.Op, kernels []*ir.Op, args []*kernelArg) int {
	if t.flags.engine == engineLLVM {
		why, err := t.executeLLVM(module, kernels, args)
		if err != nil {
			t.fail("%v (--timeout)", err)
			return exitFault
		}
		if why == "" {
			return exitOK
		}
		fmt.Fprintf(t.err, "%s: note: --engine=llvm gives way to --engine=go: %s\n", t.tool, why)
	}
	return t.executeGo(module, kernels, args)
}

// executeLLVM runs a kernel through LLVM and says why not if it did not. The
// error is of a kernel that took too long.
func (t *runTool) executeLLVM(module *ir.Op, kernels []*ir.Op, args []*kernelArg) (why string, late error) {
	prog, why := t.compileLLVM(module, kernels)
	if prog == nil {
		return why, nil
	}
	defer prog.Close()
	l := jit.Launch{Kernel: fn.Name(pto.Narrowest(kernels)), Blocks: t.flags.blocks, Workers: t.flags.workers, Limit: t.flags.timeout}
	if pto.Combining(module) {
		l.Workers = 1
	}
	for _, a := range args {
		if a.array != nil {
			l.Args = append(l.Args, a.array.data)
		} else {
			l.Args = append(l.Args, a.value.Bits)
		}
	}
	var out printed
	l.Out = &out
	_, err := prog.Run(l)
	if f, faulted := errors.AsType[*jit.Fault](err); faulted {
		return f.Error() + "; it may say where", nil
	}
	if _, late := errors.AsType[*jit.TimeoutError](err); err != nil && !late {
		return err.Error(), nil
	}
	t.out.Write(out.text)
	return "", err
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
func (t *runTool) compileLLVM(module *ir.Op, kernels []*ir.Op) (prog *jit.Program, why string) {
	switch {
	case len(t.flags.check.kinds) > 0:
		return nil, "--check is for the Go engine only"
	case t.flags.trace != "":
		return nil, "--trace is for the Go engine only"
	case t.flags.flush:
		return nil, "--flush-denormals is for the Go engine only"
	case t.flags.fill != 0:
		return nil, "--scratch-fill is for the Go engine only"
	}
	profile := pto.ChosenTarget(module, t.flags.arch)
	var diags ir.Diags
	opts := codegen.Options{Target: profile, Features: t.features()}
	compile := jit.Compile
	if len(kernels) > 1 {
		compile = jit.CompileTogether
	}
	prog, err := compile(module, kernels, opts, jit.Options{Limit: t.flags.compiling}, &diags)
	switch {
	case errors.Is(err, jit.ErrNoLLVM):
		return nil, err.Error()
	case err != nil:
		return nil, "the code does not compile: " + err.Error()
	case prog == nil:
		return nil, firstLine(diags.All()[0].Format())
	}
	return prog, ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
