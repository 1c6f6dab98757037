// This file runs kernels on generated arguments.

package cli

import (
	"bytes"
	"fmt"
	"strings"

	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/equiv"
)

// RunMadeUp runs a kernel of a program on made-up arguments, as pto-run does with flags,
// and returns what the tool prints. Editors offer it beside each kernel. Arrays are as
// large as the kernel needs, and scalars are small numbers.
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
		args = append(args, madeUpArgs(prog)...)
	} // else pto-run says what is wrong
	exit = t.command(append(args, flags...))
	return out.String(), exit
}

// madeUpArgs returns --arg options for a kernel. A buffer has random elements.
func madeUpArgs(prog *kernel.Program) (args []string) {
	o := &equiv.Options{Run: runtime.Options{Blocks: 1, MaxSteps: 1 << 22}}
	guessArgs(o, prog)
	for i, p := range prog.Params() {
		a := o.Args[i]
		if !p.IsPointer() {
			f, _ := ir.FormatOf(p.Type)
			args = append(args, "--arg="+kernel.FormatNumber(f, a.Bits, 9))
			continue
		}
		elem := ir.ElementType(p.Type)
		args = append(args, fmt.Sprintf("--arg=rand=%s,seed=%d", kernel.ShapeText([]int64{int64(len(a.Buf.Data)) * 8 / bitsOf(elem)}, elem), i+1))
	}
	return args
}

// bitsOf returns the bits of an element in memory.
func bitsOf(elem ir.Type) int64 {
	f, ok := ir.FormatOf(elem)
	if !ok || f.Bits() == 0 {
		return 8
	}
	return max(int64(f.Bits()), 4)
}
