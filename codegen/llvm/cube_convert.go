// This file emits the conversion of accumulator elements: quantization, activation,
// clipping and rounding.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// storeConversion describes how elements are converted when they are copied out of the
// accumulator (L0C). Parameters that are known at compile time are LLVM constants, for
// which the emitter omits unnecessary code.
type storeConversion struct {
	c        *code
	from, to num.Format
	// scaled, vector and half (i1) have the meaning of the fields of sem.Quant: elements
	// are multiplied by a factor, each column has its own factor, and elements are first
	// rounded to f16.
	scaled, vector, half value.Value
	// shifts means that elements are shifted to the right instead (sem.Quant).
	shifts bool
	// factor is the quantization factor if all columns have the same one.
	factor value.Value
	// columns returns the quantization factor and offset of each column, if columns have
	// different ones.
	columns columnFactors
	// relu is the number of the activation function: none, ReLU, or ReLU that multiplies
	// negative values by a slope.
	relu value.Value
	// slope is the slope (f32) if all columns have the same one. If each column has its
	// own slope, slopes is the address of a table of slopes.
	slope, slopes value.Value
	// clips (i1) means that results are limited to at most clip (double).
	clips value.Value
	// clip is the largest result, as a double, if clips is true.
	clip value.Value
	// sat is an i1 that is true if values out of range become the largest finite number.
	sat value.Value
	// keepNaN is an i1 that is true if NaN stays NaN instead of becoming zero.
	keepNaN value.Value
}

// knownConversion returns the element conversion of an instruction whose attributes,
// decoded in o, determine scaling and activation. The parameter from is the source
// format, and the parameter to is the destination format.
func (f *function) knownConversion(o sem.Fixpipe, from, to num.Format) *storeConversion {
	k := &storeConversion{
		c: f.code, from: from, to: to,
		scaled: ll.ConstantBool(o.Quant.Scaled), vector: ll.ConstantBool(o.Quant.Vector), half: ll.ConstantBool(o.Quant.Half),
		shifts: o.Quant.Shifts, relu: ll.Index(int64(o.Relu)), clips: ll.ConstantBool(false),
	}
	f.saturation(o.Saturation, k)
	return k
}

// storeConversion returns the element conversion of o, a copy out of the accumulator. The
// scaling factors and the slopes of this conversion are operands of the copy. The
// parameter from is the source format, and the parameter to is the destination format.
func (f *function) storeConversion(o *sem.Store, from, to num.Format) *storeConversion {
	k := f.knownConversion(o.Fixpipe, from, to)
	factor, factors := f.payload(o.Factor)
	k.factor, k.columns = factor, f.factorWords(factors)
	k.slope, k.slopes = f.payload(o.Slope)
	if o.Clip.Given() {
		v := o.Clip
		format, _ := ir.FormatOf(v.Type())
		if format.IsInt() && !pto.U16.Has(v.Type()) {
			format = format.AsSigned()
		}
		k.clips, k.clip = ll.ConstantBool(true), f.Convert(format, num.F64, f.val(v.Value), num.NearestEven, false)
	}
	return k
}

// columnFactors emits the quantization parameters of a matrix column. The field by is a
// function that returns the scale factor of the column, a float. The field offset is a
// function that returns a double, which is added to integer results. The argument of both
// functions is the column index.
type columnFactors struct {
	by, offset func(column value.Value) value.Value
}

// factorWords returns a description of quantization parameters in memory at address p,
// with one 64-bit word per column. Its functions emit loads of these words.
func (c *code) factorWords(p value.Value) columnFactors {
	return c.factorsOf(func(column value.Value) value.Value {
		return c.Load(ll.I64, c.offset(p, c.Mul(column, ll.Index(sem.FactorBytes))), 8)
	})
}

// factorsOf returns the quantization parameters of the columns. The parameter word is a
// function that returns the 64-bit quantization word of a column. Bits 13 to 31 of this
// word are the upper bits of the f32 factor, whose lower 13 bits are zero. Bits 37 to 45
// are the signed offset.
func (c *code) factorsOf(word func(column value.Value) value.Value) columnFactors {
	return columnFactors{
		by: func(column value.Value) value.Value {
			return c.AsFloat(c.And(c.Trunc(word(column), ll.I32), ll.Integer(ll.I32, -1<<13)))
		},
		offset: func(column value.Value) value.Value {
			return c.SIToFP(c.AShr(c.Shl(word(column), ll.Index(18)), ll.Index(55)), ll.F64)
		},
	}
}

