// This file answers which operations can be removed, moved or merged.

package passes

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/effect"
)

// IsPure reports whether op only computes its results from its operands, so that it
// may be removed, moved, or merged with an equal operation. A tile instruction is
// pure if it is in SSA form, where tiles are values, and touches no memory.
func IsPure(op *ir.Op) bool {
	if op.HasTrait(ir.Terminator) || op.Effects().Has(effect.ReadsState) {
		return false
	}
	if op.HasTrait(ir.Pure) {
		return true
	}
	return computesTiles(op) && len(pto.Effects(op)) == 0
}

// computesTiles reports whether op is an instruction of Level 1 (SSA form) that returns
// values, usually tiles, and has no regions. Such an instruction writes no tile buffers.
// Apart from memory accesses and possible faults, it only computes its results.
func computesTiles(op *ir.Op) bool {
	return op.Form().Level == ir.SSA && op.NumResults() > 0 && len(op.Regions()) == 0
}

// onlyReads reports whether op computes its results from its operands, memory and machine
// state, and changes none of them. It returns false for all communication instructions,
// because other cores may change the communicated data while the instruction executes.
func onlyReads(op *ir.Op) bool {
	if IsPure(op) {
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

// betweenCores reports whether op communicates or synchronizes with other cores.
func betweenCores(op *ir.Op) bool {
	info := pto.InfoOf(op.Def())
	return info != nil && (info.Group == "comm" || info.Group == "sync")
}

// reserves reports whether op reserves storage and has no other effect. If its result has
// no uses, such an operation can be removed.
func reserves(op *ir.Op) bool {
	return pto.InfoOf(op.Def()) != nil && op.Effects() == effect.Reserves
}

// IsDead reports whether op may be removed, because its results have no uses and it
// has no other effects.
func IsDead(op *ir.Op) bool {
	for _, v := range op.Results() {
		if v.HasUses() {
			return false
		}
	}
	return removable(op)
}

// removable reports whether op has no effects other than computing its results. An
// operation with regions has the effects of the operations in them.
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

// mayNotEnd reports whether op is a loop that may run forever, so that it must not
// be removed even without other effects.
func mayNotEnd(op *ir.Op) bool { return op.Def().Sem == scf.ConditionalLoop }
