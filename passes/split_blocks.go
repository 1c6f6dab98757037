// This file defines the pass that divides loops between blocks.

package passes

import (
	"slices"
	"sync"

	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isabase "ptogo/dialect/pto/isa/base"
	isasimt "ptogo/dialect/pto/isa/simt"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/ir/effect"
)

// SplitBlocks divides the iterations of loops between the blocks of a launch: block b of n
// executes the iterations b, b + n, b + 2n and so on. A launch on one block computes the
// same as before. The pass does not prove that iterations are independent; pto-run
// --advise and pto-run --check verify a launch on several blocks.
var SplitBlocks = &Pass{
	Name:  "pto-split-blocks",
	Title: "PTOSplitBlocks",
	Doc: "Divides the iterations of the loops that store to global memory between the blocks of a launch. A launch on one block computes the same as before." +
		" For several blocks, the iterations must be independent, which the pass does not prove: compare and check such a launch. The pass skips kernels that read their block number.",
	Anchor: "builtin.module",
	Options: []Option{
		{Name: "depth", Kind: Number, Default: "1", Doc: "divide the outermost loops (1), or the loops directly inside of them (2 to 4). The iterations of an inner loop are numbered through all iterations of the loops around it"},
		{Name: "blocks", Kind: Number, Default: "0", Doc: "the least number of blocks of a launch, if it is known. An outermost loop with at most so many iterations, a constant number, becomes a branch in which block b executes iteration b. Launches with fewer blocks then compute something else"},
		{Name: "remarks", Kind: Flag, Default: "false", Doc: "report which loops are divided, and why the pass does not change a kernel"},
	},
	Stats: []Stat{{"num-loops", "loops divided between blocks"}},
	Run:   splitBlocks,
}

// splitBlocks runs the pass on all kernels of a module.
func splitBlocks(c *Context, module *ir.Op) error {
	depth := c.Int("depth")
	if depth < 1 || depth > 4 {
		c.Errorf(module, "requires the option depth to be between 1 and 4, but it is %d", depth)
		return ErrReported
	}
	for _, f := range launchable(module) {
		loops, at, why := dividedLoops(f, int(depth))
		if why != "" {
			if c.Bool("remarks") {
				c.Remarkf(at, "%s", why)
			}
			continue
		}
		divide(f, loops, c.Int("blocks"))
		for _, loop := range loops {
			if c.Bool("remarks") {
				c.Remarkf(loop, "is divided between the blocks of the launch")
			}
			c.Count("num-loops", 1)
		}
	}
	return nil
}

// launchable returns the public functions with a body that no other function calls.
func launchable(module *ir.Op) []*ir.Op {
	called := map[*ir.Op]bool{}
	for op := range module.Walk() {
		if f := analysis.CalleeOf(op); f != nil {
			called[f] = true
		}
	}
	return slices.DeleteFunc(fn.Functions(module), func(f *ir.Op) bool {
		visibility, _ := f.Attr("sym_visibility").AsString()
		return fn.Body(f) == nil || called[f] || visibility == "private"
	})
}

