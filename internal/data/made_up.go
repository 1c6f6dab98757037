package data

import (
	"fmt"
	"slices"
	"strings"

	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// MadeUp returns arguments with which a kernel can run, in the syntax of pto-run --arg.
// Buffers have random elements. MadeUp finds their sizes by the function Guess, which
// runs the kernel and enlarges the buffers up to the addresses that the kernel accesses.
func MadeUp(prog *kernel.Program) (args []string) {
	guessed := Guess(prog, runtime.Options{Blocks: 1, MaxSteps: 1 << 22})
	for i, p := range prog.Params() {
		a := guessed[i]
		if !p.IsPointer() {
			f, _ := ir.FormatOf(p.Type)
			args = append(args, kernel.FormatNumber(f, a.Bits, 9))
			continue
		}
		elem := ir.ElementType(p.Type)
		args = append(args, fmt.Sprintf("rand=%s,seed=%d", kernel.ShapeText([]int64{int64(len(a.Buf.Data)) * 8 / bitsOf(elem)}, elem), i+1))
	}
	return args
}

// bitsOf returns the number of bits that an element of type elem occupies in memory.
func bitsOf(elem ir.Type) int64 {
	f, ok := ir.FormatOf(elem)
	if !ok || f.Bits() == 0 {
		return 8
	}
	return max(int64(f.Bits()), 4)
}

// OtherArguments returns a text for the report of a run. It states that the run has not
// checked arguments other than args, and how many of the arguments args have generated
// contents.
func OtherArguments(args []*Arg) string {
	n := 0
	for _, a := range args {
		if b := a.Value.Buf; b != nil {
			kind, _, _ := strings.Cut(strings.TrimPrefix(b.Name, PerBlock), "=")
			if slices.Contains([]string{"rand", "ones", "iota", "fill"}, kind) {
				n++
			}
		}
	}
	switch n {
	case 0:
		return "other arguments"
	case 1:
		return "other arguments, 1 of which is made up here"
	}
	return fmt.Sprintf("other arguments, %d of which are made up here", n)
}
