package cpptest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/kernel"
	"ptogo/runtime"
)

// Case is a kernel with its arguments.
type Case struct {
	Name   string
	Source *Source
	Kernel string // as in kernel.Options; empty where there is only one
	Blocks int    // 0 means 1
	Args   []Arg
	// Op is the instruction that the kernel is about, if it is about one.
	Op string
}

// Source is a program, which several cases may use.
type Source struct {
	Name string
	Text string
	Arch string // a3 or a5
	// Flags are options of pto-opt beside the profile.
	Flags []string
	// EachCore has the C++ compiled for each kind of core by itself, too.
	EachCore bool

	cpp    string // the program as C++
	refuse string // why there is none
}

// Arg is a buffer, or a scalar with its bits.
type Arg struct {
	Elem ir.Type
	Data []byte
	Bits uint64
	Of   string // the instruction whose result the kernel stores there, where that is told
}

// Calm returns the bits of a small number of a format: sums and products of a
// few are exact in any order, and no division or root of one goes astray.
func Calm(r *rand.Rand, f num.Format) uint64 {
	if f == num.F8E8M0 {
		return uint64(126 + r.IntN(3)) // a half, one, two
	}
	return num.Encode(f, float64(1+r.IntN(4)), num.NearestEven, false)
}

// calmData returns so many bytes of small numbers.
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

// formatOf is the format of elements; those of packed pairs are bytes.
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

// prepare checks and lowers the kernel for the Go engine.
func (c *Case) prepare() (*kernel.Program, error) {
	return kernel.Load(&ir.Source{Name: c.Source.Name, Text: c.Source.Text}, kernel.Options{Arch: c.Source.Arch, Kernel: c.Kernel})
}

// mostSteps ends kernels that do not.
const mostSteps = 1 << 26

// onGo runs the kernel on the Go engine, on local memory full of one byte, and
// returns the buffers.
func (c *Case) onGo(fill byte) ([][]byte, error) {
	prog, err := c.prepare()
	if err != nil {
		return nil, err
	}
	plan, err := prog.Plan(runtime.Options{Blocks: max(c.Blocks, 1), MaxSteps: mostSteps, ScratchFill: fill, Out: &bytes.Buffer{}})
	if err != nil {
		return nil, err
	}
	var args []any
	var bufs [][]byte
	for _, a := range c.Args {
		if a.Data == nil {
			args = append(args, runtime.Arg{Bits: a.Bits})
			continue
		}
		data := bytes.Clone(a.Data)
		bufs = append(bufs, data)
		args = append(args, runtime.Arg{Buf: &runtime.Buffer{Data: data}})
	}
	return bufs, plan.Run(args...)
}

// input is what the host program reads.
func (c *Case) input() []byte {
	var b []byte
	for _, a := range c.Args {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(a.Data)))
		if a.Data == nil {
			b = binary.LittleEndian.AppendUint64(b, a.Bits)
		}
		b = append(b, a.Data...)
	}
	return b
}

// cores reports whether a kernel runs on the cube core and on the vector cores
// beside it, and the functions that do.
func cores(prog *kernel.Program) (cube, vector string, several bool) {
	cube, vector = prog.Name(), prog.Name()
	var units sem.Unit
	all := analysis.CoresOf(prog.Kernels, ir.TargetOf(prog.Kernels[0]))
	for _, c := range all {
		units |= c.Unit
		switch c.Unit {
		case sem.CubeUnit:
			cube = fn.Name(c.Kernel)
		case sem.VectorUnit:
			vector = fn.Name(c.Kernel)
		}
	}
	return cube, vector, len(all) > 1 && units == sem.CubeUnit|sem.VectorUnit
}

// Difference is how much of the buffers differs, and where first.
type Difference struct {
	Elements, Different int
	Worst               float64 // relative, of numbers; 1 where a number is none
	First               string
}

// compare looks for elements that differ; all NaNs are one. Elements that are
// not the same in others, which are of runs on other local memory, depend on
// what nothing wrote, and say nothing.
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

// apart is how far two numbers are from each other, relative to the larger.
func apart(f num.Format, g, w uint64) float64 {
	x, y := num.Decode(f, g), num.Decode(f, w)
	d := max(x-y, y-x) / max(x, -x, y, -y)
	if d >= 0 && d <= 2 {
		return d
	}
	return 1
}
