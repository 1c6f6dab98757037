package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// The numbers of what becomes of elements below zero.
const (
	noRelu = iota
	normalRelu
	scalarRelu
	vectorRelu
)

var reluKinds = map[string]int64{"normal_relu": normalRelu, "scalar_relu": scalarRelu, "vector_relu": vectorRelu}

// storeConversion is what happens to elements on their way out of the
// accumulator. What is known here is constant, and what does not happen is not
// written.
type storeConversion struct {
	*code
	from, to             num.Format
	scaled, vector, half value.Value // i1, as in pto.Quant
	factor               value.Value // of all columns
	columns              columnFactors
	relu                 value.Value // its number
	slope, slopes        value.Value
	clips                value.Value // i1
	clip                 value.Value // double
	sat                  value.Value // i1: what does not fit becomes finite
	keepNaN              value.Value // i1
}

// Bytes of the factor and of the slope of a column.
const (
	factorBytes = 8
	slopeBytes  = 4
)

// Bits of CTRL that say what becomes of floats that do not fit.
const (
	ctrlNoSat   = 48
	ctrlKeepNaN = 50
)

// knownConversion is the conversion that an instruction does, which says so by
// itself: how it scales, and what becomes of elements below zero.
func (f *function) knownConversion(op *ir.Op, from, to num.Format, quant pto.Quant, relu string) *storeConversion {
	k := &storeConversion{
		code: f.code, from: from, to: to,
		scaled: constantBool(quant.Scaled), vector: constantBool(quant.Vector), half: constantBool(quant.Half),
		relu: index(reluKinds[relu]), clips: constantBool(false),
	}
	f.saturation(op, k)
	return k
}

// storeConversion finds the conversion of a copy with operands.
func (f *function) storeConversion(op *ir.Op, from, to num.Format) *storeConversion {
	k := f.knownConversion(op, from, to, pto.QuantOf(op.Attr("pre_quant_mode")), op.Attr("pre_relu_mode").Keyword())
	factor, factors := f.payload(op, "pre_quant")
	k.factor, k.columns = factor, f.factorWords(factors)
	k.slope, k.slopes = f.payload(op, "pre_relu")
	if v := op.Arg("clip_value"); v != nil {
		format, _ := ir.FormatOf(v.Type())
		if format.IsInt() && !pto.U16.Has(v.Type()) {
			format = format.AsSigned()
		}
		k.clips, k.clip = constantBool(true), f.convert(format, num.F64, f.val(v), num.NearestEven, false)
	}
	return k
}

// columnFactors say what is written for the factor of a column, as float, and
// for what is added to integers, as double.
type columnFactors struct {
	by, offset func(column value.Value) value.Value
}

// factorWords are factors that lie in words from p on.
func (c *code) factorWords(p value.Value) columnFactors {
	return c.factorsOf(func(column value.Value) value.Value {
		return c.load(i64, c.offset(p, c.mul(column, index(factorBytes))), 8)
	})
}

// factorsOf takes words apart: the factor without its last bits, and an offset
// of 9 bits with a sign from bit 37 on.
func (c *code) factorsOf(word func(column value.Value) value.Value) columnFactors {
	return columnFactors{
		by: func(column value.Value) value.Value {
			return c.asFloat(c.and(c.trunc(word(column), i32), integer(i32, -1<<13)))
		},
		offset: func(column value.Value) value.Value {
			return c.sitofp(c.ashr(c.shl(word(column), index(18)), index(55)), f64)
		},
	}
}

// payload is an operand that scales elements: a number as float, or the
// address of one for each column.
func (f *function) payload(op *ir.Op, name string) (x, p value.Value) {
	v := op.Arg(name)
	switch {
	case v == nil:
		return nil, nil
	case ir.Is[pto.PtrType](v.Type()):
		return nil, f.val(v)
	}
	format, _ := ir.FormatOf(v.Type())
	return f.convert(format, num.F32, f.val(v), num.NearestEven, false), nil
}

// saturation finds out what becomes of floats that do not fit.
func (f *function) saturation(op *ir.Op, k *storeConversion) {
	mode := op.Attr("sat_mode").Keyword()
	if mode != "" {
		k.sat, k.keepNaN = constantBool(mode != "nosat"), constantBool(mode != "sat")
		return
	}
	ctrl := f.regValue("CTRL", 0)
	noSat := f.flag(ctrl, ctrlNoSat)
	k.sat, k.keepNaN = f.not(noSat), f.or(noSat, f.flag(ctrl, ctrlKeepNaN))
}

