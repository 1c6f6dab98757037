package runtime

import (
	"math"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// drainFunc converts an element of column c on its way out of a tile.
type drainFunc func(bits uint64, c int) uint64

// drain plans what happens to elements that leave a tile: those of the
// accumulator are scaled, rectified, rounded and saturated into the type of
// where they go; others keep their bits.
func (p *planner) drain(op *ir.Op, src *tileOperand, to ir.Type) func(fr *frame) drainFunc {
	g, ok := ir.FormatOf(to)
	f := src.l.f
	if !ok {
		p.errorf(op, "moves elements to %s, which cannot be executed yet", to)
		return nil
	}
	scaled := op.Arg("preQuantScalar") != nil || op.Arg("fp") != nil
	relu := op.Attr("reluPreMode").Keyword() == "normal_relu"
	if f.Signless() == g.Signless() && !scaled && !relu || src.l.info.Space != pto.L0C {
		if src.l.size != pto.ByteSize(to) {
			p.errorf(op, "moves elements of type %s to %s, which cannot be executed yet", src.l.info.Elem, to)
			return nil
		}
		keep := drainFunc(func(bits uint64, _ int) uint64 { return bits })
		return func(*frame) drainFunc { return keep }
	}
	scale := p.scales(op, src)
	return func(fr *frame) drainFunc {
		by := scale(fr)
		return func(bits uint64, c int) uint64 {
			x := num.Decode(f, bits)
			if by != nil {
				x = float64(float32(float32(x) * by(c)))
			}
			if relu {
				x = max(x, 0)
			}
			return num.Encode(g, x, num.NearestEven, g.Bits() < 32)
		}
	}
}

// scales plans the factor of each column: a scalar for all, an element of the
// tile fp, or none.
func (p *planner) scales(op *ir.Op, src *tileOperand) func(fr *frame) func(c int) float32 {
	if v := op.Arg("preQuantScalar"); v != nil {
		at := p.slot(v)
		return func(fr *frame) func(c int) float32 {
			s := math.Float32frombits(uint32(fr.x[at]))
			return func(int) float32 { return s }
		}
	}
	if fp := p.tileArg(op, "fp"); fp.l != nil {
		if have, want := fp.l.info.Cols, src.l.info.VCols; have < want {
			p.errorf(op, "needs a factor for each of %d columns, but \"fp\" has %d", want, have)
		}
		return func(fr *frame) func(c int) float32 {
			t := fr.t[fp.at]
			return func(c int) float32 { return factor(fp.l.f, fp.l.get(t, 0, c)) }
		}
	}
	return func(*frame) func(c int) float32 { return nil }
}

// factor is a scale that is stored as a float, or as an integer whose lowest 32
// bits are those of an f32.
func factor(f num.Format, bits uint64) float32 {
	if f.IsFloat() {
		return float32(num.Decode(f, bits))
	}
	return math.Float32frombits(uint32(bits))
}
