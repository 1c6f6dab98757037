package pto

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Elementwise instructions on two tiles. They differ in the function of one element
// and in the element types that a target has, so each is that function, its types and
// its page; shapes, layouts, pipe and rules come from tileBinary.

const elementwise = "elementwise-tile-tile"

// tileBinary defines dst = fn(src0, src1) over the valid region of dst.
func tileBinary(o Op, fn *scalar.Fn, on On) *ir.Def {
	o.Ins = append(Args{
		in("src0", RowMajorTile(on, sem.OnAll)),
		in("src1", LikeTile("src0").rowMajor(sem.OnAll)),
	}, o.Ins...)
	if o.Outs == nil {
		o.Outs = Args{out("dst", LikeTile("src0").rowMajor(sem.OnAll))}
	}
	if o.Sem == nil {
		o.Sem = sem.TileMap{Fn: fn}
	}
	o.Rules = append(likeDst(o.Strict, "src0", "src1"), o.Rules...)
	o.Family, o.Pipe = orElse(o.Family, elementwise), sem.PipeV
	t := "16x64x" + on.common()
	o.sample([]string{t}, t, t)
	return tile(o)
}

// Element types of the family. 64-bit integers on A5 are in the newer pages of
// the ISA manual only.
var (
	mulElems    = On{A2A3: I16 | I32 | F16 | F32, A5: Ints16 | Ints32 | Ints64 | Floats}
	tileDiv     = On{A2A3: F16 | F32, A5: Ints16 | Ints32 | Ints64 | F16 | F32}
	tileFmod    = On{A2A3: I16 | I32 | F16 | F32, A5: Ints16 | Ints32 | F16 | BF16 | F32}
	tileBits    = On{A2A3: Ints, A5: Ints}
	tileShift   = On{A2A3: Ints, A5: Ints | Ints64}
	powElems    = On{A2A3: Ints | F32, A5: Ints | Floats}
	floatsOnly  = Both(F16 | F32)
	fusedFloats = Both(F16 | F32)
)

// Arithmetic on two tiles.
var (
	TAdd = define("tadd", func(name string) *ir.Def {
		return timed(tileBinary(Op{
			Name: name, Page: isaPage("TADD"),
			Doc: "Adds src0 and src1 element by element.",
		}, scalar.Add, arithElems), tileBinaryCycles...)
	})

	TSub = define("tsub", func(name string) *ir.Def {
		return timed(tileBinary(Op{
			Name: name, Page: isaPage("TSUB"),
			Doc:   "Subtracts src1 from src0 element by element.",
			Notes: []string{"bf16 on A5: the ISA page has it, the IR manual has not; accepted."},
		}, scalar.Sub, arithElems), tileBinaryCycles...)
	})

	TMul = define("tmul", func(name string) *ir.Def {
		return timed(tileBinary(Op{
			Name: name, Page: isaPage("TMUL"),
			Doc:   "Multiplies src0 and src1 element by element.",
			Notes: []string{"bf16 on A5: the ISA page has it, the IR manual has not; accepted."},
		}, scalar.Mul, mulElems),
			Latency{Elems: "floats", Startup: 14, Completion: 20, PerRepeat: 2, Interval: 18},
			Latency{Elems: "integers", Startup: 14, Completion: 18, PerRepeat: 2, Interval: 18})
	})

	TDiv = define("tdiv", func(name string) *ir.Def {
		return timed(tileBinary(Op{
			Name: name, Page: isaPage("TDIV"),
			Doc:   "Divides src0 by src1 element by element; integers truncate.",
			Attrs: []ir.AttrDef{divPrecision},
			Notes: []string{"Both precisions divide exactly: the pages leave the default open."},
		}, scalar.Div, tileDiv), tileBinaryCycles...)
	})

	TMax = define("tmax", func(name string) *ir.Def {
		return timed(tileBinary(Op{
			Name: name, Page: isaPage("TMAX"),
			Doc:   "Takes the larger element of src0 and src1; NaN wins.",
			Notes: []string{"bf16 on A5: the ISA page has it, the IR manual has not; accepted."},
		}, scalar.Max, arithElems), tileBinaryCycles...)
	})

	TMin = define("tmin", func(name string) *ir.Def {
		return timed(tileBinary(Op{
			Name: name, Page: isaPage("TMIN"),
			Doc:   "Takes the smaller element of src0 and src1; NaN wins.",
			Notes: []string{"bf16 on A5: the ISA page has it, the IR manual has not; accepted."},
		}, scalar.Min, arithElems), tileBinaryCycles...)
	})

	TFMod = define("tfmod", func(name string) *ir.Def {
		return timed(tileBinary(Op{
			Name: name, Page: isaPage("TFMOD"),
			Doc:   "Takes the remainder of src0 divided by src1, with the sign of src0.",
			Attrs: []ir.AttrDef{precision(FmodPrecisionEnum)},
			Notes: []string{fmodNote,
				"The pages list no types; those of the public compiler are accepted, and bf16 on A5 as tfmods has it."},
			Rules: overwritten("src0", "src1"),
		}, scalar.Fmod, tileFmod), tileBinaryCycles...)
	})

	TRem = define("trem", func(name string) *ir.Def {
		return timed(tileBinary(Op{
			Name: name, Page: isaPage("TREM"), Strict: true,
			Sem:         sem.TileMap{Fn: scalar.Rem, Choose: remainderFn},
			Doc:         "Takes the remainder of src0 divided by src1, with the sign of src1.",
			Ins:         Args{scratch("tmp", anyTmp.rowMajor(sem.OnAll))},
			Attrs:       []ir.AttrDef{precision(RemPrecisionEnum)},
			ScratchTile: scratchRows("dst", 2),
			Rules:       append(overwritten("src0", "src1"), tmpLike(sem.OnA2A3, "dst"), tmpScratch(sem.OnA2A3, "dst", 2)),
			Notes:       []string{"The IR manual has the sign of the dividend; the ISA page, which goes first, rounds down.", remZero, remExact},
		}, scalar.Rem, remElems), tileBinaryCycles...)
	})

	TPow = define("tpow", func(name string) *ir.Def {
		return tileBinary2("base", "exp", Op{
			Name: name, Page: isaPage("TPOW"), Strict: true, Order: []string{"base", "exp", "dst", "tmp"},
			Doc:     "Raises base to the power exp element by element.",
			Ins:     Args{scratch("tmp", anyTmp.rowMajor(sem.OnAll))},
			Attrs:   []ir.AttrDef{precision(PowPrecisionEnum)},
			Scratch: sem.OnAll, ScratchTile: powScratch,
			Notes: []string{powNote},
			Rules: append(powRules("base"), overwritten("base", "exp")...),
		}, scalar.Pow, powElems)
	})
)

