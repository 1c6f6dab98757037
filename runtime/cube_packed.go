package runtime

import (
	"math"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// packedSettings plans reading the parameters of a copy out of the accumulator
// from two words and registers.
func (p *planner) packedSettings(op *ir.Op, s *productStore) func(fr *frame) (storeSettings, *Fault) {
	words := op.Operands()[len(op.Operands())-2:]
	first, second := p.slot(words[0]), p.slot(words[1])
	loop3, channel := p.register("LOOP3_PARA"), p.register("CHANNEL_PARA")
	conv := p.packedConversion(op, s)
	return func(fr *frame) (storeSettings, *Fault) {
		a, b := fr.x[first], fr.x[second]
		t := storeSettings{
			n: int(a >> 4 & 0xfff), m: int(a >> 16 & 0xffff), dstStride: int(a >> 32),
			srcStride: int(b & 0xffff), fractal: s.fractalCols(b>>42&1 != 0), rowStride: 1, loops: 1, layout: byFractal, unit: unitModeOf(b, 32),
		}
		if s.dst.space == sem.UB {
			t.split, t.sub = storeSplit(b>>16&3), int(b>>18&1)
		}
		switch {
		case t.split > splitCols:
			return t, faultAt(s.op, "splits the matrix in way %d, but there are 1 and 2", t.split)
		case b>>62&1 != 0:
			t.layout = byColumn
			if stride := joined(fr.core.registers[channel]) >> 48; stride > 0 {
				t.rowStride = int(stride)
			}
		case b>>43&1 != 0:
			t.layout = byRow
		}
		if word := joined(fr.core.registers[loop3]); t.layout != byFractal && word != 0 {
			t.loops, t.loopSrc, t.loopDst = int(word&0xffff), int(word>>16&0xffff), int(word>>32)
		}
		var f *Fault
		t.conv, f = conv(fr, b, t.n)
		return t, f
	}
}

// joined is a register that instructions set in two parts, the second from bit
// 40 on.
func joined(r register) uint64 { return r[0] | r[1]<<40 }

// packedConversion plans reading the conversion.
func (p *planner) packedConversion(op *ir.Op, s *productStore) func(fr *frame, word uint64, n int) (storeConversion, *Fault) {
	factor, slope, clip, table := p.register("QUANT_PRE"), p.register("RELU_ALPHA"), p.register("FIX_CLIP_RELU"), p.register("FPC")
	saturate, params := p.saturation(op), tableOf(op, "source")
	return func(fr *frame, word uint64, n int) (storeConversion, *Fault) {
		regs := fr.core.registers
		c := storeConversion{
			from: s.src.f, to: s.dst.f, factor: math.Float32frombits(uint32(regs[factor][0])), slope: math.Float32frombits(uint32(regs[slope][0])),
			relu: reluKind(word >> 39 & 7), clips: word>>30&3 != 0,
		}
		saturate(fr, &c)
		mode, ok := pto.QuantNumber(int64(word>>34&0x1f | word>>29&1<<5))
		if !ok || c.relu > vectorRelu {
			return c, faultAt(op, "asks for conversion %d and relu %d, which do not exist", word>>34&0x1f|word>>29&1<<5, c.relu)
		}
		c.quant = mode
		if c.clips {
			c.clip = s.clipOf(regs[clip][0])
		}
		var f *Fault
		if mode.Vector {
			c.columns, f = params.factors(fr.core, regs[table][0]>>8&0xff<<7, n)
		}
		if c.relu == vectorRelu && f == nil {
			c.slopes, f = params.bytes(fr.core, regs[table][0]&0xff<<6, n*slopeBytes)
		}
		return c, f
	}
}

// clipOf reads a bound of 16 bits in the format that goes with the destination.
func (s *productStore) clipOf(bits uint64) float64 {
	f := num.S16
	switch s.dst.f {
	case num.F16:
		f = num.F16
	case num.U8:
		f = num.U16
	}
	return num.Decode(f, bits&f.Mask())
}
