// This file defines the pass pto-resize-tiles.

package resize

import (
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/axes"
	"ptogo/passes"
)

// Pass is the pass pto-resize-tiles, which changes the sizes of tiles. The results keep
// their bits, because the pass resizes only tiles of which each row (or column) depends on
// the same rows of other tiles. The option reassociate also allows other rounding errors.
var Pass = &passes.Pass{
	Name:  "pto-resize-tiles",
	Title: "PTOResizeTiles",
	Doc: "Changes the sizes of tiles at Level 1. With merge, each round of a loop over rows processes several of the former rounds." +
		" With divide, each round processes a part of a former round, and instructions outside of such loops are moved into a new loop over their rows." +
		" The pass changes only instructions in which each row of a result depends on the same rows of the operands." +
		" Different pointer arguments must not overlap, and different rows of a view must not share memory." +
		" If the rounds of a loop are divided between the blocks of the launch, all blocks together compute the same as before.",
	Anchor: "builtin.module",
	Options: []passes.Option{
		{Name: "merge", Kind: passes.Number, Default: "1", Doc: "number of rounds that become one round, 1 to 1024"},
		{Name: "divide", Kind: passes.Number, Default: "1", Doc: "number of parts into which rounds and tiles are divided, 1 to 1024"},
		{Name: "columns", Kind: passes.Flag, Default: "false", Doc: "resize columns instead of rows"},
		{Name: "blocks", Kind: passes.Flag, Default: "false", Doc: "divide the tiles of kernels that read the number of their block between more blocks: a launch needs as many times the blocks as divide states"},
		{Name: "sums", Kind: passes.Flag, Default: "false", Doc: "resize what each round of a loop adds to the accumulator of a matrix product: the columns of left operands and the rows of right operands"},
		{Name: "reassociate", Kind: passes.Flag, Default: "false", Doc: "also resize loops that carry sums, maxima and minima of rows or columns: the sums then add their terms in another order, so results can have other rounding errors"},
		{Name: "remarks", Kind: passes.Flag, Default: "false", Doc: "report what is resized, and why other loops and stores are not"},
	},
	Stats: []passes.Stat{
		{Name: "num-loops", Doc: "loops that process other numbers of rows or columns in each round"},
		{Name: Reassociated, Doc: "loops that add their sums in another order"},
	},
	Run: run,
}

// Reassociated is the statistic that counts loops whose sums get another order.
const Reassociated = "num-reassociated"

// isCalled reports whether an operation of the module calls the function f.
func isCalled(module, f *ir.Op) bool {
	for op := range module.Walk() {
		if analysis.CalleeOf(op) == f {
			return true
		}
	}
	return false
}

// largest is the largest number of rounds that merge, and of parts.
const largest = 1024

// run runs the pass on all functions of a module.
func run(c *passes.Context, module *ir.Op) error {
	r := ratio{c.Int("merge"), c.Int("divide")}
	for i, n := range []int64{r.times, r.parts} {
		if n < 1 || n > largest {
			c.Errorf(module, "requires the option %s to be between 1 and %d, but it is %d", []string{"merge", "divide"}[i], largest, n)
			return passes.ErrReported
		}
	}
	if r.times > 1 && r.parts > 1 {
		c.Errorf(module, "requires only one of the options merge and divide, but both are larger than 1")
		return passes.ErrReported
	}
	if c.Bool("blocks") && (r.times > 1 || c.Bool("sums")) {
		c.Errorf(module, "requires the option divide, and neither merge nor sums, for the option blocks")
		return passes.ErrReported
	}
	if c.Bool("reassociate") && (c.Bool("blocks") || c.Bool("sums")) {
		c.Errorf(module, "requires neither of the options blocks and sums for the option reassociate")
		return passes.ErrReported
	}
	d := axes.ByRows
	switch {
	case c.Bool("columns") && c.Bool("sums"):
		c.Errorf(module, "requires only one of the options columns and sums")
		return passes.ErrReported
	case c.Bool("columns"):
		d = axes.ByCols
	case c.Bool("sums"):
		d = axes.Complete
	}
	for _, f := range fn.Functions(module) {
		switch {
		case fn.Body(f) == nil || r.times == r.parts:
		case d == axes.Complete:
			resizeAllSums(c, f, r)
		case c.Bool("blocks") && isCalled(module, f):
			if c.Bool("remarks") {
				c.Remarkf(f, "is not resized, because another function calls it")
			}
		case c.Bool("blocks"):
			attempt(c, f, f, func(f *ir.Op) *axes.Refusal { return divideBlocks(f, d, r) }, func() {})
		default:
			resizeFunction(c, f, d, r)
		}
	}
	return nil
}

