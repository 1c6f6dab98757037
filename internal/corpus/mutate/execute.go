package main

import (
	"io"

	"ptogo/codegen"
	fn "ptogo/dialect/func"
	"ptogo/dialect/pto"
	"ptogo/internal/corpus"
	"ptogo/ir"
	"ptogo/runtime"
)

const (
	// steps bound how long a kernel runs, bytes how much memory each pointer
	// gets.
	steps = 20_000
	bytes = 64 << 10
)

// execute lowers a legal program, runs its kernels and writes LLVM IR, and
// says what is wrong with the outcome: refusing is fine, but not in silence.
// Panics are the caller's to catch.
func execute(p corpus.Program) string {
	m, target := p.Read()
	var diags ir.Diags
	if m == nil {
		return ""
	}
	if !corpus.Lower(m, target, &diags) {
		return silent("is not lowered", &diags)
	}
	for _, k := range runtime.Kernels(m) {
		if why := launch(m, k, target); why != "" {
			return why
		}
	}
	diags = ir.Diags{}
	if !codegen.Emit(io.Discard, m, codegen.Options{Target: target}, &diags) {
		return silent("is not written as LLVM IR", &diags)
	}
	return ""
}

// launch runs one kernel on zeros. That it faults is fine.
func launch(m, kernel *ir.Op, target ir.Target) string {
	var diags ir.Diags
	opts := runtime.Options{Target: target, MaxSteps: steps, Blocks: 2}
	program := runtime.Plan(m, []*ir.Op{kernel}, opts, &diags)
	if program == nil {
		return silent("is not planned", &diags)
	}
	params, _ := fn.TypeOf(kernel)
	args := make([]runtime.Arg, len(params))
	for i, t := range params {
		if ir.Is[pto.PtrType](t) {
			args[i].Buf = &runtime.Buffer{Data: make([]byte, bytes)}
		} else {
			args[i].Bits = 3
		}
	}
	_ = program.Run(args) // any outcome but a panic will do
	return ""
}

// silent says that something failed without a message, if there is none.
func silent(what string, diags *ir.Diags) string {
	if diags.HasErrors() {
		return ""
	}
	return what + ", without a message"
}
