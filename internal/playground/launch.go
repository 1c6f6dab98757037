// This file prepares the arguments of a launch.

package playground

import (
	"fmt"
	"slices"

	"ptogo/dialect/pto/analysis"
	"ptogo/internal/data"
	"ptogo/internal/inspect"
	"ptogo/internal/notes"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/lower/splitcores"
	"ptogo/passes"
	"ptogo/runtime"
)

const (
	// maxArguments is the maximum size in bytes of all arguments of a run.
	maxArguments = 256 << 20
	// maxBlocks is the maximum number of blocks of a run.
	maxBlocks = 1 << 12
	// maxPrinted is the maximum number of bytes that a kernel may print.
	maxPrinted = 1 << 20
	// maxItems is the maximum number of instructions that are recorded.
	maxItems = 3 << 20
)

// launched is a program that is prepared for a launch, with its arguments.
type launched struct {
	prog *kernel.Program
	args []*data.Arg
	// prepared means that the passes which prepare a program for a device have run,
	// because the program has no synchronization of its own.
	prepared bool
	// split means that the kernel has been split into a kernel for each kind of core.
	split bool
	// start are the contents of the arguments before the run.
	start [][]byte
}

// prepare loads a program and creates its arguments for the launch l. The map in contains
// the files that the launch can name. If asWritten is true, prepare loads the program
// without changes. If it is false, prepare first tries to run the passes that prepare a
// program for a device and insert synchronization. If these passes fail, it loads the
// program without changes.
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

// loadPrepared runs the passes that prepare a program for a device, and loads the result.
// If a function contains code for both kinds of cores, the passes split it into one
// function for each kind; isSplit is then true. The result prog is nil if the program
// already contains synchronization, or if a pass rejects it.
func loadPrepared(src *ir.Source, o kernel.Options) (prog *kernel.Program, isSplit bool) {
	read := inspect.Read(src, o.Arch, nil)
	if !read.OK || notes.Synchronizes(runtime.Kernels(read.Module)) {
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

// split runs the pass pto-split-cores. The pass replaces each function that contains work
// for both kinds of cores (cube and vector) by one function for each kind. split returns
// the name under which the kernel called name is launched afterwards. The result done is
// false if the module has no such function, or if the pass reports an error.
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

// slots is the size, in elements, of a buffer in global memory. The playground splits
// some programs into a function for the cube core and a function for the vector cores,
// and these exchange data through queues. The buffer holds the slots of these queues.
const slots = 1 << 18

// arguments creates the arguments of all ranks (simulated devices). If the launch l has
// no arguments, it generates them.
func (r *launched) arguments(l *Launch, in Files) error {
	if len(l.Args) == 0 {
		l.Args = data.MadeUp(r.prog)
	}
	params := r.prog.Params()
	for i := len(l.Args); i < len(params) && r.split && params[i].IsPointer(); i++ { // which splitting has added
		l.Args = append(l.Args, fmt.Sprintf("zeros=%dx%s", slots, ir.ElementType(params[i].Type)))
	}
	if len(l.Args) != len(params) {
		return fmt.Errorf("kernel '%s' has %s, but the launch has %d arguments", ir.Visible(r.prog.Name()), ir.Count(len(params), "parameter"), len(l.Args))
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

// read returns the contents of a file in memory, or an error if it does not exist.
func (f Files) read(path string) ([]byte, error) {
	if content, ok := f[path]; ok {
		return content, nil
	}
	return nil, fmt.Errorf("file %s is not loaded in the playground", path)
}

// nameOf returns the name of the parameter p, or a name with its index i if it has none.
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

// fresh returns copies of the arguments with their contents before the run, and the
// arrays in these copies.
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

// again runs the program once more on copies of the arguments with their original
// contents.
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