// shiftFactor emits the power of two by which a shift to the right divides elements, from a
// 64-bit quantization word (sem.ShiftFactor).
func (c *code) shiftFactor(word value.Value) value.Value {
	bits := c.And(c.LShr(word, ll.Index(sem.ShiftAt)), ll.Index(15))
	// The exponent of 2^-1 is 126.
	return c.AsFloat(c.Trunc(c.Shl(c.Sub(ll.Index(126), bits), ll.Index(23)), ll.I32))
}

// payload evaluates a scaling operand. If it is a number that applies to all columns, the
// result x is this number as a float. If it is the address of a table with one number per
// column, the result p is this address. Both are nil if the operand is missing.
func (f *function) payload(o sem.Operand) (x, p value.Value) {
	switch {
	case !o.Given():
		return nil, nil
	case ir.Is[pto.PtrType](o.Type()):
		return nil, f.val(o.Value)
	}
	format, _ := ir.FormatOf(o.Type())
	return f.Convert(format, num.F32, f.val(o.Value), num.NearestEven, false), nil
}

// saturation sets the field of the conversion k that selects whether out-of-range floats
// saturate. If the parameter how is SatByCtrl, a control register decides at run time.
func (f *function) saturation(how sem.Saturation, k *storeConversion) {
	if how != sem.SatByCtrl {
		k.sat, k.keepNaN = ll.ConstantBool(how != sem.SatUnchanged), ll.ConstantBool(how != sem.SatFinite)
		return
	}
	ctrl := f.regValue(sem.RegCtrl, 0)
	noSat := f.Flag(ctrl, sem.CtrlNoSat)
	k.sat, k.keepNaN = f.Not(noSat), f.Or(noSat, f.Flag(ctrl, sem.CtrlKeepNaN))
}

// element emits the complete conversion of an accumulator element x in the given column:
// scaling, activation and rounding, as far as k requires them.
func (k *storeConversion) element(x, column value.Value) value.Value {
	if k.from.Signless() != k.to.Signless() {
		return k.converted(x, column)
	}
	changed := k.c.AnyOf(k.scaled, k.reluIs(sem.NoRelu, enum.IPredNE), k.clips)
	return k.c.ChooseKnown("changed", changed, func() value.Value { return k.converted(x, column) }, func() value.Value { return x })
}

// reluIs emits an i1 that compares the activation function of the store with the given
// one. The activation function may be known only at run time. The last argument is the
// predicate of the comparison: equal or not equal.
func (k *storeConversion) reluIs(kind sem.Relu, how enum.IPred) value.Value {
	if n, ok := ll.ConstantInt(k.relu); ok {
		return ll.ConstantBool((n == int64(kind)) == (how == enum.IPredEQ))
	}
	return k.c.ICmp(how, k.relu, ll.Index(int64(kind)))
}

// converted emits the conversion of the element x in the given column. The caller uses it
// for an element that is scaled or clipped, or whose format changes; any other element is
// copied unchanged.
func (k *storeConversion) converted(x, column value.Value) value.Value {
	if k.from.IsInt() {
		x = k.c.Convert(k.from, num.F64, x, num.NearestEven, false)
	}
	x = k.rectified(k.multiplied(x, column), column)
	if k.to.IsInt() {
		return k.integer(x, column)
	}
	x = k.c.ChooseKnown("clip", k.clips, func() value.Value {
		return k.c.FPTrunc(k.c.FMin(k.c.FPExt(x, ll.F64), k.clip), x.Type())
	}, func() value.Value { return x })
	return k.float(x)
}

// multiplied emits x times the factor of the column. If the source format is f32, the
// product is rounded to f32.
func (k *storeConversion) multiplied(x, column value.Value) value.Value {
	return k.c.ChooseKnown("scale", k.scaled, func() value.Value {
		by := k.c.ChooseKnown("factors", k.vector, func() value.Value {
			return k.columns.by(column)
		}, func() value.Value { return k.factor })
		x := k.c.ChooseKnown("half", k.half, func() value.Value {
			return k.c.FPTrunc(k.c.ToDouble(num.F16, k.c.Encode(num.F16, x, num.NearestEven, true)), x.Type())
		}, func() value.Value { return x })
		return k.c.FMul(x, k.c.FPExt(by, x.Type()))
	}, func() value.Value { return x })
}