// fmodNote says where the sources differ on tfmod and tfmods.
const fmodNote = "The page's summary says floor, its formula fmod; public golden data is fmod. A zero keeps the sign of the dividend, as in the formula and the simulator; in default precision the headers, which subtract, make it positive."

// remainderFn returns the function of trem and trems: in high precision, which
// the headers of A5 have for f32, a zero keeps the sign of the dividend.
func remainderFn(op *ir.Op, t ir.Target) *scalar.Fn {
	dst, _ := tileArg(op, "dst")
	if t == sem.A5 && dst.Elem == ir.F32 && attrIs(op, "precisionType", "high_precision") {
		return scalar.RemZero
	}
	return scalar.Rem
}

// remExact says where the sources differ on large quotients.
const remExact = "The remainder is exact, as in the simulator and in high precision. In default precision the headers divide, round down and multiply back in f32, which loses it where the quotient has more digits than f32; of f16 on A5 they also cut what they get to f16, toward zero."

// remZero says where the sources differ on zeros of trem and trems.
const remZero = "A zero is positive: so are those of the page's formula and of the default headers. In high precision of f32 on A5 it keeps the sign of the dividend, as the headers and the simulator do; the simulator does so everywhere, golden data has the sign of the divisor and compares numbers. A negative number by +infinity gives +infinity, as the page's rounding down, high precision and the simulator do; the default headers multiply zero by infinity, which is NaN."

// powNote says where the sources differ on tpow and tpows.
const powNote = "Zeros, infinities and NaN are as in C, in the headers of A5 and in the simulator. The headers of A2/A3 give +0 or +infinity for a zero of either sign, and NaN for 1 to the power of an infinity or of NaN. Integers wrap, and negative exponents give the truncated quotient, as the headers have it; the simulator's tpows converts a power of doubles."

// powScratch is the scratch tile of powers of floating-point numbers.
func powScratch(op *ir.Op, t ir.Target) (TileInfo, bool) {
	tile, ok := scratchLike("dst")(op, t)
	return tile, ok && !ir.Is[ir.IntegerType](tile.Elem)
}

// powRules are the rules on the scratch tile and the precision of powers.
func powRules(base string) []Rule {
	return []Rule{
		Check(func(op *ir.Op, t ir.Target) string {
			info, _ := tileArg(op, base)
			isInt := ir.Is[ir.IntegerType](info.Elem)
			switch {
			case isInt && op.Arg("tmp") != nil:
				return "powers of integers take no \"tmp\""
			case !attrIs(op, "precisionType", "high_precision"):
				return ""
			case t != sem.A5:
				return "there is no high_precision power"
			case isInt:
				return "high_precision is for floating point, but \"" + base + "\" has " + info.Elem.String()
			}
			return ""
		}),
		tmpLike(sem.OnAll, "dst"), tmpValid(sem.OnAll, "dst"), tmpHolds(sem.OnA2A3, "dst", TileInfo.Bytes),
	}
}

