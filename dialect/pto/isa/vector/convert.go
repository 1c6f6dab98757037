// This file defines conversions.

package vector

import (
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// The attributes of conversions between element types. Old programs use the keywords of
// the C interface, such as ROUND_R.
var (
	roundAttr = ir.AttrDef{Name: "rnd", Type: Words("ROUND_", nil, "R", "A", "F", "C", "Z", "O", "H"), Optional: true,
		Doc: "rounding: to nearest even, to nearest with ties away, down, up, toward zero, to odd, half up"}
	satAttr = ir.AttrDef{Name: "sat", Type: Words("", map[string]string{"RS_ENABLE": "SAT", "RS_DISABLE": "NOSAT"}, "SAT", "NOSAT"), Optional: true,
		Doc: "whether a value that does not fit becomes the nearest that does"}
	partAttr = ir.AttrDef{Name: "part", Type: Words("PART_", nil, "EVEN", "ODD", "P0", "P1", "P2", "P3"), Optional: true,
		Doc: "which lanes of the narrower register are used"}
)

// VCvt is pto.vcvt, which converts lanes to another element type.
var VCvt = Define("vcvt", func(name string) *ir.Def {
	return Issued(Issue{Latency: 7}, Timed(VectorOp(micro(Op{
		Name: name, Doc: "Converts lanes to another element type.",
		Ins:    Args{In("input", AnyVReg), In("mask", MaskFor("input"))},
		Outs:   Args{Out("result", AnyVReg)},
		Attrs:  []ir.AttrDef{roundAttr, satAttr, partAttr},
		Traits: ir.Pure,
		Sem:    sem.VecConvert{},
		Rules:  []Rule{Check(conversionFault)},
		Notes: []string{
			"Rounding A: the micro-ISA describes it as away from zero, but in public golden data it rounds to nearest, with ties away from zero.",
			"sat: required where the table below requires it. Without it, values wrap as on the vector page.",
			"NaN with sat = \"SAT\": the pages do not say; public golden data with special values have 0 for f32 to f16, where infinities become the largest numbers. So it is for every destination, f16, bf16, 8-bit floats and integers. Without it NaN stays, and is 0 as an integer.",
		},
		Examples: []string{`%r = pto.vcvt %a, %m {rnd = "R", sat = "SAT", part = "EVEN"} : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<128xf16>`},
	}, convertFamily)), Latency{Elems: "f32->f16", A5: "7"}))
})

// convRule describes the attributes of a conversion to the element types in the field to.
// An empty rnd means that the attribute rnd is forbidden. If sat or part is false, the
// attribute of that name is forbidden.
type convRule struct {
	to Elems
	// rnd are the values of attribute rnd (rounding mode) that are legal, one letter
	// each.
	rnd  string
	sat  bool
	part bool
}

// The rounding modes that several conversions support. Each constant is a set of modes,
// written as one letter per mode.
const (
	anyRound  = "RAFCZOH"
	mostRound = "RAFCZ"
	hifRound  = "AH"
)

// convRules are the legal conversions, by source element type. The element widths
// determine whether attribute part selects halves or quarters of a register.
var convRules = map[Elems][]convRule{
	F32: {
		{F8E4M3 | F8E5M2, "RAHZ", true, true}, {HiF8, hifRound, true, true},
		{F16 | BF16 | I16 | I64, anyRound, true, true}, {I32, anyRound, true, false},
	},
	F16: {
		{F8E4M3 | F8E5M2, mostRound, true, true}, {HiF8, hifRound, true, true},
		{F32, "", false, true}, {I32, anyRound, false, true}, {I16, anyRound, true, false}, {Ints8, anyRound, true, true},
	},
	BF16: {
		{F8E4M3 | F8E5M2, mostRound, true, true}, {FP4, mostRound, false, true},
		{F16, anyRound, true, false}, {F32, "", false, true}, {I32, anyRound, true, true},
	},
	U8:  {{F16 | U16 | U32, "", false, true}},
	I8:  {{F16 | I16 | I32, "", false, true}},
	U16: {{U8, "", true, true}, {U32, "", false, true}},
	I16: {{F16, anyRound, false, false}, {F32 | Ints32, "", false, true}, {U8, "", true, true}},
	U32: {{U8 | Ints16, "", true, true}},
	I32: {{F32, anyRound, false, false}, {U8 | Ints16, "", true, true}, {I64, "", false, true}},
	I64: {{F32, anyRound, false, true}, {I32, "", true, true}},

	F8E4M3: {{F32, "", false, true}},
	F8E5M2: {{F32, "", false, true}},
	HiF8:   {{F32, "", false, true}},
	F4E1M2: {{BF16, "", false, true}},
	F4E2M1: {{BF16, "", false, true}},
}

// conversionFault returns a message if the types and attributes of op, a vcvt, are not
// a legal conversion, and "" otherwise.
func conversionFault(op *ir.Op, _ ir.Target) string {
	from, to := op.Operand(0).Type(), op.Result(0).Type()
	rule := findConversion(ElemOf(ir.ElementType(from)), ElemOf(ir.ElementType(to)))
	if rule == nil {
		return "there is no conversion from " + ir.ElementType(from).String() + " to " + ir.ElementType(to).String()
	}
	pair := " to convert " + ir.ElementType(from).String() + " to " + ir.ElementType(to).String()
	rnd, _ := op.Attr("rnd").AsString()
	if wanted := rule.rnd != ""; wanted != op.HasAttr("rnd") {
		return AttrWanted("rnd", wanted) + pair
	}
	if !strings.Contains(rule.rnd, rnd) {
		return "attribute \"rnd\" must be one of " + strings.Join(strings.Split(rule.rnd, ""), ", ") + pair + ", but is " + rnd
	}
	if rule.sat != op.HasAttr("sat") {
		return AttrWanted("sat", rule.sat) + pair
	}
	if rule.part != op.HasAttr("part") {
		return AttrWanted("part", rule.part) + pair
	}
	if !rule.part {
		return ""
	}
	return partFault(op, ByteSize(ir.ElementType(from)), ByteSize(ir.ElementType(to)))
}

// findConversion returns the rule for a conversion, which lists the attributes that the
// conversion may have. It returns nil if the conversion does not exist. from is the set
// that contains only the source type, and to is the set that contains only the
// destination type.
func findConversion(from, to Elems) *convRule {
	for i, r := range convRules[from] {
		if r.to&to != 0 {
			return &convRules[from][i]
		}
	}
	return nil
}

// Conversion describes the attributes of vcvt for a pair of element types.
type Conversion struct {
	// Roundings are the legal values of attribute rnd, one letter each. "" means that
	// rnd is forbidden.
	Roundings string
	// Saturates reports whether sat is required; otherwise it is forbidden.
	Saturates bool
	// Parts reports whether part is required; otherwise it is forbidden.
	Parts bool
}

// ConversionOf returns the attributes that the instruction vcvt requires for a
// conversion. from is the element type before the conversion, and to is the element type
// after it. The result ok is false if the conversion does not exist.
func ConversionOf(from, to ir.Type) (c Conversion, ok bool) {
	r := findConversion(ElemOf(from), ElemOf(to))
	if r == nil {
		return c, false
	}
	return Conversion{r.rnd, r.sat, r.part}, true
}

// partFault checks attribute part of a conversion between lanes of different widths. from
// is the lane width of the source in bytes, and to is that of the result. If one width is
// four times the other, the attribute must select a quarter; if one width is twice the
// other, it must select a half. partFault returns a message for a violation, and ""
// otherwise.
func partFault(op *ir.Op, from, to int) string {
	part, _ := op.Attr("part").AsString()
	// A byte of two small floats is a quarter of the two lanes they become.
	quarters := max(from, to) == 4*min(from, to) || isFP4(op.Operand(0).Type()) || isFP4(op.Result(0).Type())
	switch named := strings.HasPrefix(part, "P"); {
	case quarters && !named:
		return "attribute \"part\" must be P0, P1, P2 or P3 where one width is four times the other, but is " + part
	case !quarters && named:
		return "attribute \"part\" must be EVEN or ODD where one width is twice the other, but is " + part
	}
	return ""
}

// isFP4 reports whether t is a register type with pairs of 4-bit floats.
func isFP4(t ir.Type) bool { return ElemOf(ir.ElementType(t))&FP4 != 0 }

// VTrc is pto.vtrc, which rounds lanes to integral values without changing the type.
var VTrc = Define("vtrc", func(name string) *ir.Def {
	return Issued(Issue{Latency: 7}, VectorOp(micro(Op{
		Name: name, Doc: "Rounds lanes to integral values of the same format.",
		Ins:      Args{In("input", lanes(Floats)), In("mask", MaskFor("input"))},
		Outs:     Args{Out("result", ir.SameAs("input"))},
		Attrs:    []ir.AttrDef{{Name: "round_mode", Type: Words("ROUND_", nil, "R", "A", "F", "C", "Z")}},
		Traits:   ir.Pure,
		Sem:      sem.VecRound{},
		Syntax:   ir.Asm("$input `,` $mask `,` $round_mode attr-dict types"),
		Examples: []string{`%r = pto.vtrc %a, %m, "R" : !pto.vreg<64xf32>, !pto.mask<b32> -> !pto.vreg<64xf32>`},
	}, convertFamily)))
})

// VMulSCvt is pto.vmulscvt, which multiplies lanes by a scalar and converts the
// products to f16.
var VMulSCvt = Define("vmulscvt", func(name string) *ir.Def {
	return VectorOp(micro(Op{
		Name: name, Doc: "Multiplies lanes by scalar and converts the products to f16.",
		Ins:  Args{In("input", lanes(F32)), In("scalar", ScalarOf("input")), In("mask", MaskFor("input"))},
		Outs: Args{Out("result", lanes(F16))},
		Attrs: []ir.AttrDef{
			{Name: "rnd", Type: Words("ROUND_", nil, "A"), Doc: "only to nearest with ties away"},
			{Name: "part", Type: Words("PART_", nil, "EVEN", "ODD")},
		},
		Traits:   ir.Pure,
		Sem:      sem.VecConvert{Pre: scalar.Mul},
		Syntax:   ir.Asm("$input `,` $scalar `,` $mask `,` $rnd `,` $part attr-dict types"),
		Examples: []string{`%r = pto.vmulscvt %a, %s, %m, "A", "EVEN" : !pto.vreg<64xf32>, f32, !pto.mask<b32> -> !pto.vreg<128xf16>`},
	}, sfuFamily))
})

// VExpDif is pto.vexpdif, which computes exp(input - max), the numerator of a softmax.
var VExpDif = Define("vexpdif", func(name string) *ir.Def {
	return Issued(Issue{Latency: 18, Interval: 4}, VectorOp(micro(Op{
		Name: name, Doc: "Computes the exponential of input - max in f32.",
		Ins:      Args{In("input", lanes(F16|F32)), In("max", ir.SameAs("input")), In("mask", MaskFor("input"))},
		Outs:     Args{Out("result", lanes(F32))},
		Attrs:    []ir.AttrDef{{Name: "part", Type: Words("PART_", nil, "EVEN", "ODD"), Doc: "which lanes of f16 are used; ignored for f32"}},
		Traits:   ir.Pure,
		Sem:      sem.VecWiden{Fn: scalar.ExpDif},
		Syntax:   ir.Asm("$input `,` $max `,` $mask `,` $part attr-dict types"),
		Examples: []string{`%r = pto.vexpdif %a, %b, %m, "EVEN" : !pto.vreg<128xf16>, !pto.vreg<128xf16>, !pto.mask<b16> -> !pto.vreg<64xf32>`},
	}, sfuFamily)))
})

// Definitions of the instructions that add or multiply lanes and convert the results to
// another type.
var (
	VAddReluConv = Define("vaddreluconv", func(name string) *ir.Def {
		return Timed(vecFusedConv(name, scalar.AddRelu, "Adds lhs and rhs, replaces negative sums with zero and converts them."), macroCycles...)
	})
	VMulConv = Define("vmulconv", func(name string) *ir.Def {
		return Timed(vecFusedConv(name, scalar.Mul, "Multiplies lhs and rhs and converts the products."), macroCycles...)
	})
)

// vecFusedConv returns the definition of an instruction that applies fn to two
// registers and converts the result to another type.
func vecFusedConv(name string, fn *scalar.Fn, doc string) *ir.Def {
	return VectorOp(Op{
		Name: name, Doc: doc, Family: sfuFamily, Page: VectorPage("sfu-and-dsa-ops", name),
		Ins:    Args{In("lhs", lanes(laneArith)), In("rhs", ir.SameAs("lhs"))},
		Outs:   Args{Out("result", lanes(laneArith))},
		Traits: ir.Pure,
		Sem:    sem.VecConvert{Pre: fn},
		Notes: []string{
			"The vector manual has a mask operand, but the public compiler has none; all lanes are converted.",
			"The manual leaves rounding and packing to the target.",
		},
		Examples: []string{"%r = pto." + name + " %a, %b : !pto.vreg<128xf16>, !pto.vreg<128xf16> -> !pto.vreg<128xf16>"},
	})
}

// VBitcast is pto.vbitcast, which reinterprets the bits of a register as lanes of
// another type.
var VBitcast = Define("vbitcast", func(name string) *ir.Def {
	return VectorOp(micro(Op{
		Name: name, Doc: "Reads the bits of a register as lanes of another type.",
		Ins:      Args{In("input", AnyVReg)},
		Outs:     Args{Out("result", AnyVReg)},
		Traits:   ir.Pure,
		Sem:      sem.VecRearrange{Kind: sem.Reinterpret},
		Rules:    []Rule{sameBits("input", "result")},
		Examples: []string{"%r = pto.vbitcast %a : !pto.vreg<64xf32> -> !pto.vreg<128xi16>"},
	}, convertFamily))
})

// VCi is pto.vci, which sets lane i of a register to index + i, or to index - i in
// descending order.
var VCi = Define("vci", func(name string) *ir.Def {
	return Timed(VectorOp(micro(Op{
		Name: name, Doc: "Sets lane i to index + i, or index - i in descending order.",
		Ins:      Args{In("index", ScalarOf("result"))},
		Outs:     Args{Out("result", lanes(Ints|F16|F32))},
		Attrs:    []ir.AttrDef{{Name: "order", Type: ir.StrIn("ASC", "DESC"), Optional: true, Doc: "ASC if left out"}},
		Traits:   ir.Pure,
		Sem:      sem.VecIndex{},
		Examples: []string{`%r = pto.vci %s {order = "ASC"} : i32 -> !pto.vreg<64xsi32>`},
	}, convertFamily)), Latency{Startup: 10})
})
