package data

import (
	"errors"
	"iter"
	"math/rand/v2"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/kernel"
	"ptogo/runtime"
)

// commonSizes are integers that kernels accept as extents of arrays and tiles, in the
// order in which Guess tries them.
var commonSizes = []uint64{1, 0, 16, 64, 128, 256, 32, 1024}

// Guess tries to find arguments with which a kernel runs without a fault. It runs the
// kernel with several common sizes for the integer arguments. In each run, it enlarges
// the buffers so that they contain all addresses that the kernel accesses. If every run
// faults, Guess returns the arguments of the first run.
func Guess(p *kernel.Program, o runtime.Options) []runtime.Arg {
	params := p.Params()
	integers := 0
	for _, q := range params {
		if f, _ := ir.FormatOf(q.Type); !q.IsPointer() && !f.IsFloat() {
			integers++
		}
	}
	var first []runtime.Arg
	for size := range guessedSizes(integers) {
		args := make([]runtime.Arg, len(params))
		for i, q := range params {
			f, _ := ir.FormatOf(q.Type)
			switch {
			case q.IsPointer():
				args[i].Buf = &runtime.Buffer{Data: make([]byte, 64)}
			case f.IsFloat():
				args[i].Bits = num.Encode(f, 1.5, num.NearestEven, false)
			default:
				args[i].Bits = size(q.Type) & f.Mask()
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

// guessedSizes yields attempts to guess the values of integer parameters; the parameter
// integers is their number. An attempt is a function that returns the value for the next
// parameter, given the type of the parameter. In the first attempts, all integers are
// equal. In the following attempts, integers of type index are equal, and the others,
// which may be numbers of blocks, are 0. In the last attempts, integers of type index are
// random common sizes.
func guessedSizes(integers int) iter.Seq[func(ir.Type) uint64] {
	return func(yield func(func(ir.Type) uint64) bool) {
		for _, size := range commonSizes {
			if !yield(func(ir.Type) uint64 { return size }) || integers == 0 {
				return
			}
		}
		if integers == 1 {
			return
		}
		onlyIndex := func(size func() uint64) func(ir.Type) uint64 {
			return func(t ir.Type) uint64 {
				if t == ir.Index {
					return size()
				}
				return 0
			}
		}
		for _, size := range commonSizes[2:] {
			if !yield(onlyIndex(func() uint64 { return size })) {
				return
			}
		}
		r := rand.New(rand.NewPCG(38, 1))
		for range 16 {
			if !yield(onlyIndex(func() uint64 { return commonSizes[r.IntN(len(commonSizes))] })) {
				return
			}
		}
	}
}

// mostGuessed is the maximum total size in bytes of all buffers that Guess creates.
const mostGuessed = 256 << 20

// grow runs a kernel with the arguments args and enlarges the buffers whose bounds it
// exceeds, until it runs without a fault. It returns false if that does not succeed.
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

// SmallNumber returns the bits of the value for a scalar argument that the user has not
// specified: 1.5 for a float, 1 for an integer.
func SmallNumber(f num.Format) uint64 {
	if f.IsFloat() {
		return num.Encode(f, 1.5, num.NearestEven, false)
	}
	return 1
}
