// This file compiles kernels: it emits LLVM IR and runs the LLVM tools.

package jit

import (
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/sys/cpu"

	"ptogo/codegen/llvm"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
)

// CompileTogether compiles kernels that run in the same launch, each on one kind of core
// of a block. The program contains them as one kernel, which has the name of the kernel
// with the fewest parameters. The parameters and the errors are those of Compile.
func CompileTogether(module *ir.Op, kernels []*ir.Op, o llvm.Options, how Options, diags *ir.Diags) (*Program, error) {
	o.Together = [][]*ir.Op{kernels}
	return Compile(module, []*ir.Op{analysis.Narrowest(kernels)}, o, how, diags)
}

// Compile translates kernels of a module to LLVM IR, with the functions that they call,
// and builds an executable program. o contains the options of the translation, and the
// parameter how contains the options of the build. If something cannot be translated,
// Compile adds errors to diags and returns nil, nil. If the build fails, it returns the
// reason as an error.
func Compile(module *ir.Op, kernels []*ir.Op, o llvm.Options, how Options, diags *ir.Diags) (*Program, error) {
	symbols := map[*ir.Op]string{}
	var fns []Func
	for i, k := range kernels {
		params, ok := llvm.Prototype(k)
		if !ok {
			diags.Error(k.Loc(), "'func.func' op @"+fn.Name(k)+" has parameters or results that a launch through LLVM cannot supply")
			return nil, nil
		}
		symbols[k] = fmt.Sprintf("kernel_%d", i)
		fns = append(fns, Func{Name: fn.Name(k), Symbol: symbols[k], Params: params})
	}
	// The other functions get names of ours too: one named as a function of the C
	// library, such as memcpy or prctl, would replace it for the whole program.
	for i, f := range fn.Functions(module) {
		if symbols[f] == "" {
			symbols[f] = fmt.Sprintf("function_%d", i)
		}
	}
	o.Half = convertsHalf()
	o.Places, o.Fenced = how.Places, true
	o.Only, o.Symbol = kernels, func(f *ir.Op) string { return symbols[f] }
	var text strings.Builder
	if !llvm.Emit(&text, module, o, diags) {
		return nil, nil
	}
	return Build(text.String(), fns, how)
}

// convertsHalf reports whether this machine has instructions for converting f16.
func convertsHalf() bool { return runtime.GOARCH == "arm64" || cpu.X86.HasF16C }
