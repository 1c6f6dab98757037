// This file removes unreachable blocks and merges blocks.

package passes

import (
	"slices"

	"ptogo/dialect/cf"
	"ptogo/ir"
)

// simplifyRegions simplifies all regions inside op. It removes unreachable blocks, merges
// a block into its only predecessor, and removes block arguments that are not needed. It
// reports whether it changed anything.
func simplifyRegions(op *ir.Op) bool {
	changed := false
	for o := range op.Walk() {
		for _, r := range o.Regions() {
			if r.Entry() == r.Last() {
				continue
			}
			if eraseUnreachable(r) {
				changed = true
			}
			if joinBlocks(r) {
				changed = true
			}
			if dropUnneeded(r) {
				changed = true
			}
		}
	}
	return changed
}

// successors returns the successors of the last operation of b.
func successors(b *ir.Block) []*ir.Block {
	if b.Last() == nil {
		return nil
	}
	return b.Last().Successors()
}

// eraseUnreachable removes the blocks that control cannot reach from the entry block, and
// reports whether there were any.
func eraseUnreachable(r *ir.Region) bool {
	reached := map[*ir.Block]bool{r.Entry(): true}
	for work := []*ir.Block{r.Entry()}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range successors(b) {
			if !reached[s] {
				reached[s] = true
				work = append(work, s)
			}
		}
	}
	changed := false
	for b := range r.Blocks() {
		if !reached[b] {
			b.Erase()
			changed = true
		}
	}
	return changed
}

// joinBlocks appends a block to its only predecessor if the predecessor ends in an
// unconditional jump. It reports whether it changed anything.
func joinBlocks(r *ir.Region) bool {
	preds := map[*ir.Block]int{}
	for b := range r.Blocks() {
		for _, s := range successors(b) {
			preds[s]++
		}
	}
	changed := false
	for b := r.Entry(); b != nil; b = b.Next() {
		for {
			jump := b.Last()
			if jump == nil || jump.Def().Sem != cf.Always {
				break
			}
			next := jump.Successors()[0]
			if preds[next] != 1 || next == b || next == r.Entry() {
				break
			}
			for i, a := range next.Args() {
				a.ReplaceAllUses(jump.Operand(i))
			}
			jump.Erase()
			b.Splice(next)
			next.Erase()
			changed = true
		}
	}
	return changed
}

// dropUnneeded removes block arguments and operations that are used only by each other,
// for example a loop counter that no operation except its increment reads. The function
// IsDead does not find these, because each of them has a use. dropUnneeded reports
// whether it changed anything.
func dropUnneeded(r *ir.Region) bool {
	l := findNeeded(r)
	var dead []*ir.Op
	for b := range r.Blocks() {
		for op := range b.Ops() {
			if !l.ops[op] {
				dropOperands(op)
				dead = append(dead, op)
			}
		}
	}
	args := l.unneeded(r)
	for _, a := range args { // an argument may be passed to another one that is removed
		l.dropPassed(a)
	}
	for _, op := range dead {
		op.Erase()
	}
	for _, a := range args {
		a.Block().RemoveArg(a.Index())
	}
	return len(dead)+len(args) > 0
}

// unneeded returns the block arguments in r on which no effect depends. For each block,
// the last argument comes first, so that removing it leaves the indices of the others
// valid.
func (l *needed) unneeded(r *ir.Region) []*ir.Value {
	var args []*ir.Value
	for b := range r.Blocks() {
		if b == r.Entry() {
			continue
		}
		for _, a := range slices.Backward(b.Args()) {
			if !l.values[a] {
				args = append(args, a)
			}
		}
	}
	return args
}

// dropOperands clears the operands of op and of all operations in it, before op is
// erased.
func dropOperands(op *ir.Op) {
	for o := range op.Walk() {
		for i := range o.NumOperands() {
			o.SetOperand(i, nil)
		}
	}
}

// needed is the set of operations and block arguments that must not be removed, because
// an operation with effects depends on them.
type needed struct {
	// ops are the needed operations, and values the needed values.
	ops    map[*ir.Op]bool
	values map[*ir.Value]bool
	// work are the values whose definition has not been processed.
	work []*ir.Value
	// preds are the predecessors of each block.
	preds map[*ir.Block][]*ir.Block
}

