// This file reads C++ kernels, with the options for their compiler.

package cli

import (
	"github.com/spf13/pflag"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/cpp"
	"ptogo/ir"
)

// cppFlags are the options for kernels in C++.
type cppFlags struct {
	compiler        string
	include, macros []string
}

// define adds the options to fs.
func (f *cppFlags) define(fs *pflag.FlagSet) {
	fs.StringArrayVarP(&f.include, "include", "I", nil, "search `DIR` for the files that a C++ kernel includes. The option may be repeated")
	fs.StringArrayVarP(&f.macros, "define", "D", nil, "define the macro `NAME[=VALUE]` when compiling a C++ kernel. The option may be repeated")
	fs.StringVar(&f.compiler, "cpp-compiler", "", "compile C++ kernels with `CLANG`, which is clang++ of LLVM 17 to 20 (default: the environment variable "+cpp.CompilerVariable+", else the one on the path)")
}

// readCpp makes src a C++ file: the program comes from compiling its text for the profile
// arch. The parameter kernelName selects a kernel; it may be empty.
func (f *cppFlags) readCpp(src *ir.Source, arch, kernelName string) {
	target, _ := sem.ParseProfile(arch)
	o := cpp.Options{Compiler: f.compiler, Include: f.include, Define: f.macros, Kernel: kernelName, Target: target}
	src.Program = func(diags *ir.Diags) *ir.Op { return cpp.Read(src, o, diags) }
}