// resizeFunction resizes the tiles of the function f. It first changes loops, and then
// divides the instructions before each store that is not in such a loop.
func resizeFunction(c *passes.Context, f *ir.Op, d axes.Division, r ratio) {
	done := map[int]bool{} // stores that have been resized, by their number
	for i := 0; i < len(operations(f, isRounds)); i++ {
		loop := operations(f, isRounds)[i]
		if c.Bool("reassociate") && isFold(loop) {
			f = attempt(c, f, loop, func(f *ir.Op) *axes.Refusal {
				return resizeFolds(f, operations(f, isRounds)[i], d, r)
			}, func() { c.Count(Reassociated, 1) })
			continue
		}
		inside := numbers(f, loop)
		if len(inside) == 0 || slices.ContainsFunc(inside, func(n int) bool { return done[n] }) {
			continue
		}
		f = attempt(c, f, loop, func(f *ir.Op) *axes.Refusal {
			return resizeRounds(f, operations(f, isRounds)[i], d, r)
		}, func() {
			for _, n := range inside {
				done[n] = true
			}
		})
	}
	if r.parts == 1 {
		return
	}
	for i := 0; i < len(operations(f, isStore)); i++ {
		if done[i] {
			continue
		}
		loops := operations(f, isRounds)
		f = attempt(c, f, operations(f, isStore)[i], func(f *ir.Op) *axes.Refusal {
			return divideFrom(f, operations(f, isStore)[i], d, r)
		}, func() { done[i] = true })
		if len(operations(f, isRounds)) == len(loops) {
			continue
		}
		for _, loop := range operations(f, isRounds) { // the other stores in the new loop
			if inside := numbers(f, loop); slices.Contains(inside, i) && directly(f, loop, i) {
				for _, n := range inside {
					done[n] = true
				}
			}
		}
	}
}

// resizeAllSums resizes the terms that loops of the function f add in each round.
func resizeAllSums(c *passes.Context, f *ir.Op, r ratio) {
	for i := 0; i < len(operations(f, isRounds)); i++ {
		loops := operations(f, isRounds)
		f = attempt(c, f, loops[i], func(f *ir.Op) *axes.Refusal {
			return resizeSums(f, operations(f, isRounds)[i], r)
		}, func() {})
		if len(operations(f, isRounds)) < len(loops) {
			i-- // the loop had no rounds left
		}
	}
}

// directly reports whether store number i of f is directly in the loop.
func directly(f, loop *ir.Op, i int) bool { return operations(f, isStore)[i].Parent() == loop }

// attempt applies a change to a copy of the function f. If the change succeeds and the
// verifier accepts the copy, attempt replaces f by the copy and calls succeeded. It returns
// the function that remains. The operation at is the subject of remarks.
func attempt(c *passes.Context, f, at *ir.Op, change func(f *ir.Op) *axes.Refusal, succeeded func()) *ir.Op {
	copied := f.Clone(map[*ir.Value]*ir.Value{})
	f.Block().InsertBefore(copied, f)
	why := change(copied)
	if why == nil {
		var diags ir.Diags
		if !ir.Verify(copied, ir.VerifyOptions{Target: c.Target(f), Features: c.Features, Sequential: true}, &diags) {
			why = refuse(at, "would need a tile or view that is not valid: %s", firstError(&diags))
		}
	}
	if why != nil {
		if c.Bool("remarks") {
			d := c.Remarkf(at, "is not resized")
			d.Note(why.Op.Loc(), "'"+why.Op.Name()+"' op "+why.Why)
		}
		copied.Erase()
		return f
	}
	if c.Bool("remarks") {
		c.Remarkf(at, "is resized")
	}
	c.Count("num-loops", 1)
	succeeded()
	f.Erase()
	return copied
}

// firstError returns the text of the first error in diags.
func firstError(diags *ir.Diags) string {
	for _, d := range diags.All() {
		if d.Severity == ir.Error {
			return d.Text
		}
	}
	return ""
}

// operations returns the operations in f for which accept returns true.
func operations(f *ir.Op, accept func(op *ir.Op) bool) []*ir.Op {
	return slices.DeleteFunc(slices.Collect(f.Walk()), func(op *ir.Op) bool { return !accept(op) })
}

// isStore reports whether op stores a tile of Level 1.
func isStore(op *ir.Op) bool {
	_, stores := op.Def().Sem.(sem.TileStore)
	return stores && op.Form().Level == ir.SSA && axes.ViewOf(op) != nil
}

// numbers returns the numbers of the stores of f that are in op.
func numbers(f, op *ir.Op) []int {
	var list []int
	for i, s := range operations(f, isStore) {
		if op.Encloses(s) {
			list = append(list, i)
		}
	}
	return list
}