// rectified emits the activation function of x: ReLU, or ReLU with a slope for negative
// values. Each column can have its own slope.
func (k *storeConversion) rectified(x, column value.Value) value.Value {
	times := func(slope value.Value) value.Value {
		return k.c.FPExt(k.c.FMul(k.c.FPTrunc(x, ll.F32), slope), x.Type())
	}
	return k.c.ChooseKnown("relu", k.reluIs(sem.NoRelu, enum.IPredNE), func() value.Value {
		below := k.c.ChooseKnown("slope", k.reluIs(sem.ScalarRelu, enum.IPredEQ), func() value.Value { return times(k.slope) }, func() value.Value {
			return k.c.ChooseKnown("slopes", k.reluIs(sem.VectorRelu, enum.IPredEQ), func() value.Value {
				return times(k.c.Load(ll.F32, k.c.offset(k.slopes, k.c.Mul(column, ll.Index(sem.SlopeBytes))), 4))
			}, func() value.Value { return ll.Zero(x.Type()) })
		})
		return k.c.Select(k.c.FCmp(enum.FPredOLT, x, ll.Zero(x.Type())), below, x)
	}, func() value.Value { return x })
}

// integer emits the conversion of x to an integer format: rounding, addition of the
// offset of the given column, clipping and saturation.
func (k *storeConversion) integer(x, column value.Value) value.Value {
	to := k.to
	if to.Signless() == to {
		to = to.AsSigned()
	}
	x = k.c.FPExt(x, ll.F64)
	round := num.NearestEven
	if k.shifts {
		round = num.Floor
	}
	x = k.c.Round(k.c.Select(k.c.IsNaN(x), ll.Zero(ll.F64), x), round)
	x = k.c.ChooseKnown("offset", k.vector, func() value.Value { return k.c.FAdd(x, k.columns.offset(column)) }, func() value.Value { return x })
	x = k.c.ChooseKnown("clip", k.clips, func() value.Value { return k.c.FMin(x, k.clip) }, func() value.Value { return x })
	return k.c.ClampToInt(to, x, num.Zero)
}

// float emits the rounding of x to the floating-point format of the destination.
func (k *storeConversion) float(x value.Value) value.Value {
	if k.to == num.F32 {
		return k.c.FPTrunc(x, ll.F32)
	}
	r := k.c.ChooseKnown("sat", k.sat, func() value.Value { return k.finite(x) }, func() value.Value { return k.c.Encode(k.to, x, k.rounding(), false) })
	return k.c.ChooseKnown("nan", k.keepNaN, func() value.Value { return r }, func() value.Value {
		return k.c.Select(k.c.IsNaN(x), ll.Zero(r.Type()), r)
	})
}

// rounding returns the rounding mode of conversions to the destination format of k.
func (k *storeConversion) rounding() num.Rounding {
	if k.to == num.HiF8 {
		return num.NearestAway
	}
	return num.NearestEven
}

// finite emits the conversion of x to the destination format, in which values out of
// range become the largest finite number. Usually, it emits a general sequence for the
// conversion with saturation (Code.Encode). For conversions from f32 to f16 or bf16, it
// emits code that limits x first and converts it afterwards. The results of both
// sequences are equal, but LLVM can vectorize only the second.
func (k *storeConversion) finite(x value.Value) value.Value {
	if x.Type() != types.Type(ll.F32) || k.to != num.F16 && k.to != num.BF16 {
		return k.c.Encode(k.to, x, k.rounding(), true)
	}
	limit := k.c.Num(x, num.Decode(k.to, num.Max(k.to)))
	x = k.c.Select(k.c.FCmp(enum.FPredOGT, x, limit), limit, x)
	low := k.c.FNeg(limit)
	x = k.c.Select(k.c.FCmp(enum.FPredOLT, x, low), low, x)
	return k.c.Encode(k.to, x, k.rounding(), false)
}
