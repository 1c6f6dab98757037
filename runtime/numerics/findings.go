// This file finds instructions that lose accuracy, and says what to do.

package numerics

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime/shadow"
)

// Finding reports an instruction that loses accuracy, with a hint for a more accurate
// program.
type Finding struct {
	// Line is the summary of the instruction's errors.
	Line *shadow.Line
	// Kind is the name of the kind of loss, such as "cancellation".
	Kind string
	// Text describes what happens. Hint describes a more accurate alternative, or is "".
	Text, Hint string
	// weight orders findings; a lower weight comes first.
	weight int
}

// These are the names of the kinds of findings about accuracy. A finding is about an
// instruction that loses accuracy. Further kinds are in the list shadow.Names, for
// special results such as NaN.
const (
	accumulation = "accumulation"
	bottleneck   = "rounding"
	reciprocal   = "reciprocal"
	twice        = "double-rounding"
)

// wastedULP is a limit for findings about sums in a 16-bit format, in ULP. The report
// mentions a sum only if its error is at least as large. The sum could be computed in f32
// and rounded to 16 bits once. The error would then be at most half a ULP.
const wastedULP = 2

// rare is a limit for findings about cancellation. If cancellation affects less than
// 1/rare of the results of an instruction, it is not a finding, because sums of numbers
// with both signs are sometimes close to zero by chance.
const rare = 64

// find computes Report.Findings, the list of instructions that lose accuracy, from the
// summaries of all instructions.
func (r *Report) find() {
	for _, l := range r.Lines {
		r.special(l)
		r.cancelled(l)
		r.accumulated(l)
		r.reciprocals(l)
		if o := r.line(l.Twice); o != nil {
			r.add(Finding{l, twice, fmt.Sprintf("rounds to %s what %s has already rounded to %s", l.Format, place(o.Op), o.Format),
				"convert once, from the unrounded value", 4})
		}
	}
	r.bottlenecks()
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(a.weight, b.weight) })
}

// add appends f to the findings of the report.
func (r *Report) add(f Finding) { r.Findings = append(r.Findings, f) }

// specialTexts describes those kinds of special results, such as NaN, for which a report
// contains a finding. Each entry has a text, a hint and a weight by which findings are
// sorted.
var specialTexts = []struct {
	kind       shadow.Kind
	text, hint string
	weight     int
}{
	{shadow.NaN, "NaN", "", 1},
	{shadow.Overflow, "infinite", "subtract the row maximum before exp, or use a format with a larger range", 0},
	{shadow.Poles, "infinite, because a divisor or the argument of a logarithm is zero", "add a small number before, as in x / (y + 1e-6)", 1},
	{shadow.Saturated, "cut to the largest number of the format", "scale the values into the range of the format", 1},
	{shadow.Underflow, "zero, although the exact result is not", "scale the values, or use a format with a larger range", 5},
	{shadow.Decision, "decided differently than in float64: comparisons, or roundings to integers", "", 6},
	{shadow.Denormal, "denormal, which targets may flush to zero", "", 7},
}

// special adds findings about the results that the instruction with the record l
// produced. It adds one finding for each kind of special result, such as NaN or infinity.
func (r *Report) special(l *shadow.Line) {
	for _, s := range specialTexts {
		e := l.Events[s.kind]
		if e.Count == 0 {
			continue
		}
		verb := "are"
		if e.Count == 1 {
			verb = "is"
		}
		r.add(Finding{l, shadow.Names[s.kind], fmt.Sprintf("%s %s %s; the first is result %d of execution %d", ir.Count(e.Count, "result"), verb, s.text, e.Element, e.Execution), s.hint, s.weight})
	}
}

// cancelled adds a finding if the instruction with the record l often subtracts inexact
// numbers of similar size. Such a subtraction increases the relative error.
func (r *Report) cancelled(l *shadow.Line) {
	e := l.Events[shadow.Cancellation]
	if e.Count*rare < l.Count || e.Count == 0 {
		return
	}
	r.add(Finding{l, shadow.Names[shadow.Cancellation],
		fmt.Sprintf("up to %d of %d bits cancel in %s, and the relative error grows up to %.2g times", l.CancelledBits, shadow.Digits(l.Format), ir.Count(e.Count, "result"), l.Amplified),
		"subtract earlier, such as the mean before squaring, or compute the operands in a longer format", 2})
}

// accumulated adds a finding if the instruction of l computes sums in a 16-bit format and
// the rounding of these sums causes a large error.
func (r *Report) accumulated(l *shadow.Line) {
	if !l.Adds || l.Format.Bits() != 16 || l.OwnULP < wastedULP || math.IsInf(l.OwnULP, 0) {
		return
	}
	r.add(Finding{l, accumulation, fmt.Sprintf("adding in %s adds errors up to %.3g ULP", l.Format, l.OwnULP),
		fmt.Sprintf("accumulating in f32 here would gain %.1f decimal digits", math.Log10(l.OwnULP/0.5)), 3})
}

// reciprocals adds a finding if the instruction with the record l multiplies by a rounded
// reciprocal. A division would round only once.
func (r *Report) reciprocals(l *shadow.Line) {
	o := r.line(l.Reciprocal)
	switch {
	case o == nil || l.Inexact == 0:
	case o == l:
		r.add(Finding{l, reciprocal, fmt.Sprintf("divides by multiplying with a rounded reciprocal: errors up to %.2f ULP instead of 0.5", l.BornULP),
			"a division of two tiles rounds once", 4})
	default:
		r.add(Finding{l, reciprocal, fmt.Sprintf("multiplies by the reciprocal that %s rounds: two roundings instead of one", place(o.Op)),
			"divide instead, which rounds once", 4})
	}
}

// bottlenecks adds a finding for each instruction whose rounding limits the accuracy of
// many result elements. Such an instruction rounds to a format with fewer significant
// bits than the format of the results. An element counts if the rounding of the
// instruction causes most of its error.
func (r *Report) bottlenecks() {
	type pair struct {
		line *shadow.Line
		to   num.Format
	}
	seen := map[pair]bool{}
	for _, a := range r.Arguments {
		for _, o := range a.Origins {
			l := o.Line
			if l.Format == num.Invalid || shadow.Digits(l.Format) >= shadow.Digits(a.Format) || o.Elements*10 < a.Elements || seen[pair{l, a.Format}] {
				continue
			}
			seen[pair{l, a.Format}] = true
			r.add(Finding{l, bottleneck, fmt.Sprintf("rounding to %s (%d bits) causes most of the error of %s of %s, which is %s", l.Format, shadow.Digits(l.Format), ir.Count(o.Elements, "element"), a.Name, a.Format),
				fmt.Sprintf("keep the value in %s", a.Format), 4})
		}
	}
}
