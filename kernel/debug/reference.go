// This file compares values with reference arrays.

package debug

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
)

// References is a listener that compares results of a kernel's instructions with expected
// arrays that the user supplies.
type References struct {
	list []*reference
}

// reference is an expected result for the executions that a selector selects. Its array
// is the result of each execution, or the results of all executions one after the other.
type reference struct {
	// name is the name of the file with the expected array.
	name string
	// dump captures the executions to compare.
	dump *Dump
	// want is the expected array.
	want *kernel.Array
	// tol is the tolerance.
	tol Tolerance
	// arg is the name of the operand to compare, or "" for the result.
	arg string
	// times is the number of executions so far.
	times int
	// at is the event number of the first difference.
	at uint64
	// first is the first difference, or nil.
	first *Mismatch
	// differ is the number of executions that differ.
	differ int
	// problem is the reason for which the comparison is impossible, or "".
	problem string
}

// Add adds an expected array, the parameter want, with the tolerance tol. name selects
// what to compare: %sum or sum for a value, 12 for the result of the instruction in line
// 12, and 12.src0 for its operand. Conditions follow after @, in the syntax of --dump. It
// returns an error if the name selects nothing in the module.
func (r *References) Add(name string, want *kernel.Array, tol Tolerance, module *ir.Op) error {
	ref := &reference{name: name, want: want, tol: tol}
	what, conditions, has := strings.Cut(name, "@")
	if what, ref.arg, _ = strings.Cut(what, "."); what != "" && what[0] != '%' {
		if _, err := strconv.Atoi(what); err != nil {
			what = "%" + what
		}
	}
	if i := strings.LastIndexByte(ref.arg, '.'); i >= 0 { // LINE.MNEMONIC.OPERAND, as --dump writes names
		ref.arg = ref.arg[i+1:]
	}
	if has {
		what += "@" + conditions
	}
	s, err := ParseSelector(what, nil)
	if err == nil {
		err = s.Check(module)
	}
	if err != nil {
		return fmt.Errorf("reference '%s': %w", name, err)
	}
	ref.dump = NewDump(s)
	ref.dump.Got = ref.compare
	r.list = append(r.list, ref)
	return nil
}

// Watchers returns the listeners to attach to the launch, one per expected array.
func (r *References) Watchers() (list []runtime.Watcher) {
	for _, ref := range r.list {
		list = append(list, ref.dump)
	}
	return list
}

// compare compares the result of one execution with the part of the expected array that
// belongs to this execution. It always returns "", so that the run continues.
func (r *reference) compare(x *Execution) string {
	got := r.operand(x)
	if got == nil {
		return ""
	}
	turn := r.times
	r.times++
	size, n := r.want.Size()
	k := count(got.Array)
	if k == 0 || n%k != 0 {
		r.problem = fmt.Sprintf("it has %s, but %s in %s has %d", ir.Count(n, "element"), got.text(), title(x.Op), k)
		return ""
	}
	// The expected array has n/k results of k elements. Further executions start
	// with the first one again, so that an array with one result applies to every
	// execution.
	at := turn % (n / k) * k
	want := &kernel.Array{Elem: r.want.Elem, Shape: got.Shape, Data: r.want.Data[at*size : (at+k)*size]}
	d := Compare(got.Array, want, r.tol, false)
	if d.Count == 0 {
		return ""
	}
	if r.differ++; r.first == nil {
		r.first, r.at = &Mismatch{Execution: x, Result: *got, Difference: d}, x.Number
	}
	return ""
}

// operand returns the operand or result of the execution x that the reference describes,
// for the comparison with the expected array. It returns nil if x does not have such an
// operand or result.
func (r *reference) operand(x *Execution) *Operand {
	all := slices.Concat(x.Results, x.Operands)
	for i := range all {
		name := r.dump.Selector.Value
		if (name == "" || all[i].Value.Name() == name) && (r.arg == "" || all[i].Arg == r.arg) {
			return &all[i]
		}
	}
	return nil
}

// Report writes the differences from the expected arrays, in the order of execution. It
// describes the first difference in detail. It returns true if it has found no
// difference.
func (r *References) Report(w io.Writer) (same bool) {
	list := slices.SortedStableFunc(slices.Values(r.list), func(a, b *reference) int { return cmp.Compare(a.at, b.at) })
	same = true
	for _, ref := range list {
		fmt.Fprintf(w, "reference %s: ", ref.name)
		switch {
		case ref.problem != "":
			fmt.Fprintln(w, ref.problem)
		case ref.times == 0:
			fmt.Fprintln(w, "nothing like that was executed")
		case ref.first == nil:
			fmt.Fprintf(w, "%s alike\n", ir.Count(ref.times, "execution"))
			continue
		default:
			ref.differs(w, same)
		}
		same = false
	}
	return same
}

// differs describes the differences between the results of executed instructions and the
// expected array of r. It writes how many executions have a result that differs, and
// describes the first difference. If detailed is set, it also writes the differing
// elements with the largest errors.
func (r *reference) differs(w io.Writer, detailed bool) {
	m := r.first
	fmt.Fprintf(w, "%d of %s differ, first %s in %s", r.differ, ir.Count(r.times, "execution"), m.Result.text(), title(m.Op))
	if m.Where != "" {
		fmt.Fprintf(w, " (%s)", m.Where)
	}
	fmt.Fprintln(w)
	if detailed {
		fmt.Fprintf(w, "  %d of %d elements differ; the worst:\n", m.Difference.Count, m.Difference.Elements)
		m.Difference.Report(w, m.Result.Array)
	}
}

// together is a watcher that forwards events to several watchers.
type together []runtime.Watcher

// Together returns a watcher that forwards each event to all watchers in list.
func Together(list []runtime.Watcher) runtime.Watcher { return together(list) }

// Begin forwards the start of a launch to all watchers.
func (t together) Begin(l *runtime.Launch) {
	for _, w := range t {
		w.Begin(l)
	}
}

// Event forwards an event to all watchers.
func (t together) Event(e *runtime.Event) {
	for _, w := range t {
		w.Event(e)
	}
}

// End forwards the end of a launch to all watchers.
func (t together) End(f *runtime.Fault) {
	for _, w := range t {
		w.End(f)
	}
}

// Before forwards the event to all watchers. If a watcher requests the end of the launch,
// the following watchers still receive the event, because each of them counts the events.
// It returns the text of the last request, or "".
func (t together) Before(e *runtime.Event) (stop string) {
	for _, w := range t {
		if why := w.Before(e); why != "" {
			stop = why
		}
	}
	return stop
}

// After forwards the event e to all watchers. The interpreter calls it after the
// operation of the event has been executed. It implements runtime.Watcher.
func (t together) After(e *runtime.Event) {
	for _, w := range t {
		w.After(e)
	}
}
