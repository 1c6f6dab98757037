package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// packedStore writes a copy whose parameters lie in two words and registers.
func (f *function) packedStore(op *ir.Op, s *productStore) {
	n := op.NumOperands()
	a, b := f.Resize(f.val(op.Operand(n-2)), ll.I64, false), f.Resize(f.val(op.Operand(n-1)), ll.I64, false)
	s.n, s.m, s.dstStride = f.BitField(a, 4, 12), f.BitField(a, 16, 16), f.BitField(a, 32, 32)
	s.srcStride, s.fractal = f.BitField(b, 0, 16), s.fractalCols(f.Flag(b, 42))
	s.core, s.splitRows, s.splitCols = ll.Index(0), ll.ConstantBool(false), ll.ConstantBool(false)
	if s.dst.space == sem.UB {
		f.AtMostOrTrap(f.BitField(b, 16, 2), 2)
		s.splitRows, s.splitCols, s.core = f.Flag(b, 16), f.Flag(b, 17), f.BitField(b, 18, 1)
	}
	s.conv = f.packedConversion(op, s, b)
	word := f.joined("LOOP3_PARA")
	f.WhenElse("by.fractal", f.NoneOf(f.Flag(b, 62), f.Flag(b, 43)), func() {
		s.rowStride, s.loops, s.loopSrc, s.loopDst = ll.Index(1), ll.Index(1), ll.Index(0), ll.Index(0)
		s.write((*storeWindow).byFractal)
	}, func() {
		s.loops, s.loopSrc, s.loopDst = f.BitField(word, 0, 16), f.BitField(word, 16, 16), f.BitField(word, 32, 32)
		// A word of zero is a loop that nobody has set up.
		s.loops = f.Select(f.ICmp(enum.IPredEQ, word, ll.Index(0)), ll.Index(1), s.loops)
		f.WhenElse("by.column", f.Flag(b, 62), func() {
			s.rowStride = f.Call2("llvm.umax", f.LShr(f.joined("CHANNEL_PARA"), ll.Index(48)), ll.Index(1))
			s.write((*storeWindow).byColumn)
		}, func() {
			s.rowStride = ll.Index(1)
			s.write((*storeWindow).byRow)
		})
	})
}

// joined is a register that instructions set in two parts, the second from bit
// 40 on.
func (f *function) joined(name string) value.Value {
	return f.Or(f.regValue(name, 0), f.Shl(f.regValue(name, 1), ll.Index(40)))
}

// packedConversion reads the conversion.
func (f *function) packedConversion(op *ir.Op, s *productStore, word value.Value) *storeConversion {
	k := &storeConversion{code: f.code, from: s.src.e.f, to: s.dst.e.f}
	mode := f.Or(f.BitField(word, 34, 5), f.Shl(f.BitField(word, 29, 1), ll.Index(5)))
	if n, ok := ll.ConstantInt(word); ok {
		mode = ll.Index(n>>34&0x1f | n>>29&1<<5)
	}
	known, scaled, vector, half := quantModes()
	f.TrapIf(f.Not(f.modeHas(known, mode)))
	k.scaled, k.vector, k.half = f.modeHas(scaled, mode), f.modeHas(vector, mode), f.modeHas(half, mode)
	k.relu = f.BitField(word, 39, 3)
	f.AtMostOrTrap(k.relu, vectorRelu)
	k.factor = f.AsFloat(f.Trunc(f.regValue("QUANT_PRE", 0), ll.I32))
	k.slope = f.AsFloat(f.Trunc(f.regValue("RELU_ALPHA", 0), ll.I32))
	tables := f.regValue("FPC", 0)
	k.columns = f.factorWords(f.pointer(sem.FB, f.Shl(f.BitField(tables, 8, 8), ll.Index(7))))
	k.slopes = f.pointer(sem.FB, f.Shl(f.BitField(tables, 0, 8), ll.Index(6)))
	k.clips = f.NonZero(f.BitField(word, 30, 2))
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
	if n, ok := ll.ConstantInt(mode); ok {
		return ll.ConstantBool(set>>n&1 != 0)
	}
	return c.Trunc(c.LShr(ll.Index(int64(set)), mode), ll.I1)
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
	bits := f.Trunc(f.regValue("FIX_CLIP_RELU", 0), ll.I16)
	return f.Convert(format, num.F64, bits, num.NearestEven, false)
}