// findNeeded returns those operations and values in r on which the effects of r depend.
// It starts with the operations that have effects and the terminators that leave r, and
// adds the operations that compute their operands. The remaining operations can be
// removed. A value that a terminator passes to a block is needed only if the receiving
// block argument is needed.
func findNeeded(r *ir.Region) *needed {
	l := &needed{ops: map[*ir.Op]bool{}, values: map[*ir.Value]bool{}, preds: r.Predecessors()}
	for b := range r.Blocks() {
		for op := range b.Ops() {
			switch {
			case op.HasTrait(ir.Terminator):
				l.ops[op] = true
				for i, v := range op.Operands() {
					if !passed(op, i) {
						l.need(v)
					}
				}
				l.needUnknown(op)
			case !removable(op):
				l.needOp(op)
			}
		}
	}
	for len(l.work) > 0 {
		v := l.work[len(l.work)-1]
		l.work = l.work[:len(l.work)-1]
		if def := v.Op(); def != nil {
			l.needOp(def)
		} else if b := v.Block(); b.Region() == r && b != r.Entry() {
			l.needPassed(b, v.Index())
		}
	}
	return l
}

// need marks the value v as needed, because an effect depends on it, and queues it so
// that its definition is processed.
func (l *needed) need(v *ir.Value) {
	if !l.values[v] {
		l.values[v] = true
		l.work = append(l.work, v)
	}
}

// needUnknown marks block arguments as needed if it is unknown which values they receive.
// This is the case if the definition of the terminator op does not declare which operands
// it passes to successors.
func (l *needed) needUnknown(op *ir.Op) {
	if op.Def().SuccOperands != nil {
		return
	}
	for _, s := range op.Successors() {
		for _, a := range s.Args() {
			l.need(a)
		}
	}
}

// needOp marks op and the operations in it as needed, with all of their operands.
func (l *needed) needOp(op *ir.Op) {
	if l.ops[op] {
		return
	}
	for o := range op.Walk() {
		l.ops[o] = true
		for _, v := range o.Operands() {
			l.need(v)
		}
	}
}

// needPassed marks as needed the values that the predecessors of b pass as argument i.
func (l *needed) needPassed(b *ir.Block, i int) {
	for _, p := range l.preds[b] {
		end := p.Last()
		for k, s := range end.Successors() {
			if from, to := end.SuccRange(k); s == b && from+i < to {
				l.need(end.Operand(from + i))
			}
		}
	}
}

// passed reports whether operand i of a terminator becomes an argument of a
// successor.
func passed(op *ir.Op, i int) bool {
	for k := range op.Successors() {
		if from, to := op.SuccRange(k); from <= i && i < to {
			return true
		}
	}
	return false
}

// dropPassed removes the operand that supplies the block argument arg from all jumps to
// the block. If a jump has several successors, it processes the last one first, because
// removing operands changes the indices of the operands after them.
func (l *needed) dropPassed(arg *ir.Value) {
	for _, p := range l.preds[arg.Block()] {
		end := p.Last()
		for k := len(end.Successors()) - 1; k >= 0; k-- {
			if end.Successors()[k] == arg.Block() {
				from, _ := end.SuccRange(k)
				RemovePassed(end, k, from+arg.Index())
			}
		}
	}
}

// RemovePassed removes an operand of the jump op, which passes a value to the successor
// with index succ. i is the index of this operand among all operands of op.
func RemovePassed(op *ir.Op, succ, i int) {
	segs := make([]int32, len(op.Form().Operands))
	for k := range segs {
		from, to := op.ArgRange(k)
		segs[k] = int32(to - from)
		if from <= i && i < to {
			segs[k]--
		}
	}
	values := op.Operands()
	if op.Def().Sem == cf.ByValue && succ > 0 {
		cf.PassFewer(op, succ, 1)
	}
	if len(segs) < 2 {
		segs = nil
	}
	op.SetOperands(slices.Delete(values, i, i+1), segs)
}
