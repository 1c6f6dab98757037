// This file lets loads and stores of blocks advance their addresses.

package vector

import (
	"math"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// blockWalk describes the addresses that op, a load or store of blocks of 32 bytes,
// accesses in a loop. The operand repeat_stride of op is the distance from its pointer to
// the first block. It has 16 bits, so all its values must be known. blockWalk returns nil
// if op cannot advance its address.
func (r *rounds) blockWalk(op *ir.Op) *walk {
	at := sem.VectorAccessOf(op)
	size := int64(pto.ByteSize(ir.ElementType(at.Pointer.Value.Type())))
	if at.Updated != nil || size == 0 || pto.TileAlign%size != 0 {
		return nil
	}
	unit := pto.TileAlign / size
	p, ok := r.change(at.Pointer.Value, mostNested)
	skip, known := r.series(at.Skip.Value)
	by := p.n + skip.step*unit
	if !ok || !known || p.v != nil || by == 0 || by%unit != 0 || by/unit != int64(int16(by/unit)) {
		return nil
	}
	return &walk{
		pointer: r.start(at.Pointer.Value), offset: arith.Int(r.before, ir.Index, skip.first*unit),
		by: change{n: by / unit}, blocks: true, users: []*ir.Op{op},
	}
}

// series is a number that changes by the same constant in each iteration of a loop.
type series struct{ first, step int64 }

// series returns the values of v, an integer of 16 bits or an index, in the iterations of
// the loop. The bool result is false if they are not known, or do not fit into 16 bits.
func (r *rounds) series(v *ir.Value) (series, bool) {
	s, ok := r.steps(v)
	start, ok1 := arith.ConstantInt(r.loop.Operand(0))
	end, ok2 := arith.ConstantInt(r.loop.Operand(1))
	by, ok3 := arith.ConstantInt(r.loop.Operand(2))
	if !ok || !ok1 || !ok2 || !ok3 || by <= 0 {
		return series{}, false
	}
	last := s.first + s.step*max(0, pto.CeilDiv(end-start, by)-1)
	return s, min(s.first, last) >= math.MinInt16 && max(s.first, last) <= math.MaxInt16
}

// steps returns the first value of v in the loop and its change per iteration.
func (r *rounds) steps(v *ir.Value) (series, bool) {
	if n, ok := arith.ConstantInt(v); ok {
		return series{first: n}, true
	}
	body := r.loop.Region(0).Entry()
	switch op := v.Op(); {
	case op != nil && (op.Is(arith.IndexCast) || op.Is(arith.IndexCastUI)):
		return r.steps(op.Operand(0))
	case op != nil || v.Block() != body || !r.loop.Is(scf.For):
		return series{}, false
	}
	from, by := r.loop.Operand(0), r.loop.Operand(2)
	if v != body.Arg(0) {
		from = r.loop.Operand(loopOperands + argNumber(v) - 1)
		next, ok := r.carried(v, mostNested)
		n, ok2 := arith.ConstantInt(from)
		return series{n, next.n}, ok && ok2 && next.v == nil
	}
	n, ok := arith.ConstantInt(from)
	k, ok2 := arith.ConstantInt(by)
	return series{n, k}, ok && ok2
}
