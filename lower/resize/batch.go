// This file defines the pass pto-batch-transfers.

package resize

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/effect"
	"ptogo/lower/axes"
	"ptogo/passes"
)

// Batch is the pass pto-batch-transfers. It replaces the loads of all rounds of a loop by one
// load before the loop, and their stores by one store after the loop. The rounds then use
// windows of a larger buffer.
var Batch = &passes.Pass{
	Name:  "pto-batch-transfers",
	Title: "PTOBatchTransfers",
	Doc: "Replaces loads (Level 2) of consecutive rows in the rounds of a loop by one load before the loop, and such stores by one store after it. The rounds then use windows of a larger buffer." +
		" If a round copies the stored rows to a buffer for the next round, the next round reads the window instead." +
		" The loop must have constant bounds, and the rows of all rounds must fit into local memory." +
		" Different pointer arguments must not overlap, and different rows of a view must not share memory.",
	Options: []passes.Option{{Name: "remarks", Kind: passes.Flag, Default: "false", Doc: "report which loads and stores move out of their loop, and why others do not"}},
	Stats:   []passes.Stat{{Name: "num-transfers", Doc: "loads and stores moved out of a loop"}},
	Run:     batchIn,
}

// batchIn runs the pass on all loops in the regions of op.
func batchIn(c *passes.Context, op *ir.Op) error {
	for _, loop := range operations(op, isRounds) {
		for _, o := range slices.Collect(loop.Region(0).Entry().Ops()) {
			if o.Block() != loop.Region(0).Entry() || axes.ViewOf(o) == nil || o.Form().Level == ir.SSA {
				continue
			}
			b, why := newBatch(loop, o)
			if why == nil {
				b.apply()
				c.Count("num-transfers", len(b.transfers))
				if c.Bool("remarks") {
					c.Remarkf(loop, "uses windows of one buffer of %d rows", b.rows())
				}
			} else if c.Bool("remarks") {
				c.Remarkf(o, "stays in its loop").Note(why.Op.Loc(), "'"+why.Op.Name()+"' op "+why.Why)
			}
		}
	}
	return nil
}

// batch is a buffer that the rounds of a loop load or store.
type batch struct {
	loop    *ir.Op
	counter *ir.Value
	// lower and step are the first value and the step of the counter, and rounds is the
	// number of rounds.
	lower, step, rounds int64
	// buffer is the buffer of each round, of lines rows. alloc allocates it.
	buffer *ir.Value
	alloc  *ir.Op
	lines  int64
	// transfers are the loads and stores of the buffer.
	transfers []access
	// copied is the copy of the buffer to another one for the next round, and carried the
	// allocation of the other one. Both are nil if the rounds need no such copy.
	copied, carried *ir.Op
}

// newBatch returns the batch for the buffer that the load or store op in the loop accesses.
func newBatch(loop, op *ir.Op) (*batch, *axes.Refusal) {
	b := &batch{loop: loop, counter: loop.Region(0).Entry().Args()[0], buffer: axes.TileAt(op)}
	for _, check := range []func() *axes.Refusal{b.bounds, b.allocation, b.uses, b.alone} {
		if why := check(); why != nil {
			return nil, why
		}
	}
	b.carry()
	whole, _ := pto.TileOf(b.wholeType())
	if msg := pto.PastEnd(whole.Space, 0, pto.StorageOf(b.wholeType()), ir.TargetOf(loop)); msg != "" {
		return nil, refuse(b.alloc, "would need a buffer that %s", msg)
	}
	return b, nil
}

// bounds finds the rounds of the loop.
func (b *batch) bounds() *axes.Refusal {
	if len(b.loop.Results()) > 0 {
		return refuse(b.loop, "carries values from one round to the next")
	}
	lower, ok1 := arith.ConstantInt(b.loop.Operand(0))
	upper, ok2 := arith.ConstantInt(b.loop.Operand(1))
	step, ok3 := arith.ConstantInt(b.loop.Operand(2))
	const most = 1 << 20 // far more rows than local memory has
	if !ok1 || !ok2 || !ok3 || step <= 0 || lower < 0 || upper > most || step > most || upper-lower <= step || (upper-lower)%step != 0 {
		return refuse(b.loop, "does not have constant bounds and several rounds of the same step")
	}
	b.lower, b.step, b.rounds = lower, step, (upper-lower)/step
	return nil
}

