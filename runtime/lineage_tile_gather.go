// This file follows gathers, scatters and concatenations of tiles in equivalence
// proofs.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/runtime/expr"
)

// These instructions move elements by indices that are stored in tiles.

// tracedConcat compiles a concatenation of two tiles. If tiles contain the numbers of
// columns to copy, these numbers must not depend on symbolic inputs.
func (p *planner) tracedConcat(op *ir.Op, kind sem.TileConcat) step {
	if kind.Counts {
		o := sem.TilePairOf(op)
		return p.moveStep(op, p.plain, o.Numbers[0].Value, o.Numbers[1].Value)
	}
	return p.moveStep(op, p.plain)
}

// tracedGather compiles a tile gather. The gather selects elements by indices, by a
// search for a value, or by a mask pattern.
func (p *planner) tracedGather(op *ir.Op, _ sem.TileGather) step {
	o := sem.TileSearchOf(op)
	switch {
	case o.Indices.Given():
		return p.gatherOf(op, o, p.moveStep(op, p.plain, o.Indices.Value))
	case o.Value.Given():
		return p.unfollowed(op, "gathers as many elements as data says")
	}
	return p.moveStep(op, p.plain)
}

// gatherOf compiles a tile gather by indices. If the indices do not depend on symbolic
// inputs, the step runs another step, the parameter moves, which copies the expressions
// of the selected elements. If they do depend on such inputs, each result is an
// uninterpreted function of its index and of all valid source elements.
func (p *planner) gatherOf(op *ir.Op, o sem.TileSearch, moves step) step {
	src, dst, idx := p.tileOperand(op, o.Src), p.tileOperand(op, o.Dst), p.tileOperand(op, o.Indices)
	if src.l == nil || dst.l == nil || idx.l == nil || p.movesNibbles(op) {
		return moves
	}
	call := expr.Named("element %s of %d bytes, of all", idx.l.f, src.l.size)
	computes := computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		s, d, at := x.tile(fr, &src), x.tile(fr, &dst), x.tile(fr, &idx)
		if d.t.rows == 0 || d.t.cols == 0 {
			return nil
		}
		if at.lacks(d.t.rows-1, d.t.cols-1) || d.lacks(d.t.rows-1, d.t.cols-1) {
			return skipped
		}
		all := value{h: x.t.Apply(call)}
		for i := 0; i+src.l.size <= src.l.elements(s.t)*src.l.size; i += src.l.size {
			v := x.get(&s.traced, i, src.l.size)
			all = value{h: x.t.Apply2(call, all.h, x.hash(&v))}
		}
		for r := range d.t.rows {
			for c := range d.t.cols {
				x.give(&d, r, c, x.named(call, all, x.at(&at, r, c)))
			}
		}
		return nil
	})
	return ifKnown(idx, moves, computes)
}

// tracedPlaces compiles a gather of 32-byte blocks of a tile. The step faults if the
// block offsets depend on symbolic inputs.
func (p *planner) tracedPlaces(op *ir.Op, _ sem.TileGatherBlocks) step {
	return p.moveStep(op, p.plain, sem.TilePlacesOf(op).Places.Value)
}

// tracedScatter compiles a tile scatter, by indices or by a mask pattern.
func (p *planner) tracedScatter(op *ir.Op, _ sem.TileScatter) step {
	if at := sem.TilePlacesOf(op).Places; at.Given() {
		return p.scatterOf(op, p.moveStep(op, p.plain, at.Value))
	}
	return p.moveStep(op, p.plain)
}

// scatterOf compiles a tile scatter by indices. If the indices do not depend on symbolic
// inputs, the step runs another step, the parameter moves, which copies the expressions
// of the source elements. If they do depend on such inputs, each result element is an
// uninterpreted function of its old value, its position, and all valid indices and
// source elements.
func (p *planner) scatterOf(op *ir.Op, moves step) step {
	o := sem.TilePlacesOf(op)
	src, idx, dst := p.tileOperand(op, o.Src), p.tileOperand(op, o.Places), p.tileOut(op)
	if src.l == nil || dst.l == nil || idx.l == nil || p.movesNibbles(op) {
		return moves
	}
	call := expr.Named("scattered %+v %s %d", o.Blocks, idx.l.f, src.l.size)
	computes := computed(p.plain, func(fr *frame, x *tracer) *Fault {
		x.t.At = op
		d := x.tile(fr, &dst)
		all := x.named(call, knownValue(uint64(d.t.pitch)), knownValue(uint64(d.t.rows)), knownValue(uint64(d.t.cols)),
			knownValue(uint64(dst.l.rows)), knownValue(uint64(dst.l.cols)), knownValue(uint64(bit(dst.l.byCols))))
		for _, operand := range []*tileOperand{&src, &idx} {
			t := x.tile(fr, operand)
			all = x.named(call, all, knownValue(uint64(t.t.rows)), knownValue(uint64(t.t.cols)))
			for r := range t.t.rows {
				for c := range t.t.cols {
					if t.lacks(r, c) {
						return skipped
					}
					v := x.at(&t, r, c)
					all = value{h: x.t.Apply2(call, all.h, x.hash(&v))}
				}
			}
		}
		for i := range dst.l.elements(d.t) {
			old := x.get(&d.traced, i*dst.l.size, dst.l.size)
			x.put(&d.traced, i*dst.l.size, dst.l.size, x.named(call, all, old, knownValue(uint64(i))))
		}
		return nil
	})
	return ifKnown(idx, moves, computes)
}

// tracedTable compiles a gather or scatter in global memory. The indices must be in a
// tile and must not depend on symbolic inputs, because they determine which bytes move.
func tracedTable[S ir.Meaning](p *planner, op *ir.Op, _ S) step {
	v := sem.TableOf(op).Index.Value
	if v == nil || !pto.IsTile(v.Type()) {
		return p.unfollowed(op, "reads indices in memory")
	}
	return p.moveStep(op, p.plain, v)
}

// ifKnown returns a step for symbolic execution that runs one of two other steps. If no
// element of the tile idx depends on symbolic inputs, it runs the step in the parameter
// moves. If at least one element depends on inputs, it runs the step in the parameter
// computes.
func ifKnown(idx tileOperand, moves, computes step) step {
	return func(fr *frame) *Fault {
		x := fr.core.lineageOf()
		r := x.region(fr.t[idx.at].data)
		if x.unknown(&r) == nil {
			return moves(fr)
		}
		return computes(fr)
	}
}
