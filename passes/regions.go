package passes

import (
	"slices"

	"ptogo/dialect/cf"
	"ptogo/ir"
)

// simplifyRegions removes blocks that nothing reaches, joins blocks that
// follow each other, and removes block arguments that nobody needs, in all
// regions below op. It reports whether it changed anything.
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

func successors(b *ir.Block) []*ir.Block {
	if b.Last() == nil {
		return nil
	}
	return b.Last().Successors()
}

// eraseUnreachable removes the blocks that no path from the entry leads to.
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

// joinBlocks appends a block to the only one that goes to it, where that one
// goes nowhere else.
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

// dropUnneeded removes block arguments and operations that only feed each
// other.
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
	for _, a := range args { // an argument may be passed on to another one
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

// unneeded returns the block arguments that may go, the last of a block first.
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

// dropOperands makes op and all inside it use nothing; it is about to go.
func dropOperands(op *ir.Op) {
	for o := range op.Walk() {
		for i := range o.NumOperands() {
			o.SetOperand(i, nil)
		}
	}
}

// needed is the operations and block arguments that something depends on.
type needed struct {
	ops    map[*ir.Op]bool
	values map[*ir.Value]bool
	work   []*ir.Value
	preds  map[*ir.Block][]*ir.Block
}

// findNeeded starts with the operations that have effects and goes back to
// what they use. What a terminator passes on is needed if it is at the goal.
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

func (l *needed) need(v *ir.Value) {
	if !l.values[v] {
		l.values[v] = true
		l.work = append(l.work, v)
	}
}

// needUnknown needs all that the successors of a terminator take, if it does
// not say what it passes them.
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

// needOp needs everything that op and the operations inside it use.
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

// needPassed needs what the predecessors pass as argument i of b.
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

// dropPassed takes a block argument out of the jumps to its block.
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

// RemovePassed takes out operand i of a jump, which is one that it passes to
// successor succ.
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
