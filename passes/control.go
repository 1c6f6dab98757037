// This file describes how control can flow through operations with regions.

package passes

import (
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// Flow is a possible transfer of control between an operation with regions, its regions
// and the operation after it. It also transfers values: consecutive operands of From,
// beginning with operand First, become the values in To.
type Flow struct {
	// From is the operation itself, or the terminator of one of its regions.
	From *ir.Op
	// First is the index of the first operand of From that is transferred.
	First int
	// Region is the index of the region that control enters, or Leaving.
	Region int
	// To are the values that receive the operands: the arguments of the entry block of
	// the region, or the results of the operation.
	To []*ir.Value
}

// Leaving is a value of Flow.Region. It means that control does not enter a region, but
// continues after the operation that contains the regions.
const Leaving = -1

// Flows returns the transfers of control into the regions of op, between them and
// out of them. known is false if the meaning of op does not determine them.
func Flows(op *ir.Op) (flows []Flow, known bool) {
	if len(op.Regions()) == 0 {
		return nil, true
	}
	switch kind := op.Def().Sem.(type) {
	case scf.Control:
		return scfFlows(op, kind)
	case sem.Scope:
		return scopeFlows(op, kind), true
	}
	return nil, false
}

// scfFlows returns the ways in which control can pass between the regions of the scf
// operation op. The bool result is false if these ways are not known.
func scfFlows(op *ir.Op, kind scf.Control) ([]Flow, bool) {
	var fs []Flow
	switch kind {
	case scf.CountedLoop:
		first := op.NumOperands() - op.NumResults()
		fs = append(fs, entering(op, first, 0, 1), Flow{op, first, Leaving, op.Results()})
		for _, end := range ends(op, 0) {
			fs = append(fs, back(op, end, 0, 0, 1), Flow{end, 0, Leaving, op.Results()})
		}
	case scf.ConditionalLoop:
		fs = append(fs, entering(op, 0, 0, 0))
		for _, end := range ends(op, 0) { // the first operand of the terminator is the condition
			fs = append(fs, back(op, end, 1, 1, 0), Flow{end, 1, Leaving, op.Results()})
		}
		for _, end := range ends(op, 1) {
			fs = append(fs, back(op, end, 0, 0, 0))
		}
	case scf.TwoWay, scf.ManyWay, scf.Once:
		for i, r := range op.Regions() {
			if r.Empty() {
				fs = append(fs, Flow{From: op, Region: Leaving})
				continue
			}
			fs = append(fs, Flow{From: op, Region: i})
			for _, end := range ends(op, i) {
				fs = append(fs, Flow{end, 0, Leaving, op.Results()})
			}
		}
	default:
		return nil, false
	}
	return fs, true
}

// scopeFlows returns the possible control flow of op, a section: from op into its region,
// and from the end of the region to the operation after op. The region of a SIMT section
// runs once per work item, so control can also go from the end of the region to its
// start.
func scopeFlows(op *ir.Op, kind sem.Scope) []Flow {
	fs := []Flow{entering(op, 0, 0, 0)}
	for _, end := range ends(op, 0) {
		fs = append(fs, Flow{end, 0, Leaving, op.Results()})
		if kind.Kind == sem.SimtSection {
			fs = append(fs, Flow{From: end, Region: 0})
		}
	}
	return fs
}

// entering returns the flow of control from op into the region with index region. The
// flow passes the operands of op to the arguments of the region's entry block. The
// parameter first is the index of the first passed operand, and skip is the index of the
// argument that receives it.
func entering(op *ir.Op, first, region, skip int) Flow { return back(op, op, first, region, skip) }

// back returns the transfer of control (a Flow) to the entry block of a region of op; the
// parameter region is the index of this region. The transfer starts at from, which is op
// itself or a terminator in op. It passes the operands of from, except those before index
// first. They become the arguments of the entry block, except those before index skip.
func back(op, from *ir.Op, first, region, skip int) Flow {
	var to []*ir.Value
	if e := op.Region(region).Entry(); e != nil && len(e.Args()) >= skip {
		to = e.Args()[skip:]
	}
	return Flow{from, first, region, to}
}

// ends returns those terminators of a region of op that leave the region instead of
// jumping to another block of it.
func ends(op *ir.Op, region int) []*ir.Op {
	var ops []*ir.Op
	for b := range op.Region(region).Blocks() {
		if end := b.Terminator(); end != nil && len(end.Successors()) == 0 {
			ops = append(ops, end)
		}
	}
	return ops
}
