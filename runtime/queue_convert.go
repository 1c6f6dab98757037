package runtime

import (
	"math"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// pushConversion is what happens to accumulators on their way into a queue.
type pushConversion struct {
	layout string
	to     num.Format
	relu   bool
	scaled bool
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
	entry := pto.QueueEntry(op)
	f, known := ir.FormatOf(ir.ElementType(entry))
	if !known {
		p.errorf(op, "converts to elements of a type that no 'pto.tpop_from_aic' tells")
		return nil
	}
	return &pushConversion{layout: e.Layout, to: f, relu: e.Relu == "normal_relu", scaled: e.Scaled()}
}

// conversion returns the elements that a queue holds and the function that
// makes them.
func (info *queueInfo) conversion(end *ringEnd, l *layout) (num.Format, drainFunc) {
	c := info.converted
	if c == nil || l.info.Space != pto.L0C {
		return l.f, func(bits uint64, _ int) uint64 { return bits }
	}
	if l.f == c.to && !c.relu && !c.scaled {
		return c.to, func(bits uint64, _ int) uint64 { return bits }
	}
	return c.to, func(bits uint64, col int) uint64 {
		x := num.Decode(l.f, bits)
		if c.relu {
			x = max(x, 0)
		}
		if c.scaled {
			x = float64(float32(float32(x) * end.scale.of(col)))
		}
		return num.Encode(c.to, x, num.NearestEven, c.to.Bits() < 32)
	}
}

// of is the scale of a column.
func (s *pushScale) of(col int) float32 {
	if s.l == nil {
		return s.all
	}
	return factor(s.l.f, s.l.get(&s.each, 0, min(col, s.l.cols-1)))
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
