package cpptest

import (
	"math/rand/v2"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// Kernels returns one case for each kernel in a program. text is the program, arch is its
// profile (target), and name is the name of its file. The data are small random numbers,
// which a generator with the given seed produces. Each kernel becomes a separate program,
// so that an unsupported kernel does not prevent the comparison of the remaining ones.
func Kernels(name, text, arch string, seed uint64) ([]*Case, error) {
	var diags ir.Diags
	module := kernel.Parse(&ir.Source{Name: name, Text: text}, ir.ParseOptions{}, &diags)
	if module == nil {
		return nil, diags.Err()
	}
	var cases []*Case
	for _, f := range runtime.Kernels(module) {
		if takesTiles(f) {
			continue
		}
		entry := fn.Name(f)
		c := &Case{Name: name + ":" + entry, Kernel: entry, Source: &Source{Name: name, Text: only(module, f), Arch: arch}}
		c.guessArgs(rand.New(rand.NewPCG(seed, uint64(len(cases)))))
		cases = append(cases, c)
	}
	return cases, nil
}

// takesTiles reports whether f has tile parameters. Only another function can call such a
// function, because the host has no tiles.
func takesTiles(f *ir.Op) bool {
	ins, _ := fn.TypeOf(f)
	return slices.ContainsFunc(ins, pto.IsTile)
}

// The function named only extracts one kernel from a module. It returns the text of a new
// module that contains the given kernel and the functions that it calls, and nothing
// else.
func only(module, kernel *ir.Op) string {
	needed := map[string]bool{}
	var need func(f *ir.Op)
	need = func(f *ir.Op) {
		if needed[fn.Name(f)] {
			return
		}
		needed[fn.Name(f)] = true
		for op := range f.Walk() {
			if c := analysis.CalleeOf(op); c != nil {
				need(c)
			}
		}
	}
	need(kernel)
	part := module.Clone(nil)
	for _, f := range fn.Functions(part) {
		if !needed[fn.Name(f)] {
			f.Erase()
		}
	}
	return string(ir.Bytes(part, ir.PrintOptions{}))
}

// tries lists combinations of a buffer size in bytes and a value for integer parameters,
// which may be extents of views. The value 0 means a small random number. The test tries
// them in order until the kernel stays within its buffers.
var tries = []struct {
	bytes  int
	extent uint64
}{{1 << 14, 0}, {1 << 17, 0}, {1 << 17, 16}, {1 << 20, 64}}

// guessArgs sets the arguments to small numbers, in buffers that are large enough for the
// kernel.
func (c *Case) guessArgs(r *rand.Rand) {
	prog, err := c.prepare()
	if err != nil {
		return // which Compare reports
	}
	for _, try := range tries {
		c.Args = nil
		for _, p := range prog.Params() {
			c.Args = append(c.Args, calmArg(r, p, try.bytes, try.extent))
		}
		if _, err = c.onGo(0); err == nil {
			return
		}
	}
}

func calmArg(r *rand.Rand, p kernel.Param, size int, extent uint64) Arg {
	if p.IsPointer() {
		elem := ir.ElementType(p.Type)
		return Arg{Elem: elem, Data: calmData(r, elem, size)}
	}
	f, _ := formatOf(p.Type)
	if f.IsInt() && extent > 0 {
		return Arg{Elem: p.Type, Bits: extent}
	}
	return Arg{Elem: p.Type, Bits: Calm(r, f)}
}

// Single returns a case for a program with exactly one kernel. text is the program, name
// is the name of the kernel, arch is the profile, and args are the arguments.
func Single(name, text, arch string, args []Arg) *Case {
	return &Case{Name: name, Source: &Source{Name: name, Text: text, Arch: arch}, Args: args}
}
