// This file moves instructions into a loop whose rounds process some of their rows each.

package resize

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/lower/axes"
	"ptogo/passes"
)

// parts are instructions of a block that move into a loop.
type parts struct {
	*scope
	// moved are the operations of the block that move, in the order of the text.
	moved []*ir.Op
	// lines is the number of lines of all views, as a value. It is known if constant is
	// set, and then n.
	lines    *ir.Value
	n        int64
	constant bool
	// step is the number of lines of each round.
	step int64
}

// divideFrom moves the store into a new loop, together with the instructions of its block
// whose lines (rows or columns, as d states) correspond to those of the stored tile. Each
// round processes one of the parts. A nil result means success.
func divideFrom(f, store *ir.Op, d axes.Division, r ratio) *axes.Refusal {
	block := store.Block()
	tiles := newScope(f, nil, r, lineModes{indexed: true}).tiles
	if why := tiles.Spread(axes.TileAt(store), d, store); why != nil {
		return why
	}
	var moved []*ir.Op
	for op := range block.Ops() {
		if touches(op, tiles) {
			if op.HasTrait(ir.Terminator) {
				return refuse(op, "returns a tile")
			}
			moved = append(moved, op)
		}
	}
	p := &parts{scope: newScope(f, moved, r, lineModes{indexed: true}), moved: moved}
	p.tiles = tiles
	for _, check := range []func() *axes.Refusal{p.close, p.views, p.extents, p.indexes, p.reorders, p.between} {
		if why := check(); why != nil {
			return why
		}
	}
	p.apply()
	return nil
}

// touches reports whether op or an operation inside of it defines or uses a tile that is
// divided.
func touches(op *ir.Op, tiles *axes.Relations) bool {
	for o := range op.Walk() {
		for _, v := range append(o.Operands(), o.Results()...) {
			if tiles.Of[v] != axes.Complete {
				return true
			}
		}
	}
	return false
}

// views finds the dimensions of the views that are divided. All views must have the same
// number of lines.
func (p *parts) views() *axes.Refusal {
	for _, op := range p.ops {
		view, tile := axes.ViewOf(op), axes.TileAt(op)
		if view == nil || p.tiles.Of[tile] == axes.Complete {
			continue
		}
		dim := axes.DividedDim(view, tile, p.tiles.Of[tile])
		if dim < 0 {
			return refuse(op, "has a view whose rows cannot be divided: it must be a 'pto.partition_view' with as many rows as the tile has valid ones, in one dimension")
		}
		a := access{op, axes.PartOf(view), dim}
		n, constant := arith.ConstantInt(a.size())
		switch {
		case p.lines == nil:
			p.lines, p.n, p.constant = a.size(), n, constant
		case constant != p.constant || n != p.n || !constant && a.size() != p.lines:
			return refuse(op, "has a view with another number of %s", p.tiles.Of[tile].Lines())
		}
		p.accesses = append(p.accesses, a)
	}
	if !p.constant && p.within(p.lines) {
		return refuse(p.moved[0], "computes the number of rows together with the rows")
	}
	return nil
}

// extents verifies that all tiles have the same extent, and determines the number of lines
// of each part.
func (p *parts) extents() *axes.Refusal {
	size := axes.Extent{}
	for _, v := range p.ordered() {
		e := axes.ExtentOf(v.Type(), p.tiles.Of[v])
		if size.Size == 0 {
			size.Size = e.Size
		}
		if e.Size != size.Size || p.constant && e.Valid != p.n && e.Valid != e.Size {
			return refuse(p.moved[0], "has tiles with different numbers of lines")
		}
	}
	step, ok := p.ratio.of(size.Size)
	if p.constant {
		step, ok = p.ratio.of(p.n)
	}
	if !ok || step == 0 {
		return refuse(p.moved[0], "has %d lines, which cannot be divided into %d equal parts", p.n, p.ratio.parts)
	}
	p.step = step
	return nil
}

// indexes verifies that the first line of each instruction whose lines depend on their
// index can be an operand.
func (p *parts) indexes() *axes.Refusal {
	for _, op := range p.ops {
		if _, patches := op.Def().Sem.(sem.TileImg2Col); !patches || p.tiles.Of[op.Result(0)] == axes.Complete {
			continue
		}
		f := op
		for f.Parent() != nil && f.Parent().Parent() != nil {
			f = f.Parent()
		}
		for o := range f.Walk() {
			if sem.RepeatsPatches(o) || analysis.CalleeOf(o) != nil {
				return refuse(o, "may let the patch engine repeat, so that rows are not one patch each")
			}
		}
	}
	return nil
}

