// This file divides the tiles of a kernel between more blocks.

package resize

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/axes"
)

// divideBlocks changes the kernel f, whose work depends on the number of its block, so that
// several blocks compute what one block computed before: each has some of the lines (rows or
// columns, as d states) of everything that the block stored. A nil result means success.
func divideBlocks(f *ir.Op, d axes.Division, r ratio) *axes.Refusal {
	var all, numbers []*ir.Op
	for op := range fn.Body(f).Ops() {
		all = append(all, op)
	}
	p := &parts{scope: newScope(f, all, r, lineModes{indexed: true}), moved: all}
	p.once = true
	for _, op := range p.ops {
		if q, ok := op.Def().Sem.(sem.Query); ok && q.What == sem.BlockIdx {
			numbers = append(numbers, op)
		} else if ok && q.What == sem.BlockNum {
			return refuse(op, "reads the number of blocks, so that a launch on more blocks divides the work already")
		}
	}
	if len(numbers) == 0 {
		return refuse(f, "does not depend on the number of its block")
	}
	stores := operations(f, isStore)
	if len(stores) == 0 {
		return refuse(f, "stores no tiles of Level 1")
	}
	for _, store := range stores {
		if why := p.tiles.Spread(axes.TileAt(store), d, store); why != nil {
			return why
		}
	}
	for _, check := range []func() *axes.Refusal{p.close, p.views, p.extents, p.indexes, p.reorders} {
		if why := check(); why != nil {
			return why
		}
	}
	if !p.constant {
		return refuse(f, "stores a number of %s that is not a constant", d.Lines())
	}
	number := p.entry.Op(isabase.GetBlockIdx, nil, []ir.Type{ir.I64}).Result(0)
	count := arith.Int(p.entry, ir.I64, r.parts)
	calc := func(def *ir.Def, x, y *ir.Value, t ir.Type) *ir.Value {
		return p.entry.Op(def, []*ir.Value{x, y}, []ir.Type{t}).Result(0)
	}
	former, part := calc(arith.DivSI, number, count, ir.I64), calc(arith.RemSI, number, count, ir.I64)
	from := calc(arith.MulI, p.entry.Op(arith.IndexCast, []*ir.Value{part}, []ir.Type{ir.Index}).Result(0), p.index(p.step), ir.Index)
	for _, op := range numbers {
		op.Result(0).ReplaceAllUses(former)
		op.Erase()
	}
	p.resizeFrom(from)
	return nil
}
