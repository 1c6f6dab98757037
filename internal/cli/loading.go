// This file selects how pto-run reads programs.

package cli

import "ptogo/kernel"

// strictHelp describes the option --strict of pto-opt and pto-run.
const strictHelp = "report as errors what is otherwise only a warning because public programs contain it and pto-run executes it, although the NPU headers or the hardware reject it (default: warnings)"

// loading returns the options with which pto-run reads the program of the command line.
func (f *runFlags) loading() kernel.Options {
	return kernel.Options{Arch: f.arch, Kernel: f.kernel, SoftLib: f.softLib, Strict: f.strict, PublicIR: f.publicIR, Arguments: len(f.args)}
}
