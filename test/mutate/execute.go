package mutate

import (
	"errors"
	"fmt"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// Limits of one launch: the number of kernels, steps and bytes of output, and the size of
// buffers in bytes.
const (
	mostKernels = 3
	mostSteps   = 2000
	mostOutput  = 1 << 16
	bufferBytes = 1 << 14
)

// execute runs the kernels of m, a program that has been lowered for target, with limits
// on steps and output and under all checkers. A kernel may end normally or with a fault
// at an instruction; anything else is a defect of the tools. The result is a description
// of the defect, or "".
func (n *tester) execute(m *ir.Op, target ir.Target) string {
	kernels := runtime.Kernels(m)
	for _, k := range kernels[:min(len(kernels), mostKernels)] {
		args, ok := arguments(k)
		if !ok {
			continue
		}
		checker, err := check.New(check.Options{Kinds: check.Usual})
		if err != nil {
			return err.Error()
		}
		var diags ir.Diags
		p := runtime.Plan(m, []*ir.Op{k}, runtime.Options{
			Target: target, Features: pto.LooseScratch, MaxSteps: mostSteps, MaxOutput: mostOutput, Listeners: []runtime.Listener{checker},
		}, &diags)
		if p == nil {
			if why := wrong("planning of a launch", &diags); why != "" {
				return why
			}
			continue
		}
		err = p.Run(args)
		var f *runtime.Fault
		switch {
		case err == nil:
			n.ran++
		case !errors.As(err, &f):
			return "a launch ends without a place: " + err.Error()
		case f.Op == "" || f.Loc == (ir.Loc{}):
			return fmt.Sprintf("a fault has no place: %v", f)
		default:
			n.faulted++
		}
	}
	return ""
}

// arguments returns arguments for a launch of the kernel k: a buffer for each pointer and
// a value for each number. If a parameter has another type, the result ok is false.
func arguments(k *ir.Op) (args []runtime.Arg, ok bool) {
	for _, p := range fn.Body(k).Args() {
		switch t := p.Type(); {
		case ir.Is[pto.PtrType](t), ir.Is[ir.MemRefType](t):
			args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: slices.Repeat([]byte{0, 0x3c, 1, 0x40}, bufferBytes/4)}})
		default:
			if _, isNumber := ir.FormatOf(t); !isNumber {
				return nil, false
			}
			args = append(args, runtime.Arg{Bits: 1})
		}
	}
	return args, true
}
