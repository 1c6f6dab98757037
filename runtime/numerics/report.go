// This file defines the report of the accuracy of a kernel.

package numerics

import (
	"cmp"
	"math"
	"slices"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime"
	"ptogo/runtime/shadow"
)

// Report describes the accuracy of a kernel for given arguments.
type Report struct {
	// Lines are the summaries of the instructions that compute floats, with the worst
	// first.
	Lines []*shadow.Line
	// Arguments are the errors of the float arguments that the kernel changed.
	Arguments []*Argument
	// Findings are the instructions that lose accuracy, with the worst first.
	Findings []Finding
	// Tolerances are tolerances for tests. They are derived only if perturbed launches
	// were requested.
	Tolerances []*Tolerance

	line func(number uint32) *shadow.Line
}

// Argument describes the errors of the elements of one argument after a launch. The error
// of an element is its difference from its shadow, the float64 value of the same
// computation.
type Argument struct {
	Arg  int
	Name string
	// Format is the format of the elements.
	Format num.Format
	// Elements is the number of elements, and Inexact the number of those that differ
	// from their shadow.
	Elements, Inexact int
	// Abs, Rel and ULP are the largest absolute and relative error and the largest error
	// in ULP among finite elements. AtAbs is the index of the element with the largest
	// absolute error.
	Abs, Rel, ULP float64
	AtAbs         int
	// MeanULP is the mean error in ULP.
	MeanULP float64
	// NotFinite is the number of elements that are NaN or infinite although their shadow
	// differs. AtNotFinite is the index of the first one.
	NotFinite, AtNotFinite int
	// Origins lists the instructions that caused the errors, with the number of affected
	// elements, in descending order.
	Origins []Origin
	// Shadow holds the shadow of each element.
	Shadow []float64
}

// Origin is an instruction that caused most of the error of some result elements, with
// the number of these elements.
type Origin struct {
	Line     *shadow.Line
	Elements int
}

// newReport computes the report of a launch. l contains the shadow of each element, its
// value in float64, from which the errors follow.
func newReport(l *runtime.Lineage, o *Options) *Report {
	r := &Report{line: l.Shadows.Line}
	for arg := range o.Args {
		if f, ok := o.format(arg); ok {
			if a := r.argument(l, o, arg, f); a.Inexact+a.NotFinite > 0 {
				r.Arguments = append(r.Arguments, a)
			}
		}
	}
	for _, line := range l.Shadows.Lines() {
		if line.Count > 0 || line.Unfollowed > 0 || line.Events != ([shadow.Kinds]shadow.Event{}) {
			r.Lines = append(r.Lines, line)
		}
	}
	slices.SortStableFunc(r.Lines, worse)
	r.find()
	return r
}

// worse compares two instructions for sorting in a report. It returns a negative number
// if a comes before b. Instructions that created NaN or infinities come first. Then come
// those that caused the errors of most result elements, and then those with the largest
// error.
func worse(a, b *shadow.Line) int {
	births := func(l *shadow.Line) int { return min(l.Events[shadow.NaN].Count+l.Events[shadow.Overflow].Count, 1) }
	return cmp.Or(cmp.Compare(births(b), births(a)), cmp.Compare(b.Blamed, a.Blamed), cmp.Compare(b.BornRel, a.BornRel), cmp.Compare(b.TotalRel, a.TotalRel))
}

// argument computes the errors of the elements of argument arg, which have format f,
// after a launch.
func (r *Report) argument(l *runtime.Lineage, o *Options, arg int, f num.Format) *Argument {
	a := &Argument{Arg: arg, Name: o.Names[arg], Format: f}
	counts := map[uint32]int{}
	sum := 0.0
	shadows(l, arg, o.Args[arg].Buf.Data, f, func(i int, x, s float64, origin uint32) {
		a.Elements++
		a.Shadow = append(a.Shadow, s)
		off := math.Abs(x - s)
		switch {
		case x == s || x != x && s != s:
			if x-x != 0 && origin != 0 {
				a.notFinite(i)
				counts[origin]++
			}
			return
		case off-off != 0:
			a.notFinite(i)
		default:
			a.Inexact++
			ulps := off / shadow.ULP(f, s)
			sum += ulps
			if off > a.Abs {
				a.Abs, a.AtAbs = off, i
			}
			a.ULP = max(a.ULP, ulps)
			if s != 0 {
				a.Rel = max(a.Rel, off/math.Abs(s))
			}
		}
		counts[origin]++
	})
	a.MeanULP = sum / float64(max(a.Elements, 1))
	for number, n := range counts {
		if line := l.Shadows.Line(number); line != nil {
			line.Blamed += n
			a.Origins = append(a.Origins, Origin{line, n})
		}
	}
	slices.SortFunc(a.Origins, func(x, y Origin) int {
		return cmp.Or(cmp.Compare(y.Elements, x.Elements), cmp.Compare(x.Line.Number(), y.Line.Number()))
	})
	return a
}

// notFinite counts element i of the argument, which is NaN or infinite. It stores the
// index of the first such element.
func (a *Argument) notFinite(i int) {
	if a.NotFinite == 0 {
		a.AtNotFinite = i
	}
	a.NotFinite++
}

// place returns a text that identifies the instruction op in reports: its source
// location, or its name if it has no location.
func place(op *ir.Op) string {
	if op.Loc().Known() {
		return op.Loc().String()
	}
	return op.Name()
}
