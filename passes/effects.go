package passes

import (
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/effect"
)

// isPure reports whether op does nothing but compute its results from its
// operands: it may be removed, merged with an equal one, or moved. An
// instruction on tiles is pure as long as tiles are values, unless it touches
// memory.
func isPure(op *ir.Op) bool {
	if op.HasTrait(ir.Terminator) || op.Effects().Has(effect.ReadsState) {
		return false
	}
	if op.HasTrait(ir.Pure) {
		return true
	}
	return computesTiles(op) && len(pto.Effects(op)) == 0
}

// computesTiles reports whether op is an instruction in its Level-1 form whose
// results are tiles; memory aside, such an instruction has no effect.
func computesTiles(op *ir.Op) bool {
	return op.Form().Level == ir.SSA && op.NumResults() > 0 && len(op.Regions()) == 0
}

// onlyReads reports whether op computes its results from its operands and the
// memory and state after them, and leaves both as they are. Others may write
// what instructions between cores read, so those are not among them.
func onlyReads(op *ir.Op) bool {
	if isPure(op) {
		return true
	}
	if op.NumResults() == 0 || len(op.Regions()) > 0 || op.HasTrait(ir.Terminator) || betweenCores(op) || op.Effects().Has(effect.WritesState) {
		return false
	}
	es := pto.Effects(op)
	if len(es) == 0 && !computesTiles(op) && !op.Effects().Has(effect.ReadsState) {
		return false
	}
	for _, e := range es {
		if e.Kind&pto.Writes != 0 {
			return false
		}
	}
	return true
}

// betweenCores reports whether op is about what several cores share.
func betweenCores(op *ir.Op) bool {
	info := pto.InfoOf(op.Def())
	return info != nil && (info.Group == "comm" || info.Group == "sync")
}

// reserves reports whether all that op does is to reserve storage, which
// nobody misses if the result is not used.
func reserves(op *ir.Op) bool {
	return pto.InfoOf(op.Def()) != nil && op.Effects() == effect.Reserves
}

// IsDead reports whether op may be removed because nothing depends on it.
func IsDead(op *ir.Op) bool {
	for _, v := range op.Results() {
		if v.HasUses() {
			return false
		}
	}
	return removable(op)
}

// removable reports whether op has no effect besides its results.
func removable(op *ir.Op) bool {
	switch {
	case op.HasTrait(ir.Terminator | ir.IsSymbol | ir.Unregistered):
		return false
	case onlyReads(op) || reserves(op):
		return true
	case !op.HasTrait(ir.RecursiveSide) || len(op.Regions()) == 0 || op.HasTrait(ir.LoopLike) && mayNotEnd(op):
		return false
	}
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				if !o.HasTrait(ir.Terminator) && !removable(o) || o.HasTrait(ir.Unregistered) {
					return false
				}
			}
		}
	}
	return true
}