// dividedLoops returns the loops of the kernel f at the given depth that the pass divides.
// If the pass must not change the kernel, the result why is the reason, and at the
// operation that causes it.
func dividedLoops(f *ir.Op, depth int) (loops []*ir.Op, at *ir.Op, why string) {
	for _, arg := range fn.Body(f).Args() {
		if _, ok := analysis.LaunchParam(arg); ok {
			return nil, f, "already has a parameter for its position in the launch"
		}
	}
	for _, g := range analysis.Reached([]*ir.Op{f}) {
		for op := range g.Walk() {
			q, query := op.Def().Sem.(sem.Query)
			switch {
			case query && (q.What == sem.BlockIdx || q.What == sem.BlockNum):
				return nil, op, "already divides the work, so the kernel is not changed"
			case len(op.Regions()) == 0 && isasimt.Combining(op):
				return nil, op, "combines values with global memory, so results would depend on the order of the blocks"
			case op.Effects().Has(effect.WaitsAcross):
				return nil, op, "waits for other blocks, so the kernel is not changed"
			}
		}
	}
	level := []*ir.Block{fn.Body(f)}
	for range depth {
		loops = nil
		for _, b := range level {
			for op := range b.Ops() {
				if op.Is(scf.For) && storesGlobal(op) {
					loops = append(loops, op)
				}
			}
		}
		level = nil
		for _, loop := range loops {
			level = append(level, loop.Region(0).Entry())
		}
	}
	if len(loops) == 0 {
		return nil, f, "has no loop at this depth that stores to global memory"
	}
	for _, loop := range loops {
		if len(loop.Results()) > 0 {
			return nil, loop, "carries values from one iteration to the next, so it is not divided"
		}
	}
	for op := range f.Walk() {
		if storesItself(op) && !slices.ContainsFunc(loops, func(loop *ir.Op) bool { return loop.Encloses(op) }) {
			return nil, op, "stores to global memory outside of the loops, so every block would store"
		}
	}
	return loops, nil, ""
}

// storesGlobal reports whether op or an operation inside of it stores to global memory.
func storesGlobal(op *ir.Op) bool {
	for o := range op.Walk() {
		if storesItself(o) {
			return true
		}
	}
	return false
}

// storesItself reports whether op stores to global memory, itself or in a function that it
// calls.
func storesItself(op *ir.Op) bool {
	if f := analysis.CalleeOf(op); f != nil {
		return slices.ContainsFunc(analysis.Reached([]*ir.Op{f}), func(g *ir.Op) bool {
			for o := range g.Walk() {
				if writesGlobal(o) {
					return true
				}
			}
			return false
		})
	}
	return writesGlobal(op)
}

// writesGlobal reports whether op itself writes global memory through an operand, or pushes
// an entry into a queue, whose consumer may do so.
func writesGlobal(op *ir.Op) bool {
	if sem.QueueEntryOf(op).Act == sem.QueuePush {
		return true
	}
	return slices.ContainsFunc(pto.Effects(op), func(e pto.Effect) bool { return e.Kind&pto.Writes != 0 && e.Space == sem.GM })
}

// divide changes the bounds of the loops of f, so that each block executes its own
// iterations. An outermost loop with at most least iterations becomes a branch, in which a
// block executes one iteration.
func divide(f *ir.Op, loops []*ir.Op, least int64) {
	for op := range fn.Body(f).Ops() {
		start := ir.Before(op)
		query := func(d *ir.Def) *ir.Value {
			number := start.Op(d, nil, []ir.Type{ir.I64}).Result(0)
			return start.Op(arith.IndexCast, []*ir.Value{number}, []ir.Type{ir.Index}).Result(0)
		}
		block := query(isabase.GetBlockIdx)
		blocks := sync.OnceValue(func() *ir.Value { return query(isabase.GetBlockNum) })
		for _, loop := range loops {
			if n, ok := iterations(loop); ok && n <= least && loop.Parent() == f {
				single(loop, block, n)
			} else {
				own(loop, f, block, blocks())
			}
		}
		return
	}
}

// iterations returns the number of iterations of a loop over indices, if it is constant and not
// zero.
func iterations(loop *ir.Op) (n int64, ok bool) {
	lb, ub, known := constantBounds(loop)
	step, ok := arith.ConstantInt(loop.Operand(2))
	if !known || !ok || step <= 0 || lb < 0 || lb >= ub || loop.Operand(2).Type() != ir.Index {
		return 0, false
	}
	return (ub-lb-1)/step + 1, true
}

