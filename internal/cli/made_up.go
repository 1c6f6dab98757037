// This file runs kernels on generated arguments.

package cli

import (
	"bytes"
	"strings"

	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
)

// RunMadeUp runs the kernel kernelName of the program like pto-run, but on generated
// arguments, and returns the output and the exit code. Arrays have the size that the
// kernel needs, and scalars are small numbers. The parameter arch is the target, and
// flags are further options of pto-run. The language server calls RunMadeUp for the
// command "run kernel" of an editor.
func RunMadeUp(src *ir.Source, kernelName, arch string, flags ...string) (output string, exit int) {
	var out bytes.Buffer
	t := &runTool{streams: newStreams(strings.NewReader(src.Text), &out, &out, "pto-run")}
	t.inName = src.Name
	args := []string{"-", "--timeout=30s"}
	if arch != "" {
		args = append(args, "--pto-arch="+arch)
	}
	prog, err := kernel.Load(src, kernel.Options{Arch: arch, Kernel: kernelName})
	if err == nil {
		args = append(args, "--kernel="+kernelName)
		for _, spec := range data.MadeUp(prog) {
			args = append(args, "--arg="+spec)
		}
	} // else pto-run says what is wrong
	exit = t.command(append(args, flags...))
	return out.String(), exit
}
