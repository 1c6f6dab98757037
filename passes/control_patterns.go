// This file simplifies control flow with known conditions.

package passes

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/cf"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// controlPatterns returns the rewrite patterns that follow from the control flow of
// operations of definition d, such as a branch on a constant.
func controlPatterns(d *ir.Def) []ir.Pattern {
	switch d.Sem {
	case scf.TwoWay, scf.ManyWay:
		return []ir.Pattern{{Name: "known-branch", On: d, Do: knownBranch}}
	case scf.Once:
		return []ir.Pattern{{Name: "inline-region", On: d, Do: func(rw *ir.Rewriter, op *ir.Op) bool {
			return inlineRegion(rw, op, op.Region(0), nil)
		}}}
	case scf.CountedLoop:
		return []ir.Pattern{
			{Name: "known-trip-count", On: d, Do: knownTripCount},
			{Name: "carried-but-constant", On: d, Do: carriedButConstant},
		}
	case cf.ByCondition, cf.ByValue:
		return []ir.Pattern{{Name: "known-jump", On: d, Do: knownJump}}
	}
	return nil
}

// knownBranch replaces a branch on a constant by the region that is executed. It reports
// whether it changed the program.
func knownBranch(rw *ir.Rewriter, op *ir.Op) bool {
	n, ok := arith.ConstantInt(op.Operand(0))
	if !ok {
		return false
	}
	r := op.Region(branchTaken(op, n))
	// Only the else region of an if can be empty, and then the if has no results.
	if r.Empty() {
		rw.Erase(op)
		return true
	}
	return inlineRegion(rw, op, r, nil)
}

// noRegion is a region index that means that no region is selected. It differs from the
// index of every region, and from the index Leaving, which a Flow (a transfer of control)
// uses for leaving the operation.
const noRegion = -2

// branchTaken returns the index of the region that the branch op executes if its operand
// is n.
func branchTaken(op *ir.Op, n int64) int {
	if op.Def().Sem == scf.TwoWay {
		if n != 0 {
			return 0
		}
		return 1
	}
	for i, c := range scf.Cases(op) {
		if c == n {
			return i + 1
		}
	}
	return 0
}

// inlineRegion replaces op by the operations in its region r, which must have a single
// block. It moves these operations before op and replaces the block arguments by args. It
// replaces the results of op by the operands of the region's terminator. It returns
// false, without a change, if the region has several blocks or does not end with a
// terminator of the scf dialect.
func inlineRegion(rw *ir.Rewriter, op *ir.Op, r *ir.Region, args []*ir.Value) bool {
	b := r.Entry()
	end := b.Terminator()
	if b != r.Last() || end == nil || end.Def().Sem != scf.Leave {
		return false
	}
	for i, a := range b.Args() {
		a.ReplaceAllUses(args[i])
	}
	values := end.Operands()
	rw.Erase(end)
	for o := range b.Ops() {
		op.Block().InsertBefore(o, op)
		rw.Update(o)
	}
	rw.Replace(op, values...)
	return true
}

// constantBounds returns the lower and the upper bound of op, a counted loop. ok is false
// unless both are constants.
func constantBounds(op *ir.Op) (lb, ub int64, ok bool) {
	lb, ok1 := arith.ConstantInt(op.Operand(0))
	ub, ok2 := arith.ConstantInt(op.Operand(1))
	return lb, ub, ok1 && ok2
}

// knownTripCount removes a counted loop that runs at most once. It reports whether it
// changed the program.
func knownTripCount(rw *ir.Rewriter, op *ir.Op) bool {
	lb, ub, known := constantBounds(op)
	// The operands of a counted loop are the lower bound, the upper bound, the step
	// and the initial values.
	init := op.Operands()[3:]
	if op.Operand(0) == op.Operand(1) || known && lb >= ub {
		rw.Replace(op, init...)
		return true
	}
	step, ok := arith.ConstantInt(op.Operand(2))
	// lb < ub here, so the difference fits an unsigned number.
	if !known || !ok || step <= 0 || uint64(ub)-uint64(lb) > uint64(step) {
		return false
	}
	// The loop runs exactly once, with the lower bound as the induction variable.
	return inlineRegion(rw, op, op.Region(0), append([]*ir.Value{op.Operand(0)}, init...))
}

