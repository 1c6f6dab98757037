// This file halves the rows of tiles for two vector cores.

package splitcores

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/lower/axes"
)

// halve reduces the tiles of the vector function to the rows (or columns) of one vector
// core. The parameter of maps each tile to the way in which the two cores divide it. For
// a divided tile, halve changes the type of the tile, and the view that a load or store
// of the tile accesses. A tile can also be unshared: both cores then hold the complete
// tile, and only the first core stores it.
func (h *halfFunc) halve(of map[*ir.Value]share) {
	for v, how := range of {
		if mine := h.vals[v]; how != unshared && mine != nil {
			mine.SetType(half(v.Type(), how))
		}
	}
	for op := range h.w.f.Walk() {
		mine := h.ops[op]
		if mine == nil || h.w.unit[op] != sem.VectorUnit {
			continue
		}
		how := unshared
		if axes.ViewOf(op) != nil {
			how = of[axes.TileAt(op)]
		}
		switch {
		case how != unshared:
			h.halveView(op, how)
		case writesMemory(op):
			h.onFirst(mine)
		}
	}
}

// number returns the number of the vector core as a value of type index.
func (h *halfFunc) number() *ir.Value {
	if h.sub == nil {
		b := h.entry()
		n := b.Op(isabase.GetSubBlockIdx, nil, []ir.Type{ir.I64}).Result(0)
		h.sub = b.Op(arith.IndexCast, []*ir.Value{n}, []ir.Type{ir.Index}).Result(0)
		h.sub.SetName("sub")
	}
	return h.sub
}

// halveView changes one load or store in the function for a vector core, which is a copy
// of the original function. The changed operation accesses only the half of the view that
// belongs to this core. A view with a single row leaves no rows for the second core. A
// changed store therefore stores nothing on a core without rows. original is the load or
// store in the original function, and how states whether rows or columns are halved.
func (h *halfFunc) halveView(original *ir.Op, how share) {
	op := h.ops[original]
	view, tile := axes.ViewOf(op), axes.TileAt(original)
	part, dim, e := view.Op(), axes.DividedDim(axes.ViewOf(original), tile, how), divided(tile.Type(), how)
	shape, _ := ir.As[pto.PartitionView](view.Type())
	b := ir.Before(op)
	offsets, sizes := slices.Clone(part.Args("offsets")), slices.Clone(part.Args("sizes"))
	mine := h.share(sizes[dim], e)
	offsets[dim] = b.Op(arith.AddI, []*ir.Value{offsets[dim], mine.first}, []ir.Type{ir.Index}).Result(0)
	sizes[dim] = mine.count
	extents := shape.Shape.Slice()
	extents[dim] = halfValid(e.valid, e.size)
	shape.Shape = ir.MakeDims(extents...)
	n := b.Create(ir.State{
		Def:      part.Def(),
		Operands: slices.Concat(part.Args("source"), offsets, sizes),
		Segs:     []int32{1, int32(len(offsets)), int32(len(sizes))},
		Results:  []ir.Type{ir.TypeOf(shape)},
	})
	n.Result(0).SetName(view.Name())
	for i, v := range op.Operands() {
		if v == view {
			op.SetOperand(i, n.Result(0))
		}
	}
	if mine.some != nil && writesMemory(op) {
		h.guard(op, mine.some)
	}
}

// onFirst moves op into a branch that only the first vector core executes.
func (h *halfFunc) onFirst(op *ir.Op) {
	h.guard(op, h.isFirst(ir.Before(op)))
}

// guard moves op into a branch that is executed if the condition is true.
func (h *halfFunc) guard(op *ir.Op, condition *ir.Value) {
	at := branch(ir.Before(op), condition)
	op.Remove()
	at.Insert(op)
	at.Op(scf.Yield, nil, nil)
}

// onlyFirst moves the body of the function into a branch that only the first vector core
// executes. The initialization of queues, which is inserted later, stays outside, because
// both cores need it.
func (h *halfFunc) onlyFirst() {
	ops := slices.Collect(fn.Body(h.f).Ops())
	end := len(ops) - 1
	b := ir.Before(ops[end])
	at := branch(b, h.isFirst(b))
	for _, op := range ops[:end] {
		op.Remove()
		at.Insert(op)
	}
	at.Op(scf.Yield, nil, nil)
}

// isFirst emits a condition that is true on the first vector core.
func (h *halfFunc) isFirst(b *ir.Builder) *ir.Value {
	return b.Op(arith.CmpI, []*ir.Value{h.number(), arith.Index(b, 0)}, []ir.Type{ir.I1}, ir.NamedAttr{Name: "predicate", Attr: ir.IntAttr(ir.I64, 0)}).Result(0)
}

// branch inserts a branch without results, and returns a builder for the block that is
// executed if the condition is true.
func branch(b *ir.Builder, condition *ir.Value) *ir.Builder {
	branch := b.Create(ir.State{Def: scf.If, Operands: []*ir.Value{condition}, Regions: []*ir.Region{ir.NewRegion(), ir.NewRegion()}})
	body := &ir.Block{}
	branch.Region(0).Append(body)
	return ir.AtEnd(body, branch.Loc())
}
