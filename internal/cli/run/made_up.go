// This file runs kernels on generated arguments.

package run

import (
	"bytes"
	"strings"
	"time"

	"ptogo/internal/cli/files"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
)

// editorTimeout is the time limit of a run that an editor has requested; tests shorten it.
var editorTimeout = 10 * time.Second

// The limits of a run that an editor has requested: the user waits for the answer, and the
// editor shows its output.
const (
	mostShown       = 16 << 20
	textLargeOutput = "the output is larger than 16MiB, the limit for an editor; pto-run has no such limit"
)

// MadeUp runs the kernel kernelName of the program like pto-run, but on generated
// arguments, and returns the output and the exit code. Arrays have the size that the
// kernel needs, and scalars are small numbers. The parameter arch is the target, and
// flags are further options of pto-run. The language server calls RunMadeUp for the
// command "run kernel" of an editor.
func MadeUp(src *ir.Source, kernelName, arch string, flags ...string) (output string, exit int) {
	var out bytes.Buffer
	bounded := files.NewLimited(&out, mostShown, textLargeOutput)
	h := &host{Console: files.NewConsole(strings.NewReader(src.Text), bounded, &out, "pto-run")}
	h.InName, h.Serving = src.Name, true
	args := []string{"-", "--timeout=" + editorTimeout.String()}
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
	exit = h.command(append(args, flags...))
	return out.String(), exit
}
