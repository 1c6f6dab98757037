// This file implements pto-run --numerics and --perturb.

package run

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/pflag"

	"ptogo/internal/cli/exit"
	"ptogo/internal/cli/files"
	"ptogo/internal/cli/proof"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/debug"
	"ptogo/runtime"
	"ptogo/runtime/numerics"
)

// numericsMode measures the accuracy of floating-point results (--numerics and --perturb).
type numericsMode struct {
	// on requests a report about accuracy. json and plot are the files for the report and
	// for heat maps of the errors.
	on   bool
	json string
	plot string
	// perturb is the number of additional runs with slightly changed results of functions
	// such as exp, and seed the seed of the first of them.
	perturb int
	seed    uint64
}

// mostPerturbed is the maximum value of --perturb, the number of runs with slightly
// changed results of elementary functions.
const mostPerturbed = 100000

// define declares in fs the command-line options about the accuracy of floating-point
// results.
func (f *numericsMode) define(fs *pflag.FlagSet) {
	fs.BoolVar(&f.on, "numerics", false, "compute each float also in float64. Report the source lines that add and amplify errors, and those where NaN, infinities and denormal numbers first occur (docs/numerics.md)")
	fs.StringVar(&f.json, "numerics-json", "", "write the report of --numerics to `FILE`, as JSON")
	fs.StringVar(&f.plot, "numerics-plot", "", "draw the errors of the results as heat maps into the SVG file `FILE`")
	fs.IntVar(&f.perturb, "perturb", 0, "run the kernel `N` more times, each time with random changes to the results of exp, log and similar functions. A change is at most the documented error of the function. Then print the tolerance that a test of the kernel needs for these arguments (default: 0 times)")
	fs.Uint64Var(&f.seed, "perturb-seed", 1, "use the seed `S` for the first run of --perturb, and the following numbers for the other runs")
}

// used reports whether any option requests a report about accuracy.
func (f *numericsMode) used() bool {
	return f.on || f.json != "" || f.plot != "" || f.perturb > 0
}

// bytesPerShadow is the maximum memory in bytes for an element that is not exact: its
// value in float64 (the shadow) and bookkeeping for its bytes.
const bytesPerShadow = 32

// check returns an error if the options about accuracy contradict each other or other
// options of pto-run.
func (f *numericsMode) check(all *runFlags) error {
	switch {
	case f.perturb < 0 || f.perturb > mostPerturbed:
		return fmt.Errorf("--perturb must be between 0 and %d", mostPerturbed)
	case !f.used():
		return nil
	case all.engine.name != engineGo:
		return errors.New("--numerics needs --engine=go")
	}
	if other := all.beside("--numerics"); other != "" {
		return fmt.Errorf("--numerics and %s cannot be used together: use two commands", other)
	}
	return nil
}

// execute runs the kernels with shadows: it repeats each computation on floats in
// float64. It prints a report about the resulting rounding errors and returns the exit
// code.
func (f *numericsMode) execute(l *launch) int {
	prog, args := l.prog, l.args
	stop := l.stopper()
	defer stop.End()
	run := l.runOptions(stop.Why)
	run.Workers, run.Warn = 0, l.warn
	o := numerics.Options{
		Run:     run,
		Perturb: f.perturb, Seed: f.seed, Most: int(int64(l.MaxMemory.Bytes) / bytesPerShadow),
	}
	params := prog.Params()
	for i, a := range args {
		p := params[i%len(params)]
		var elem ir.Type
		if p.IsPointer() {
			elem = ir.ElementType(p.Type)
		}
		o.Args, o.Elems = append(o.Args, a.Value), append(o.Elems, elem)
		o.Names = append(o.Names, proof.ParamText(p, i%len(params))+l.rankSuffix(i))
	}
	if slices.ContainsFunc(args, (*data.Arg).Random) {
		o.Fresh = func(run int, fresh []runtime.Arg) { data.Reseed(args, run, fresh) }
	}
	r, err := numerics.Run(numerics.Kernel{Module: prog.Module, Kernels: prog.Kernels, Target: prog.Target, Features: prog.Features}, o)
	switch {
	case errors.Is(err, numerics.ErrTooMany):
		return l.Fail("--numerics needs more memory than --max-memory allows, which is %s (%v): use smaller arguments, or a larger --max-memory", &l.MaxMemory, err)
	case err != nil:
		if list, ok := errors.AsType[ir.Errors](err); ok {
			return l.Failed(list)
		}
		return l.fault(err)
	}
	r.Text(l.Out)
	if f.perturb > 0 {
		fmt.Fprintf(l.Out, "seeds of the perturbed runs: %d to %d\n", f.seed, f.seed+uint64(f.perturb)-1)
	}
	if err := f.write(l, r); err != nil {
		return l.Fail("%v", err)
	}
	return exit.OK
}

// write writes the files with the report about errors: JSON and heat maps.
func (f *numericsMode) write(l *launch, r *numerics.Report) error {
	if f.json != "" {
		text, err := r.JSON()
		if err == nil {
			err = files.WriteFile(f.json, append(text, '\n'), l.Out)
		}
		if err != nil {
			return err
		}
	}
	if f.plot == "" {
		return nil
	}
	var maps []debug.HeatMap
	for _, a := range r.Arguments {
		array := l.args[a.Arg].Array
		if array == nil {
			continue
		}
		d := debug.Compare(array, exactArray(array, a.Shadow), debug.Tolerance{}, true)
		maps = append(maps, debug.HeatMap{Title: a.Name + ", against float64", Array: array, Difference: d})
	}
	return files.WriteFile(f.plot, debug.SVG(maps), l.Out)
}

// exactArray returns an array of f64 with the given elements. Its shape is that of the
// array in the parameter like.
func exactArray(like *kernel.Array, values []float64) *kernel.Array {
	a := &kernel.Array{Elem: ir.F64, Shape: like.Shape, Data: make([]byte, 8*len(values))}
	for i, x := range values {
		binary.LittleEndian.PutUint64(a.Data[8*i:], math.Float64bits(x))
	}
	return a
}
