package main

import (
	"bytes"
	"errors"
	"fmt"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/kernel"
	"ptogo/runtime"
	"ptogo/runtime/check"
)

// Limits for the comparison: elements is the number of elements in the buffer of each
// pointer argument, and steps is the maximum number of steps that a kernel may execute.
const (
	elements = 1 << 18
	steps    = 1_000_000
)

// compare runs each kernel of a program under the checkers in two versions. In the module
// hand, the author has written the synchronization by hand. In the module given, the pass
// pto-insert-sync has inserted it. compare counts kernels by outcome; it counts a kernel
// as failed if its results differ, if only the second version faults, or if the second
// version has more reports.
func (t *tally) compare(name string, hand, given *ir.Op, target ir.Target) {
	for _, k := range runtime.Kernels(hand) {
		kernelName := fn.Name(k)
		a, b := launch(hand.Clone(map[*ir.Value]*ir.Value{}), kernelName, target, 1), launch(given.Clone(map[*ir.Value]*ir.Value{}), kernelName, target, 1)
		label := name + " @" + kernelName
		switch {
		case a.fault != nil && b.fault != nil:
			t.notRun++
		case b.fault != nil:
			t.fail(label, b.fault)
		case a.fault == nil && !a.equals(b):
			t.fail(label, errors.New("leaves other bytes than by hand"))
		case len(b.reports) == 0:
			t.silent++
		case len(b.reports) <= len(a.reports):
			t.noisy++
		default:
			t.fail(label, fmt.Errorf("the checker reports %d problems with the flags of pto-insert-sync, but only %d with the flags of the author: %s", len(b.reports), len(a.reports), b.reports[0].Diag().Format()))
		}
	}
}

// outcome is the result of a launch: the arrays, the reports of the checkers, and the
// fault, if any.
type outcome struct {
	arrays []*kernel.Array
	// reports holds the errors and warnings of the checkers.
	reports []*check.Report
	fault   error
}

func (o outcome) equals(other outcome) bool {
	for i, a := range o.arrays {
		if a != nil && !bytes.Equal(a.Data, other.arrays[i].Data) {
			return false
		}
	}
	return true
}

// launch runs the kernel with the given name in a module for target, on generated
// arguments and under the checkers. Every scalar argument is n.
func launch(module *ir.Op, name string, target ir.Target, n int) (o outcome) {
	p, err := kernel.Build(module, kernel.Options{Arch: sem.ProfileName(target), Kernel: name})
	if err != nil {
		return outcome{fault: err}
	}
	checker, err := check.New(check.Options{Kinds: []check.Kind{check.Race, check.Sync}})
	if err != nil {
		return outcome{fault: err}
	}
	plan, err := p.Plan(runtime.Options{MaxSteps: steps, Listeners: []runtime.Listener{checker}})
	if err != nil {
		return outcome{fault: err}
	}
	var args []any
	for i, param := range p.Params() {
		if !param.IsPointer() {
			args = append(args, n)
			o.arrays = append(o.arrays, nil)
			continue
		}
		a := kernel.Zeros(ir.ElementType(param.Type), elements)
		if ir.Is[ir.IntegerType](a.Elem) { // numbers that also do as offsets
			a.Fill(func(k int) float64 { return float64(k % 8) })
		} else {
			a.Randomize(uint64(i) + 1)
		}
		args, o.arrays = append(args, a), append(o.arrays, a)
	}
	o.fault = plan.Run(args...)
	for _, r := range checker.Reports() {
		if r.Severity >= ir.Warning {
			o.reports = append(o.reports, r)
		}
	}
	return o
}
