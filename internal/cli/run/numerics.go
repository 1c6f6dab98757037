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
	"ptogo/internal/cli/limit"
	"ptogo/internal/cli/proof"
	"ptogo/internal/data"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/kernel/debug"
	"ptogo/runtime"
	"ptogo/runtime/numerics"
)

// numericsFlags are the options of pto-run that measure the accuracy of floating-point
// results.
type numericsFlags struct {
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
func (f *numericsFlags) define(fs *pflag.FlagSet) {
	fs.BoolVar(&f.on, "numerics", false, "compute each float also in float64. Report the source lines that add and amplify errors, and those where NaN, infinities and denormal numbers first occur (docs/numerics.md)")
	fs.StringVar(&f.json, "numerics-json", "", "write the report of --numerics to `FILE`, as JSON")
	fs.StringVar(&f.plot, "numerics-plot", "", "draw the errors of the results as heat maps into the SVG file `FILE`")
	fs.IntVar(&f.perturb, "perturb", 0, "run the kernel `N` more times, each time with random changes to the results of exp, log and similar functions. A change is at most the documented error of the function. Then print the tolerance that a test of the kernel needs for these arguments (default: 0 times)")
	fs.Uint64Var(&f.seed, "perturb-seed", 1, "use the seed `S` for the first run of --perturb, and the following numbers for the other runs")
}

// used reports whether any option requests a report about accuracy.
func (f *numericsFlags) used() bool {
	return f.on || f.json != "" || f.plot != "" || f.perturb > 0
}

// check returns an error if the options about accuracy contradict each other or other
// options of pto-run.
func (f *numericsFlags) check(t *runFlags) error {
	other := t.observe.option()
	switch {
	case f.perturb < 0 || f.perturb > mostPerturbed:
		return fmt.Errorf("--perturb must be between 0 and %d", mostPerturbed)
	case !f.used():
		return nil
	case t.engine != engineGo:
		return errors.New("--numerics needs --engine=go")
	case len(t.check.kinds) > 0:
		other = "--check"
	case t.timing.used():
		other = "--timing"
	case t.trace != "":
		other = "--trace"
	case t.report != "":
		other = "--report"
	case t.schedule != "":
		other = "--schedule"
	case t.equivalent.path != "":
		other = "--equivalent"
	}
	if other != "" {
		return fmt.Errorf("--numerics and %s cannot be used together: use two commands", other)
	}
	return nil
}

// bytesPerShadow is the maximum memory in bytes for an element that is not exact: its
// value in float64 (the shadow) and bookkeeping for its bytes.
const bytesPerShadow = 32

// executeNumerics runs the kernels with shadows: it repeats each computation on floats in
// float64. It prints a report about the resulting rounding errors and returns the exit
// code.
func (t *runTool) executeNumerics(prog *kernel.Program, args []*data.Arg) int {
	f := &t.flags.numerics
	stop := limit.NewStopper(t.flags.timeout, t.Cancelled)
	defer stop.End()
	o := numerics.Options{
		Run: runtime.Options{
			Blocks: t.flags.blocks, Ranks: t.flags.ranks, MaxSteps: t.flags.maxSteps, MaxMemory: int64(t.MaxMemory.Bytes), Stop: stop.Why, FlushDenormals: t.flags.flush,
			ScratchFill: t.flags.fill, Out: t.Out, MaxOutput: int64(t.flags.maxOutput), Warn: t.warn,
		},
		Perturb: f.perturb, Seed: f.seed, Most: int(int64(t.MaxMemory.Bytes) / bytesPerShadow),
	}
	params := prog.Params()
	for i, a := range args {
		p := params[i%len(params)]
		var elem ir.Type
		if p.IsPointer() {
			elem = ir.ElementType(p.Type)
		}
		o.Args, o.Elems = append(o.Args, a.Value), append(o.Elems, elem)
		o.Names = append(o.Names, proof.ParamText(p, i%len(params))+t.rankSuffix(i))
	}
	if slices.ContainsFunc(args, (*data.Arg).Random) {
		o.Fresh = func(run int, fresh []runtime.Arg) { data.Reseed(args, run, fresh) }
	}
	r, err := numerics.Run(numerics.Kernel{Module: prog.Module, Kernels: prog.Kernels, Target: prog.Target, Features: prog.Features}, o)
	switch {
	case errors.Is(err, numerics.ErrTooMany):
		return t.Fail("--numerics needs more memory than --max-memory allows, which is %s (%v): use smaller arguments, or a larger --max-memory", &t.MaxMemory, err)
	case err != nil:
		if list, ok := errors.AsType[ir.Errors](err); ok {
			return t.Failed(list)
		}
		return t.fault(err)
	}
	r.Text(t.Out)
	if f.perturb > 0 {
		fmt.Fprintf(t.Out, "seeds of the perturbed runs: %d to %d\n", f.seed, f.seed+uint64(f.perturb)-1)
	}
	if err := t.writeNumerics(r, args); err != nil {
		return t.Fail("%v", err)
	}
	return exit.OK
}

// writeNumerics writes the files with the report about errors: JSON and heat maps.
func (t *runTool) writeNumerics(r *numerics.Report, args []*data.Arg) error {
	f := &t.flags.numerics
	if f.json != "" {
		text, err := r.JSON()
		if err == nil {
			err = files.WriteFile(f.json, append(text, '\n'), t.Out)
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
		array := args[a.Arg].Array
		if array == nil {
			continue
		}
		d := debug.Compare(array, exactArray(array, a.Shadow), debug.Tolerance{}, true)
		maps = append(maps, debug.HeatMap{Title: a.Name + ", against float64", Array: array, Difference: d})
	}
	return files.WriteFile(f.plot, debug.SVG(maps), t.Out)
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
