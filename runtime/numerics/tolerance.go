// This file derives tolerances for tests.

package numerics

import (
	"math"
	"slices"

	"ptogo/ir/num"
	"ptogo/runtime"
	"ptogo/runtime/shadow"
)

// margin is the least ratio of the derived tolerance to the largest observed error. It
// covers the larger errors that other data of the same kind and other orders of additions
// can cause. docs/measurements/numerics.md shows that a factor of 2 is too small. A larger
// ratio follows from the tail of the errors (tail.go).
const margin = 3

// Tolerance is the tolerance that a test should use for one argument. An element x of the
// kernel may differ from the element y of a float64 reference by up to Atol + Rtol*|y|.
type Tolerance struct {
	Argument *Argument
	// Rtol is the relative tolerance, and Atol the absolute tolerance.
	Rtol, Atol float64
	// Rounded and Perturbed are the largest absolute errors: in the launch without
	// perturbation, and in all launches. RoundedRel and PerturbedRel are the
	// corresponding largest relative errors of elements that are not small.
	Rounded, Perturbed       float64
	RoundedRel, PerturbedRel float64
	// Approximate are the instructions whose results were perturbed.
	Approximate []*shadow.Line
	// Runs is the number of perturbed launches. Fresh means that each of them had other
	// random data.
	Runs  int
	Fresh bool
	// Factor is the ratio of the tolerance to the observed errors.
	Factor float64
	// Heavy means that no tolerance holds for other data of the same distribution, because
	// much larger errors than the observed ones are not rare in it. TailIndex is the
	// estimated tail index of the errors (tail.go).
	Heavy     bool
	TailIndex float64
	// Judged means that the number of inexact elements suffices to judge other data.
	Judged bool
}

// derivation collects the errors of several launches of one kernel, from which test
// tolerances are derived. In all launches except the first, the results of approximate
// functions, such as exp, are randomly perturbed within their documented error. The
// errors therefore show how such inaccuracies affect the results.
type derivation struct {
	o    *Options
	args []*elementErrors
	runs int
	// approximate lists the instructions of the first launch that compute approximate
	// functions, such as exp.
	approximate []*shadow.Line
}

// elementErrors holds the largest error of each element of one argument.
type elementErrors struct {
	arg int
	f   num.Format
	// value is the shadow of each element in the first launch.
	value []float64
	// rounded holds the errors of the first launch, and most the largest errors of all
	// launches.
	rounded, most []float64
	// runs are the bounds of the launches with other data.
	runs []bound
	// small is an absolute value. For elements below it, only the absolute tolerance
	// applies.
	small float64
	// all are the errors of all launches, from which the tail is estimated; every stride-th
	// element of a launch is one of them.
	all    []sample
	stride int
}

// sample is the error of one element, and the absolute value of the element.
type sample struct{ err, value float32 }

// mostSamples limits the samples of one argument, and thereby their memory.
const mostSamples = 1 << 22

// newDerivation returns the data from which tolerances are derived, with the errors of
// the first launch. In the first launch, functions with approximate results are computed
// as usual; in later launches, their results are randomly perturbed. l contains the
// float64 values of all elements.
func newDerivation(l *runtime.Lineage, o *Options) *derivation {
	d := &derivation{o: o}
	for _, line := range l.Shadows.Lines() {
		if line.Approximate > 0 {
			d.approximate = append(d.approximate, line)
		}
	}
	for arg := range o.Args {
		f, ok := o.format(arg)
		if !ok {
			continue
		}
		e := &elementErrors{arg: arg, f: f}
		var sizes []float64
		shadows(l, arg, o.Args[arg].Buf.Data, f, func(_ int, a, s float64, _ uint32) {
			e.value = append(e.value, s)
			e.rounded = append(e.rounded, finiteError(a, s))
			if s != 0 && s-s == 0 {
				sizes = append(sizes, math.Abs(s))
			}
		})
		if len(sizes) > 0 {
			slices.Sort(sizes)
			e.small = sizes[len(sizes)/2]
		}
		e.most = slices.Clone(e.rounded)
		e.stride = 1 + len(e.value)*(1+o.Perturb)/mostSamples
		if o.Fresh != nil || o.Perturb == 0 {
			e.record(e.rounded, e.value)
		}
		d.args = append(d.args, e)
	}
	return d
}

// finiteError returns the absolute error |a-s| of an element. The parameter a is the
// computed element, and s is the result of the same computation in float64. If one of the
// two is infinite or NaN, the error has no finite value, and the result is 0.
func finiteError(a, s float64) float64 {
	if off := math.Abs(a - s); off-off == 0 {
		return off
	}
	return 0
}

