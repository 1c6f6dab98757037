// This file defines vpto-combine-reductions.

package vmi

import (
	"strconv"
	"strings"

	"ptogo/dialect/pto"
	isavector "ptogo/dialect/pto/isa/vector"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// CombineReductions is the pass vpto-combine-reductions. It searches for two reductions
// whose results another instruction combines. It changes the program so that it first
// combines the source registers and then reduces the combined register, with a single
// reduction.
var CombineReductions = &passes.Pass{
	Name:   "vpto-combine-reductions",
	Title:  "VPTOCombineReductions",
	Doc:    "Replaces two reductions with the same mask, whose results are combined, by one reduction of the combined registers.",
	Anchor: "builtin.module",
	Stats:  []passes.Stat{{Name: "num-combined", Doc: "reductions removed"}},
	Run: func(c *passes.Context, module *ir.Op) error {
		for op := range module.Walk() {
			if combineReductions(op) || combineChain(op) {
				c.Count("num-combined", 1)
			}
		}
		return nil
	},
}

// combining maps each kind of reduction (sum, maximum or minimum) to the instruction that
// combines two results of such reductions.
var combining = map[sem.ReduceOp]*ir.Def{sem.ReduceSum: isavector.VAdd, sem.ReduceMax: isavector.VMax, sem.ReduceMin: isavector.VMin}

// combineReductions rewrites combine(reduce(a, m), reduce(b, m)) as reduce(combine(a, b),
// m). The mask of the original combine instruction must select all lanes that the two
// reductions can set, since lanes outside of this mask were not combined. The result
// reports whether the function has rewritten op.
func combineReductions(op *ir.Op) bool {
	if op.NumOperands() != 3 || op.NumResults() != 1 {
		return false
	}
	x, y := op.Operand(0).Op(), op.Operand(1).Op()
	kind, ok := alike(x, y, op.Def())
	if !ok || kind.Into == sem.IntoIndexed || !selects(op.Operand(2), resultLanes(kind)) {
		return false
	}
	op.Result(0).ReplaceAllUses(together(ir.Before(op), op.Def(), x, y))
	op.Erase()
	x.Erase()
	y.Erase()
	return true
}

// combineChain merges two reductions. The program reduces the vector a to one lane and
// combines this lane with c, and then does the same with the vector b and the result.
// After the rewriting, it first combines a and b lane by lane, which leaves only one
// reduction. With the mask m of the reductions and the mask k of the other instructions,
// combine(reduce(b, m), combine(reduce(a, m), c, k), k) becomes combine(reduce(combine(b,
// a), m), c, k). If reductions also return a position, the mask k must select the first
// lane alone.
func combineChain(op *ir.Op) bool {
	if op.NumOperands() != 3 || op.NumResults() != 1 {
		return false
	}
	for i := range 2 {
		y, inner := op.Operand(i).Op(), op.Operand(1-i).Op()
		if inner == nil || !inner.Is(op.Def()) || !inner.Result(0).HasOneUse() || !equalMasks(inner.Operand(2), op.Operand(2)) {
			continue
		}
		for k := range 2 {
			x := inner.Operand(k).Op()
			kind, ok := alike(x, y, op.Def())
			if !ok || kind.Into == sem.IntoIndexed && !selectsFirst(op.Operand(2)) {
				continue
			}
			b := ir.Before(op)
			reduced := together(b, op.Def(), x, y)
			made := b.Op(op.Def(), []*ir.Value{reduced, inner.Operand(1 - k), op.Operand(2)}, []ir.Type{op.Result(0).Type()})
			op.Result(0).ReplaceAllUses(made.Result(0))
			for _, old := range []*ir.Op{op, inner, x, y} {
				old.Erase()
			}
			return true
		}
	}
	return false
}

// alike reports whether two reductions, x and y, can be replaced by one. They must be the
// same instruction with equal masks, and each result must have only one use. The program
// combines their results with an instruction whose definition is the third argument. This
// instruction must match the reductions, for example an addition for sums. alike also
// returns the kind of the reductions.
func alike(x, y *ir.Op, by *ir.Def) (sem.VecReduce, bool) {
	if x == nil || y == nil || x == y || x.Def() != y.Def() || !x.Result(0).HasOneUse() || !y.Result(0).HasOneUse() {
		return sem.VecReduce{}, false
	}
	kind, ok := x.Def().Sem.(sem.VecReduce)
	same := ok && combining[kind.Op] == by && x.Operand(0).Type() == y.Operand(0).Type() && equalMasks(x.Operand(1), y.Operand(1))
	return kind, same && x.Result(0).Type() == x.Operand(0).Type() // else the sum is wider than the lanes
}

// together inserts two instructions, and returns the result of the second one. The first
// instruction combines the source registers of the reductions x and y. The second
// argument is its definition. The second instruction is a reduction like x, on the
// combined register.
func together(b *ir.Builder, by *ir.Def, x, y *ir.Op) *ir.Value {
	t := []ir.Type{x.Operand(0).Type()}
	both := b.Op(by, []*ir.Value{x.Operand(0), y.Operand(0), x.Operand(1)}, t)
	return b.Op(x.Def(), []*ir.Value{both.Result(0), x.Operand(1)}, t).Result(0)
}

// resultLanes returns the maximum number of lanes that a reduction of the given kind sets
// in its result vector. These are the first lanes of the vector.
func resultLanes(kind sem.VecReduce) int {
	switch kind.Into {
	case sem.PerBlock:
		return pto.VectorBytes / pto.TileAlign
	case sem.PerPair:
		return pto.VectorBytes / 2
	}
	return 1
}

// selects reports whether the mask m is known to select at least the first n lanes.
func selects(m *ir.Value, n int) bool {
	if m.Op() == nil || m.Op().NumOperands() > 0 {
		return false
	}
	pattern, _ := m.Op().Attr("pattern").AsString()
	lanes, err := strconv.Atoi(strings.TrimPrefix(pattern, "PAT_VL"))
	return pattern == "PAT_ALL" || err == nil && lanes >= n
}

// selectsFirst reports whether the mask m is known to select the first lane alone.
func selectsFirst(m *ir.Value) bool {
	if m.Op() == nil {
		return false
	}
	pattern, _ := m.Op().Attr("pattern").AsString()
	return pattern == "PAT_VL1"
}

// equalMasks reports whether two masks are known to select the same lanes.
func equalMasks(a, b *ir.Value) bool {
	if a == b {
		return true
	}
	x, y := a.Op(), b.Op()
	return x != nil && y != nil && x.Is(y.Def()) && x.NumOperands() == 0 && x.Attr("pattern") == y.Attr("pattern") && x.HasAttr("pattern")
}
