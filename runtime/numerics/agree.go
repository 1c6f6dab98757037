// This file compares the results of two kernels that compute the same function with other
// rounding errors.

package numerics

import (
	"bytes"
	"errors"
	"fmt"
	"math"

	"ptogo/ir/num"
	"ptogo/runtime"
	"ptogo/runtime/shadow"
)

// exactShare is the largest difference between the float64 results of two kernels that
// compute the same function, in units of the tolerance. Their rounding errors in float64 are
// far smaller: formats of elements have at least 29 bits less. Kernels that compute
// different functions differ by far more on random data.
const exactShare = 1.0 / 1024

// Reference contains the results of a kernel on several sets of data, and the tolerances
// that follow from their rounding errors.
type Reference struct {
	// Tolerances are the tolerances for the arguments that the kernel changed inexactly.
	Tolerances []*Tolerance

	o    Options
	sets []results
}

// results are the arguments after a launch, and their elements in float64 by argument.
type results struct {
	args  []runtime.Arg
	exact [][]float64
}

// NewReference launches the kernel k on the given number of data sets and derives tolerances.
// The function data returns new arguments with the data of a set; o.Args is not used. If
// there is more than one data set, the sets have other random data of the same distribution.
func NewReference(k Kernel, o Options, sets int, data func(set int) ([]runtime.Arg, error)) (*Reference, error) {
	r := &Reference{o: o}
	for set := range sets {
		args, err := data(set)
		if err != nil {
			return nil, err
		}
		s, err := r.launch(k, o.Run, args)
		if err != nil {
			return nil, err
		}
		r.sets = append(r.sets, s)
	}
	var err error
	if o.Args, err = data(0); err != nil {
		return nil, err
	}
	o.Perturb, o.Seed = max(1, sets-1), 1
	if sets > 1 {
		o.Fresh = func(run int, args []runtime.Arg) {
			other, failed := data(1 + run)
			for i, a := range other {
				if a.Buf != nil {
					copy(args[i].Buf.Data, a.Buf.Data)
				}
			}
			if err == nil {
				err = failed
			}
		}
	}
	report, failed := Run(k, o)
	if failed != nil || err != nil {
		return nil, errors.Join(failed, err)
	}
	r.Tolerances = report.Tolerances
	for _, t := range r.Tolerances {
		if t.Heavy {
			return nil, fmt.Errorf("the rounding errors of %s have no bound, so a tolerance cannot be derived", t.Argument.Name)
		}
	}
	return r, nil
}

// launch launches the kernel k with args, which get its results.
func (r *Reference) launch(k Kernel, run runtime.Options, args []runtime.Arg) (results, error) {
	o := r.o
	o.Run, o.Args = run, args
	l, err := launch(k, &o, args, shadow.New())
	if err != nil {
		return results{}, err
	}
	s := results{args: args, exact: make([][]float64, len(args))}
	for arg := range args {
		if f, ok := o.format(arg); ok {
			shadows(l, arg, args[arg].Buf.Data, f, func(_ int, _, exact float64, _ uint32) {
				s.exact[arg] = append(s.exact[arg], exact)
			})
		}
	}
	return s, nil
}

// Agreement describes the differences between the results of a kernel and those of a
// Reference.
type Agreement struct {
	// Error is the largest difference between an element and its float64 value in the
	// Reference, and Exact that between the float64 values in both kernels. Both are in
	// units of the tolerance.
	Error, Exact float64
	// Wrong is the reason why the kernel computes another function, or "".
	Wrong string
}

// Compare launches the kernel k on a data set of the reference. The arguments args have the
// data of this set, and may be followed by other arguments of k.
func (r *Reference) Compare(k Kernel, run runtime.Options, set int, args []runtime.Arg) (Agreement, error) {
	got, err := r.launch(k, run, args)
	if err != nil {
		return Agreement{}, err
	}
	var a Agreement
	for arg, want := range r.sets[set].args {
		if want.Buf == nil || want.Context {
			continue
		}
		f, floats := r.format(arg)
		t := r.tolerance(arg)
		if !floats || t == nil {
			if !bytes.Equal(want.Buf.Data, args[arg].Buf.Data) {
				a.Wrong = fmt.Sprintf("%s has other bits, and its elements have no rounding errors", r.o.Names[arg])
				return a, nil
			}
			continue
		}
		size := f.Bytes()
		for i, exact := range r.sets[set].exact[arg] {
			bits, was := num.Load(f, args[arg].Buf.Data[i*size:]), num.Load(f, want.Buf.Data[i*size:])
			if bits == was && exact == got.exact[arg][i] {
				continue
			}
			unit := t.Atol + t.Rtol*math.Abs(exact)
			off, apart := math.Abs(num.Decode(f, bits)-exact)/unit, math.Abs(got.exact[arg][i]-exact)/unit
			if !(off <= 1) || !(apart <= exactShare) { // also for NaN
				a.Wrong = fmt.Sprintf("element %d of %s is %v, and %v in float64, instead of %v in float64, which is not within the tolerance rtol=%.2g,atol=%.2g",
					i, r.o.Names[arg], num.Decode(f, bits), got.exact[arg][i], exact, t.Rtol, t.Atol)
				return a, nil
			}
			a.Error, a.Exact = max(a.Error, off), max(a.Exact, apart)
		}
	}
	return a, nil
}

// format returns the float format of the elements of an argument.
func (r *Reference) format(arg int) (num.Format, bool) {
	o := r.o
	o.Args = r.sets[0].args
	return o.format(arg)
}

// tolerance returns the tolerance of an argument, or nil if it has none.
func (r *Reference) tolerance(arg int) *Tolerance {
	for _, t := range r.Tolerances {
		if t.Argument.Arg == arg {
			return t
		}
	}
	return nil
}