// between verifies that the instructions between the first and the last moved one can be
// executed before all of the moved ones.
func (p *parts) between() *axes.Refusal {
	written := map[*ir.Value]bool{}
	for _, a := range p.accesses {
		if a.op.NumResults() == 0 {
			written[pto.BasePointer(a.part.Result(0))] = true
		}
	}
	last := p.moved[len(p.moved)-1]
	for op := p.moved[0]; op != last; op = op.Next() {
		if slices.Contains(p.moved, op) || passes.IsPure(op) {
			continue
		}
		if view := axes.ViewOf(op); view == nil || op.NumResults() == 0 || written[pto.BasePointer(view)] {
			return refuse(op, "is between the instructions that would move into a loop")
		}
	}
	return nil
}

// apply moves the instructions into a loop.
func (p *parts) apply() {
	last := p.moved[len(p.moved)-1]
	b := ir.Before(last)
	// What the moved instructions need must be before the loop; the text before the last
	// one has it.
	body := &ir.Block{}
	counter := body.AddArg(ir.Index)
	counter.SetName("part")
	upper := p.lines
	if p.constant {
		upper = p.index(p.n)
	}
	b.Create(ir.State{
		Def: scf.For, Loc: last.Loc(), Operands: []*ir.Value{p.index(0), upper, p.index(p.step)},
		Regions: []*ir.Region{ir.NewRegion(body)},
	})
	at := ir.AtEnd(body, last.Loc())
	for _, op := range p.moved {
		op.Remove()
		at.Insert(op)
	}
	at.Op(scf.Yield, nil, nil)
	p.resizeFrom(counter)
}

// resizeFrom resizes the tiles and views. The part starts at the line first, which is a
// value of type index.
func (p *parts) resizeFrom(first *ir.Value) {
	p.resizeViews(func(a access, b *ir.Builder) (offset, size *ir.Value) {
		offset = addIndex(b, a.offset(), first)
		if p.constant {
			return offset, p.index(p.step)
		}
		rest := b.Op(arith.SubI, []*ir.Value{p.lines, first}, []ir.Type{ir.Index}).Result(0)
		return offset, p.smaller(b, rest, p.step)
	})
	for _, op := range p.ops {
		if op.NumResults() == 0 || op.Block() == nil || p.tiles.Of[op.Result(0)] == axes.Complete {
			continue
		}
		if operand, scale, ok := sem.LineIndexOf(op, p.tiles.Of[op.Result(0)] == axes.ByCols); ok {
			p.shift(op, operand, first, scale)
		}
	}
	p.resizeTiles()
}

// shift adds scale times the value by, of type index, to an operand of op.
func (p *parts) shift(op *ir.Op, operand string, by *ir.Value, scale int64) {
	b, old := ir.Before(op), op.Arg(operand)
	if old == nil { // of a TileImg2Col, which has no start or both
		n := b.Create(ir.State{
			Def: op.Def(), Form: op.Form(), Loc: op.Loc(), Operands: []*ir.Value{op.Operand(0), by, p.index(0)},
			Results: []ir.Type{op.Result(0).Type()}, Attrs: slices.Collect(op.OwnAttrs()),
		})
		n.Result(0).SetName(op.Result(0).Name())
		op.Result(0).ReplaceAllUses(n.Result(0))
		p.tiles.Of[n.Result(0)] = p.tiles.Of[op.Result(0)]
		delete(p.tiles.Of, op.Result(0))
		op.Erase()
		return
	}
	t := old.Type()
	d := arith.AddI
	if scale < 0 {
		d = arith.SubI
	}
	if t != ir.Index {
		by = b.Op(arith.IndexCast, []*ir.Value{by}, []ir.Type{t}).Result(0)
	}
	sum := b.Op(d, []*ir.Value{old, by}, []ir.Type{t}).Result(0)
	i := slices.IndexFunc(op.Form().Operands, func(a ir.Arg) bool { return a.Name == operand })
	at, _ := op.ArgRange(i)
	op.SetOperand(at, sum)
}
