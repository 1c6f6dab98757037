package cpptest

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/kernel"
	"ptogo/runtime"
)

// Case is a test case: a kernel with its arguments. The test runs the kernel on the Go
// engine. It also generates C++ from the kernel and runs it on the CPU simulator of the
// public library. The results must agree.
type Case struct {
	Name   string
	Source *Source
	// Kernel is the name of the kernel, as in kernel.Options. It is empty if the program
	// has only one.
	Kernel string
	// Blocks is the number of blocks of the launch; 0 means 1.
	Blocks int
	Args   []Arg
	// Op is the instruction that the case tests, or "".
	Op string
}

// Source is a program, which several cases may share.
type Source struct {
	Name string
	Text string
	// Arch is the profile, a3 or a5.
	Arch string
	// Flags are options of pto-opt in addition to the target.
	Flags []string
	// EachCore requests that the C++ is also compiled separately for each core type.
	EachCore bool

	// cpp is the text of the program as generated C++.
	cpp string
	// refuse is the reason why the program cannot be written as C++.
	refuse string
}

// Arg is an argument of a kernel: a buffer with its contents, or a scalar with its bits.
type Arg struct {
	Elem ir.Type
	Data []byte
	Bits uint64
	// Of names the instruction whose result the kernel stores in the buffer, if known.
	Of string
}

// Calm returns the bits of a small random number in format f. Sums and products of a
// few such numbers are exact in any order, and quotients and roots are finite.
func Calm(r *rand.Rand, f num.Format) uint64 {
	if f == num.F8E8M0 {
		return uint64(126 + r.IntN(3)) // a half, one, two
	}
	return num.Encode(f, float64(1+r.IntN(4)), num.NearestEven, false)
}

// calmData returns size bytes of small random numbers (Calm).
func calmData(r *rand.Rand, elem ir.Type, size int) []byte {
	data := make([]byte, size)
	f, ok := formatOf(elem)
	for at := 0; at+f.Bytes() <= size; at += f.Bytes() {
		if ok {
			num.Store(f, data[at:], Calm(r, f))
		} else {
			data[at] = byte(0x22 + 0x11*r.IntN(2)) // pairs of 4-bit floats
		}
	}
	return data
}

// formatOf returns the number format of elements of type t. For elements without a number
// format, and for elements that pack two numbers into a byte, it returns num.U8 (a byte)
// and false.
func formatOf(t ir.Type) (num.Format, bool) {
	if t == ir.Index {
		return num.I64, true
	}
	f, ok := ir.FormatOf(t)
	if !ok || f.Bits() < 8 {
		return num.U8, false
	}
	return f, true
}

// prepare loads the kernel of the case for the Go engine. It verifies and lowers the
// program.
func (c *Case) prepare() (*kernel.Program, error) {
	return kernel.Load(&ir.Source{Name: c.Source.Name, Text: c.Source.Text}, kernel.Options{Arch: c.Source.Arch, Kernel: c.Kernel})
}

// mostSteps is the maximum number of operations of a kernel, so that endless loops end.
const mostSteps = 1 << 26

// onGo runs the kernel on the Go engine, with local memory initially filled with the
// byte fill, and returns the contents of its buffers.
func (c *Case) onGo(fill byte) ([][]byte, error) {
	prog, err := c.prepare()
	if err != nil {
		return nil, err
	}
	plan, err := prog.Plan(runtime.Options{Blocks: max(c.Blocks, 1), MaxSteps: mostSteps, ScratchFill: fill, Out: &bytes.Buffer{}})
	if err != nil {
		return nil, err
	}
	args, bufs := c.arguments()
	return bufs, plan.Run(args...)
}

// arguments returns the arguments of a run, and the buffers among them.
func (c *Case) arguments() (args []any, bufs [][]byte) {
	for _, a := range c.Args {
		if a.Data == nil {
			args = append(args, runtime.Arg{Bits: a.Bits})
			continue
		}
		data := bytes.Clone(a.Data)
		bufs = append(bufs, data)
		args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: data}})
	}
	return args, bufs
}

// Difference describes how many elements of the buffers differ, and the first of them.
type Difference struct {
	Elements, Different int
	// Worst is the largest relative difference of two numbers. It is 1 if one of them is
	// NaN.
	Worst float64
	First string
}

// compare returns the difference between the actual results got and the expected results
// want; all NaNs are equal. Each result is the list of the contents of all buffers. The
// parameter others contains the results of runs with other initial contents of local
// memory. If an element is not the same in all these runs, it depends on uninitialized
// memory, and compare ignores it.
func (c *Case) compare(got, want [][]byte, others ...[][]byte) (d Difference) {
	n := 0
	for param, a := range c.Args {
		if a.Data == nil {
			continue
		}
		f, isNumber := formatOf(a.Elem)
		for at := 0; at+f.Bytes() <= len(want[n]); at += f.Bytes() {
			d.Elements++
			g, w := num.Load(f, got[n][at:]), num.Load(f, want[n][at:])
			if g == w || isNumber && num.Same(f, g, w) || slices.ContainsFunc(others, func(o [][]byte) bool { return num.Load(f, o[n][at:]) != w }) {
				continue
			}
			if d.Different++; d.Different == 1 {
				d.First = fmt.Sprintf("argument %d, element %d is %s here and %s in C++", param, at/f.Bytes(), show(f, w), show(f, g))
				if a.Of != "" {
					d.First += ": " + a.Of
				}
			}
			d.Worst = max(d.Worst, apart(f, g, w))
		}
		n++
	}
	return d
}

func show(f num.Format, bits uint64) string {
	return fmt.Sprintf("%#x (%s)", bits, kernel.FormatNumber(f, bits, 6))
}

// apart returns the relative distance of two numbers: their difference divided by the
// larger absolute value. g and w contain the bits of the numbers in format f. If the
// distance is not a number, apart returns 1.
func apart(f num.Format, g, w uint64) float64 {
	x, y := num.Decode(f, g), num.Decode(f, w)
	d := max(x-y, y-x) / max(x, -x, y, -y)
	if d >= 0 && d <= 2 {
		return d
	}
	return 1
}