// tileBinary2 is tileBinary with other names for the operands.
func tileBinary2(a, b string, o Op, fn *scalar.Fn, on On) *ir.Def {
	o.Ins = append(Args{in(a, RowMajorTile(on, sem.OnAll)), in(b, LikeTile(a).rowMajor(sem.OnAll))}, o.Ins...)
	o.Outs = Args{out("dst", LikeTile(a).rowMajor(sem.OnAll))}
	o.Sem, o.Family, o.Pipe = sem.TileMap{Fn: fn}, elementwise, sem.PipeV
	o.Rules = append(likeDst(o.Strict, a, b), o.Rules...)
	t := "16x64x" + on.common()
	o.sample([]string{t}, t, t)
	return tile(o)
}

// Bits of two tiles.
var (
	TAnd = define("tand", func(name string) *ir.Def {
		return timed(tileBinary(Op{
			Name: name, Page: isaPage("TAND"), Strict: true,
			Doc:   "Ands the bits of src0 and src1.",
			Notes: []string{"32 bits on A2/A3: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.And, tileBits), tileBinaryCycles...)
	})

	TOr = define("tor", func(name string) *ir.Def {
		return timed(tileBinary(Op{
			Name: name, Page: isaPage("TOR"), Strict: true,
			Doc:   "Ors the bits of src0 and src1.",
			Notes: []string{"32 bits on A2/A3: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.Or, tileBits), tileBinaryCycles...)
	})

	TXor = define("txor", func(name string) *ir.Def {
		return tileBinary(Op{
			Name: name, Page: isaPage("TXOR"), Strict: true,
			Doc:         "Xors the bits of src0 and src1.",
			Ins:         Args{scratch("tmp", anyTmp)},
			ScratchTile: scratchLike("dst"),
			Rules:       append(overwritten("src0", "src1"), tmpLike(sem.OnA2A3, "dst"), tmpValid(sem.OnA2A3, "dst")),
			Notes:       []string{"32 bits on A2/A3: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.Xor, tileBits)
	})

	TShl = define("tshl", func(name string) *ir.Def {
		return timed(tileBinary(Op{
			Name: name, Page: isaPage("TSHL"), Strict: true,
			Doc: "Shifts the elements of src0 left by the counts in src1.",
		}, scalar.ShlWide, tileShift), tileBinaryCycles...)
	})

	TShr = define("tshr", func(name string) *ir.Def {
		return timed(tileBinary(Op{
			Name: name, Page: isaPage("TSHR"), Strict: true,
			Doc: "Shifts the elements of src0 right by the counts in src1: arithmetically, or logically for unsigned elements.",
		}, scalar.ShrWide, tileShift), tileBinaryCycles...)
	})
)

// TPRelu is the leaky rectifier with a slope per element.
var TPRelu = define("tprelu", func(name string) *ir.Def {
	return tileBinary(Op{
		Name: name, Page: isaPage("TPRELU"),
		Doc:         "Keeps positive elements of src0 and multiplies the others by the element of src1.",
		Ins:         Args{scratch("tmp", anyTmp.rowMajor(sem.OnAll))},
		ScratchTile: preluScratch,
		Rules:       []Rule{Apart{On: sem.OnA2A3, A: "src0", B: "dst", Late: true}, SameShape(sem.OnAll, "src0", "dst"), SameShape(sem.OnAll, "src1", "dst"), preluTmp, tmpDistinct(sem.OnA2A3, "src0", "src1", "dst")},
	}, scalar.PreluAbove, floatsOnly)
})

// preluScratch is a bit per element and a row more.
func preluScratch(op *ir.Op, _ ir.Target) (TileInfo, bool) {
	dst, ok := tileArg(op, "dst")
	dst = wholeTile(dst)
	tile := plainTile(ir.I8, dst.VRows+1, max(32, ceilDiv(ceilDiv(dst.VCols, 8), 32)*32))
	tile.VRows, tile.VCols = dst.VRows, ceilDiv(dst.VCols, 8)
	return tile, ok
}

// preluTmp asks for scratch for one bit per element and one more row.
var preluTmp = scratchCheck(sem.OnA2A3, []string{"dst"}, func(_ *ir.Op, t []TileInfo) string {
	tmp, dst := t[0], t[1]
	switch {
	case !(Ints8).Has(tmp.Elem):
		return "\"tmp\" must have elements of type i8 or ui8, but has " + tmp.Elem.String()
	case dst.VRows != ir.Dynamic && tmp.Rows < dst.VRows+1:
		return "\"tmp\" must have one row more than \"dst\" has valid rows"
	case dst.VCols != ir.Dynamic && tmp.VCols != ir.Dynamic && tmp.VCols < (dst.VCols+7)/8:
		return "\"tmp\" must have a valid column for every 8 valid columns of \"dst\""
	}
	return ""
})