// element converts an element of a column.
func (k *storeConversion) element(x, column value.Value) value.Value {
	if k.from.Signless() != k.to.Signless() {
		return k.converted(x, column)
	}
	changed := k.anyOf(k.scaled, k.reluIs(noRelu, enum.IPredNE), k.clips)
	return k.pick("changed", changed, func() value.Value { return k.converted(x, column) }, func() value.Value { return x })
}

// reluIs compares the number of what becomes of elements below zero.
func (k *storeConversion) reluIs(kind int64, how enum.IPred) value.Value {
	if n, ok := constantInt(k.relu); ok {
		return constantBool((n == kind) == (how == enum.IPredEQ))
	}
	return k.icmp(how, k.relu, index(kind))
}

func (k *storeConversion) converted(x, column value.Value) value.Value {
	if k.from.IsInt() {
		x = k.convert(k.from, num.F64, x, num.NearestEven, false)
	}
	x = k.rectified(k.multiplied(x, column), column)
	if k.to.IsInt() {
		return k.integer(x, column)
	}
	x = k.pick("clip", k.clips, func() value.Value {
		return k.fptrunc(fmin(k.code, k.fpext(x, f64), k.clip, nil), x.Type())
	}, func() value.Value { return x })
	return k.float(x)
}

// multiplied is x times the factor. From f32 the product is rounded to f32.
func (k *storeConversion) multiplied(x, column value.Value) value.Value {
	return k.pick("scale", k.scaled, func() value.Value {
		by := k.pick("factors", k.vector, func() value.Value {
			return k.columns.by(column)
		}, func() value.Value { return k.factor })
		x := k.pick("half", k.half, func() value.Value {
			return k.fptrunc(k.toDouble(num.F16, k.encode(num.F16, x, num.NearestEven, true)), x.Type())
		}, func() value.Value { return x })
		return k.fmul(x, k.fpext(by, x.Type()))
	}, func() value.Value { return x })
}

// rectified replaces what is below zero.
func (k *storeConversion) rectified(x, column value.Value) value.Value {
	times := func(slope value.Value) value.Value { return k.fpext(k.fmul(k.fptrunc(x, f32), slope), x.Type()) }
	return k.pick("relu", k.reluIs(noRelu, enum.IPredNE), func() value.Value {
		below := k.pick("slope", k.reluIs(scalarRelu, enum.IPredEQ), func() value.Value { return times(k.slope) }, func() value.Value {
			return k.pick("slopes", k.reluIs(vectorRelu, enum.IPredEQ), func() value.Value {
				return times(k.load(f32, k.offset(k.slopes, k.mul(column, index(slopeBytes))), 4))
			}, func() value.Value { return zero(x.Type()) })
		})
		return k.sel(k.fcmp(enum.FPredOLT, x, zero(x.Type())), below, x)
	}, func() value.Value { return x })
}

// integer rounds x, adds the offset, bounds it and saturates.
func (k *storeConversion) integer(x, column value.Value) value.Value {
	to := k.to
	if to.Signless() == to {
		to = to.AsSigned()
	}
	x = k.fpext(x, f64)
	x = k.round(k.sel(k.isNaN(x), zero(f64), x), num.NearestEven)
	x = k.pick("offset", k.vector, func() value.Value { return k.fadd(x, k.columns.offset(column)) }, func() value.Value { return x })
	x = k.pick("clip", k.clips, func() value.Value { return fmin(k.code, x, k.clip, nil) }, func() value.Value { return x })
	return k.clampToInt(to, x, num.Zero)
}

// float rounds x into a format of floats.
func (k *storeConversion) float(x value.Value) value.Value {
	if k.to == num.F32 {
		return k.fptrunc(x, f32)
	}
	r := k.pick("sat", k.sat, func() value.Value { return k.finite(x) }, func() value.Value { return k.encode(k.to, x, k.rounding(), false) })
	return k.pick("nan", k.keepNaN, func() value.Value { return r }, func() value.Value {
		return k.sel(k.isNaN(x), zero(r.Type()), r)
	})
}

func (k *storeConversion) rounding() num.Rounding {
	if k.to == num.HiF8 {
		return num.NearestAway
	}
	return num.NearestEven
}

// finite rounds x to a finite number. A float is bounded first where that does
// the same, so that loops over it become vectors.
func (k *storeConversion) finite(x value.Value) value.Value {
	if x.Type() != types.Type(f32) || k.to != num.F16 && k.to != num.BF16 {
		return k.encode(k.to, x, k.rounding(), true)
	}
	limit := k.num(x, num.Decode(k.to, num.Max(k.to)))
	x = k.sel(k.fcmp(enum.FPredOGT, x, limit), limit, x)
	low := k.fneg(limit)
	x = k.sel(k.fcmp(enum.FPredOLT, x, low), low, x)
	return k.encode(k.to, x, k.rounding(), false)
}
