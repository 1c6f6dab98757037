// This file derives tolerances for tests.

package numerics

import (
	"math"
	"slices"

	"ptogo/ir/num"
	"ptogo/runtime"
	"ptogo/runtime/shadow"
)

// margin is the ratio of the derived tolerance to the largest observed error. It covers
// the larger errors that other data of the same kind and other orders of additions can
// cause. docs/measurements/numerics.md shows that a factor of 2 is too small.
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
	// Runs is the number of perturbed launches.
	Runs int
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
	// small is an absolute value. For elements below it, only the absolute tolerance
	// applies.
	small float64
}

// newDerivation returns the data from which tolerances are derived, with the errors of
// the first launch. In the first launch, functions with approximate results are computed
// as usual; in later launches, their results are randomly perturbed. The parameter l
// contains the float64 values of all elements.
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

// add updates the largest error of each element with the results of one more launch, in
// which the results of approximate functions are perturbed. The parameter args contains
// the arguments after this launch. The error of an element is its distance from the
// shadow (the value in float64) that the launch without perturbation computed.
func (d *derivation) add(l *runtime.Lineage, args []runtime.Arg) {
	d.runs++
	for _, e := range d.args {
		size := e.f.Bytes()
		for i := range e.value {
			a := num.Decode(e.f, num.Load(e.f, args[e.arg].Buf.Data[i*size:]))
			e.most[i] = max(e.most[i], finiteError(a, e.value[i]))
		}
	}
}

// bounds returns three maxima over the elements of one argument; the parameter errs
// contains the error of each element. The result rel is the largest relative error, not
// counting elements with small values. The result rest is the largest error that remains
// after the subtraction of rel times the value. The result abs is the largest absolute
// error.
func (e *elementErrors) bounds(errs []float64) (rel, rest, abs float64) {
	for i, off := range errs {
		abs = max(abs, off)
		if v := math.Abs(e.value[i]); v >= e.small && v > 0 {
			rel = max(rel, off/v)
		}
	}
	for i, off := range errs {
		rest = max(rest, off-rel*math.Abs(e.value[i]))
	}
	return rel, rest, abs
}

// tolerances returns the tolerance for each argument that the kernel changed.
func (d *derivation) tolerances(r *Report) []*Tolerance {
	var list []*Tolerance
	for _, a := range r.Arguments {
		for _, e := range d.args {
			if e.arg != a.Arg {
				continue
			}
			t := &Tolerance{Argument: a, Runs: d.runs, Approximate: d.approximate}
			rel, rest, abs := e.bounds(e.most)
			t.Rtol, t.Atol = roundUp(margin*rel), roundUp(margin*rest)
			t.PerturbedRel, t.Perturbed = rel, abs
			t.RoundedRel, _, t.Rounded = e.bounds(e.rounded)
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
