package runtime

import (
	"math"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// elementFunc converts an element of column c on its way out of a tile.
type elementFunc func(bits uint64, c int) uint64

// fixpipe is what happens to elements that leave a tile. Where it does not
// depend on columns and is simple, rows does the same to many that lie side by
// side; else it is nil.
type fixpipe struct {
	each elementFunc
	rows convertFunc
}

// keepBits converts nothing.
func keepBits(bits uint64, _ int) uint64 { return bits }

// fixpipe prepares the conversion of the elements that leave a tile. Elements of an
// accumulator are converted as a store of the cube unit does it; elements of other
// tiles keep their bits. The returned function accepts the number of columns.
func (p *planner) fixpipe(op *ir.Op, src *tileOperand, to ir.Type) func(fr *frame, cols int) (fixpipe, *Fault) {
	g, ok := ir.FormatOf(to)
	if !ok {
		p.errorf(op, "moves elements to %s, which pto-run cannot execute", to)
		return nil
	}
	if src.l.info.Space != sem.L0C {
		if src.l.size != pto.ByteSize(to) {
			p.errorf(op, "moves elements of type %s to %s, which pto-run cannot execute", src.l.info.Elem, to)
			return nil
		}
		kept := fixpipe{keepBits, copyBytes}
		return func(*frame, int) (fixpipe, *Fault) { return kept, nil }
	}
	d := sem.FixpipeOf(op)
	scale := p.fixpipeScale(op, d)
	if fp := p.tileOperand(op, d.Columns); fp.l != nil && int64(fp.l.cols) < src.l.info.VCols {
		p.errorf(op, tooFewFactors, src.l.info.VCols, fp.l.cols)
	}
	fixed := storeConversion{
		from: src.l.f, to: g, relu: d.Relu, quant: d.Quant,
	}
	saturate := p.saturation(d.Saturation)
	rows := fixed.rowsOf()
	return func(fr *frame, cols int) (fixpipe, *Fault) {
		conv := fixed
		saturate(fr, &conv)
		if scale != nil {
			s := scale(fr)
			if !conv.scaleBy(&s, cols) {
				return fixpipe{}, faultAt(op, tooFewFactors, cols, s.l.cols)
			}
		}
		if x := fr.core.lin; x != nil {
			return fixpipe{each: x.converting(p.opts.Lineage.Exprs, &conv, conv.tileElement)}, nil
		}
		return fixpipe{conv.tileElement, rows(&conv)}, nil
	}
}

const tooFewFactors = "needs a factor for each of %d columns, but \"fp\" has %d"

// tileElement is the conversion as an elementFunc.
func (c *storeConversion) tileElement(bits uint64, j int) uint64 { return c.element(uint32(bits), j) }

func copyBytes(d, a []byte) { copy(d, a) }

// rowsOf returns how to find what a conversion does to rows: for those that keep
// the bits or only round floats to 16 bits.
func (c *storeConversion) rowsOf() func(c *storeConversion) convertFunc {
	simple := !c.quant.Scaled && c.relu == sem.NoRelu && !c.clips
	switch {
	case simple && c.from.Signless() == c.to.Signless():
		return func(*storeConversion) convertFunc { return copyBytes }
	case !simple || c.from != num.F32 || c.to != num.F16 && c.to != num.BF16:
		return func(*storeConversion) convertFunc { return nil }
	}
	saturated, kept := converter(c.from, c.to, num.NearestEven, true), converter(c.from, c.to, num.NearestEven, false)
	isNaN := uint16(num.NaN(c.to))
	return func(c *storeConversion) convertFunc {
		convert, zeros := kept, !c.keepNaN
		if c.sat {
			convert = saturated
		}
		return func(d, a []byte) {
			convert(d, a)
			if !zeros {
				return
			}
			for i, x := range as[uint16](d) {
				if x == isNaN {
					as[uint16](d)[i] = 0
				}
			}
		}
	}
}

// fixpipeScale is the factor of what leaves the accumulator: one for all columns,
// or a tile with one for each.
type fixpipeScale struct {
	all  float32
	each tile
	l    *layout // of each; nil: one for all
}

// fixpipeScale resolves the factors; without any it is nil.
func (p *planner) fixpipeScale(op *ir.Op, d sem.Fixpipe) func(fr *frame) fixpipeScale {
	if d.Factor.Given() {
		at := p.slot(d.Factor.Value)
		return func(fr *frame) fixpipeScale { return fixpipeScale{all: math.Float32frombits(uint32(fr.x[at]))} }
	}
	if src := p.tileOperand(op, d.Columns); src.l != nil {
		return func(fr *frame) fixpipeScale { return fixpipeScale{each: *fr.t[src.at], l: src.l} }
	}
	return nil
}

// scaleBy sets the factor of a conversion. If each column has its own factor, it
// reports whether there are enough factors for cols columns.
func (c *storeConversion) scaleBy(s *fixpipeScale, cols int) bool {
	c.factor = s.all
	if !c.quant.Vector {
		return true
	}
	c.columns = s.column
	return s.l != nil && s.l.cols >= cols
}

// column is the factor of a column, and what is added to integers: in words of
// 64 bits, or floats.
func (s *fixpipeScale) column(j int) (by float32, offset float64) {
	bits := s.l.get(&s.each, 0, j)
	if s.l.f.Bits() == 64 {
		return factorWord(bits)
	}
	return factor(s.l.f, bits), 0
}

// factor is a scale that is stored as a float, or as an integer whose lowest 32
// bits are those of an f32.
func factor(f num.Format, bits uint64) float32 {
	if f.IsFloat() {
		return float32(num.Decode(f, bits))
	}
	return math.Float32frombits(uint32(bits))
}
