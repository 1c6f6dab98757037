// This file converts the elements of an accumulator on their way out: quantization,
// activation, clipping and rounding.

package runtime

import (
	"math"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// storeConversion describes how a copy out of the accumulator (L0C) converts elements:
// quantization, activation, clipping and rounding to the destination format.
type storeConversion struct {
	from, to num.Format
	quant    sem.Quant
	// factor is the quantization factor if all columns use one factor; otherwise columns
	// is set.
	factor float32
	// columns, if not nil, returns the quantization factor of column j, and the offset
	// that the conversion adds to integer results of this column.
	columns func(j int) (by float32, offset float64)
	relu    sem.Relu
	// slope is the factor for negative values (leaky ReLU), if it is the same for all
	// columns; otherwise slopes contains one for each column.
	slope float32
	// slopes are the slopes of the columns, 4 bytes each, or nil if all columns use
	// slope.
	slopes []byte
	// clips means that the conversion replaces results above clip by clip.
	clips bool
	clip  float64
	// sat means that values outside the range of the destination format become its
	// largest or smallest finite number. keepNaN means that NaN stays NaN instead of
	// becoming zero.
	sat     bool
	keepNaN bool
}

// storeConversion returns a function that determines, at run time, how the copy s
// converts elements. The function reads the conversion from operands of the copy
// instruction; the parameter d describes these operands.
func (p *planner) storeConversion(s *productStore, d *sem.Store) func(fr *frame) (storeConversion, *Fault) {
	fixed := storeConversion{from: s.src.f, to: s.dst.f, quant: d.Quant, relu: d.Relu, clips: d.Clip.Given()}
	factor, slope, clip := p.payload(d.Factor), p.payload(d.Slope), p.payload(d.Clip)
	factors, slopes := p.number(d.Factor), p.number(d.Slope)
	factorTable, slopeTable := tableOf(s.op, d.Factor), tableOf(s.op, d.Slope)
	cols := p.number(d.N)
	saturate := p.saturation(d.Saturation)
	return func(fr *frame) (c storeConversion, f *Fault) {
		c = fixed
		saturate(fr, &c)
		n := int(cols(fr))
		if c.quant.Vector {
			c.columns, f = factorTable.factors(fr.core, factors(fr), n)
		} else if c.quant.Scaled {
			c.factor = float32(factor(fr))
		}
		if f != nil {
			return c, f
		}
		if c.relu == sem.VectorRelu {
			c.slopes, f = slopeTable.bytes(fr.core, slopes(fr), n*sem.SlopeBytes)
		} else if c.relu == sem.ScalarRelu {
			c.slope = float32(slope(fr))
		}
		if c.clips {
			c.clip = clip(fr)
		}
		return c, f
	}
}

// factors reads n 64-bit words at address addr, one word per matrix column. It returns a
// function that decodes the word of column j into a quantization factor and an offset. It
// returns a fault if the words are out of bounds.
func (pl *pointee) factors(c *core, addr uint64, n int) (func(j int) (by float32, offset float64), *Fault) {
	words, f := pl.bytes(c, addr, n*sem.FactorBytes)
	return func(j int) (float32, float64) { return factorWord(num.Load(num.U64, words[j*sem.FactorBytes:])) }, f
}

// factorWord decodes a 64-bit quantization word into a factor and an offset. Bits 13 to
// 31 of the word are the upper bits of the factor, an f32. Bits 37 to 45 are the offset,
// a signed integer.
func factorWord(word uint64) (by float32, offset float64) {
	return math.Float32frombits(uint32(word) &^ (1<<13 - 1)), float64(int64(word<<18) >> 55)
}

// tableOf returns a description of the memory to which operand o of op points, with which
// steps access this memory. The operand points to a table in the fixpipe buffer (FB), a
// small memory of the cube core. A table contains one parameter for each matrix column,
// for example a quantization factor.
func tableOf(op *ir.Op, o sem.Operand) *pointee {
	return &pointee{op: op, name: o.Name, how: reads, space: sem.FB}
}

// payload returns a function that reads the numeric operand o, of any number format, and
// converts it to a float64. The function returns 0 if the operand is missing or is a
// pointer to a table.
func (p *planner) payload(o sem.Operand) func(fr *frame) float64 {
	if !o.Given() || ir.Is[pto.PtrType](o.Type()) {
		return func(*frame) float64 { return 0 }
	}
	at := p.slot(o.Value)
	f, _ := ir.FormatOf(o.Type())
	if f.IsInt() && !pto.U16.Has(o.Type()) {
		f = f.AsSigned()
	}
	return func(fr *frame) float64 { return num.Decode(f, fr.x[at]) }
}

// saturation returns a function that sets whether the conversion c saturates floats that
// are out of range. If the parameter how is SatByCtrl, the function reads this choice
// from a control register at run time. For all other values of how, the choice is fixed.
func (p *planner) saturation(how sem.Saturation) func(fr *frame, c *storeConversion) {
	if how != sem.SatByCtrl {
		return func(_ *frame, c *storeConversion) {
			c.sat, c.keepNaN = how != sem.SatUnchanged, how != sem.SatFinite
		}
	}
	ctrl := p.register(sem.RegCtrl)
	return func(fr *frame, c *storeConversion) {
		bits := fr.core.registers[ctrl][0]
		c.sat = bits>>sem.CtrlNoSat&1 == 0
		c.keepNaN = !c.sat || bits>>sem.CtrlKeepNaN&1 != 0
	}
}

// element converts one 32-bit element of the accumulator (L0C) in column j. It multiplies
// by the quantization factor, applies the activation function, rounds and saturates. It
// returns the bits of the result in the destination format.
func (c *storeConversion) element(bits uint32, j int) uint64 {
	if !c.quant.Scaled && c.relu == sem.NoRelu && !c.clips && c.from.Signless() == c.to.Signless() {
		return uint64(bits)
	}
	x, offset := c.scaled(num.Decode(c.from, uint64(bits)), j)
	x = c.rectified(x, j)
	if c.to.IsInt() {
		return c.integer(x, offset)
	}
	if c.clips {
		x = math.Min(x, c.clip)
	}
	return c.float(x)
}

// scaled returns x multiplied by the quantization factor of column j, and the offset of
// column j for integer results. Without quantization, it returns x and 0.
func (c *storeConversion) scaled(x float64, j int) (y, offset float64) {
	if !c.quant.Scaled {
		return x, 0
	}
	by := c.factor
	if c.columns != nil {
		by, offset = c.columns(j)
	}
	if c.quant.Half {
		x = num.Decode(num.F16, num.Encode(num.F16, x, num.NearestEven, true))
	}
	x *= float64(by)
	if c.from == num.F32 {
		x = float64(float32(x))
	}
	return x, offset
}

// rectified applies the activation function to x: ReLU replaces a negative x by zero, and
// leaky ReLU multiplies it by the slope of column j.
func (c *storeConversion) rectified(x float64, j int) float64 {
	if c.relu == sem.NoRelu || !(x < 0) {
		return x
	}
	switch c.relu {
	case sem.ScalarRelu:
		return float64(float32(x) * c.slope)
	case sem.VectorRelu:
		return float64(float32(x) * math.Float32frombits(uint32(num.Load(num.U32, c.slopes[j*sem.SlopeBytes:]))))
	}
	return 0
}

// integer converts the number x to the integer format of the destination and returns the
// bits. It rounds x to an integer (down after a shift), adds the offset, limits the sum to the clipping bound
// if there is one, and saturates it to the range of the format. The steps have this
// order.
func (c *storeConversion) integer(x, offset float64) uint64 {
	to := c.to
	if to.Signless() == to {
		to = to.AsSigned()
	}
	if math.IsNaN(x) {
		x = 0
	}
	if c.quant.Shifts {
		x = math.Floor(x)
	}
	x = math.RoundToEven(x) + offset
	if c.clips {
		x = math.Min(x, c.clip)
	}
	return num.Encode(to, x, num.NearestEven, true)
}

// float rounds the number x to the floating-point format of the destination and returns
// the bits of the rounded number.
func (c *storeConversion) float(x float64) uint64 {
	round := num.NearestEven
	switch {
	case c.to == num.F32:
		return num.Encode(c.to, x, round, false)
	case c.to == num.HiF8:
		round = num.NearestAway
	}
	if math.IsNaN(x) && !c.keepNaN {
		return 0
	}
	return num.Encode(c.to, x, round, c.sat)
}
