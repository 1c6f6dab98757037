// This file converts elements that leave a tile: those of the accumulator as the
// fixpipe unit does, and all others unchanged.

package runtime

import (
	"math"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// elementFunc converts the bits of an element in column c while it is copied out of a
// tile. The column selects the quantization factor.
type elementFunc func(bits uint64, c int) uint64

// fixpipe converts elements while they are copied out of a tile. The field each is a
// function that converts a single element. The field rows is a function that converts
// adjacent elements at once. It is nil if the conversion depends on the column or if no
// fast loop exists for it.
type fixpipe struct {
	each elementFunc
	rows convertFunc
}

// keepBits returns the bits unchanged. It is the elementFunc for copies without a
// conversion.
func keepBits(bits uint64, _ int) uint64 { return bits }

// fixpipe prepares the conversion of the elements that op copies out of tile src. The
// parameter to is the element type of the destination. Elements of an accumulator are
// converted in the same way as by a store of the cube unit. Elements of all other tiles
// are copied bit by bit. fixpipe returns a function for the run time, which accepts the
// number of columns. This function reads the scale factors and the saturation mode of the
// conversion from the frame and returns the conversion with these parameters.
func (p *planner) fixpipe(op *ir.Op, src *tileOperand, to ir.Type) func(fr *frame, cols int) (fixpipe, *Fault) {
	g, ok := ir.FormatOf(to)
	if !ok {
		p.errorf(op, "converts elements to type %s, which pto-run does not support", to)
		return nil
	}
	if src.l.info.Space != sem.L0C {
		if sem.WidensBias(src.l.f, g) {
			return p.widened(src.l.f, g)
		}
		if src.l.size != pto.ByteSize(to) {
			p.errorf(op, "moves elements of type %s to elements of type %s, which pto-run does not support", src.l.info.Elem, to)
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
		from: src.l.f, to: g, relu: d.Relu, quant: d.Quant.On(p.target, src.l.f, g),
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

// widened returns the conversion of a bias, whose elements of 16 bits become f32. It neither
// saturates nor changes NaN.
func (p *planner) widened(from, to num.Format) func(fr *frame, cols int) (fixpipe, *Fault) {
	conv := &storeConversion{from: from, to: to, keepNaN: true}
	each := fixpipe{conv.tileElement, converter(from, to, num.NearestEven, false)}
	return func(fr *frame, _ int) (fixpipe, *Fault) {
		if x := fr.core.lin; x != nil {
			return fixpipe{each: x.converting(p.opts.Lineage.Exprs, conv, conv.tileElement)}, nil
		}
		return each, nil
	}
}

// tooFewFactors is the message for a tile of quantization factors that has fewer columns
// than the copied tile.
const tooFewFactors = "needs a factor for each of %d columns, but \"fp\" has %d"

// tileElement returns the converted bits of one element of a tile. bits are the element,
// and j is its column. tileElement only adapts the method element, which has a 32-bit
// parameter, to the type elementFunc, whose parameter has 64 bits.
func (c *storeConversion) tileElement(bits uint64, j int) uint64 { return c.element(uint32(bits), j) }

// copyBytes copies bytes unchanged. It is the convertFunc for source and destination
// elements of the same format.
func copyBytes(d, a []byte) { copy(d, a) }

// rowsOf prepares a fast conversion of complete rows, for a copy out of the accumulator.
// It returns a function that is called at run time and returns a loop for rows. There is
// such a loop if the conversion keeps the bits of elements or only rounds f32 to a 16-bit
// float. For all other conversions, the returned function returns nil, and the caller
// converts each element separately.
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

// fixpipeScale holds the quantization factors of a copy out of the accumulator: either
// the word for all columns, or a tile with one word or factor per column.
type fixpipeScale struct {
	all  uint64
	each tile
	// l is the layout of the tile each, or nil if one factor applies to all columns.
	l *layout
}

// fixpipeScale returns a function that reads the quantization factors of op at run time.
// It returns nil if op has no factors.
func (p *planner) fixpipeScale(op *ir.Op, d sem.Fixpipe) func(fr *frame) fixpipeScale {
	if d.Factor.Given() {
		at := p.slot(d.Factor.Value)
		return func(fr *frame) fixpipeScale { return fixpipeScale{all: fr.x[at]} }
	}
	if src := p.tileOperand(op, d.Columns); src.l != nil {
		return func(fr *frame) fixpipeScale { return fixpipeScale{each: *fr.t[src.at], l: src.l} }
	}
	return nil
}

// scaleBy sets the quantization factors of the conversion c to the factors in s: one
// factor for all columns, or one factor per column if c needs that. The result is false
// if c needs one factor per column and s contains fewer than cols factors. In all other
// cases, it is true.
func (c *storeConversion) scaleBy(s *fixpipeScale, cols int) bool {
	if !c.quant.Vector {
		c.factor = math.Float32frombits(uint32(s.all))
		if c.quant.Shifts {
			c.factor = sem.ShiftFactor(s.all)
		}
		return true
	}
	c.columns = s.column
	if c.quant.Shifts && s.l != nil && s.l.f.Bits() == 64 {
		c.columns = func(j int) (float32, float64) { return sem.ShiftFactor(s.l.get(&s.each, 0, j)), 0 }
	}
	return s.l != nil && s.l.cols >= cols
}

// column returns the quantization factor of matrix column j, and the offset that is added
// to integer results of this column. Tiles with 64-bit elements contain a factor and an
// offset in each element; narrower elements contain only a factor.
func (s *fixpipeScale) column(j int) (by float32, offset float64) {
	bits := s.l.get(&s.each, 0, j)
	if s.l.f.Bits() == 64 {
		return factorWord(bits)
	}
	return factor(s.l.f, bits), 0
}

// factor decodes a quantization factor from the given bits. If f is a float format, the
// bits are a float of this format. If f is an integer format, the lower 32 bits are the
// bits of an f32.
func factor(f num.Format, bits uint64) float32 {
	if f.IsFloat() {
		return float32(num.Decode(f, bits))
	}
	return math.Float32frombits(uint32(bits))
}
