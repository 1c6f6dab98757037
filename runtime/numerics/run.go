// This file runs kernels with shadows.

package numerics

import (
	"errors"
	"slices"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime"
	"ptogo/runtime/expr"
	"ptogo/runtime/shadow"
)

// Options are the options of Run.
type Options struct {
	// Run holds the options of the launches: the numbers of blocks and ranks, and limits.
	Run runtime.Options
	// Args are the arguments. Run changes the contents of their buffers as a launch does.
	Args []runtime.Arg
	// Names and Elems are the names and element types of the arguments.
	Names []string
	Elems []ir.Type
	// Perturb is the number of additional launches with randomly perturbed results of
	// approximate functions. Seed is the seed of the first one; each following launch
	// uses the next integer.
	Perturb int
	Seed    uint64
	// Fresh, if not nil, replaces the random data in args by other data of the same
	// distribution, for each perturbed launch. The tolerances then hold for this
	// distribution. Without it, they are derived from one set of data.
	Fresh func(run int, args []runtime.Arg)
	// Most limits the number of inexact elements that a launch may compute. 0 means the
	// maximum that the expression table can hold.
	Most int
}

// Kernel is the program that Run launches: a module with its kernels, and the target.
type Kernel struct {
	Module   *ir.Op
	Kernels  []*ir.Op
	Target   ir.Target
	Features ir.Features
}

// ErrTooMany is the error that Run returns if a launch computes more inexact elements
// than Options.Most.
var ErrTooMany = errors.New("the kernel computes too many inexact elements")

// Run launches a kernel once and measures the rounding error of each element: its
// difference from the same computation in float64. It launches the kernel Options.Perturb
// more times with perturbed results of approximate functions. It returns a report of the
// accuracy. A fault of the kernel is returned as a *runtime.Fault.
func Run(k Kernel, o Options) (*Report, error) {
	var perturbed [][]runtime.Arg
	for range o.Perturb {
		perturbed = append(perturbed, clone(o.Args))
	}
	l, err := launch(k, &o, o.Args, shadow.New())
	if err != nil {
		return nil, err
	}
	r := newReport(l, &o)
	if o.Perturb == 0 {
		return r, nil
	}
	d := newDerivation(l, &o)
	for i, args := range perturbed {
		if o.Fresh != nil {
			o.Fresh(i, args)
		}
		rec := shadow.New()
		rec.Perturb(o.Seed + uint64(i))
		l, err := launch(k, &o, args, rec)
		if err != nil {
			return nil, err
		}
		d.add(l, args)
	}
	r.Tolerances = d.tolerances(r)
	return r, nil
}

// clone returns a copy of the arguments with separate copies of their buffers, so that a
// launch does not change the original data.
func clone(args []runtime.Arg) []runtime.Arg {
	own := slices.Clone(args)
	for i, a := range own {
		if a.Buf != nil {
			buf := *a.Buf
			buf.Data = slices.Clone(buf.Data)
			own[i].Buf = &buf
		}
	}
	return own
}

// launch runs the kernel once with the recorder rec. During the run, the lineage computes
// a shadow for each element: its value in a float64 computation. launch returns this
// lineage, from which the caller reads the shadows.
func launch(k Kernel, o *Options, args []runtime.Arg, rec *shadow.Recorder) (*runtime.Lineage, error) {
	l := &runtime.Lineage{Exprs: expr.New(expr.Modulo{}, o.Most), Shadows: rec}
	run := o.Run
	run.Target, run.Features, run.Lineage = k.Target, k.Features, l
	var diags ir.Diags
	p := runtime.Plan(k.Module, k.Kernels, run, &diags)
	if p == nil {
		return nil, ir.Errors(diags.All())
	}
	if err := p.Run(args); err != nil {
		return nil, err
	}
	if l.Exprs.Full() {
		return nil, ErrTooMany
	}
	return l, nil
}

// format returns the float format of the elements of argument arg. ok is false for
// scalars and for integers.
func (o *Options) format(arg int) (f num.Format, ok bool) {
	a := o.Args[arg]
	if a.Buf == nil || a.Context || arg >= len(o.Elems) || o.Elems[arg].IsZero() {
		return 0, false
	}
	f, ok = ir.FormatOf(o.Elems[arg])
	return f, ok && f.IsFloat() && f.Bits() >= 8
}

// shadows calls yield for each element of argument arg after a launch. data contains the
// bytes of the argument, whose elements have format f. The first argument of yield is the
// index i of the element. The argument a is the element as the kernel computed it, and s
// is its shadow (the value in float64). The argument origin is the number of the
// instruction that caused most of the error. An exact element equals its shadow.
func shadows(l *runtime.Lineage, arg int, data []byte, f num.Format, yield func(i int, a, s float64, origin uint32)) {
	size := f.Bytes()
	for i := range len(data) / size {
		a := num.Decode(f, num.Load(f, data[i*size:]))
		if s, ok := l.Shadow(arg, i*size, f); ok {
			yield(i, a, s.Value, s.Origin())
		} else {
			yield(i, a, a, 0)
		}
	}
}