// record adds the errors of one launch to those from which the tail is estimated.
func (e *elementErrors) record(errs, values []float64) {
	for i := 0; i < len(errs); i += e.stride {
		if errs[i] > 0 {
			e.all = append(e.all, sample{float32(errs[i]), float32(math.Abs(values[i]))})
		}
	}
}

// add updates the errors with the results of one more launch, in which the results of
// approximate functions are perturbed. args are the arguments after this launch. If the
// launch had other data, the error of an element is its distance from its shadow (the
// value in float64). Otherwise it is the distance from the shadow of the launch without
// perturbation.
func (d *derivation) add(l *runtime.Lineage, args []runtime.Arg) {
	d.runs++
	for _, e := range d.args {
		if d.o.Fresh == nil {
			size := e.f.Bytes()
			for i := range e.value {
				a := num.Decode(e.f, num.Load(e.f, args[e.arg].Buf.Data[i*size:]))
				e.most[i] = max(e.most[i], finiteError(a, e.value[i]))
			}
			continue
		}
		var errs, values []float64
		shadows(l, e.arg, args[e.arg].Buf.Data, e.f, func(_ int, a, s float64, _ uint32) {
			errs, values = append(errs, finiteError(a, s)), append(values, s)
		})
		e.record(errs, values)
		e.runs = append(e.runs, e.boundsOf(errs, values, 0))
	}
}

// bound holds three maxima over the errors of a launch. The field rel is the largest
// relative error, not counting elements with small values. The field rest is the largest
// error that remains after the subtraction of a relative error times the value. The field
// abs is the largest absolute error.
type bound struct{ rel, rest, abs float64 }

// boundsOf returns the maxima over the elements of one argument with the given errors and
// values. The relative error that it subtracts is at least the parameter least.
func (e *elementErrors) boundsOf(errs, values []float64, least float64) bound {
	b := bound{rel: least}
	for i, off := range errs {
		b.abs = max(b.abs, off)
		if v := math.Abs(values[i]); v >= e.small && v > 0 {
			b.rel = max(b.rel, off/v)
		}
	}
	for i, off := range errs {
		b.rest = max(b.rest, off-b.rel*math.Abs(values[i]))
	}
	return b
}

// bounds returns the maxima over the elements of one argument; the parameter errs contains
// the error of each element. It includes the maxima of launches with other data.
func (e *elementErrors) bounds(errs []float64) (rel, rest, abs float64) {
	all := e.boundsOf(errs, e.value, 0)
	for _, b := range e.runs {
		all.rel, all.rest, all.abs = max(all.rel, b.rel), max(all.rest, b.rest), max(all.abs, b.abs)
	}
	return all.rel, all.rest, all.abs
}

// tail estimates the tail of the errors in units of the tolerance rel and rest.
func (e *elementErrors) tail(rel, rest float64) tail {
	var errs []float64
	for _, s := range e.all {
		if unit := rest + rel*float64(s.value); unit > 0 {
			errs = append(errs, float64(s.err)/unit)
		}
	}
	return estimateTail(errs, (len(e.value)+e.stride-1)/e.stride)
}

// tolerances returns the tolerance for each argument that the kernel changed.
func (d *derivation) tolerances(r *Report) []*Tolerance {
	var list []*Tolerance
	for _, a := range r.Arguments {
		for _, e := range d.args {
			if e.arg != a.Arg {
				continue
			}
			t := &Tolerance{Argument: a, Runs: d.runs, Approximate: d.approximate, Fresh: d.o.Fresh != nil}
			if !t.Fresh {
				e.record(e.most, e.value)
			}
			rel, rest, abs := e.bounds(e.most)
			tail := e.tail(rel, rest)
			t.Heavy, t.TailIndex, t.Factor, t.Judged = tail.heavy(), tail.index, tail.factor(), tail.known || len(e.all) == 0
			t.Rtol, t.Atol = roundUp(t.Factor*rel), roundUp(t.Factor*rest)
			t.PerturbedRel, t.Perturbed = rel, abs
			first := e.boundsOf(e.rounded, e.value, 0)
			t.RoundedRel, t.Rounded = first.rel, first.abs
			list = append(list, t)
		}
	}
	return list
}

// roundUp rounds x up to two significant decimal digits. 0, infinities and NaN remain
// unchanged.
func roundUp(x float64) float64 {
	if x == 0 || x-x != 0 {
		return x
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-1)
	return math.Ceil(x/unit*(1-1e-12)) * unit
}

// Ratio compares computed elements (the parameter got) with reference elements (the
// parameter want). It returns the largest error in units of the tolerance of the element.
// A test fails if this ratio is above 1.
func (t *Tolerance) Ratio(got, want []float64) float64 {
	most := 0.0
	for i := range got {
		if off := finiteError(got[i], want[i]); off > 0 {
			most = max(most, off/(t.Atol+t.Rtol*math.Abs(want[i])))
		}
	}
	return most
}
