package llvmtest

import (
	"slices"
	"strings"
	"testing"

	"ptogo/codegen/llvm"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
)

// Emit returns the LLVM IR of a module as text. If the module cannot be translated, it
// fails the test.
func Emit(t testing.TB, module *ir.Op, o llvm.Options) string {
	t.Helper()
	var text strings.Builder
	diags := &ir.Diags{}
	if !llvm.Emit(&text, module, o, diags) {
		for _, d := range diags.All() {
			t.Error(d.Format())
		}
		t.FailNow()
	}
	return text.String()
}

// Compile compiles a module and links it with a program through which tests call its
// functions. The parameter level is the optimization level of LLVM, "0" to "3". If
// several kernels form one launch, tests call them as one function, which has the name of
// the kernel with the fewest parameters.
func Compile(t testing.TB, module *ir.Op, o llvm.Options, level string) *Program {
	t.Helper()
	o.Fenced = true // as package jit compiles
	text := Emit(t, module, o)
	Verify(t, text)
	var fns []Func
	for _, f := range fn.Functions(module) {
		beside := slices.ContainsFunc(o.Together, func(kernels []*ir.Op) bool {
			return slices.Contains(kernels, f) && f != analysis.Narrowest(kernels)
		})
		if params, ok := llvm.Prototype(f); ok && !beside {
			fns = append(fns, Func{Name: fn.Name(f), Params: params})
		}
	}
	return Build(t, text, fns, level)
}

// Parse reads and verifies the text of a module, and fails the test if the text has an
// error. The parameter name is the file name in messages. The caller must import the
// dialects.
func Parse(t testing.TB, name, text string) *ir.Op {
	t.Helper()
	return ParseWith(t, name, text, ir.VerifyOptions{})
}

// ParseWith reads and verifies the text of a module like Parse, with the given options
// for the verifier.
func ParseWith(t testing.TB, name, text string, opts ir.VerifyOptions) *ir.Op {
	t.Helper()
	diags := &ir.Diags{}
	m, _ := ir.Parse(&ir.Source{Name: name, Text: text}, ir.ParseOptions{}, diags)
	if m == nil || diags.HasErrors() || !ir.Verify(m, opts, diags) {
		for _, d := range diags.All() {
			t.Error(d.Format())
		}
		t.FailNow()
	}
	return m
}
