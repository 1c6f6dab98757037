// This file determines which kind of core executes an operation.

package analysis

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// UnitFor returns the kinds of cores that execute op in a function that does not
// choose one by pto.kernel_kind: AnyUnit for what both execute, such as scalar
// arithmetic, views and barriers of all pipes.
//
// The section around op decides; then the pipe; and where both kinds of cores
// have the pipe, the local memory that op works in. The public compiler wraps
// what is outside of sections by the same rules
// (PTOAS:lib/PTO/Transforms/PTONormalizeUncoveredTileSections.cpp).
func UnitFor(op *ir.Op, t ir.Target) sem.Unit {
	for o := op; o != nil; o = o.Parent() {
		s, ok := o.Def().Sem.(sem.Scope)
		switch {
		case ok && s.Kind == sem.VectorFunction:
			return sem.VectorUnit
		case ok && s.Kind.Unit() != sem.AnyUnit:
			return s.Kind.Unit()
		}
	}
	if kind, ok := op.Def().Sem.(sem.OnCore); ok {
		return kind.CoreOf(op, t)
	}
	p := pto.PipeFor(op, t)
	if pto.InfoOf(op.Def()) == nil || p == sem.NoPipe && MacroOf(op, t) == nil {
		return sem.AnyUnit
	}
	if u := p.Unit(t); u != sem.AnyUnit {
		return u
	}
	return unitOfMemory(op)
}

// unitOfMemory returns the cores whose local memory an instruction works in. The
// vector core executes what moves data from its unified buffer to L1.
func unitOfMemory(op *ir.Op) sem.Unit {
	u := sem.AnyUnit
	for _, v := range slices.Concat(op.Operands(), op.Results()) {
		switch s := pto.SpaceOf(v.Type()); s {
		case sem.UB:
			return sem.VectorUnit
		case sem.GM, sem.NoSpace:
		default:
			u = sem.CubeUnit
		}
	}
	return u
}

// Mixed reports whether a kernel has work for both kinds of cores but neither
// pto.kernel_kind nor sections assign it to them. The runtime executes such a kernel on
// one core that represents both, in program order. On a device the two cores run at the
// same time.
func Mixed(f *ir.Op) bool {
	fns := []*ir.Op{f}
	return UnitOf(f) == sem.AnyUnit && unitsIn(fns) == sem.AnyUnit && len(CoresOf(fns, ir.TargetOf(f))) == 1
}

// PerVectorCore returns the first operation of a function, or of what it calls, whose
// work may differ between the vector cores of a block: it asks which of them executes
// it, or it uses a queue. Without one, vector cores that run the function do the same.
func PerVectorCore(f *ir.Op) *ir.Op {
	for _, g := range Reached([]*ir.Op{f}) {
		for op := range g.Walk() {
			if q, ok := op.Def().Sem.(sem.Query); ok && q.What == sem.SubBlockIdx {
				return op
			}
			if _, ok := op.Def().Sem.(sem.QueueEntry); ok {
				return op
			}
		}
	}
	return nil
}

// Inseparable returns the first operation of a function, or of what it calls, for which
// the function cannot run on a cube core and on a vector core side by side: one core
// computes a value that others use, or it matters how many cores execute the operation.
func Inseparable(f *ir.Op) *ir.Op {
	for _, g := range Reached([]*ir.Op{f}) {
		t := ir.TargetOf(g)
		for op := range g.Walk() {
			_, notifies := op.Def().Sem.(sem.CommNotify)
			_, prints := op.Def().Sem.(sem.Print)
			u := UnitFor(op, t)
			if notifies || prints || u != sem.AnyUnit && slices.ContainsFunc(op.Results(), func(v *ir.Value) bool { return usedElsewhere(v, u, t) }) {
				return op
			}
		}
	}
	return PerVectorCore(f)
}

// usedElsewhere reports whether other cores than u use a value.
func usedElsewhere(v *ir.Value, u sem.Unit, t ir.Target) bool {
	for use := range v.Uses() {
		if UnitFor(use.Owner(), t) != u {
			return true
		}
	}
	return false
}

// WorkUnit returns the kind of cores on which a kernel works: that of
// pto.kernel_kind, or the only one for which it has instructions. AnyUnit means both.
func WorkUnit(f *ir.Op) sem.Unit {
	if u := UnitOf(f); u != sem.AnyUnit {
		return u
	}
	if u := unitsIn([]*ir.Op{f}); u != 0 {
		return u
	}
	return sem.AnyUnit
}

// unitsIn returns the kinds of cores for which functions and what they call have
// instructions that only these execute. Flags, barriers and buffers do not count:
// one of a pipe that the core lacks is a mistake, and not work for another core.
func unitsIn(fns []*ir.Op) (units sem.Unit) {
	for _, f := range Reached(fns) {
		t := ir.TargetOf(f)
		for op := range f.Walk() {
			if u := UnitFor(op, t); u != sem.AnyUnit && !sem.OrdersPipes(op) {
				units |= u
			}
		}
	}
	return units
}