// allocation finds the allocation of the buffer, whose rows must be windows of a larger one.
func (b *batch) allocation() *axes.Refusal {
	b.alloc = b.buffer.Op()
	if b.alloc == nil || !isAllocation(b.alloc) {
		return refuse(b.loop, "accesses a tile that is not a buffer of its own without an address")
	}
	t, _ := pto.TileOf(b.buffer.Type())
	if t.Space != sem.UB || t.BLayout != pto.RowMajor || t.SLayout != pto.NoneBox || t.VRows != t.Rows || t.VCols != t.Cols {
		return refuse(b.alloc, "is not a complete row-major buffer in vec")
	}
	b.lines = t.Rows
	return nil
}

// isAllocation reports whether op allocates a buffer whose address a pass chooses.
func isAllocation(op *ir.Op) bool {
	_, allocates := op.Def().Sem.(sem.AllocTile)
	return allocates && op.NumOperands() == 0 && op.NumResults() == 1 && ir.Is[pto.TileBuf](op.Result(0).Type()) && isPlain(op)
}

// uses verifies that the rounds use the buffer independently of each other: the first use in
// a round overwrites it, and it is not changed after a store.
func (b *batch) uses() *axes.Refusal {
	body := b.loop.Region(0).Entry()
	for use := range b.buffer.Uses() {
		if use.Owner().Block() != body || !accesses(use.Owner()) {
			return refuse(use.Owner(), "uses the buffer outside of the loop, or in another way than by its elements")
		}
	}
	first, stored := true, false
	for op := range body.Ops() {
		reads, writes := touched(op, b.buffer)
		if !reads && !writes {
			continue
		}
		if first && (reads || !sem.OverwritesWhole(op)) {
			return refuse(op, "may use what an earlier round left in the buffer")
		}
		if stored && writes {
			return refuse(op, "changes the buffer after its store")
		}
		if axes.ViewOf(op) != nil {
			if writes && !first || !writes && stored {
				return refuse(op, "is a second load or store of the buffer")
			}
			a, why := b.transfer(op)
			if why != nil {
				return why
			}
			b.transfers = append(b.transfers, a)
			stored = stored || !writes
		}
		first = false
	}
	return nil
}

// accesses reports whether op accesses the elements of its operands, and has no result or
// region by which something else could do so later.
func accesses(op *ir.Op) bool {
	return len(op.Regions()) == 0 && op.NumResults() == 0 && !op.HasTrait(ir.Terminator) && len(pto.Effects(op)) > 0
}

// touched reports whether op reads and writes elements of the buffer.
func touched(op *ir.Op, buffer *ir.Value) (reads, writes bool) {
	for _, e := range pto.Effects(op) {
		if e.Value == buffer {
			reads, writes = reads || e.Kind&pto.Reads != 0, writes || e.Kind&pto.Writes != 0
		}
	}
	return reads, writes
}

// transfer describes a load or store of the buffer. Its view must be at the rows after those
// of the round before.
func (b *batch) transfer(op *ir.Op) (access, *axes.Refusal) {
	a := access{op, axes.PartOf(axes.ViewOf(op)), -1}
	_, loads := op.Def().Sem.(sem.TileLoad)
	_, stores := op.Def().Sem.(sem.TileStore)
	if a.part == nil || op.NumOperands() != 2 || !loads && !stores || !isPlain(op) || b.inside(a.part.Operand(0)) {
		return a, refuse(op, "is not a load or store of a part of a tensor, without attributes")
	}
	view, _ := ir.As[pto.PartitionView](a.part.Result(0).Type())
	for i, o := range a.part.Args("offsets") {
		from := linearOf(o)
		if slices.ContainsFunc(from.terms, func(t term) bool { return t.v != b.counter && b.inside(t.v) }) {
			return a, refuse(a.part, "has an offset that is computed in the loop")
		}
		if n, ok := arith.ConstantInt(a.part.Args("sizes")[i]); !ok || n != view.Shape.At(i) {
			return a, refuse(a.part, "has a size that is not a constant")
		}
		if from.factor(b.counter) == 0 {
			continue
		}
		if a.dim >= 0 || from.factor(b.counter)*b.step != view.Shape.At(i) {
			return a, refuse(a.part, "does not move by its own rows from round to round")
		}
		a.dim = i
	}
	if a.dim < 0 || axes.DivisionAt(a.part.Result(0), b.buffer, a.dim) != axes.ByRows || view.Shape.At(a.dim) != b.lines {
		return a, refuse(a.part, "does not move along the rows of the buffer")
	}
	return a, nil
}

