package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// packedStore writes a copy whose parameters lie in two words and registers.
func (f *function) packedStore(op *ir.Op, s *productStore) {
	n := op.NumOperands()
	a, b := f.resize(f.val(op.Operand(n-2)), i64, false), f.resize(f.val(op.Operand(n-1)), i64, false)
	s.n, s.m, s.dstStride = f.bitField(a, 4, 12), f.bitField(a, 16, 16), f.bitField(a, 32, 32)
	s.srcStride, s.fractal = f.bitField(b, 0, 16), s.fractalCols(f.flag(b, 42))
	s.core, s.splitRows, s.splitCols = index(0), constantBool(false), constantBool(false)
	if s.dst.space == sem.UB {
		f.atMostOrTrap(f.bitField(b, 16, 2), 2)
		s.splitRows, s.splitCols, s.core = f.flag(b, 16), f.flag(b, 17), f.bitField(b, 18, 1)
	}
	s.conv = f.packedConversion(op, s, b)
	word := f.joined("LOOP3_PARA")
	f.eitherWay("by.fractal", f.noneOf(f.flag(b, 62), f.flag(b, 43)), func() {
		s.rowStride, s.loops, s.loopSrc, s.loopDst = index(1), index(1), index(0), index(0)
		s.write((*storeWindow).byFractal)
	}, func() {
		s.loops, s.loopSrc, s.loopDst = f.bitField(word, 0, 16), f.bitField(word, 16, 16), f.bitField(word, 32, 32)
		// A word of zero is a loop that nobody has set up.
		s.loops = f.sel(f.icmp(enum.IPredEQ, word, index(0)), index(1), s.loops)
		f.eitherWay("by.column", f.flag(b, 62), func() {
			s.rowStride = f.call2("llvm.umax", f.lshr(f.joined("CHANNEL_PARA"), index(48)), index(1))
			s.write((*storeWindow).byColumn)
		}, func() {
			s.rowStride = index(1)
			s.write((*storeWindow).byRow)
		})
	})
}

// joined is a register that instructions set in two parts, the second from bit
// 40 on.
func (f *function) joined(name string) value.Value {
	return f.or(f.regValue(name, 0), f.shl(f.regValue(name, 1), index(40)))
}

// packedConversion reads the conversion.
func (f *function) packedConversion(op *ir.Op, s *productStore, word value.Value) *storeConversion {
	k := &storeConversion{code: f.code, from: s.src.e.f, to: s.dst.e.f}
	mode := f.or(f.bitField(word, 34, 5), f.shl(f.bitField(word, 29, 1), index(5)))
	if n, ok := constantInt(word); ok {
		mode = index(n>>34&0x1f | n>>29&1<<5)
	}
	known, scaled, vector, half := quantModes()
	f.trapIf(f.not(f.modeHas(known, mode)))
	k.scaled, k.vector, k.half = f.modeHas(scaled, mode), f.modeHas(vector, mode), f.modeHas(half, mode)
	k.relu = f.bitField(word, 39, 3)
	f.atMostOrTrap(k.relu, vectorRelu)
	k.factor = f.asFloat(f.trunc(f.regValue("QUANT_PRE", 0), i32))
	k.slope = f.asFloat(f.trunc(f.regValue("RELU_ALPHA", 0), i32))
	tables := f.regValue("FPC", 0)
	k.columns = f.factorWords(f.pointer(sem.FB, f.shl(f.bitField(tables, 8, 8), index(7))))
	k.slopes = f.pointer(sem.FB, f.shl(f.bitField(tables, 0, 8), index(6)))
	k.clips = f.nonZero(f.bitField(word, 30, 2))
	k.clip = f.clipOf(s.dst.e.f)
	f.saturation(op, k)
	return k
}

// quantModes are sets of the numbers of conversions: those there are, and
// those with each property.
func quantModes() (known, scaled, vector, half uint64) {
	for n := range int64(64) {
		q, ok := pto.QuantNumber(n)
		for _, set := range []struct {
			of *uint64
			on bool
		}{{&known, ok}, {&scaled, q.Scaled}, {&vector, q.Vector}, {&half, q.Half}} {
			if set.on {
				*set.of |= 1 << n
			}
		}
	}
	return known, scaled, vector, half
}

// modeHas is whether a mode is in a set.
func (c *code) modeHas(set uint64, mode value.Value) value.Value {
	if n, ok := constantInt(mode); ok {
		return constantBool(set>>n&1 != 0)
	}
	return c.trunc(c.lshr(index(int64(set)), mode), i1)
}

// clipOf reads a bound of 16 bits in the format that goes with the
// destination.
func (f *function) clipOf(to num.Format) value.Value {
	format := num.S16
	switch to {
	case num.F16:
		format = num.F16
	case num.U8:
		format = num.U16
	}
	bits := f.trunc(f.regValue("FIX_CLIP_RELU", 0), i16)
	return f.convert(format, num.F64, bits, num.NearestEven, false)
}
