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
// engine does: the result is the same.
func (t *runTool) execute(module *ir.Op, kernels []*ir.Op, args []*kernelArg) int {
	if t.flags.engine == engineLLVM {
		why := t.executeLLVM(module, kernels, args)
		if why == "" {
			return exitOK
		}
		fmt.Fprintf(t.err, "%s: note: --engine=llvm gives way to --engine=go: %s\n", t.tool, why)
	}
	return t.executeGo(module, kernels, args)
}

// executeLLVM runs a kernel through LLVM and says why not if it did not.
func (t *runTool) executeLLVM(module *ir.Op, kernels []*ir.Op, args []*kernelArg) (why string) {
	switch {
	case len(kernels) > 1:
		return "kernels that run together wait for each other"
	case t.flags.flush:
		return "--flush-denormals is for the Go engine only"
	}
	profile := pto.ChosenTarget(module, t.flags.arch)
	var diags ir.Diags
	opts := codegen.Options{Target: profile, Features: t.features()}
	prog, err := jit.Compile(module, kernels, opts, jit.Options{}, &diags)
	switch {
	case errors.Is(err, jit.ErrNoLLVM):
		return err.Error()
	case err != nil:
		return "the code does not compile: " + err.Error()
	case prog == nil:
		return firstLine(diags.All()[0].Format())
	}
	defer prog.Close()
	l := jit.Launch{Kernel: fn.Name(kernels[0]), Blocks: t.flags.blocks, Workers: t.flags.workers}
	for _, a := range args {
		if a.array != nil {
			l.Args = append(l.Args, a.array.data)
		} else {
			l.Args = append(l.Args, a.value.Bits)
		}
	}
	if _, err := prog.Run(l); err != nil {
		return err.Error() + "; it may say where"
	}
	return ""
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
