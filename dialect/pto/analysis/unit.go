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
	p := pto.PipeFor(op, t)
	switch kind := op.Def().Sem.(type) {
	case sem.SimtLaunch:
		return sem.VectorUnit
	case sem.QueueInit:
		return kind.From.Unit()
	case sem.QueueEntry:
		switch u := unitOfMemory(op); {
		case kind.From != sem.QueueHandle:
			return kind.Core()
		case u != sem.AnyUnit:
			return u
		case kind.Fills():
			return sem.CubeUnit
		}
		return sem.VectorUnit
	case sem.SyncAllCores:
		return sem.MeetingOf(op).Cores
	case sem.SetFlag, sem.WaitFlag:
		// A flag between pipes of different cores has its set on one core and
		// its wait on the other, where nothing raises it.
		flag, own := sem.FlagOf(op), UnitOfPipe(p, t)
		if both := UnitOfPipe(flag.Source, t) & UnitOfPipe(flag.Destination, t); both != 0 {
			return both
		}
		return own
	case sem.CrossSet, sem.CrossWait:
		if p = sem.PipeNamed(op.Attr("pipe")); p == sem.PipeMTE3 {
			return sem.VectorUnit
		}
		return UnitOfPipe(p, t)
	}
	if pto.InfoOf(op.Def()) == nil || p == sem.NoPipe && MacroOf(op, t) == nil {
		return sem.AnyUnit
	}
	if u := UnitOfPipe(p, t); u != sem.AnyUnit {
		return u
	}
	return unitOfMemory(op)
}

// UnitOfPipe returns the kinds of cores that have a pipe: the cube core of
// A2/A3 has MTE3, too, for stores from L1.
func UnitOfPipe(p sem.Pipe, t ir.Target) sem.Unit {
	switch p {
	case sem.PipeV, sem.PipeV2:
		return sem.VectorUnit
	case sem.PipeM, sem.PipeMTE1, sem.PipeFix:
		return sem.CubeUnit
	case sem.PipeMTE3, sem.PipeMTE5:
		if t == sem.A5 {
			return sem.VectorUnit
		}
	}
	return sem.AnyUnit
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

// Mixed reports whether a function that is launched alone has work for both
// kinds of cores although neither pto.kernel_kind nor sections for both of them
// tell the two apart. The runtime lets one core stand for both, in the order of
// the text; on a device they run side by side.
func Mixed(f *ir.Op) bool {
	fns := []*ir.Op{f}
	return UnitOf(f) == sem.AnyUnit && unitsIn(fns) == sem.AnyUnit && len(CoresOf(fns, ir.TargetOf(f))) == 1
}

// unitsIn returns the kinds of cores for which functions and what they call have
// instructions that only these execute.
func unitsIn(fns []*ir.Op) (units sem.Unit) {
	for _, f := range Reached(fns) {
		t := ir.TargetOf(f)
		for op := range f.Walk() {
			if u := UnitFor(op, t); u != sem.AnyUnit {
				units |= u
			}
		}
	}
	return units
}