// inside reports whether the loop computes v.
func (b *batch) inside(v *ir.Value) bool {
	if v.Op() != nil {
		return b.loop.Encloses(v.Op())
	}
	return v.Block() == b.loop.Region(0).Entry() || v.Block().Parent() != nil && b.loop.Encloses(v.Block().Parent())
}

// alone verifies that nothing in the loop accesses the memory of a store, or writes that of a
// load, and that nothing depends on when the accesses occur.
func (b *batch) alone() *axes.Refusal {
	for op := range b.loop.Walk() {
		if analysis.CalleeOf(op) != nil || op.Effects().Has(effect.Waits|effect.WaitsAcross|effect.Meets|effect.Signals|effect.WritesState) {
			return refuse(op, "has effects whose order with loads and stores may matter")
		}
		for _, e := range pto.Effects(op) {
			if e.Space != sem.GM {
				continue
			}
			for _, a := range b.transfers {
				_, stores := a.op.Def().Sem.(sem.TileStore)
				p, q := pto.BasePointer(a.part.Result(0)), pto.BasePointer(e.Value)
				switch {
				case p.Op() != nil || q.Op() != nil:
					return refuse(op, "accesses memory that is not that of a pointer argument")
				case p == q && op != a.op && (stores || e.Kind&pto.Writes != 0):
					return refuse(op, "accesses memory that the loop writes")
				}
			}
		}
	}
	return nil
}

// stored reports whether the rounds store the buffer.
func (b *batch) stored() bool {
	return slices.ContainsFunc(b.transfers, func(a access) bool { _, ok := a.op.Def().Sem.(sem.TileStore); return ok })
}

// carry finds the copy of the buffer that the next round reads. If the loop stores the
// buffer, the next round can read its window instead.
func (b *batch) carry() {
	body := b.loop.Region(0).Entry()
	var copied *ir.Op
	for op := range body.Ops() {
		reads, _ := touched(op, b.buffer)
		if kind, moves := op.Def().Sem.(sem.TileMove); moves && reads && !kind.Src && !kind.Dst && op.NumOperands() == 2 && isPlain(op) {
			copied = op
		}
	}
	if copied == nil || !b.stored() {
		return
	}
	other := copied.Operand(1)
	alloc := other.Op()
	if alloc == nil || !isAllocation(alloc) || alloc.Block() != b.loop.Block() || other.Type() != b.buffer.Type() {
		return
	}
	for use := range other.Uses() {
		op := use.Owner()
		if op == copied {
			continue
		}
		if !accesses(op) {
			return
		}
		switch op.Block() {
		case body:
			// The window of the round before must stay as it is, and the copy must be last.
			if _, writes := touched(op, other); writes || !op.Before(copied) {
				return
			}
		case b.loop.Block():
			// A write after the loop would be into the window that the store needs.
			if _, writes := touched(op, other); writes && !op.Before(b.loop) {
				return
			}
		default:
			return
		}
	}
	for op := copied.Next(); op != nil; op = op.Next() {
		if _, writes := touched(op, b.buffer); writes {
			return
		}
	}
	b.copied, b.carried = copied, alloc
}

// rows returns the number of rows of the larger buffer.
func (b *batch) rows() int64 {
	n := b.rounds
	if b.carried != nil {
		n++
	}
	return n * b.lines
}

// wholeType returns the type of the larger buffer.
func (b *batch) wholeType() ir.Type {
	t, _ := ir.As[pto.TileBuf](b.buffer.Type())
	t.Rows, t.VRows = b.rows(), b.rows()
	return ir.TypeOf(t)
}

