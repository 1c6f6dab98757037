// This file emits copies out of the accumulator whose parameters are packed in
// registers.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	isacube "ptogo/dialect/pto/isa/cube"
	"ptogo/dialect/pto/sem"
	"ptogo/ir/num"
)

// packedStore emits a copy out of the accumulator whose parameters are bit fields of two
// operands and of special registers.
func (f *function) packedStore(o *sem.Store, s *productStore) {
	a, b := f.number(o.Words[0]), f.number(o.Words[1])
	s.n, s.m, s.dstStride = f.part(a, sem.StoreN), f.part(a, sem.StoreM), f.part(a, sem.StoreDstStride)
	s.srcStride, s.fractal = f.part(b, sem.StoreSrcStride), s.fractalCols(f.Flag(b, sem.StoreSplit))
	s.core, s.splitRows, s.splitCols = ll.Index(0), ll.ConstantBool(false), ll.ConstantBool(false)
	if s.dst.space == sem.UB {
		f.AtMostOrTrap(f.part(b, sem.StoreHalf), int64(sem.SplitCols))
		s.splitRows, s.splitCols, s.core = f.Flag(b, int64(sem.StoreHalf.From)), f.Flag(b, int64(sem.StoreHalf.From)+1), f.part(b, sem.StoreCore)
	}
	s.conv = f.packedConversion(o, s, b)
	word := f.joined(sem.RegStoreLoop)
	f.WhenElse("by.fractal", f.NoneOf(f.Flag(b, sem.StoreByColumns), f.Flag(b, sem.StoreByRows)), func() {
		s.rowStride, s.loops, s.loopSrc, s.loopDst = ll.Index(1), ll.Index(1), ll.Index(0), ll.Index(0)
		s.write((*storeWindow).byFractal)
	}, func() {
		s.loops, s.loopSrc, s.loopDst = f.part(word, sem.StoreLoops), f.part(word, sem.StoreLoopSrc), f.part(word, sem.StoreLoopDst)
		// A word of zero is a loop that was never set up.
		s.loops = f.Select(f.ICmp(enum.IPredEQ, word, ll.Index(0)), ll.Index(1), s.loops)
		f.WhenElse("by.column", f.Flag(b, sem.StoreByColumns), func() {
			s.rowStride = f.Call2("llvm.umax", f.LShr(f.joined(sem.RegStoreChannel), ll.Index(int64(sem.StoreRowStride.From))), ll.Index(1))
			s.write((*storeWindow).byColumn)
		}, func() {
			s.rowStride = ll.Index(1)
			s.write((*storeWindow).byRow)
		})
	})
}

// part emits the extraction of a bit field from an integer. The parameter word is the
// integer, and the parameter field contains the position and the width of the bit field.
func (f *function) part(word value.Value, field sem.Field) value.Value {
	return f.BitField(word, int64(field.From), int64(field.Bits))
}

// joined emits the 64-bit value of the special register with the given name. The lower
// and the upper bits of the value are stored in the two words of the register.
func (f *function) joined(name string) value.Value {
	return f.Or(f.regValue(name, 0), f.Shl(f.regValue(name, 1), ll.Index(sem.SecondPart)))
}

// packedConversion returns the conversion of elements for the store o out of the
// accumulator. The packed configuration operand (the parameter word) selects the
// quantization mode and the activation function. Special registers contain the factors
// and the addresses of tables. The emitted code traps if the mode is unknown.
func (f *function) packedConversion(o *sem.Store, s *productStore, word value.Value) *storeConversion {
	k := &storeConversion{c: f.code, from: s.src.e.f, to: s.dst.e.f}
	mode := f.Or(f.part(word, sem.StoreQuantLow), f.Shl(f.part(word, sem.StoreQuantHigh), ll.Index(int64(sem.StoreQuantLow.Bits))))
	if n, ok := ll.ConstantInt(word); ok {
		mode = ll.Index(int64(sem.QuantNumber(uint64(n))))
	}
	known, scaled, vector, half := quantModes()
	f.TrapIf(f.Not(f.modeHas(known, mode)))
	k.scaled, k.vector, k.half = f.modeHas(scaled, mode), f.modeHas(vector, mode), f.modeHas(half, mode)
	k.relu = f.part(word, sem.StoreRelu)
	f.AtMostOrTrap(k.relu, int64(sem.VectorRelu))
	k.factor = f.AsFloat(f.Trunc(f.regValue(sem.RegQuantFactor, 0), ll.I32))
	k.slope = f.AsFloat(f.Trunc(f.regValue(sem.RegReluSlope, 0), ll.I32))
	tables := f.regValue(sem.RegColumnTables, 0)
	k.columns = f.factorWords(f.pointer(sem.FB, f.Shl(f.part(tables, sem.FactorTable), ll.Index(sem.FactorTableShift))))
	k.slopes = f.pointer(sem.FB, f.Shl(f.part(tables, sem.SlopeTable), ll.Index(sem.SlopeTableShift)))
	k.clips = f.NonZero(f.part(word, sem.StoreClips))
	k.clip = f.clipOf(s.dst.e.f)
	f.saturation(o.Saturation, k)
	return k
}

// quantModes returns four sets of quantization modes. A quantization mode is the number
// by which an instruction selects scaling and format conversion. Each set is a bit mask,
// in which bit i represents mode i. The set known contains all valid modes. The sets
// scaled, vector and half contain the modes for which the field of the same name in
// sem.Quant is set.
func quantModes() (known, scaled, vector, half uint64) {
	for n := range int64(64) {
		q, ok := isacube.QuantNumber(n)
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

// modeHas emits a test, an i1, whether a quantization mode is in a set of modes. The set
// is a bit mask: bit n is set if mode n is in the set. The second argument is the mode to
// test.
func (c *code) modeHas(set uint64, mode value.Value) value.Value {
	if n, ok := ll.ConstantInt(mode); ok {
		return ll.ConstantBool(set>>n&1 != 0)
	}
	return c.Trunc(c.LShr(ll.Index(int64(set)), mode), ll.I1)
}

// clipOf emits a read of the clipping bound from a special register, converted to double.
// A copy out of the accumulator limits its results to this bound. The register holds 16
// bits, whose format depends on the destination format in the parameter to.
func (f *function) clipOf(to num.Format) value.Value {
	format := num.S16
	switch to {
	case num.F16:
		format = num.F16
	case num.U8:
		format = num.U16
	}
	bits := f.Trunc(f.regValue(sem.RegReluClip, 0), ll.I16)
	return f.Convert(format, num.F64, bits, num.NearestEven, false)
}
