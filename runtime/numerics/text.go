// This file prints reports.

package numerics

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"ptogo/ir"
	"ptogo/runtime/shadow"
)

// mostLines is the maximum number of instructions in the table of a text report.
const mostLines = 20

// mostOrigins is the maximum number of instructions that a report names as the origin of
// an argument's errors.
const mostOrigins = 3

// Text writes the report to w as text for a user.
func (r *Report) Text(w io.Writer) {
	r.arguments(w)
	r.findings(w)
	r.table(w)
	r.tolerances(w)
}

// arguments writes the errors of each float argument of the kernel after the run. The
// error of an element is its difference from a float64 value, which the same computation
// without rounding to the element format would yield.
func (r *Report) arguments(w io.Writer) {
	if len(r.Arguments) == 0 {
		fmt.Fprintln(w, "numerics: all float results equal the float64 values")
	}
	for _, a := range r.Arguments {
		fmt.Fprintf(w, "numerics of %s, %s of %s against float64:\n", a.Name, ir.Count(a.Elements, "element"), a.Format)
		if a.NotFinite > 0 {
			fmt.Fprintf(w, "  %s NaN or infinite, the first is element %d\n", isOrAre(a.NotFinite, "element"), a.AtNotFinite)
		}
		if a.Inexact > 0 {
			fmt.Fprintf(w, "  largest error %.3g (element %d), relative %.3g, %.3g ULP; mean %.2g ULP; %s inexact\n", a.Abs, a.AtAbs, a.Rel, a.ULP, a.MeanULP, isOrAre(a.Inexact, "element"))
		}
		for i, o := range a.Origins {
			if i == mostOrigins {
				break
			}
			fmt.Fprintf(w, "  most of the error of %s was born at %s (%s)\n", ir.Count(o.Elements, "element"), place(o.Line.Op), o.Line.Op.Name())
		}
	}
}

// isOrAre returns a text with the count n, a noun, and the verb "is" or "are", for
// example "2 elements are". thing is the noun in singular.
func isOrAre(n int, thing string) string {
	if n == 1 {
		return "1 " + thing + " is"
	}
	return ir.Count(n, thing) + " are"
}

// findings writes one message for each finding, with its hint.
func (r *Report) findings(w io.Writer) {
	for _, f := range r.Findings {
		fmt.Fprintf(w, "%s: %s: %s: %s\n", place(f.Line.Op), f.Kind, f.Line.Op.Name(), f.Text)
		if f.Hint != "" {
			fmt.Fprintf(w, "  hint: %s\n", f.Hint)
		}
	}
}

// table writes a table with one row for each instruction that computes floats: its
// errors, and how often special results such as NaN occurred.
func (r *Report) table(w io.Writer) {
	var text bytes.Buffer
	t := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "line\tinstruction\ttype\tresults\tinexact\tadded: ULP\tmean\trelative\tin total: ULP\trelative\tamplified\tcondition\tevents")
	more := 0
	for i, l := range r.Lines {
		if i >= mostLines {
			more++
			continue
		}
		if l.Count == 0 {
			fmt.Fprintf(t, "%s\t%s\t\t\t\t\t\t\t\t\t\t\t%s\n", shortPlace(l.Op), l.Op.Name(), events(l))
			continue
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", shortPlace(l.Op), l.Op.Name(), l.Format, l.Count, l.Inexact,
			figure(l.BornULP), figure(l.SumULP/float64(l.Count)), figure(l.BornRel), figure(l.TotalULP), figure(l.TotalRel), figure(l.Amplified), figure(l.Condition), events(l))
	}
	t.Flush()
	for line := range bytes.Lines(text.Bytes()) {
		fmt.Fprintf(w, "%s\n", bytes.TrimRight(line, " \n"))
	}
	if more > 0 {
		fmt.Fprintf(w, "... and %s with smaller errors; --numerics-json FILE has all\n", ir.Count(more, "instruction"))
	}
}

// shortPlace returns the source location of op without the folder of the file.
func shortPlace(op *ir.Op) string {
	text := place(op)
	if i := strings.LastIndexByte(text, '/'); i >= 0 {
		text = text[i+1:]
	}
	return text
}

// figure formats a number for a table of the report. It returns a dash for 0.
func figure(x float64) string {
	switch {
	case x == 0:
		return "-"
	case math.IsInf(x, 0):
		return "inf"
	}
	return fmt.Sprintf("%.2g", x)
}

// tolerances writes the tolerance that a test should use for each argument, and the
// errors from which the tolerances are derived.
func (r *Report) tolerances(w io.Writer) {
	for _, t := range r.Tolerances {
		if t.Heavy {
			fmt.Fprintf(w, "no tolerance for %s: its error has a heavy tail (tail index %.2g), so other data of the same distribution can have far larger errors than these\n", t.Argument.Name, t.TailIndex)
		} else {
			fmt.Fprintf(w, "tolerance for %s: rtol=%.2g,atol=%.2g\n", t.Argument.Name, t.Rtol, t.Atol)
		}
		fmt.Fprintf(w, "  rounding alone: largest error %.3g, relative %.3g\n", t.Rounded, t.RoundedRel)
		if len(t.Approximate) > 0 {
			var names []string
			for _, l := range t.Approximate {
				names = append(names, fmt.Sprintf("%s at %s (%d ULP)", l.Op.Name(), shortPlace(l.Op), l.Approximate))
			}
			slices.Sort(names)
			fmt.Fprintf(w, "  with results perturbed within their documented error in %s: largest error %.3g, relative %.3g\n", ir.Count(t.Runs, "run"), t.Perturbed, t.PerturbedRel)
			fmt.Fprintf(w, "  perturbed: %s\n", strings.Join(slices.Compact(names), ", "))
		} else {
			fmt.Fprintln(w, "  no instruction is an approximation, so all runs on the same data have the same results")
		}
		if !t.Heavy {
			fmt.Fprintf(w, "  the tolerance is %.2g times these errors; the relative errors are those of the larger half of the elements\n", t.Factor)
		}
		fmt.Fprintf(w, "  %s\n", t.holds())
		if a := t.Argument; a.NotFinite > 0 {
			fmt.Fprintf(w, "  %s NaN or infinite, which the tolerance does not cover\n", isOrAre(a.NotFinite, "element"))
		}
	}
}

// holds returns a sentence that states for which data the tolerance holds.
func (t *Tolerance) holds() string {
	switch {
	case t.Heavy:
		return "a quotient by a number that can be near zero is a common cause; keep such data out of the test, or compare the kernel with a reference in its own precision"
	case !t.Judged:
		return "it holds for the data of the arguments only: too few elements are inexact to judge other data"
	case t.Fresh:
		return fmt.Sprintf("it holds for random data like this: at most 1 of 1,000 sets of data should exceed it (seen: %s)", ir.Count(t.Runs+1, "set"))
	}
	return "it holds for data with the distribution of these elements: at most 1 of 1,000 sets should exceed it (seen: 1 set)"
}

// events returns the counts of the special results of an instruction, such as "nan 3,
// overflow 1".
func events(l *shadow.Line) string {
	var parts []string
	for k, e := range l.Events {
		if e.Count > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", shadow.Names[k], e.Count))
		}
	}
	if l.Unfollowed > 0 {
		parts = append(parts, "not followed")
	}
	return strings.Join(parts, ", ")
}