// apply moves the loads and stores out of the loop.
func (b *batch) apply() {
	at := b.loop
	if b.carried != nil {
		at = b.carried
	}
	before := ir.Before(at)
	whole := before.Create(ir.State{Def: b.alloc.Def(), Form: b.alloc.Form(), Loc: b.alloc.Loc(), Results: []ir.Type{b.wholeType()}}).Result(0)
	start := ir.Before(b.loop.Region(0).Entry().First())
	k := b.lines / b.step
	row := func(extra int64) linear { return linear{c: extra - k*b.lower, terms: []term{{b.counter, k}}} }
	first := int64(0)
	if b.carried != nil {
		first = b.lines
		old := b.carried.Result(0)
		for _, use := range slices.Collect(old.Uses()) {
			switch op := use.Owner(); {
			case op == b.copied:
			case op.Block() == b.loop.Block() && op.Before(b.loop):
				use.Set(b.window(before, whole, linear{}, b.lines, old))
			case op.Block() == b.loop.Block():
				use.Set(b.window(ir.Before(op), whole, linear{c: b.rounds * b.lines}, b.lines, old))
			default:
				use.Set(b.window(start, whole, row(0), b.lines, old))
			}
		}
		b.copied.Erase()
		b.carried.Erase()
	}
	mine := b.window(start, whole, row(first), b.lines, b.buffer)
	for _, a := range b.transfers {
		_, loads := a.op.Def().Sem.(sem.TileLoad)
		out := ir.Before(b.loop)
		if !loads {
			out = ir.Before(b.loop.Next())
		}
		view := b.wholeView(out, a)
		tile := whole
		if first > 0 {
			tile = b.window(out, whole, linear{c: first}, b.rounds*b.lines, b.buffer)
		}
		operands := []*ir.Value{view, tile}
		if !loads {
			operands = []*ir.Value{tile, view}
		}
		out.Create(ir.State{Def: a.op.Def(), Form: a.op.Form(), Loc: a.op.Loc(), Operands: operands, Attrs: slices.Collect(a.op.OwnAttrs())})
		a.op.Erase()
		if passes.IsDead(a.part) {
			a.part.Erase()
		}
	}
	b.buffer.ReplaceAllUses(mine)
	b.alloc.Erase()
	if passes.IsDead(mine.Op()) {
		mine.Op().Erase()
	}
}

// window creates the window of the larger buffer that starts at a row and has the given
// number of rows. Its other properties are those of the buffer like.
func (b *batch) window(at *ir.Builder, whole *ir.Value, row linear, lines int64, like *ir.Value) *ir.Value {
	index := func(n int64) *ir.Value { return arith.Index(at, n) }
	t, _ := ir.As[pto.TileBuf](like.Type())
	t.Rows, t.VRows = lines, lines
	sizes := ir.Array(ir.IntAttr(ir.I64, lines), ir.IntAttr(ir.I64, t.Cols))
	offset := row.emit(at, index)
	n := at.Create(ir.State{
		Def: isatile.SubView, Loc: b.loop.Loc(), Operands: []*ir.Value{whole, offset, index(0)}, Segs: []int32{1, 2, 0, 0},
		Attrs: []ir.NamedAttr{{Name: "sizes", Attr: sizes}}, Results: []ir.Type{ir.TypeOf(t)},
	})
	n.Result(0).SetName(like.Name())
	return n.Result(0)
}

// wholeView creates the view of the rows of all rounds.
func (b *batch) wholeView(at *ir.Builder, a access) *ir.Value {
	index := func(n int64) *ir.Value { return arith.Index(at, n) }
	var offsets, sizes []*ir.Value
	shape, _ := ir.As[pto.PartitionView](a.part.Result(0).Type())
	extents := shape.Shape.Slice()
	extents[a.dim] *= b.rounds
	shape.Shape = ir.MakeDims(extents...)
	for i, o := range a.part.Args("offsets") {
		from := linearOf(o)
		k := from.factor(b.counter)
		offsets = append(offsets, from.plus(linear{c: b.lower}, k).plus(linear{terms: []term{{b.counter, 1}}}, -k).emit(at, index))
		sizes = append(sizes, index(extents[i]))
	}
	n := at.Create(ir.State{
		Def: a.part.Def(), Loc: a.part.Loc(), Operands: slices.Concat(a.part.Args("source"), offsets, sizes),
		Segs: []int32{1, int32(len(offsets)), int32(len(sizes))}, Results: []ir.Type{ir.TypeOf(shape)},
	})
	n.Result(0).SetName(a.part.Result(0).Name())
	return n.Result(0)
}
