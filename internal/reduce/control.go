package reduce

import (
	"slices"

	"ptogo/dialect/cf"
	"ptogo/dialect/fn"
	"ptogo/ir"
)

// branches are the ends of blocks that go to several.
func branches(module *ir.Op) (ops []*ir.Op) {
	for op := range module.Walk() {
		if len(op.Successors()) > 1 {
			ops = append(ops, op)
		}
	}
	return ops
}

// cutBranches makes branches go to the last of their targets alone.
func cutBranches(_ *ir.Op, some []*ir.Op) bool {
	for _, op := range some {
		// Others may have taken it away with the block that it ends.
		if op.Block() != nil && !straighten(op, len(op.Successors())-1) {
			return false
		}
	}
	return true
}

// straighten makes a branch go to its target i alone, and takes the block there into
// its own if nothing else goes there.
func straighten(op *ir.Op, i int) bool {
	target, block, region := op.Successors()[i], op.Block(), op.Block().Region()
	first, last := op.SuccRange(i)
	args := op.Operands()[first:last]
	if len(args) != len(target.Args()) {
		return false
	}
	ir.Before(op).Create(ir.State{Def: cf.Br, Operands: args, Succs: []*ir.Block{target}})
	op.Erase()
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

// merge takes the only block after one into it, if nothing else goes there.
func merge(block *ir.Block) bool {
	end := block.Terminator()
	if end == nil || !end.Is(cf.Br) {
		return false
	}
	next := end.Successors()[0]
	if next == block || len(next.Predecessors()) != 1 || next == block.Region().Entry() {
		return false
	}
	for i, a := range next.Args() {
		a.ReplaceAllUses(end.Operand(i))
	}
	end.Erase()
	block.Splice(next)
	next.Erase()
	return true
}

// body is a region that could stand in the place of the operation that it belongs
// to: of a loop, a branch, a section.
type body struct {
	op     *ir.Op
	region int
}

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

// unwrap puts bodies in the place of their operations, the inner ones first.
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

// replaceByBody puts a body of an operation in its place. What the
// operation carries into a body are its last operands, of a counted loop after its
// bounds; the number of a round becomes the first of all.
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
	for i, v := range op.Results() {
		k := i
		if end != nil {
			k += end.NumOperands() - op.NumResults() // a condition stands first
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
