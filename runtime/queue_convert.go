package runtime

import (
	"math"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// pushConversion is what happens to accumulators on their way into a queue.
type pushConversion struct {
	layout   string
	fixed    storeConversion // what does not depend on the tile or the scale
	saturate func(fr *frame, c *storeConversion)
}

// pushScale is the scale of a queue: one for all columns, or a tile with one
// for each.
type pushScale struct {
	all  float32
	each tile
	l    *layout // of each; nil: one for all
}

// byCols reports whether entries have columns side by side.
func (c *pushConversion) byCols() bool { return c != nil && c.layout == "nz2dn" }

// pushConversion plans the conversion of a queue, if it has one.
func (p *planner) pushConversion(op *ir.Op) *pushConversion {
	e, ok := pto.EpilogueOf(op)
	if !ok {
		return nil
	}
	f, _ := ir.FormatOf(ir.ElementType(pto.QueueEntry(op))) // invalid if nothing takes entries out
	return &pushConversion{
		layout: e.Layout, fixed: storeConversion{to: f, quant: e.Arithmetic(), relu: reluKinds[e.Relu]}, saturate: p.saturation(op),
	}
}

// conversion returns the elements that a queue holds of a tile and the function
// that makes them.
func (x *tilePush) conversion(fr *frame, end *ringEnd) (num.Format, drainFunc, *Fault) {
	l, c := x.src.l, end.info.converted
	if c == nil || l.info.Space != pto.L0C {
		return l.f, func(bits uint64, _ int) uint64 { return bits }, nil
	}
	if c.fixed.to == num.Invalid {
		return 0, nil, faultAt(x.op, "converts to elements of a type that no 'pto.tpop_from_aic' tells").
			note(end.info.op.Loc(), "the queue is set up here")
	}
	conv := c.fixed
	conv.from, conv.factor = l.f, end.scale.all
	c.saturate(fr, &conv)
	if s := &end.scale; conv.quant.Vector {
		if s.l == nil || s.l.cols < fr.t[x.src.at].cols {
			return 0, nil, faultAt(x.op, "needs a scale for each of %d columns, but the queue has fewer", fr.t[x.src.at].cols).
				note(end.info.op.Loc(), "the queue is set up here")
		}
		conv.columns = s.column
	}
	return conv.to, func(bits uint64, j int) uint64 { return conv.element(uint32(bits), j) }, nil
}

// column is the scale of a column, and what is added to integers: in words of
// 64 bits, or floats.
func (s *pushScale) column(j int) (by float32, offset float64) {
	bits := s.l.get(&s.each, 0, j)
	if s.l.f.Bits() == 64 {
		return factorWord(bits)
	}
	return factor(s.l.f, bits), 0
}

// queueScale plans setting the scale of a queue.
func (p *planner) queueScale(op *ir.Op) step {
	ring := p.queueOf(op) + toVector
	if v := op.Arg("scale"); v != nil {
		at := p.slot(v)
		return func(fr *frame) *Fault {
			fr.core.ends[ring].scale = pushScale{all: math.Float32frombits(uint32(fr.x[at]))}
			return nil
		}
	}
	src := p.tileArg(op, "scaling_tile")
	if src.l == nil {
		return nil
	}
	return func(fr *frame) *Fault {
		fr.core.ends[ring].scale = pushScale{each: *fr.t[src.at], l: src.l}
		return nil
	}
}
