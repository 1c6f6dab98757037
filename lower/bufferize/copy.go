// This file inserts copies between buffers.

package bufferize

import (
	"slices"
	"sync"

	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// move is a copy from the buffer of one group of tiles to the buffer of another group.
type move struct {
	from, to *group
	// roots are the groups of tiles whose storage the source buffer of the copy (the
	// field from) shares: the group itself or, for a view, the groups of the tiles that
	// it is a view of.
	roots []*group
}

// copies inserts a copy wherever control flow carries a tile to a value with a different
// buffer.
func (b *bufferizer) copies() {
	for i := range b.g.points {
		var moves []move
		for _, w := range b.g.points[i].writes {
			if w.src == computed {
				continue
			}
			m := move{b.s.group[w.src], b.s.group[w.value], b.roots(w.src)}
			// Tiles of one group are in the same buffer already, and several tiles
			// may need the same copy.
			same := func(o move) bool { return o.from == m.from && o.to == m.to }
			if m.from != m.to && !slices.ContainsFunc(moves, same) {
				moves = append(moves, m)
			}
		}
		if len(moves) > 0 {
			b.copyAll(b.g.points[i].op, moves)
		}
	}
}

// roots returns the groups of tiles whose storage contains tile number n: the group of
// this tile and, if the tile is a view, the groups of the tiles that it is a view of.
func (b *bufferizer) roots(n int) []*group {
	groups := []*group{b.s.group[n]}
	if v := b.g.values[n]; v != nil && v.Op() != nil && isAlias(v.Op()) {
		for _, source := range b.g.reads(v.Op()) {
			groups = append(groups, b.s.group[source])
		}
	}
	return groups
}

// copyAll inserts copies between buffers before op, one for each entry of moves. Together
// they have the effect of simultaneous copies: a buffer is overwritten only when no
// remaining copy reads it. This is impossible if the copies form a cycle, or if a copy
// reads a part of the buffer that it overwrites. In this case, the source of one copy is
// first saved in a new buffer.
func (b *bufferizer) copyAll(op *ir.Op, moves []move) {
	for len(moves) > 0 {
		i := slices.IndexFunc(moves, func(m move) bool {
			return !slices.ContainsFunc(moves, func(o move) bool { return slices.Contains(o.roots, m.to) })
		})
		if i >= 0 {
			b.copyTile(op, moves[i].from.buf, moves[i].to.buf)
			moves = slices.Delete(moves, i, i+1)
			continue
		}
		from := moves[0].from
		saved := &group{buf: b.alloc(op, from.buf.Type(), b.validOf(op, from.buf))}
		b.c.Count("num-buffers", 1)
		b.copyTile(op, from.buf, saved.buf)
		// The remaining copies of this tile read the saved one, so the original
		// buffer can be overwritten.
		for k := range moves {
			if moves[k].from == from {
				moves[k].from, moves[k].roots = saved, []*group{saved}
			}
		}
	}
}

// copyTile inserts, before op, a copy from one buffer (the parameter from) to another one
// (the parameter to). It tries all copy instructions, because each of them supports
// different memory spaces, and reports an error if none is legal.
func (b *bufferizer) copyTile(op *ir.Op, from, to *ir.Value) {
	b.c.Count("num-copies", 1)
	if b.c.Bool("remarks") {
		b.c.Remarkf(op, "copies a tile of type %s", from.Type())
	}
	b.setValid(op, to, b.validOf(op, from), from.Type())
	for _, d := range copyDefs() {
		form := d.Form(ir.DPS)
		operands, segs := copyOperands(form, from, to)
		cp := ir.Before(op).Create(ir.State{Def: d, Form: form, Loc: op.Loc(), Operands: operands, Segs: ir.Segments(form.Operands, segs)})
		if b.legal(cp) && isabase.OnOwnCore(cp, b.target) {
			return
		}
		cp.Erase()
	}
	b.errorf(op, "passes a tile that must be copied, but on %s no instruction copies a tile of type %s here", sem.ProfileName(b.target), from.Type()).
		Note(op.Loc(), "no copy is needed if the tile is not used after this operation")
}

// copyDefs returns the definitions of the instructions that copy a whole tile to a whole
// tile. Their only operands are one source and one destination. Instructions that copy a
// rectangular window of a tile do not qualify.
var copyDefs = sync.OnceValue(func() []*ir.Def {
	var defs []*ir.Def
	for _, dialect := range ir.Dialects() {
		for _, d := range dialect.All() {
			form := d.Form(ir.DPS)
			if form == nil || d.Sem != any(sem.TileMove{}) {
				continue
			}
			if operands, _ := copyOperands(form, nil, nil); len(operands) == 2 {
				defs = append(defs, d)
			}
		}
	}
	return defs
})

// copyOperands returns the operands of a copy instruction of the given form. Every
// required source operand is the source buffer (the parameter from), and every
// destination operand is the destination buffer (the parameter to). Optional operands are
// omitted. The result segs contains the number of operands for each argument of the form.
func copyOperands(form *ir.Form, from, to *ir.Value) (operands []*ir.Value, segs []int32) {
	segs = make([]int32, len(form.Operands))
	for i, a := range form.Operands {
		if a.Arity != ir.One {
			continue
		}
		segs[i] = 1
		if a.Role == ir.Out {
			operands = append(operands, to)
		} else {
			operands = append(operands, from)
		}
	}
	return operands, segs
}
