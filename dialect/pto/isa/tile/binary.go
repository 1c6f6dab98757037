// This file defines elementwise instructions with two tile operands.

package tile

import (
	"cmp"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Elementwise instructions on two tiles. They differ in the function of one element
// and in the element types that a target has, so each is that function, its types and
// its page; shapes, layouts, pipe and rules come from tileBinary.

// elementwise is the chapter of the ISA manual on elementwise instructions with tile
// operands.
const elementwise = "elementwise-tile-tile"

// tileBinary returns the definition of an instruction that computes dst = fn(src0, src1)
// for every element of the valid region of dst.
func tileBinary(o Op, fn *scalar.Fn, elems On) *ir.Def {
	o.Ins = append(Args{
		In("src0", RowMajorTile(elems, sem.OnAll)),
		In("src1", LikeTile("src0").RowMajor(sem.OnAll)),
	}, o.Ins...)
	if o.Outs == nil {
		o.Outs = Args{Out("dst", LikeTile("src0").RowMajor(sem.OnAll))}
	}
	if o.Sem == nil {
		o.Sem = sem.TileMap{Fn: fn}
	}
	o.Rules = append(LikeDst(o.Strict, "src0", "src1"), o.Rules...)
	o.Family, o.Pipe = cmp.Or(o.Family, elementwise), sem.PipeV
	t := "16x64x" + elems.Common()
	o.Sample([]string{t}, t, t)
	return TileOp(o)
}

// The supported element types of arithmetic instructions on two tiles, for each target.
// Only newer pages of the ISA manual list 64-bit integers on A5.
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

// Definitions of the arithmetic instructions on two tiles.
var (
	TAdd = Define("tadd", func(name string) *ir.Def {
		return Timed(tileBinary(Op{
			Name: name, Page: IsaPage("TADD"),
			Doc: "Adds src0 and src1 element by element.",
		}, scalar.Add, arithElems), tileBinaryCycles...)
	})

	TSub = Define("tsub", func(name string) *ir.Def {
		return Timed(tileBinary(Op{
			Name: name, Page: IsaPage("TSUB"),
			Doc:   "Subtracts src1 from src0 element by element.",
			Notes: []string{"bf16 on A5: the ISA page has it, the IR manual has not; accepted."},
		}, scalar.Sub, arithElems), tileBinaryCycles...)
	})

	TMul = Define("tmul", func(name string) *ir.Def {
		return Timed(tileBinary(Op{
			Name: name, Page: IsaPage("TMUL"),
			Doc:   "Multiplies src0 and src1 element by element.",
			Notes: []string{"bf16 on A5: the ISA page has it, the IR manual has not; accepted."},
		}, scalar.Mul, mulElems),
			Latency{Elems: "floats", Startup: 14, Completion: 20, PerRepeat: 2, Interval: 18},
			Latency{Elems: "integers", Startup: 14, Completion: 18, PerRepeat: 2, Interval: 18})
	})

	TDiv = Define("tdiv", func(name string) *ir.Def {
		return Timed(tileBinary(Op{
			Name: name, Page: IsaPage("TDIV"),
			Doc:   "Divides src0 by src1 element by element; integers truncate.",
			Attrs: []ir.AttrDef{divPrecision},
			Rules: []Rule{wideRows("dst")},
			Notes: []string{"Both precisions divide exactly: the pages leave the default open."},
		}, scalar.Div, tileDiv), tileBinaryCycles...)
	})

	TMax = Define("tmax", func(name string) *ir.Def {
		return Timed(tileBinary(Op{
			Name: name, Page: IsaPage("TMAX"),
			Doc:   "Computes the larger element of src0 and src1; NaN wins.",
			Notes: []string{"bf16 on A5: the ISA page has it, the IR manual has not; accepted."},
		}, scalar.Max, arithElems), tileBinaryCycles...)
	})

	TMin = Define("tmin", func(name string) *ir.Def {
		return Timed(tileBinary(Op{
			Name: name, Page: IsaPage("TMIN"),
			Doc:   "Computes the smaller element of src0 and src1; NaN wins.",
			Notes: []string{"bf16 on A5: the ISA page has it, the IR manual has not; accepted."},
		}, scalar.Min, arithElems), tileBinaryCycles...)
	})

	TFMod = Define("tfmod", func(name string) *ir.Def {
		return Timed(tileBinary(Op{
			Name: name, Page: IsaPage("TFMOD"),
			Doc:   "Computes the remainder of src0 divided by src1, with the sign of src0.",
			Attrs: []ir.AttrDef{precision(FmodPrecisionEnum)},
			Sem:   sem.TileMap{Fn: scalar.Fmod, Choose: fmodFn},
			Notes: []string{fmodNote,
				"The pages list no types; those of the public compiler are accepted, and bf16 on A5 as tfmods has it."},
			Rules: append(Overwritten("src0", "src1"), libraryElems(sem.OnA2A3, "src0", F32, "TFMOD_IMPL in a2a3/TFmod.hpp"), libraryElems(sem.OnA5, "src0", AnyElem.A5&^BF16, "\"TFMOD has invalid data type\" in a5/TFMod.hpp")),
		}, scalar.Fmod, tileFmod), tileBinaryCycles...)
	})

	TRem = Define("trem", func(name string) *ir.Def {
		return Timed(tileBinary(Op{
			Name: name, Page: IsaPage("TREM"), Strict: true,
			Sem:         sem.TileMap{Fn: scalar.Rem, Choose: remainderFn(scalar.RemByQuotient, scalar.RemInF32)},
			Doc:         "Computes the remainder of src0 divided by src1, with the sign of src1.",
			Ins:         Args{ScratchArg("tmp", anyTmp.RowMajor(sem.OnAll))},
			Attrs:       []ir.AttrDef{precision(RemPrecisionEnum)},
			ScratchTile: remScratch,
			Rules:       append(Overwritten("src0", "src1"), TmpLike(sem.OnA2A3, "dst"), TmpScratch(sem.OnA2A3, "dst", 2), wideRows("dst")),
			Notes:       []string{"The IR manual has the sign of the dividend; the ISA page, which goes first, rounds down.", remSteps, remZero, remWide},
		}, scalar.Rem, remElems), tileBinaryCycles...)
	})

	TPow = Define("tpow", func(name string) *ir.Def {
		return tileBinary2("base", "exp", Op{
			Name: name, Page: IsaPage("TPOW"), Strict: true, Order: []string{"base", "exp", "dst", "tmp"},
			Doc:     "Raises base to the power exp element by element.",
			Ins:     Args{ScratchArg("tmp", anyTmp.RowMajor(sem.OnAll))},
			Attrs:   []ir.AttrDef{precision(PowPrecisionEnum)},
			Scratch: sem.OnAll, ScratchTile: powScratch,
			Notes: []string{powNote},
			Rules: append(append(powRules("base"), Overwritten("base", "exp")...), libraryElems(sem.OnA5, "base", Ints|F16|F32, "isSupportType in a5/TPow.hpp")),
		}, scalar.Pow, powElems)
	})
)

// powNote is the note of reference pages about tpow and tpows that describes where public
// sources disagree.
const powNote = "Zeros, infinities and NaN are as in C, in the headers of A5 and in the simulator. The headers of A2/A3 give +0 or +infinity for a zero of either sign, and NaN for 1 to the power of an infinity or of NaN. Integers wrap, and negative exponents give the truncated quotient, as the headers have it; the simulator's tpows converts a power of doubles."

// powScratch returns the type of the scratch tile (for intermediate values) of a power of
// floats, which has the shape of dst. The bool result is false for powers of integers,
// which need no scratch tile.
func powScratch(op *ir.Op, t ir.Target) (TileInfo, bool) {
	tile, ok := ScratchLike("dst")(op, t)
	return tile, ok && !ir.Is[ir.IntegerType](tile.Elem)
}

// powRules returns the rules on the scratch tile and on attribute precisionType of tpow
// and tpows. base is the name of the base operand.
func powRules(base string) []Rule {
	return []Rule{
		Check(func(op *ir.Op, t ir.Target) string {
			info, _ := TileArg(op, base)
			isInt := ir.Is[ir.IntegerType](info.Elem)
			switch {
			case isInt && op.Arg("tmp") != nil:
				return "integer powers must not have operand \"tmp\""
			case !attrIs(op, "precisionType", "high_precision"):
				return ""
			case t != sem.A5:
				return "high_precision is not available for powers"
			case isInt:
				return "high_precision requires floating-point elements, but \"" + base + "\" has " + info.Elem.String()
			}
			return ""
		}),
		TmpLike(sem.OnAll, "dst"), TmpValid(sem.OnAll, "dst"), TmpHolds(sem.OnA2A3, "dst", TileInfo.Bytes),
	}
}

// tileBinary2 returns the definition of an instruction that computes dst = fn(a, b) for
// every element of the valid region of dst. The parameters a and b are the names of the
// source operands.
func tileBinary2(a, b string, o Op, fn *scalar.Fn, elems On) *ir.Def {
	o.Ins = append(Args{In(a, RowMajorTile(elems, sem.OnAll)), In(b, LikeTile(a).RowMajor(sem.OnAll))}, o.Ins...)
	o.Outs = Args{Out("dst", LikeTile(a).RowMajor(sem.OnAll))}
	o.Sem, o.Family, o.Pipe = sem.TileMap{Fn: fn}, elementwise, sem.PipeV
	o.Rules = append(LikeDst(o.Strict, a, b), o.Rules...)
	t := "16x64x" + elems.Common()
	o.Sample([]string{t}, t, t)
	return TileOp(o)
}

// Definitions of the bitwise instructions on two tiles.
var (
	TAnd = Define("tand", func(name string) *ir.Def {
		return Timed(tileBinary(Op{
			Name: name, Page: IsaPage("TAND"), Strict: true,
			Doc:   "Ands the bits of src0 and src1.",
			Notes: []string{"32 bits on A2/A3: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.And, tileBits), tileBinaryCycles...)
	})

	TOr = Define("tor", func(name string) *ir.Def {
		return Timed(tileBinary(Op{
			Name: name, Page: IsaPage("TOR"), Strict: true,
			Doc:   "Ors the bits of src0 and src1.",
			Notes: []string{"32 bits on A2/A3: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.Or, tileBits), tileBinaryCycles...)
	})

	TXor = Define("txor", func(name string) *ir.Def {
		return tileBinary(Op{
			Name: name, Page: IsaPage("TXOR"), Strict: true,
			Doc:         "Xors the bits of src0 and src1.",
			Ins:         Args{ScratchArg("tmp", anyTmp)},
			ScratchTile: ScratchLike("dst"),
			Rules:       append(Overwritten("src0", "src1"), TmpLike(sem.OnA2A3, "dst"), TmpValid(sem.OnA2A3, "dst")),
			Notes:       []string{"32 bits on A2/A3: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.Xor, tileBits)
	})

	TShl = Define("tshl", func(name string) *ir.Def {
		return Timed(tileBinary(Op{
			Name: name, Page: IsaPage("TSHL"), Strict: true,
			Doc: "Shifts the elements of src0 left by the counts in src1.",
		}, scalar.ShlWide, tileShift), tileBinaryCycles...)
	})

	TShr = Define("tshr", func(name string) *ir.Def {
		return Timed(tileBinary(Op{
			Name: name, Page: IsaPage("TSHR"), Strict: true,
			Doc: "Shifts the elements of src0 right by the counts in src1: arithmetically, or logically for unsigned elements.",
		}, scalar.ShrWide, tileShift), tileBinaryCycles...)
	})
)

// TPRelu is pto.tprelu, which multiplies negative elements by a slope. A second tile
// holds a slope for each element.
var TPRelu = Define("tprelu", func(name string) *ir.Def {
	return tileBinary(Op{
		Name: name, Page: IsaPage("TPRELU"),
		Doc:         "Keeps positive elements of src0 and multiplies the others by the element of src1.",
		Sem:         sem.TileMap{Fn: scalar.PreluAbove, Choose: onA5(scalar.Prelu)},
		Notes:       []string{zeroSlope},
		Ins:         Args{ScratchArg("tmp", anyTmp.RowMajor(sem.OnAll))},
		ScratchTile: preluScratch,
		Rules:       []Rule{Apart{On: sem.OnA2A3, A: "src0", B: "dst", Late: true}, SameShape(sem.OnAll, "src0", "dst"), SameShape(sem.OnAll, "src1", "dst"), preluTmp, TmpDistinct(sem.OnA2A3, "src0", "src1", "dst")},
	}, scalar.PreluAbove, floatsOnly)
})

// zeroSlope is the note of reference pages about tlrelu and tprelu that describes where
// public sources disagree.
const zeroSlope = "On A5 a zero stays, as in vlrelu and vprelu, which the headers call. On A2/A3 it meets the slope, as the page, the simulator, golden data and a2a3/TPrelu.hpp have it."

// onA5 returns a function that replaces the function of a tile instruction on A5 (field
// Choose of sem.TileMap).
func onA5(fn *scalar.Fn) func(*ir.Op, ir.Target) *scalar.Fn {
	return func(_ *ir.Op, t ir.Target) *scalar.Fn {
		if t == sem.A5 {
			return fn
		}
		return nil
	}
}

// remScratch returns the type of the scratch tile that op, a trem, needs: one row of
// intermediate results, followed by two 32-bit words of comparison bits for every 64
// columns (a2a3/TRem.hpp of pto-isa). The second row satisfies the older rule of two rows.
func remScratch(op *ir.Op, _ ir.Target) (TileInfo, bool) {
	dst, ok := TileArg(op, "dst")
	return PlainTile(dst.Elem, 2, CeilDiv(dst.Cols+2*CeilDiv(dst.Cols, 64), 8)*8), ok
}

// preluScratch returns the type of the scratch tile that op, a tprelu, needs. The scratch
// tile holds one bit for each valid element of dst. Its rows have a multiple of 32 bytes,
// and it has one row more than dst. The bool result is false if op has no tile dst.
func preluScratch(op *ir.Op, _ ir.Target) (TileInfo, bool) {
	dst, ok := TileArg(op, "dst")
	dst = WholeTile(dst)
	tile := PlainTile(UintType(8), dst.VRows+1, max(32, CeilDiv(CeilDiv(dst.VCols, 8), 32)*32))
	tile.VRows, tile.VCols = dst.VRows, CeilDiv(dst.VCols, 8)
	return tile, ok
}

// preluTmp is the rule on the scratch tile of tprelu. The scratch tile has one bit for
// each valid element of dst, so each of its rows needs a byte for every 8 valid columns
// of dst. It also needs one row more than dst has valid rows.
var preluTmp = ScratchCheck(sem.OnA2A3, []string{"dst"}, func(_ *ir.Op, t []TileInfo) string {
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
