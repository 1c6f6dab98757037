// This file determines which kind of core executes an operation.

package analysis

import (
	"cmp"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// UnitFor returns the core types that execute op in a function without attribute
// pto.kernel_kind. The result AnyUnit means both types.
//
// If op is in a section, the section determines the result. Outside of sections, the pipe
// of op determines the result. If both core types have this pipe, the local memory that
// op accesses determines the result. If op accesses no local memory, as in scalar
// arithmetic, views and barriers of all pipes, the result is AnyUnit. The public compiler
// uses the same rules for code outside of sections
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
	return hardwareOf(op, t)
}

// StoreUnitFor returns the core types that can execute op, a store of a scalar, like
// UnitFor. If only one core type can compute the stored value or the address, such as an
// element of the unified buffer, only this core type can execute the store.
func StoreUnitFor(op *ir.Op, t ir.Target) sem.Unit {
	u := UnitFor(op, t)
	if u != sem.AnyUnit || op.NumResults() > 0 || len(op.Regions()) > 0 {
		return u
	}
	seen := map[*ir.Op]bool{}
	var visit func(op *ir.Op)
	visit = func(op *ir.Op) {
		for _, v := range op.Operands() {
			d := v.Op()
			if d == nil || seen[d] {
				continue
			}
			seen[d] = true
			if by := UnitFor(d, t); by != sem.AnyUnit {
				u &= by
			} else {
				visit(d)
			}
		}
	}
	visit(op)
	if u == 0 {
		return sem.AnyUnit
	}
	return u
}

// AbleFor returns the core types that can execute op, without regard to the section that
// contains op. The result AnyUnit means both types. Both can execute an instruction on a
// queue if neither the instruction nor the memory of its entry determines the direction.
func AbleFor(op *ir.Op, t ir.Target) sem.Unit {
	if m := sem.QueueEntryOf(op); m.Act != 0 && m.From == sem.QueueHandle {
		v := sem.QueueUseOf(op).Entry
		if v == nil || pto.SpaceOf(v.Type()) == sem.GM || pto.SpaceOf(v.Type()) == sem.NoSpace {
			return sem.AnyUnit
		}
	}
	return hardwareOf(op, t)
}

// hardwareOf returns the core types whose hardware executes op.
func hardwareOf(op *ir.Op, t ir.Target) sem.Unit {
	if kind, ok := op.Def().Sem.(sem.OnCore); ok {
		return kind.CoreOf(op, t)
	}
	p := pto.PipeFor(op, t)
	if pto.InfoOf(op.Def()) == nil || p == sem.NoPipe {
		return sem.AnyUnit
	}
	if u := p.Unit(t); u != sem.AnyUnit {
		return u
	}
	return unitOfMemory(op)
}

// unitOfMemory returns the type of the core that executes op, derived from the memories
// that op accesses. If op accesses the unified buffer, the result is a vector core. This
// includes copies from the unified buffer to L1, although L1 is a memory of the cube
// core. If op accesses other memories of the cube core, the result is the cube core. If
// op accesses only global memory, the result is AnyUnit.
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

// Mixed reports whether kernel f has work for both core types but neither attribute
// pto.kernel_kind nor sections assign it to them. The runtime executes such a kernel in
// program order, on one core that represents both. On a device, the two cores run in
// parallel.
func Mixed(f *ir.Op) bool {
	fns := []*ir.Op{f}
	return UnitOf(f) == sem.AnyUnit && unitsIn(fns) == sem.AnyUnit && len(CoresOf(fns, ir.TargetOf(f))) == 1
}

// WorkOf returns the core types on which kernel f has work if it is launched alone. A
// kernel without work for a certain core type, such as one that only sends signals,
// occupies a vector core.
func WorkOf(f *ir.Op) sem.Unit {
	u := UnitOf(f)
	if u == sem.AnyUnit {
		u = unitsIn([]*ir.Op{f})
	}
	return cmp.Or(u, sem.VectorUnit)
}

// PerVectorCore searches the function f and the functions that it calls for an operation
// whose work may differ between the vector cores of a block. Operations that read the
// number of the vector core and operations on queues are of this kind. It returns the
// first of them. If there is none, all vector cores do the same work, and the result is
// nil.
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

// Inseparable returns the first operation that prevents a cube core and a vector core
// from executing the function f in parallel. It searches f and the functions that f
// calls. An operation prevents this in two cases: it computes a value on one core that
// the other core uses, or its effect depends on the number of cores that execute it, as
// for output to the console. The result is nil if no such operation exists.
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

// usedElsewhere reports whether an operation that uses v runs on a core of another type
// than u on target t.
func usedElsewhere(v *ir.Value, u sem.Unit, t ir.Target) bool {
	for use := range v.Uses() {
		if UnitFor(use.Owner(), t) != u {
			return true
		}
	}
	return false
}

// WorkUnit returns the core types on which kernel f has work: the one in attribute
// pto.kernel_kind, or those for which it has instructions. AnyUnit means both.
func WorkUnit(f *ir.Op) sem.Unit {
	if u := UnitOf(f); u != sem.AnyUnit {
		return u
	}
	if u := unitsIn([]*ir.Op{f}); u != 0 {
		return u
	}
	return sem.AnyUnit
}

// unitsIn returns the core types that the functions fns need: the types whose specific
// instructions occur in the functions or in functions that they call. It ignores flags,
// barriers and buffer tokens. If one of these names a pipe that the core lacks, this is a
// mistake of the program, and not work for another core.
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
