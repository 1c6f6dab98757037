// This file defines pto-mark-last-use.

package fusion

import (
	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
	"ptogo/passes"
)

// lastUseAttr is an attribute of instructions that are fused in a group. It has one entry
// for each tile operand of the instruction: 1 if no later instruction reads the tile, 0
// otherwise.
const lastUseAttr = "pto.last_use"

// MarkLastUse is the pass pto-mark-last-use. A fusion group is a set of tile instructions
// that can share a loop: they have the same iteration space and use results of each
// other. For each instruction of a group, the pass marks the source tiles that no later
// instruction of the function reads.
var MarkLastUse = &passes.Pass{
	Name:   "pto-mark-last-use",
	Title:  "PTOMarkLastUse",
	Doc:    "For each tile instruction of a fusion group, marks the source tiles that no later instruction reads.",
	Anchor: "builtin.module",
	Stats:  []passes.Stat{{Name: "num-marked", Doc: "source tiles that no later instruction reads"}},
	Run: func(c *passes.Context, module *ir.Op) error {
		called := map[*ir.Op]bool{}
		for op := range module.Walk() {
			called[analysis.CalleeOf(op)] = true
		}
		for _, f := range fn.Functions(module) {
			for _, span := range spans(f) {
				for _, op := range span {
					c.Count("num-marked", markLastUse(f, op, called[f]))
				}
			}
		}
		return nil
	},
}

// markLastUse sets an attribute of op, an instruction of the function f. The attribute
// contains one number per tile operand: 1 if op is the last instruction that reads the
// tile, and 0 otherwise. called is true if another function of the module calls f. The
// number for a parameter of f is then 0, because the caller may read the tile later.
// markLastUse returns how many of the numbers are 1.
func markLastUse(f, op *ir.Op, called bool) int {
	var entries []int64
	marked := 0
	for _, a := range accesses(op) {
		last := int64(0)
		if !a.writes && !(called && isArgument(a.v)) && !readLater(f, op, a.v) {
			last = 1
			marked++
		}
		entries = append(entries, last)
	}
	op.SetAttr(lastUseAttr, ir.I64Array(entries...))
	return marked
}

// readLater reports whether an operation of the function f may read the tile v after op:
// in the rest of the block of op and of the enclosing blocks, or in a later iteration of
// a loop.
func readLater(f, op *ir.Op, v *ir.Value) bool {
	for op != f {
		for o := op.Next(); o != nil; o = o.Next() {
			switch {
			case mayRead(o, v):
				return true
			case overwrites(o, v):
				return false
			}
		}
		parent := op.Parent()
		if parent != f && parent.HasTrait(ir.LoopLike) && mayRead(parent, v) {
			return true
		}
		op = parent
	}
	return false
}

// mayRead reports whether op or an operation of its regions may read the tile v.
func mayRead(op *ir.Op, v *ir.Value) bool {
	for o := range op.Walk() {
		if free(o) {
			continue
		}
		if o.Form().Level == ir.DPS {
			for _, a := range accesses(o) {
				if a.reads && sameData(a.v, v) {
					return true
				}
			}
			continue
		}
		for _, x := range o.Operands() {
			if _, ok := tileInfo(x); ok && sameData(x, v) {
				return true
			}
		}
	}
	return false
}

// sameData reports whether two tiles may share a byte. It assumes that two different
// arguments of the function share no bytes. This is true for kernels, the only functions
// for which sameData is used. In contrast, a function that the program calls can receive
// the same tile as two arguments.
func sameData(a, b *ir.Value) bool {
	if isArgument(a) && isArgument(b) {
		return origin(a) == origin(b)
	}
	return mayMeet(a, b)
}
