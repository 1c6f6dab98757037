// This file compares the executions of two programs.

package debug

import (
	"fmt"
	"io"
	"slices"

	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// Diff compares the results of corresponding instructions of two programs. The second
// program is the reference: it runs first, with Other as a listener. Then the first
// program runs, with Diff itself as a listener.
type Diff struct {
	Capture
	Other Capture

	Tolerance
	// pairs maps the instructions of the first program to those of the second.
	pairs map[*ir.Op]*ir.Op
	// there contains the results of the second program, by execution.
	there map[turn][]Operand
	// times counts the executions of each instruction on each core.
	times map[site]int
	// bytes is the total size of the arrays in there.
	bytes int
	// alike is the number of executions with equal results.
	alike int
	// First is the first mismatch, or nil.
	First *Mismatch
	// Others is the number of mismatches after the first.
	Others int
}

// site identifies an instruction on a core and work item. The instruction may be executed
// many times.
type site struct {
	op          *ir.Op
	block, core string
	item        int
}

// turn identifies one execution of an instruction: the instruction, the core and work
// item that execute it, and how often they have executed it before.
type turn struct {
	site
	n int
}

// Mismatch is an execution in the first program whose result differs from the result of
// the corresponding execution in the second program.
type Mismatch struct {
	*Execution
	// Other is the instruction of the second program.
	Other *ir.Op
	// Result is the differing result, and Want is the result of the second program.
	Result Operand
	Want   Operand
	// Difference describes the differing elements. It is nil if the shapes differ.
	Difference *Difference
}

// NewDiff returns a comparison of program a with program b, which is the reference. The
// parameter tol is the allowed difference of elements.
func NewDiff(a, b *kernel.Program, tol Tolerance) *Diff {
	d := &Diff{Tolerance: tol, pairs: match(a.Module, b.Module), there: map[turn][]Operand{}, times: map[site]int{}}
	// Only instructions with a counterpart are recorded, to save memory.
	counterparts := map[*ir.Op]bool{}
	for _, op := range d.pairs {
		counterparts[op] = true
	}
	d.Other.ResultsOnly, d.ResultsOnly = true, true
	d.Other.Want = func(e *runtime.Event) bool { return counterparts[e.Op] }
	d.Other.Got = d.keep
	d.Want = func(e *runtime.Event) bool { return d.pairs[e.Op] != nil }
	d.Got = d.compare
	return d
}

// Begin prepares the run of the first program, which records the results of its
// instructions. Begin sets the counters of instruction executions to zero. The run of the
// second program uses the same counters afterwards.
func (d *Diff) Begin(l *runtime.Launch) {
	d.Capture.Begin(l)
	clear(d.times)
}

// turnOf counts one more execution of op on the core and work item of x. It returns an
// identity for this execution: the instruction, the core, the work item, and how often
// the instruction has been executed there. The same execution in the other program has an
// equal identity.
func (d *Diff) turnOf(op *ir.Op, x *Execution) turn {
	p := site{op, fmt.Sprint(x.Core.Index), coreName(x.Core), x.Item}
	d.times[p]++
	return turn{p, d.times[p]}
}

// keep stores the results of an execution of the second program. If the
// results need too much memory, it returns the message with which the run ends, and ""
// otherwise.
func (d *Diff) keep(x *Execution) string {
	d.there[d.turnOf(x.Op, x)] = x.Results
	for _, r := range x.Results {
		d.bytes += len(r.Data)
	}
	if d.bytes > MostDumped {
		return fmt.Sprintf("is the first after %d GiB of arrays, the most that can be compared", MostDumped>>30)
	}
	return ""
}

// compare compares the results of an execution of the first program with those of the
// corresponding execution of the second program. It always returns "", so that the run
// continues.
func (d *Diff) compare(x *Execution) string {
	other := d.pairs[x.Op]
	want, ran := d.there[d.turnOf(other, x)]
	if !ran {
		return ""
	}
	for i, r := range x.Results {
		if i >= len(want) {
			break
		}
		m := &Mismatch{Execution: x, Other: other, Result: r, Want: want[i]}
		// Only the numbers of elements must agree: the programs may give a tile
		// different shapes.
		if n, k := count(r.Array), count(want[i].Array); n == k {
			m.Difference = Compare(r.Array, want[i].Array, d.Tolerance, false)
			if m.Difference.Count == 0 && r.Place == want[i].Place {
				continue
			}
		}
		if d.First == nil {
			d.First = m
		} else {
			d.Others++
		}
		return ""
	}
	d.alike++
	return ""
}

// count returns the number of elements of the array a.
func count(a *kernel.Array) int {
	_, n := a.Size()
	return n
}

// Report writes the result of the comparison to w: the first execution with different
// results, and how many executions were compared.
func (d *Diff) Report(w io.Writer) {
	defer func() {
		fmt.Fprintf(w, "%s alike", ir.Count(d.alike, "execution"))
		if d.Others > 0 {
			fmt.Fprintf(w, ", %d more different", d.Others)
		}
		fmt.Fprintf(w, "; %s matched by name or order\n", ir.Count(len(d.pairs), "instruction"))
	}()
	if d.First == nil {
		fmt.Fprintln(w, "no instruction has a different result")
		return
	}
	d.First.report(w)
}

// report writes the position of the mismatch and what differs: the shape, the position in
// memory, or the elements.
func (m *Mismatch) report(w io.Writer) {
	where := ""
	if m.Where != "" {
		where = " (" + m.Where + ")"
	}
	fmt.Fprintf(w, "the first difference is in %s of %s: %s%s\n", m.Result.text(), m.Op.Loc(), m.Op.Name(), where)
	fmt.Fprintf(w, "against %s of %s: %s\n", m.Want.text(), m.Other.Loc(), m.Other.Name())
	if m.Difference == nil {
		fmt.Fprintf(w, "  the shapes differ: %s and %s\n", kernel.ShapeText(m.Result.Shape, m.Result.Elem), kernel.ShapeText(m.Want.Shape, m.Want.Elem))
		return
	}
	if a, b := m.Result.Place, m.Want.Place; a != b {
		fmt.Fprintf(w, "  the place differs: it begins at %s, and there at %s\n", a, b)
	}
	if m.Difference.Count > 0 {
		fmt.Fprintf(w, "  %d of %d elements differ; the worst:\n", m.Difference.Count, m.Difference.Elements)
		m.Difference.Report(w, m.Result.Array)
	}
}

// text returns the name of the operand's value in the program, such as "%0". If the value
// has no name, it returns the name in quotes that the definition of the instruction gives
// this operand.
func (o *Operand) text() string {
	if name := o.Value.Name(); name != "" {
		return "%" + name
	}
	return "\"" + o.Arg + "\""
}

// Unmatched returns the instructions of a program that have no corresponding instruction
// in the other program.
func (d *Diff) Unmatched(module *ir.Op) []*ir.Op {
	return slices.DeleteFunc(instructions(module), func(op *ir.Op) bool { return d.pairs[op] != nil })
}