// single replaces a loop with n iterations by a branch, in which each of the first n blocks
// executes the iteration with its number.
func single(loop *ir.Op, block *ir.Value, n int64) {
	b := ir.Before(loop)
	op := func(d *ir.Def, x, y *ir.Value) *ir.Value {
		return b.Op(d, []*ir.Value{x, y}, []ir.Type{ir.Index}).Result(0)
	}
	at := op(arith.AddI, loop.Operand(0), op(arith.MulI, block, loop.Operand(2)))
	has := b.Op(arith.CmpI, []*ir.Value{block, arith.Index(b, n)}, []ir.Type{ir.I1}, ir.NamedAttr{Name: "predicate", Attr: ir.IntAttr(ir.I64, 2)}).Result(0) // slt
	branch := b.Create(ir.State{Def: scf.If, Operands: []*ir.Value{has}, Regions: []*ir.Region{ir.NewRegion(), ir.NewRegion()}})
	branch.Region(0).Take(loop.Region(0))
	body := branch.Region(0).Entry()
	body.Args()[0].ReplaceAllUses(at)
	body.RemoveArg(0)
	loop.Erase()
}

// own lets each block execute its own iterations of the loop: it starts at the first of
// them and advances by the number of blocks. The iterations of a loop inside of other loops
// are numbered through all iterations of these loops, so that blocks that find no iteration
// in one round of the outer loop find one in the next round.
func own(loop, f *ir.Op, block, blocks *ir.Value) {
	b := ir.Before(loop)
	from, step := loop.Operand(0), loop.Operand(2)
	t := step.Type()
	op := func(d *ir.Def, x, y *ir.Value) *ir.Value { return b.Op(d, []*ir.Value{x, y}, []ir.Type{t}).Result(0) }
	as := func(v *ir.Value) *ir.Value {
		if v.Type() == t {
			return v
		}
		if v.Type() != ir.Index {
			v = b.Op(arith.IndexCast, []*ir.Value{v}, []ir.Type{ir.Index}).Result(0)
		}
		if t == ir.Index {
			return v
		}
		return b.Op(arith.IndexCast, []*ir.Value{v}, []ir.Type{t}).Result(0)
	}
	first, count := as(block), as(blocks)
	if earlier := iterationsBefore(loop, f, op, as, b); earlier != nil {
		// The remainder may be negative, if a loop has a negative number of iterations.
		first = op(arith.RemSI, op(arith.SubI, op(arith.AddI, first, count), op(arith.RemSI, earlier, count)), count)
	}
	loop.SetOperand(0, op(arith.AddI, from, op(arith.MulI, first, step)))
	loop.SetOperand(2, op(arith.MulI, count, step))
}

// iterationsBefore returns the number of iterations of loop that earlier iterations of the
// enclosing loops execute, if all of them have the same number. It returns nil for an
// outermost loop of f. The function op creates a binary operation, and as converts an
// integer to the type of the counter of loop.
func iterationsBefore(loop, f *ir.Op, op func(d *ir.Def, x, y *ir.Value) *ir.Value, as func(v *ir.Value) *ir.Value, b *ir.Builder) *ir.Value {
	var around []*ir.Op
	for p := loop.Block().Parent(); p != f; p = p.Block().Parent() {
		around = append(around, p)
	}
	// rounds is the number of iterations of a loop, and number that of the current one.
	rounds := func(l *ir.Op) *ir.Value {
		step := as(l.Operand(2))
		span := op(arith.SubI, as(l.Operand(1)), as(l.Operand(0)))
		one := arith.Int(b, step.Type(), 1)
		return op(arith.DivSI, op(arith.AddI, span, op(arith.SubI, step, one)), step)
	}
	number := func(l *ir.Op) *ir.Value {
		return op(arith.DivSI, op(arith.SubI, as(l.Region(0).Entry().Args()[0]), as(l.Operand(0))), as(l.Operand(2)))
	}
	var sum *ir.Value
	for _, l := range slices.Backward(around) {
		if sum == nil {
			sum = number(l)
		} else {
			sum = op(arith.AddI, op(arith.MulI, sum, rounds(l)), number(l))
		}
	}
	if sum == nil {
		return nil
	}
	return op(arith.MulI, sum, rounds(loop))
}