// carriedButConstant removes one loop-carried value that no iteration changes, and
// replaces its uses by the initial value. If no such value exists, it removes the
// loop-carried values that are never used. It reports whether it changed the program.
func carriedButConstant(rw *ir.Rewriter, op *ir.Op) bool {
	end := op.Region(0).Entry().Terminator()
	if end == nil || end.Def().Sem != scf.Leave {
		return false
	}
	for i, a := range scf.IterArgs(op) {
		init, y := op.Operand(3+i), end.Operand(i)
		if y != a && y != init || idle(op, end, i) {
			continue
		}
		replaceNoting(rw, a, init)
		replaceNoting(rw, op.Result(i), init)
		return true
	}
	return dropCarried(rw, op, end)
}

// idle reports whether value i, which a loop carries from one iteration to the next, has
// no effect: its only use is the terminator end, which passes it to the next iteration.
func idle(op, end *ir.Op, i int) bool {
	a := scf.IterArgs(op)[i]
	return !op.Result(i).HasUses() && (!a.HasUses() || a.HasOneUse() && end.Operand(i) == a)
}

// dropCarried removes the carried values of the loop op that are never used. The
// parameter end is the terminator of the loop body. dropCarried creates a new loop, since
// the number of results of an operation cannot change. It reports whether it changed the
// program.
func dropCarried(rw *ir.Rewriter, op, end *ir.Op) bool {
	b := op.Region(0).Entry()
	var keep []int
	for i := range scf.IterArgs(op) {
		if !idle(op, end, i) {
			keep = append(keep, i)
		}
	}
	if len(keep) == op.NumResults() {
		return false
	}
	operands, yields := op.Operands()[:3], []*ir.Value(nil)
	var types []ir.Type
	for _, i := range keep {
		operands = append(operands, op.Operand(3+i))
		types = append(types, op.Result(i).Type())
		yields = append(yields, end.Operand(i))
	}
	// Argument 0 is the induction variable, so carried value i is argument i+1.
	// Removing from the last to the first keeps the indices valid.
	end.SetOperands(yields, nil)
	for i, k := len(b.Args())-1, len(keep)-1; i > 0; i-- {
		if k >= 0 && keep[k] == i-1 {
			k--
			continue
		}
		b.RemoveArg(i)
	}
	loop := rw.Create(ir.State{Def: op.Def(), Loc: op.Loc(), Operands: operands, Results: types, Regions: []*ir.Region{ir.NewRegion()}})
	copyAttrs(loop, op)
	loop.Region(0).Take(op.Region(0))
	for k, i := range keep {
		replaceNoting(rw, op.Result(i), loop.Result(k))
	}
	rw.Erase(op)
	return true
}

// copyAttrs sets all attributes of src on dst.
func copyAttrs(dst, src *ir.Op) {
	for a := range src.OwnAttrs() {
		dst.SetAttr(a.Name, a.Attr)
	}
	for _, a := range src.ExtraAttrs() {
		dst.SetAttr(a.Name, a.Attr)
	}
}

// replaceNoting replaces all uses of v by w and notifies the pattern driver that the
// users have changed.
func replaceNoting(rw *ir.Rewriter, v, w *ir.Value) {
	for u := range v.Uses() {
		rw.Update(u.Owner())
	}
	v.ReplaceAllUses(w)
}

// knownJump replaces a conditional jump with a known target by an unconditional one. It
// reports whether it changed the program.
func knownJump(rw *ir.Rewriter, op *ir.Op) bool {
	goal := -1
	succs := op.Successors()
	if a, ok := arith.ConstantAttr(op.Operand(0)); ok {
		_, bits, _ := a.NumberBits()
		goal = jumpGoal(op, bits)
	} else if sameJump(op) {
		goal = 0
	}
	if goal < 0 {
		return false
	}
	from, to := op.SuccRange(goal)
	rw.Create(ir.State{Def: cf.Br, Loc: op.Loc(), Operands: op.Operands()[from:to], Succs: succs[goal : goal+1]})
	rw.Erase(op)
	return true
}

// jumpGoal returns the index of the successor that a conditional jump selects. The
// parameter bits is the value of the operand of the jump.
func jumpGoal(op *ir.Op, bits uint64) int {
	if op.Def().Sem == cf.ByCondition {
		if bits != 0 {
			return 0
		}
		return 1
	}
	for i, c := range cf.CaseValues(op) {
		if c == bits {
			return i + 1
		}
	}
	return 0
}

// sameJump reports whether all successors of a jump are the same block with the
// same values.
func sameJump(op *ir.Op) bool {
	succs := op.Successors()
	from, to := op.SuccRange(0)
	for i := 1; i < len(succs); i++ {
		f, t := op.SuccRange(i)
		if succs[i] != succs[0] || t-f != to-from {
			return false
		}
		for k := range t - f {
			if op.Operand(f+k) != op.Operand(from+k) {
				return false
			}
		}
	}
	return true
}
