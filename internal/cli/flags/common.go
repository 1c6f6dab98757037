// This file defines options that several tools have.

package flags

import (
	"github.com/spf13/pflag"

	"ptogo/dialect/pto/sem"
	"ptogo/frontend/cpp"
	"ptogo/ir"
	"ptogo/kernel"
)

// CppFlags are the options for kernels in C++.
type CppFlags struct {
	compiler        string
	include, macros []string
}

// Define adds the options to fs.
func (f *CppFlags) Define(fs *pflag.FlagSet) {
	fs.StringArrayVarP(&f.include, "include", "I", nil, "search `DIR` for the files that a C++ kernel includes. The option may be repeated")
	fs.StringArrayVarP(&f.macros, "define", "D", nil, "define the macro `NAME[=VALUE]` when compiling a C++ kernel. The option may be repeated")
	fs.StringVar(&f.compiler, "cpp-compiler", "", "compile C++ kernels with `CLANG`, which is clang++ of LLVM 17 to 20 (default: the environment variable "+cpp.CompilerVariable+", else the one on the path)")
}

// ReadCpp makes src a C++ file: the program comes from compiling its text for the profile
// arch. The parameter kernelName selects a kernel; it may be empty.
func (f *CppFlags) ReadCpp(src *ir.Source, arch, kernelName string) {
	target, _ := sem.ParseProfile(arch)
	o := cpp.Options{Compiler: f.compiler, Include: f.include, Define: f.macros, Kernel: kernelName, Target: target}
	src.Program = func(diags *ir.Diags) *ir.Op { return cpp.Read(src, o, diags) }
}

// DefinePublicIR declares option --read-ptoas-ir, which accepts intermediate programs
// that ptoas has printed.
func DefinePublicIR(fs *pflag.FlagSet, value *string) {
	const name = "read-ptoas-ir"
	fs.StringVar(value, name, "", "accept files that the public compiler ptoas wrote with --emit-pto-ir, --mlir-print-ir-after-all or a similar option. If a file contains several dumps, `PASS` selects the dump after that pass. The default is the last dump")
	fs.Lookup(name).NoOptDefVal = kernel.LastDump
}

// StrictHelp describes the option --strict of pto-opt and pto-run.
const StrictHelp = "report as errors what is otherwise only a warning because public programs contain it and pto-run executes it, although the NPU headers or the hardware reject it (default: warnings)"
