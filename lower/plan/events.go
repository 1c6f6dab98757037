// This file lists the uses of an allocation.

package plan

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/effect"
)

// event is one step in the lifetime of an allocation: its contents are used, it is
// overwritten completely, or its lifetime starts, at first with undefined contents. The
// field point is the program point at which the event happens.
type event struct {
	point int
	kind  eventKind
}

// eventKind is what an event does to the contents of an allocation: use, overwrite
// completely, or start without contents.
type eventKind uint8

// The ways in which an operation can affect the contents of an allocation: it uses them,
// it overwrites all of them, or it starts the lifetime of the allocation.
const (
	// uses means that the contents are read or modified.
	uses eventKind = iota
	// overwrites means that the allocation is written completely, so that its old
	// contents are dead.
	overwrites
	// starts means that the allocation starts without contents.
	starts
)

// events records what the operation at point n of the control flow graph means for the
// contents of allocations. There are three kinds of events: the operation uses the
// contents, it overwrites them completely, or it allocates the tile, whose contents are
// then undefined.
func (p *memoryPlan) events(n int) {
	op := p.points[n].op
	switch {
	case op == nil || len(op.Regions()) > 0:
		return
	case op.HasTrait(ir.Terminator):
		if op.Parent() == p.f && len(op.Successors()) == 0 {
			p.use(n, op.Operands())
		}
		return
	}
	if _, alloc := op.Def().Sem.(sem.AllocTile); alloc {
		if r := p.allocated[op.Result(0)]; !r.passed {
			r.events = append(r.events, event{n, starts})
		}
		return
	}
	p.escape(op)
	if !touches(op) {
		return
	}
	whole := p.overwritten(op)
	if whole != nil {
		whole.events = append(whole.events, event{n, overwrites})
	}
	var used []*ir.Value
	for i, a := range op.Form().Operands {
		from, to := op.ArgRange(i)
		if overwritten := a.Role == ir.Out && whole != nil; !overwritten && (a.Role != ir.Scratch || p.worksIn(op)) {
			used = append(used, op.Operands()[from:to]...)
		}
	}
	p.use(n, used)
}

// worksIn reports whether op stores intermediate values in its scratch operands on the
// current target. On some targets, some instructions do not need their scratch operands.
func (p *memoryPlan) worksIn(op *ir.Op) bool {
	info := pto.InfoOf(op.Def())
	return info == nil || info.Scratch.Has(p.target)
}

// use records that the operation at the point with index n uses the given values.
func (p *memoryPlan) use(n int, values []*ir.Value) {
	for _, v := range values {
		if s := p.held[v]; s != nil {
			s.used = p.appendUse(s.used, n)
		}
	}
}

// touches reports whether op reads or writes memory. The result is false for operations
// that only create or describe a view.
func touches(op *ir.Op) bool {
	return !op.HasTrait(ir.Pure) && (pto.InfoOf(op.Def()) == nil || pto.PipeFor(op, ir.TargetOf(op)) != sem.NoPipe)
}

// escape marks the allocations that op makes accessible in ways which the analysis cannot
// follow: through an address as an integer, or through a value that another dialect
// derives from a pointer. They are live in the whole function.
func (p *memoryPlan) escape(op *ir.Op) {
	if !leaks(op) {
		return
	}
	for _, v := range op.Operands() {
		if s := p.held[v]; s != nil {
			s.escapes = true
		}
	}
}

// leaks reports whether op converts an address to an integer, or to a value that only
// another dialect interprets.
func leaks(op *ir.Op) bool {
	gives := op.Effects().Has(effect.GivesAddress) || pto.InfoOf(op.Def()) == nil && op.HasTrait(ir.Pure)
	return gives && op.NumResults() > 0 && !isCarrier(op.Result(0).Type())
}

// overwritten returns the allocation that op overwrites completely without reading it, or
// nil. The valid region must cover the whole tile, because instructions do not write
// outside of it.
func (p *memoryPlan) overwritten(op *ir.Op) *allocation {
	if !sem.OverwritesWhole(op) {
		return nil
	}
	dst, found := (*ir.Value)(nil), 0
	for i, a := range op.Form().Operands {
		if from, to := op.ArgRange(i); a.Role == ir.Out && from < to {
			dst, found = op.Operand(from), found+to-from
		}
	}
	if found != 1 {
		return nil
	}
	r := p.held[dst].sole()
	info, _ := pto.TileOf(dst.Type())
	if r == nil || info.VRows != info.Rows || info.VCols != info.Cols || pto.StorageOf(dst.Type()) != r.size {
		return nil
	}
	for _, v := range op.Operands() {
		if v != dst && p.held[v].mayHold(r) {
			return nil
		}
	}
	if slices.Contains(op.Operands()[:op.NumOperands()-1], dst) { // it is a source too
		return nil
	}
	return r
}
