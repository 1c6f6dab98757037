package data

import (
	"errors"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/kernel"
	"ptogo/runtime"
)

// Guess returns arguments with which a kernel runs without a fault. It tries values that
// are common for scalars, and enlarges buffers up to the addresses that the kernel
// accesses. If the kernel faults with all of them, Guess returns the arguments of the
// first attempt.
func Guess(p *kernel.Program, o runtime.Options) []runtime.Arg {
	params := p.Params()
	var first []runtime.Arg
	for _, n := range []uint64{1, 0, 16, 64, 128, 256, 32, 1024} {
		args := make([]runtime.Arg, len(params))
		for i, q := range params {
			if q.IsPointer() {
				args[i].Buf = &runtime.Buffer{Data: make([]byte, 64)}
				continue
			}
			f, _ := ir.FormatOf(q.Type)
			if args[i].Bits = n & f.Mask(); f.IsFloat() {
				args[i].Bits = num.Encode(f, 1.5, num.NearestEven, false)
			}
		}
		if first == nil {
			first = args
		}
		if grow(args, p, o) {
			return args
		}
	}
	return first
}

// mostGuessed bounds the size of all guessed buffers together, in bytes.
const mostGuessed = 96 << 20

// grow runs a kernel and enlarges the buffers that it leaves, until it runs to its end.
func grow(args []runtime.Arg, p *kernel.Program, o runtime.Options) bool {
	o.Target, o.Features = p.Target, p.Features
	var diags ir.Diags
	plan := runtime.Plan(p.Module, p.Kernels, o, &diags)
	if plan == nil {
		return false
	}
	for range 200 {
		total := int64(0)
		for _, a := range args {
			if a.Buf != nil {
				clear(a.Buf.Data)
				total += int64(len(a.Buf.Data))
			}
		}
		f, _ := errors.AsType[*runtime.Fault](plan.Run(args))
		switch {
		case f == nil:
			for _, a := range args {
				if a.Buf != nil {
					clear(a.Buf.Data)
				}
			}
			return true
		case f.Behind <= 0 || f.Range == nil || f.Range.First < 0 || f.Range.Buffer < 0 || total+f.Behind > mostGuessed:
			return false
		}
		buf := args[f.Range.Buffer].Buf
		size := max(f.Range.Last+1, min(2*int64(len(buf.Data)), mostGuessed-total))
		buf.Data = make([]byte, (size+63)/64*64)
	}
	return false
}

// SmallNumber is the value of a scalar argument that the user has not given: 1.5 or 1.
func SmallNumber(f num.Format) uint64 {
	if f.IsFloat() {
		return num.Encode(f, 1.5, num.NearestEven, false)
	}
	return 1
}
