// This file defines elementwise instructions with one operand.

package tile

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// tileUnary returns the definition of an instruction that computes dst = fn(src) for
// every element of the valid region.
func tileUnary(o Op, fn *scalar.Fn, elems On) *ir.Def {
	o.Ins = append(Args{In("src", RowMajorTile(elems, sem.OnAll))}, o.Ins...)
	o.Outs = Args{Out("dst", LikeTile("src").RowMajor(sem.OnAll))}
	if o.Sem == nil {
		o.Sem = sem.TileMap{Fn: fn}
	}
	o.Family, o.Pipe = elementwise, sem.PipeV
	o.Rules = append(LikeDst(o.Strict, "src"), o.Rules...)
	t := "16x64x" + elems.Common()
	o.Sample([]string{t}, t)
	return TileOp(o)
}

// Definitions of the instructions on one tile that change signs or bits of elements.
var (
	TAbs = Define("tabs", func(name string) *ir.Def {
		return Timed(tileUnary(Op{
			Name: name, Page: IsaPage("TABS"), Strict: true,
			Doc:   "Computes the magnitude of every element of src.",
			Notes: []string{"Integers on A5: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.Abs, On{A2A3: F16 | F32, A5: I8 | I16 | I32 | F16 | F32}), tileUnaryCycles...)
	})

	TNeg = Define("tneg", func(name string) *ir.Def {
		return Timed(tileUnary(Op{
			Name: name, Page: IsaPage("TNEG"),
			Doc:   "Negates every element of src.",
			Rules: []Rule{libraryElems(sem.OnA5, "src", AnyElem.A5&^Ints8, "\"TMULS: Invalid data type\" in a5/TMulS.hpp, which TNEG calls,")},
			Notes: []string{"i8 on A5: the IR manual has it, the ISA page has not; accepted."},
		}, scalar.Neg, On{A2A3: I16 | I32 | F16 | F32, A5: I8 | Ints16 | Ints32 | Floats}), tileUnaryCycles...)
	})

	TNot = Define("tnot", func(name string) *ir.Def {
		return Timed(tileUnary(Op{
			Name: name, Page: IsaPage("TNOT"),
			Doc:   "Inverts the bits of every element of src.",
			Notes: []string{"8 and 32 bits on A2/A3: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.Not, tileBits), tileUnaryCycles...)
	})

	TRelu = Define("trelu", func(name string) *ir.Def {
		return Timed(tileUnary(Op{
			Name: name, Page: IsaPage("TRELU"),
			Doc: "Replaces negative elements of src by zero.",
		}, scalar.Relu, Both(I32|F16|F32)), tileUnaryCycles...)
	})
)

// Definitions of the instructions on one tile that compute elementary functions.
var (
	TExp = Define("texp", func(name string) *ir.Def {
		return Timed(tileUnary(Op{
			Name: name, Page: IsaPage("TEXP"), Strict: true,
			Doc:   "Computes e to the power of every element of src.",
			Attrs: []ir.AttrDef{precision(ExpPrecisionEnum)},
		}, scalar.Exp, floatsOnly),
			Latency{Elems: "f16", Startup: 13, Completion: 28, PerRepeat: 4, Interval: 18},
			Latency{Elems: "f32", Startup: 13, Completion: 26, PerRepeat: 2, Interval: 18})
	})

	TLog = Define("tlog", func(name string) *ir.Def {
		return Timed(tileUnary(Op{
			Name: name, Page: IsaPage("TLOG"), Strict: true,
			Doc:   "Computes the natural logarithm of every element of src.",
			Attrs: []ir.AttrDef{precision(LogPrecisionEnum)},
		}, scalar.Log, floatsOnly), tileUnaryCycles...)
	})

	TSqrt = Define("tsqrt", func(name string) *ir.Def {
		return Timed(tileUnary(Op{
			Name: name, Page: IsaPage("TSQRT"), Strict: true,
			Doc:   "Computes the square root of every element of src.",
			Attrs: []ir.AttrDef{precision(SqrtPrecisionEnum)},
		}, scalar.Sqrt, floatsOnly), tileUnaryCycles...)
	})

	TRsqrt = Define("trsqrt", func(name string) *ir.Def {
		return tileUnary(Op{
			Name: name, Page: IsaPage("TRSQRT"), Strict: true, Order: []string{"src", "dst", "tmp"},
			Doc: "Computes the reciprocal of the square root of every element of src.",
			Ins: Args{ScratchArg("tmp", anyTmp)}, Scratch: sem.OnAll,
			Cpp:   Calls("TRSQRT<[pto::RsqrtAlgorithm::{precisionType^}]>({dst}, {src}[, {tmp}])"),
			Attrs: []ir.AttrDef{precision(RsqrtPrecisionEnum)},
			Rules: []Rule{
				ScratchCheck(sem.OnAll, nil, func(_ *ir.Op, t []TileInfo) string {
					if t[0].Bytes() < 32 {
						return "\"tmp\" must hold at least 32 bytes"
					}
					return ""
				}),
				highPrecisionTmp,
			},
			Error: roughRsqrt,
			Notes: []string{"Without tmp, A2/A3 use the vector instruction vrsqrt, which is an approximation: the vendor's manual of AscendC::Rsqrt states that relative errors exceed 2e-4 (f32) and 2e-3 (f16), and the device test of pto-isa allows 3e-3 for f32. pto-run computes the correctly rounded value; --perturb applies the error of the device. With tmp, A2/A3 divide by the square root, and so does A5."},
		}, scalar.Rsqrt, floatsOnly)
	})

	TRecip = Define("trecip", func(name string) *ir.Def {
		return Timed(tileUnary(Op{
			Name: name, Page: IsaPage("TRECIP"), Strict: true,
			Doc:   "Computes the reciprocal of every element of src; integers truncate.",
			Attrs: []ir.AttrDef{precision(RecipPrecisionEnum)},
			Rules: []Rule{Apart{On: sem.OnA2A3, A: "src", B: "dst"}},
			Notes: []string{"i16 and i32: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.Recip, Both(I16|I32|F16|F32)), tileUnaryCycles...)
	})
)

// roughRsqrt returns the error of trsqrt without a scratch tile on A2/A3, in units in the
// last place: a relative error of 3e-3 for f32 (the tolerance of the public device test),
// and of 2e-3 for f16.
func roughRsqrt(op *ir.Op, t ir.Target, f num.Format) int {
	switch {
	case t == sem.A5 || op.Arg("tmp") != nil:
		return 0
	case f == num.F32:
		return (3 << 23) / 1000
	}
	return 2
}

// highPrecisionTmp is the rule that an instruction has a scratch tile if attribute
// precisionType requests high precision.
var highPrecisionTmp = ScratchNeeded(func(op *ir.Op, _ ir.Target) string {
	if op.Form().Level == ir.DPS && attrIs(op, "precisionType", "high_precision") && op.Arg("tmp") == nil {
		return "high_precision needs the operand \"tmp\""
	}
	return ""
})

// tileUnaryCycles are the published cycle counts on A2/A3 of elementwise tile
// instructions with one source.
var tileUnaryCycles = []Latency{
	{Startup: 13, Completion: 26, PerRepeat: 1, Interval: 18},
}

// tileBinaryCycles are the published cycle counts on A2/A3 of elementwise tile
// instructions with two sources.
var tileBinaryCycles = []Latency{
	{Elems: "floats", Startup: 14, Completion: 19, PerRepeat: 2, Interval: 18},
	{Elems: "integers", Startup: 14, Completion: 17, PerRepeat: 2, Interval: 18},
}
