// This file decodes the parameters of copies out of the accumulator from fields of two
// register operands and of special registers, as in the hardware. Package sem names the
// fields (StoreN, StoreM, ...).

package runtime

import (
	"math"

	isacube "ptogo/dialect/pto/isa/cube"
	"ptogo/dialect/pto/sem"
	"ptogo/ir/num"
)

// packedSettings returns a function that decodes the parameters of a copy out of L0C, the
// accumulator memory. The parameters are bit fields of two register operands and of
// special registers of the core. A special register that the program has not set is zero:
// the copy then handles one matrix whose rows are adjacent. If the destination has the
// layout ByFractal, the special registers for repetition and row distance are ignored.
func (p *planner) packedSettings(s *productStore, d *sem.Store) func(fr *frame) (storeSettings, *Fault) {
	first, second := p.slot(d.Words[0].Value), p.slot(d.Words[1].Value)
	loop3, channel := p.register(sem.RegStoreLoop), p.register(sem.RegStoreChannel)
	conv := p.packedConversion(s, d)
	return func(fr *frame) (storeSettings, *Fault) {
		a, b := fr.x[first], fr.x[second]
		t := storeSettings{
			n: int(sem.StoreN.Of(a)), m: int(sem.StoreM.Of(a)), dstStride: int(sem.StoreDstStride.Of(a)), srcStride: int(sem.StoreSrcStride.Of(b)),
			fractal: s.fractalCols(b>>sem.StoreSplit&1 != 0), rowStride: 1, loops: 1, layout: sem.ByFractal, unit: sem.UnitNumber(sem.StoreUnit.Of(b)),
		}
		if s.dst.space == sem.UB {
			t.split, t.sub = sem.StoreHalves(sem.StoreHalf.Of(b)), int(sem.StoreCore.Of(b))
		}
		switch {
		case t.split > sem.SplitCols:
			return t, faultAt(s.op, "has the split mode %d, but the split mode must be 0 (none), 1 (rows) or 2 (columns)", t.split)
		case b>>sem.StoreByColumns&1 != 0:
			t.layout = sem.ByColumn
			if stride := sem.StoreRowStride.Of(joined(fr.core.registers[channel])); stride > 0 {
				t.rowStride = int(stride)
			}
		case b>>sem.StoreByRows&1 != 0:
			t.layout = sem.ByRow
		}
		if word := joined(fr.core.registers[loop3]); t.layout != sem.ByFractal && word != 0 {
			t.loops, t.loopSrc, t.loopDst = int(sem.StoreLoops.Of(word)), int(sem.StoreLoopSrc.Of(word)), int(sem.StoreLoopDst.Of(word))
		}
		var f *Fault
		t.conv, f = conv(fr, b, t.n)
		return t, f
	}
}

// joined returns the 64-bit value of the special register r. The lower bits of the value
// are in the first word of the register, and the upper bits are in the second word.
func joined(r register) uint64 { return r[0] | r[1]<<sem.SecondPart }

// packedConversion returns a function that decodes how a copy out of L0C, the accumulator
// memory, converts elements. The argument word of this function is the register operand
// with the conversion modes, and n is the number of matrix columns. Parameters that all
// columns share are in special registers. Parameters of single columns are in tables. The
// table addresses are fields of a special register, which the function shifts left by
// FactorTableShift or SlopeTableShift to obtain byte addresses.
func (p *planner) packedConversion(s *productStore, d *sem.Store) func(fr *frame, word uint64, n int) (storeConversion, *Fault) {
	factor, slope, clip, table := p.register(sem.RegQuantFactor), p.register(sem.RegReluSlope), p.register(sem.RegReluClip), p.register(sem.RegColumnTables)
	saturate, params := p.saturation(d.Saturation), tableOf(s.op, d.Source)
	return func(fr *frame, word uint64, n int) (storeConversion, *Fault) {
		regs := fr.core.registers
		c := storeConversion{
			from: s.src.f, to: s.dst.f, factor: math.Float32frombits(uint32(regs[factor][0])), slope: math.Float32frombits(uint32(regs[slope][0])),
			relu: sem.Relu(sem.StoreRelu.Of(word)), clips: sem.StoreClips.Of(word) != 0,
		}
		saturate(fr, &c)
		number := sem.QuantNumber(word)
		mode, ok := isacube.QuantNumber(int64(number))
		if !ok || c.relu > sem.VectorRelu {
			return c, faultAt(s.op, "has conversion mode %d and relu mode %d, but at least one of these modes does not exist", number, c.relu)
		}
		c.quant = mode
		if c.clips {
			c.clip = s.clipOf(regs[clip][0])
		}
		var f *Fault
		if mode.Vector {
			c.columns, f = params.factors(fr.core, sem.FactorTable.Of(regs[table][0])<<sem.FactorTableShift, n)
		}
		if c.relu == sem.VectorRelu && f == nil {
			c.slopes, f = params.bytes(fr.core, sem.SlopeTable.Of(regs[table][0])<<sem.SlopeTableShift, n*sem.SlopeBytes)
		}
		return c, f
	}
}

// clipOf decodes the 16-bit upper bound of the results of a copy and returns it as a
// number. The copy replaces larger results by the bound. The bound is an f16 if the
// destination format is f16. It is an unsigned integer if the destination format is u8,
// and a signed integer for all other destinations.
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
