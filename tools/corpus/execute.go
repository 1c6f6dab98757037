package corpus

import (
	"io"

	"ptogo/codegen/llvm"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/runtime"
)

// Limits for executing the kernels of a corpus: the number of operations that each kernel
// may execute, and the number of bytes that it receives for each pointer parameter.
const (
	stepsEach = 20_000
	bytesEach = 64 << 10
)

// Execute lowers a legal program, runs its kernels for a limited number of steps and
// generates LLVM IR. It returns a description of an error in our tools, or "". A tool may
// reject the program, but must report a reason. The caller handles panics.
func Execute(m *ir.Op, target ir.Target) string {
	var diags ir.Diags
	if !Lower(m, target, &diags) {
		return silent("is not lowered", &diags)
	}
	for _, k := range runtime.Kernels(m) {
		if why := launch(m, k, target); why != "" {
			return why
		}
	}
	diags = ir.Diags{}
	if !llvm.Emit(io.Discard, m, llvm.Options{Target: target}, &diags) {
		return silent("is not written as LLVM IR", &diags)
	}
	return ""
}

// launch runs one kernel on zeros. It returns a description of an error in our tools, or
// "". A fault of the kernel is not an error.
func launch(m, kernel *ir.Op, target ir.Target) string {
	var diags ir.Diags
	opts := runtime.Options{Target: target, MaxSteps: stepsEach, Blocks: 2}
	program := runtime.Plan(m, []*ir.Op{kernel}, opts, &diags)
	if program == nil {
		return silent("is not planned", &diags)
	}
	params, _ := fn.TypeOf(kernel)
	args := make([]runtime.Arg, len(params))
	for i, t := range params {
		if ir.Is[pto.PtrType](t) {
			args[i].Buf = &runtime.Buffer{Data: make([]byte, bytesEach)}
		} else {
			args[i].Bits = 3
		}
	}
	_ = program.Run(args) // any outcome but a panic will do
	return ""
}

// silent checks diags, the diagnostics of a step that has failed. It returns a
// description of an error in our tools if they contain no error message, and ""
// otherwise. The parameter what is the name of the step.
func silent(what string, diags *ir.Diags) string {
	if diags.HasErrors() {
		return ""
	}
	return what + ", without a message"
}
