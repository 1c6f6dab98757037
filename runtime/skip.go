// This file decides whether a kernel can be timed without computing its data
// (Options.SkipArithmetic).

package runtime

import (
	"fmt"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// Options.SkipArithmetic omits the computations and copies of tile instructions. Control
// flow, addresses and events are complete, which is sufficient for the timing model and
// many times faster. The events are the same only if branches and addresses do not depend
// on data.

// skips reports whether the operation op affects only the contents of tiles and memory. A
// timing run can omit such an operation: neither its own duration nor any branch or
// address of the program depends on these contents.
func skips(op *ir.Op) bool {
	_, only := op.Def().Sem.(sem.OnlyData)
	return only
}

// withoutData returns an empty step if Options.SkipArithmetic is set and op only changes
// the contents of tiles or memory, on which no branch or address depends. s is the step
// of op, the function that executes it. In all other cases, withoutData returns s.
func (p *planner) withoutData(op *ir.Op, s step) step {
	if !p.opts.SkipArithmetic || s == nil || !skips(op) || p.opts.KeepAccesses && takesAddress(op) {
		return s
	}
	return func(*frame) *Fault { return nil }
}

// takesAddress reports whether op has an operand that is a pointer, a view or a memref.
// Which memory op accesses through this operand is known only when op executes.
func takesAddress(op *ir.Op) bool {
	return slices.ContainsFunc(op.Operands(), func(v *ir.Value) bool {
		switch v.Type().Data().(type) {
		case pto.PtrType, pto.TensorView, pto.PartitionView, ir.MemRefType:
			return true
		}
		return false
	})
}

// DataDependence reports why a program cannot run with Options.SkipArithmetic, which
// omits the computation of elements. The result describes the first operation through
// which the contents of tiles or memory can determine a branch or an address. It is nil
// if no such operation exists.
func DataDependence(module *ir.Op) *ir.Diag {
	t := taint{values: map[*ir.Value]bool{}}
	for op := range module.Walk() {
		if d := t.source(op); d != nil {
			return d
		}
	}
	for len(t.todo) > 0 {
		v := t.todo[len(t.todo)-1]
		t.todo = t.todo[:len(t.todo)-1]
		for u := range v.Uses() {
			if d := t.use(u.Owner(), u.Index()); d != nil {
				return d
			}
		}
	}
	return nil
}

// taint finds the values that depend on data in memory, by propagation from loads to all
// uses.
type taint struct {
	values map[*ir.Value]bool
	todo   []*ir.Value
}

// add marks the value v as dependent on data in memory, and schedules its uses for
// examination.
func (t *taint) add(v *ir.Value) {
	if !t.values[v] {
		t.values[v] = true
		t.todo = append(t.todo, v)
	}
}

// source marks the results of op as dependent on the contents of memory or tiles, if op
// returns such contents. It returns a diagnostic if op itself branches on contents, or
// computes an address or a length from contents. The contents would be wrong if the run
// omitted computations, so such a program cannot run with Options.SkipArithmetic.
func (t *taint) source(op *ir.Op) *ir.Diag {
	kind := op.Def().Sem
	if k, ok := kind.(sem.FollowsData); ok {
		if why := k.FollowsData(); why != "" {
			return dependent(op, why)
		}
	}
	_, gives := kind.(sem.GivesData)
	for _, v := range op.Results() {
		if gives || skips(op) && !pto.IsTile(v.Type()) {
			t.add(v)
		}
	}
	return nil
}

// use considers operand number operand of op, whose value depends on data that the
// program loads from memory. It marks those results of op as dependent that this operand
// affects. It returns a diagnostic if the operand determines a branch or an address,
// because a timing run without data could not determine it.
func (t *taint) use(op *ir.Op, operand int) *ir.Diag {
	info := pto.InfoOf(op.Def())
	_, control := op.Def().Sem.(scf.Control)
	data, takes := op.Def().Sem.(sem.TakesData)
	switch {
	case takes && data.TakesData(op, op.Operand(operand)):
		return nil // it only changes other data
	case info != nil, control, len(op.Regions()) > 0:
		return dependent(op, "depends on data")
	case op.HasTrait(ir.Terminator):
		if p := op.Parent(); p != nil && operand < len(p.Results()) && len(op.Successors()) == 0 {
			t.add(p.Result(operand))
			for _, r := range p.Regions() {
				for b := range r.Blocks() {
					for _, a := range b.Args() {
						t.add(a)
					}
				}
			}
			return nil
		}
		return dependent(op, "depends on data")
	}
	if len(op.Results()) == 0 {
		return dependent(op, "depends on data")
	}
	for _, v := range op.Results() {
		t.add(v)
	}
	return nil
}

// dependent returns the error that op prevents a run without arithmetic (option
// --skip-arithmetic). In such a run, the contents of tiles and memory are not computed,
// so an operation must not depend on them. The parameter why describes the dependence. It
// follows the name of the operation in the message.
func dependent(op *ir.Op, why string) *ir.Diag {
	return &ir.Diag{Loc: op.Loc(), Severity: ir.Error, Text: fmt.Sprintf("'%s' op %s, so the kernel cannot be timed without computing its data", op.Name(), why),
		Notes: []ir.Note{{Text: "remove --skip-arithmetic"}}}
}
