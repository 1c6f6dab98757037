// This file prepares the arguments of a launch.

package playground

import (
	"fmt"
	"slices"

	"ptogo/dialect/pto/analysis"
	"ptogo/internal/data"
	"ptogo/internal/inspect"
	"ptogo/internal/offers"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower/splitcores"
	"ptogo/passes"
	"ptogo/runtime"
)

// Limits of a run.
const (
	maxArguments = 256 << 20 // bytes of all arguments
	maxBlocks    = 1 << 12
	maxPrinted   = 1 << 20 // bytes that a kernel prints
	maxItems     = 3 << 20 // recorded instructions
)

// launched is a program that is prepared for a launch, with its arguments.
type launched struct {
	prog *kernel.Program
	args []*data.Arg
	// prepared reports that the passes of the device path have run, because the program
	// has no synchronization of its own.
	prepared bool
	// split reports that the kernel has been split into a kernel for each core type.
	split bool
	// start are the contents of the arguments before the run.
	start [][]byte
}

// prepare loads a program and creates its arguments. Unless asWritten is true, it first
// tries to load the program with the passes of the device path, which insert
// synchronization.
func prepare(src *ir.Source, l *Launch, asWritten bool, in Files) (*launched, error) {
	r := &launched{}
	options := kernel.Options{Arch: l.Target, Kernel: l.Kernel, Arguments: len(l.Args)}
	if !asWritten {
		r.prog, r.split = loadPrepared(src, options)
		r.prepared = r.prog != nil
	}
	if r.prog == nil {
		var err error
		if r.prog, err = kernel.Load(src, options); err != nil {
			return nil, err
		}
	}
	if err := r.arguments(l, in); err != nil {
		return nil, err
	}
	return r, nil
}

// loadPrepared loads a program without synchronization of its own on the path to the
// device. A function for both kinds of cores becomes one for each of them. loadPrepared
// returns nil for other programs, and if a pass does not accept the program.
func loadPrepared(src *ir.Source, o kernel.Options) (prog *kernel.Program, isSplit bool) {
	read := inspect.Read(src, o.Arch, nil)
	if !read.OK || offers.Synchronizes(runtime.Kernels(read.Module)) {
		return nil, false
	}
	o.Kernel, isSplit = split(read.Module, o.Kernel)
	var diags ir.Diags
	if !runPipeline(devicePasses(), read.Module, o.Features(), &diags) {
		return nil, false
	}
	prog, err := kernel.Build(read.Module, o)
	if err != nil {
		return nil, false
	}
	prog.Warnings = read.Diags // verifying again would repeat them
	return prog, isSplit
}

// split splits the functions of a module for both kinds of cores, and returns the name under
// which the kernel is launched afterwards. done is false if the module has no such
// function, or if the pass does not accept one.
func split(module *ir.Op, name string) (launch string, done bool) {
	mixed := slices.ContainsFunc(runtime.Kernels(module), analysis.Mixed)
	if name == "" {
		if launches := data.Launches(module); len(launches) == 1 {
			name = launches[0]
		}
	}
	var diags ir.Diags
	if !mixed || !runPipeline([]*passes.Pass{splitcores.Pass}, module, 0, &diags) {
		return name, false
	}
	return data.LaunchLike(module, name), true
}

// slots is the size, in elements, of memory that a split program needs for the slots of
// queues between its cores.
const slots = 1 << 18

// arguments creates the arguments of all ranks. If the launch has no arguments, it
// generates them.
func (r *launched) arguments(l *Launch, in Files) error {
	if len(l.Args) == 0 {
		l.Args = data.MadeUp(r.prog)
	}
	params := r.prog.Params()
	for i := len(l.Args); i < len(params) && r.split && params[i].IsPointer(); i++ { // which splitting has added
		l.Args = append(l.Args, fmt.Sprintf("zeros=%dx%s", slots, ir.ElementType(params[i].Type)))
	}
	if len(l.Args) != len(params) {
		return fmt.Errorf("kernel '%s' has %s, but the launch has %d", ir.Visible(r.prog.Name()), ir.Count(len(params), "parameter"), len(l.Args))
	}
	left := int64(maxArguments)
	for rank := range max(l.Ranks, 1) {
		for i, p := range params {
			at := data.Place{Rank: rank, Ranks: max(l.Ranks, 1), Read: in.read}
			if left -= data.Bytes(l.Args[i], in.size); left < 0 {
				return fmt.Errorf("the arguments need more than %d MiB", maxArguments>>20)
			}
			a, err := data.Parse(l.Args[i], p, at)
			if err == nil && a.PerBlock {
				err = a.Divide(max(l.Blocks, 1), ir.ElementType(p.Type))
			}
			if err != nil {
				return fmt.Errorf("argument %s: %w", nameOf(p, i), err)
			}
			r.args = append(r.args, a)
		}
	}
	for _, a := range r.args {
		var start []byte
		if a.Array != nil {
			start = append(start, a.Array.Data...)
		}
		r.start = append(r.start, start)
	}
	return nil
}

// read returns a file in memory.
func (f Files) read(path string) ([]byte, error) {
	if content, ok := f[path]; ok {
		return content, nil
	}
	return nil, fmt.Errorf("file %s is not loaded in the playground", path)
}

// nameOf returns the name of a parameter.
func nameOf(p kernel.Param, i int) string {
	if p.Name == "" {
		return fmt.Sprintf("arg%d", i)
	}
	return ir.Visible(p.Name)
}

// values returns the arguments in the form that a plan (a prepared kernel) accepts.
func (r *launched) values() []any {
	values := make([]any, len(r.args))
	for i, a := range r.args {
		values[i] = a.Value
	}
	return values
}

// fresh returns the arguments as they were before the run, in memory of their own, and the
// arrays in this memory.
func (r *launched) fresh() (values []any, arrays []*kernel.Array) {
	for i, a := range r.args {
		v := a.Value
		var array *kernel.Array
		if a.Array != nil {
			array = &kernel.Array{Elem: a.Array.Elem, Shape: a.Array.Shape, Data: append([]byte(nil), r.start[i]...)}
			buf := *v.Buf
			buf.Data = array.Data
			v.Buf = &buf
		}
		values, arrays = append(values, v), append(arrays, array)
	}
	return values, arrays
}

// again runs the program once more on fresh arguments.
func (r *launched) again(o runtime.Options) error {
	plan, err := r.prog.Plan(o)
	if err != nil {
		return err
	}
	values, _ := r.fresh()
	return plan.Run(values...)
}

// size returns the size of a file in memory, or 0.
func (f Files) size(path string) int64 { return int64(len(f[path])) }
