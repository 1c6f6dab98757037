// This file defines the pass that merges nested loops.

package passes

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/effect"
)

// FlattenLoops merges two nested loops into one, whose iterations are those of the inner
// loop for all iterations of the outer loop, in the same order. pto-split-blocks can then
// divide all of them between blocks, and a block loads only what its own iterations need.
var FlattenLoops = &Pass{
	Name:  "pto-flatten-loops",
	Title: "PTOFlattenLoops",
	Doc: "Merges each loop with the loop directly inside of it. The bounds of the inner loop must not depend on the outer loop, the steps must be positive constants, and neither loop may carry values." +
		" Instructions before the inner loop are executed in each iteration of the new loop, so they must be pure, or load tiles (Level 1) that no instruction of the loops writes." +
		" Different pointer arguments must not overlap.",
	Options: []Option{{Name: "remarks", Kind: Flag, Default: "false", Doc: "report which loops are merged, and why others are not"}},
	Stats:   []Stat{{"num-loops", "loops merged with the loop around them"}},
	Run: func(c *Context, op *ir.Op) error {
		flattenIn(c, op)
		return nil
	},
}

// flattenIn processes the loops in the regions of op, outer loops first, so that a nest of
// several loops becomes one.
func flattenIn(c *Context, op *ir.Op) {
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for _, o := range slices.Collect(b.Ops()) {
				for o.Is(scf.For) {
					merged := flatten(c, o)
					if merged == nil {
						break
					}
					o = merged
				}
				flattenIn(c, o)
			}
		}
	}
}

// flatten merges the loop outer with the loop directly inside of it, and returns the new
// loop. It returns nil if it cannot merge them.
func flatten(c *Context, outer *ir.Op) *ir.Op {
	inner, at, why := mergeable(outer)
	if inner == nil && why == "" {
		return nil // not a nest
	}
	if why != "" {
		if c.Bool("remarks") {
			c.Remarkf(outer, "is not merged with the loop inside of it").Note(at.Loc(), "'"+at.Name()+"' op "+why)
		}
		return nil
	}
	if c.Bool("remarks") {
		c.Remarkf(outer, "is merged with the loop inside of it")
	}
	c.Count("num-loops", 1)
	return mergeLoops(outer, inner)
}

// mergeable returns the loop directly inside of the loop outer. If the two loops cannot be
// merged, the result why is the reason, and at the operation that causes it. If outer does
// not contain exactly one loop, mergeable returns nil and "".
func mergeable(outer *ir.Op) (inner, at *ir.Op, why string) {
	body := outer.Region(0).Entry()
	for op := range body.Ops() {
		if op.Is(scf.For) {
			if inner != nil {
				return nil, nil, ""
			}
			inner = op
		}
	}
	if inner == nil {
		return nil, nil, ""
	}
	for _, loop := range []*ir.Op{outer, inner} {
		switch {
		case len(loop.Results()) > 0:
			return inner, loop, "carries values from one iteration to the next"
		case loop.Operand(0).Type() != ir.Index:
			return inner, loop, "has a counter whose type is not index, so the number of all iterations might be too large for it"
		}
		if step, ok := arith.ConstantInt(loop.Operand(2)); !ok || step <= 0 {
			return inner, loop, "has a step that is not a positive constant"
		}
	}
	if !definedOutside(inner, outer) {
		return inner, inner, "has bounds that are computed in the loop around it"
	}
	if synchronizes(outer) {
		return inner, outer, "contains a call, synchronization, or an exchange of data with another core"
	}
	before := true
	for op := range body.Ops() {
		switch {
		case op == inner:
			before = false
		case op == body.Last():
		case !before:
			return inner, op, "follows the inner loop"
		case !repeatable(op, outer):
			return inner, op, "must not be executed in each iteration of the inner loop"
		}
	}
	return inner, nil, ""
}

// repeatable reports whether op, which is directly in a loop, may be executed several times
// instead of once, at any place of the iteration.
func repeatable(op, loop *ir.Op) bool {
	if IsPure(op) {
		return true
	}
	_, loads := op.Def().Sem.(sem.TileLoad)
	return loads && computesTiles(op) && !op.Effects().Has(effect.ReadsState|effect.WritesState) && !written(pto.BasePointer(op.Operand(0)), loop)
}

// mergeLoops replaces the loops outer and inner by one loop, and returns this loop. Iteration k of
// the new loop is iteration k mod n of the inner loop in iteration k / n of the outer loop,
// where n is the number of iterations of the inner loop.
func mergeLoops(outer, inner *ir.Op) *ir.Op {
	b := ir.Before(outer)
	calc := func(b *ir.Builder, d *ir.Def, x, y *ir.Value) *ir.Value {
		return b.Op(d, []*ir.Value{x, y}, []ir.Type{ir.Index}).Result(0)
	}
	zero, one := arith.Index(b, 0), arith.Index(b, 1)
	// The distance between the bounds is negative if the loop has no iterations.
	rounds := func(loop *ir.Op) *ir.Value {
		from, known := arith.ConstantInt(loop.Operand(0))
		to, known2 := arith.ConstantInt(loop.Operand(1))
		step, _ := arith.ConstantInt(loop.Operand(2))
		const most = 1 << 40 // the sum below does not overflow
		if known && known2 && -most < from && from < most && -most < to && to < most && step < most {
			return arith.Index(b, (max(to-from, 0)+step-1)/step)
		}
		span := calc(b, arith.MaxSI, calc(b, arith.SubI, loop.Operand(1), loop.Operand(0)), zero)
		return calc(b, arith.CeilDivSI, span, loop.Operand(2))
	}
	outside, inside := rounds(outer), rounds(inner)
	body := &ir.Block{}
	counter := body.AddArg(ir.Index)
	counter.SetName("iteration")
	loop := b.Create(ir.State{
		Def: scf.For, Loc: outer.Loc(), Operands: []*ir.Value{zero, calc(b, arith.MulI, outside, inside), one},
		Regions: []*ir.Region{ir.NewRegion(body)},
	})
	start := ir.AtEnd(body, outer.Loc())
	for _, part := range []struct {
		loop *ir.Op
		op   *ir.Def
	}{{outer, arith.DivSI}, {inner, arith.RemSI}} {
		was := part.loop.Region(0).Entry().Args()[0]
		now := calc(start, part.op, counter, inside)
		now = calc(start, arith.AddI, part.loop.Operand(0), calc(start, arith.MulI, now, part.loop.Operand(2)))
		now.SetName(was.Name())
		was.ReplaceAllUses(now)
	}
	for _, block := range []*ir.Block{outer.Region(0).Entry(), inner.Region(0).Entry()} {
		for _, op := range slices.Collect(block.Ops()) {
			if op == inner || op.Is(scf.Yield) {
				continue
			}
			op.Remove()
			start.Insert(op)
		}
	}
	start.Op(scf.Yield, nil, nil)
	outer.Erase()
	return loop
}
