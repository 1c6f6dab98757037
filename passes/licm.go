// This file defines loop-invariant code motion.

package passes

import (
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/effect"
)

// LICM moves operations that compute the same in every iteration out of loops.
var LICM = &Pass{
	Name:  "loop-invariant-code-motion",
	Title: "LoopInvariantCodeMotion",
	Doc:   "Moves operations out of a loop if their operands are loop-invariant.",
	Stats: []Stat{{"num-moved", "operations moved out of a loop"}},
	Run: func(c *Context, op *ir.Op) error {
		hoistIn(c, op)
		return nil
	},
}

// hoistIn processes the loops in the regions of op. Inner loops come first, so that an
// operation can be moved out of several loops.
func hoistIn(c *Context, op *ir.Op) {
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				hoistIn(c, o)
			}
		}
	}
	if op.HasTrait(ir.LoopLike) && op.Block() != nil {
		hoistFrom(c, op)
	}
}

// hoistFrom moves operations out of the blocks directly in a loop. If an operation
// must not be executed speculatively, it is moved only if the loop certainly
// executes it.
func hoistFrom(c *Context, loop *ir.Op) {
	runs := entersFirst(loop)
	for i, r := range loop.Regions() {
		for b := range r.Blocks() {
			certain := i == 0 && b == r.Entry() && runs
			for o := range b.Ops() {
				if !IsPure(o) || !definedOutside(o, loop) || !certain && !speculatable(o) {
					continue
				}
				// Operations are moved in program order, so an operation is before
				// its users there, too. Users that come later in the body can then
				// follow.
				loop.Block().InsertBefore(o, loop)
				c.Count("num-moved", 1)
			}
		}
	}
}

// entersFirst reports whether a loop certainly executes the entry block of its first
// region at least once. This is always true for scf.while, whose first region computes
// the loop condition. For other loops, it is true if the trip count is known to be at
// least one.
func entersFirst(loop *ir.Op) bool {
	if loop.Def().Sem == scf.ConditionalLoop {
		return true
	}
	return tripsAtLeastOnce(loop)
}

// tripsAtLeastOnce reports whether a counted loop has constant bounds for which it runs
// at least once.
func tripsAtLeastOnce(loop *ir.Op) bool {
	if loop.Def().Sem != scf.CountedLoop {
		return false
	}
	lb, ub, ok := constantBounds(loop)
	return ok && lb < ub
}

// speculatable reports whether op may be executed at a point where the original program
// would not execute it. That holds for operations with the trait Speculatable, for
// constants, and for tile instructions in SSA form that cannot fault.
func speculatable(op *ir.Op) bool {
	return op.HasTrait(ir.Speculatable) || isConstant(op) || computesTiles(op) && !op.Effects().Has(effect.MayFault)
}

// definedOutside reports whether all operands of op are defined outside the loop.
func definedOutside(op, loop *ir.Op) bool {
	for _, v := range op.Operands() {
		at := v.Op()
		if at == nil {
			at = v.Block().Parent()
			if at == nil || loop.Encloses(at) {
				return false
			}
			continue
		}
		if loop.Encloses(at) {
			return false
		}
	}
	return true
}
