package pto

import (
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// tileUnary defines dst = fn(src) over the valid region.
func tileUnary(o Op, fn *scalar.Fn, on On) *ir.Def {
	o.Ins = append(Args{in("src", RowMajorTile(on, sem.OnAll))}, o.Ins...)
	o.Outs = Args{out("dst", LikeTile("src").rowMajor(sem.OnAll))}
	o.Sem, o.Family, o.Pipe = sem.TileMap{Fn: fn}, elementwise, sem.PipeV
	o.Rules = append(likeDst(o.Strict, "src"), o.Rules...)
	t := "16x64x" + on.common()
	o.sample([]string{t}, t)
	return tile(o)
}

// Signs and bits of one tile.
var (
	TAbs = define("tabs", func(name string) *ir.Def {
		return timed(tileUnary(Op{
			Name: name, Page: isaPage("TABS"), Strict: true,
			Doc:   "Takes the magnitude of every element of src.",
			Notes: []string{"Integers on A5: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.Abs, On{A2A3: F16 | F32, A5: I8 | I16 | I32 | F16 | F32}), tileUnaryCycles...)
	})

	TNeg = define("tneg", func(name string) *ir.Def {
		return timed(tileUnary(Op{
			Name: name, Page: isaPage("TNEG"),
			Doc:   "Negates every element of src.",
			Notes: []string{"i8 on A5: the IR manual has it, the ISA page has not; accepted."},
		}, scalar.Neg, On{A2A3: I16 | I32 | F16 | F32, A5: I8 | Ints16 | Ints32 | Floats}), tileUnaryCycles...)
	})

	TNot = define("tnot", func(name string) *ir.Def {
		return timed(tileUnary(Op{
			Name: name, Page: isaPage("TNOT"),
			Doc:   "Inverts the bits of every element of src.",
			Notes: []string{"8 and 32 bits on A2/A3: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.Not, tileBits), tileUnaryCycles...)
	})

	TRelu = define("trelu", func(name string) *ir.Def {
		return timed(tileUnary(Op{
			Name: name, Page: isaPage("TRELU"),
			Doc: "Replaces negative elements of src by zero.",
		}, scalar.Relu, Both(I32|F16|F32)), tileUnaryCycles...)
	})
)

// Elementary functions of one tile.
var (
	TExp = define("texp", func(name string) *ir.Def {
		return timed(tileUnary(Op{
			Name: name, Page: isaPage("TEXP"), Strict: true,
			Doc:   "Takes e to the power of every element of src.",
			Attrs: []ir.AttrDef{precision(ExpPrecisionEnum)},
		}, scalar.Exp, floatsOnly),
			Latency{Elems: "f16", Startup: 13, Completion: 28, PerRepeat: 4, Interval: 18},
			Latency{Elems: "f32", Startup: 13, Completion: 26, PerRepeat: 2, Interval: 18})
	})

	TLog = define("tlog", func(name string) *ir.Def {
		return timed(tileUnary(Op{
			Name: name, Page: isaPage("TLOG"), Strict: true,
			Doc:   "Takes the natural logarithm of every element of src.",
			Attrs: []ir.AttrDef{precision(LogPrecisionEnum)},
		}, scalar.Log, floatsOnly), tileUnaryCycles...)
	})

	TSqrt = define("tsqrt", func(name string) *ir.Def {
		return timed(tileUnary(Op{
			Name: name, Page: isaPage("TSQRT"), Strict: true,
			Doc:   "Takes the square root of every element of src.",
			Attrs: []ir.AttrDef{precision(SqrtPrecisionEnum)},
		}, scalar.Sqrt, floatsOnly), tileUnaryCycles...)
	})

	TRsqrt = define("trsqrt", func(name string) *ir.Def {
		return tileUnary(Op{
			Name: name, Page: isaPage("TRSQRT"), Strict: true, Order: []string{"src", "dst", "tmp"},
			Doc: "Takes the reciprocal of the square root of every element of src.",
			Ins: Args{scratch("tmp", anyTmp)}, Scratch: sem.OnAll,
			Cpp:   calls("TRSQRT<[pto::RsqrtAlgorithm::{precisionType^}]>({dst}, {src}[, {tmp}])"),
			Attrs: []ir.AttrDef{precision(RsqrtPrecisionEnum)},
			Rules: []Rule{
				scratchCheck(sem.OnAll, nil, func(_ *ir.Op, t []TileInfo) string {
					if t[0].Bytes() < 32 {
						return "\"tmp\" must hold at least 32 bytes"
					}
					return ""
				}),
				highPrecisionTmp,
			},
		}, scalar.Rsqrt, floatsOnly)
	})

	TRecip = define("trecip", func(name string) *ir.Def {
		return timed(tileUnary(Op{
			Name: name, Page: isaPage("TRECIP"), Strict: true,
			Doc:   "Takes the reciprocal of every element of src; integers truncate.",
			Attrs: []ir.AttrDef{precision(RecipPrecisionEnum)},
			Rules: []Rule{Apart{On: sem.OnA2A3, A: "src", B: "dst"}},
			Notes: []string{"i16 and i32: the ISA page has them, the IR manual has not; accepted."},
		}, scalar.Recip, Both(I16|I32|F16|F32)), tileUnaryCycles...)
	})
)

// highPrecisionTmp asks for a scratch tile where high precision is asked for.
var highPrecisionTmp = scratchNeeded(func(op *ir.Op, _ ir.Target) string {
	if op.Form().Level == ir.DPS && attrIs(op, "precisionType", "high_precision") && op.Arg("tmp") == nil {
		return "high_precision needs the operand \"tmp\""
	}
	return ""
})
