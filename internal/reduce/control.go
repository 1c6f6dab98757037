// This file simplifies control flow.

package reduce

import (
	"slices"

	"ptogo/dialect/cf"
	"ptogo/dialect/fn"
	"ptogo/ir"
)

// branches returns the terminators in the module that have more than one successor.
func branches(module *ir.Op) (ops []*ir.Op) {
	for op := range module.Walk() {
		if len(op.Successors()) > 1 {
			ops = append(ops, op)
		}
	}
	return ops
}

// cutBranches replaces each branch in the parameter some by a jump to the last successor
// of the branch. It returns false if a branch cannot be replaced.
func cutBranches(_ *ir.Op, some []*ir.Op) bool {
	for _, op := range some {
		// An earlier cut may have erased the block of this branch as unreachable.
		if op.Block() != nil && !straighten(op, len(op.Successors())-1) {
			return false
		}
	}
	return true
}

// straighten replaces the branch op by a jump to its successor i. It then erases
// unreachable blocks, and merges the successor into the block of op if it has no other
// predecessor. It returns false without a change if the operands do not match the
// arguments of the successor.
func straighten(op *ir.Op, i int) bool {
	target, block, region := op.Successors()[i], op.Block(), op.Block().Region()
	first, last := op.SuccRange(i)
	args := op.Operands()[first:last]
	if len(args) != len(target.Args()) {
		return false
	}
	ir.Before(op).Create(ir.State{Def: cf.Br, Operands: args, Succs: []*ir.Block{target}})
	op.Erase()
	// Restart the loop after each erasure: erasing a block invalidates the
	// iteration, and can make further blocks unreachable.
	for again := true; again; {
		again = false
		for dead := range region.Blocks() {
			if dead != region.Entry() && len(dead.Predecessors()) == 0 {
				dead.Erase()
				again = true
				break
			}
		}
	}
	for merge(block) {
	}
	return true
}

// merge appends the operations of the successor of a block to this block. It reports
// whether it has changed the program. The block must end with an unconditional jump. The
// successor must have no other predecessor and must not be the entry of its region.
func merge(block *ir.Block) bool {
	end := block.Terminator()
	if end == nil || !end.Is(cf.Br) {
		return false
	}
	next := end.Successors()[0]
	if next == block || len(next.Predecessors()) != 1 || next == block.Region().Entry() {
		return false
	}
	// The values that the jump passes replace the arguments of the successor.
	for i, a := range next.Args() {
		a.ReplaceAllUses(end.Operand(i))
	}
	end.Erase()
	block.Splice(next)
	next.Erase()
	return true
}

// body is a region whose operations can replace the operation that owns the region. For
// example, the body of a loop can replace the loop, and one branch can replace a
// conditional operation.
type body struct {
	op     *ir.Op
	region int
}

// bodies returns the regions of all operations except the module and functions. An
// outer operation comes before the operations in it.
func bodies(module *ir.Op) (list []body) {
	for op := range module.Walk() {
		if op.Parent() == nil || op.Is(fn.Func) {
			continue
		}
		for i := range op.Regions() {
			list = append(list, body{op, i})
		}
	}
	return list
}

// unwrap replaces operations by the contents of their regions. some lists these regions;
// the operation that owns a region is replaced by the contents of the region. unwrap
// starts from the end of the list, so that inner operations are replaced before outer
// ones. It returns false if an operation cannot be replaced.
func unwrap(_ *ir.Op, some []body) bool {
	gone := map[*ir.Op]bool{}
	for _, b := range slices.Backward(some) {
		if gone[b.op] {
			continue
		}
		gone[b.op] = true
		if !replaceByBody(b.op, b.op.Region(b.region).Entry()) {
			return false
		}
	}
	return true
}

// replaceByBody replaces op by the operations of body, a block of one of its regions.
// It returns false if the region has several blocks or types do not match.
//
// The arguments of the body are replaced by operands as if the body ran once. The
// values that an operation carries from one iteration to the next are its last
// operands; in a counted loop, the bounds precede them. The induction variable is the
// first argument of the body, and the lower bound, the first operand, replaces it.
func replaceByBody(op *ir.Op, body *ir.Block) bool {
	if body == nil || body.Next() != nil {
		return false
	}
	carried := op.NumOperands()
	for i, a := range slices.Backward(body.Args()) {
		carried--
		k := max(carried, 0)
		if i == 0 && len(body.Args()) < op.NumOperands() {
			k = 0
		}
		if k >= op.NumOperands() || op.Operand(k).Type() != a.Type() {
			return false
		}
		a.ReplaceAllUses(op.Operand(k))
	}
	end := body.Terminator()
	// The operands of the terminator replace the results. The terminator of the
	// first region of a while loop has the condition as an additional first
	// operand.
	for i, v := range op.Results() {
		k := i
		if end != nil {
			k += end.NumOperands() - op.NumResults() // the condition comes first
		}
		if end == nil || k < 0 || end.Operand(k).Type() != v.Type() {
			if v.HasUses() {
				return false
			}
			continue
		}
		v.ReplaceAllUses(end.Operand(k))
	}
	for x := body.First(); x != nil && x != end; {
		next := x.Next()
		x.Remove()
		op.Block().InsertBefore(x, op)
		x = next
	}
	op.Erase()
	return true
}
