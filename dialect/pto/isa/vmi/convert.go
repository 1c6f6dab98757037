// This file defines VMI conversions.

package vmi

import (
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/lanemap"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// The attributes of conversions.
var (
	roundingAttr = ir.AttrDef{Name: "rounding", Type: ir.StrIn("R", "A", "H", "Z", "F", "C"), Optional: true,
		Doc: "to nearest even (the default, A for hif8), to nearest with ties away, half up, toward zero, down, up"}
	saturateAttr = ir.AttrDef{Name: "saturate", Type: ir.StrIn("SAT", "NOSAT"), Optional: true,
		Doc: "whether a value that does not fit becomes the nearest that does"}
)

// VMIVCvt is pto.vmi.vcvt, which converts each lane to another type.
var VMIVCvt = Define("vmi.vcvt", func(string) *ir.Def {
	return vmi(vmiConvert, conversion(Op{
		Name: "vcvt", Doc: "Converts each lane to another type.",
		Attrs: []ir.AttrDef{roundingAttr, saturateAttr, pmodeAttr},
		Notes: []string{
			"The manual converts i32 to f32; the public compiler wants the sign of the source in its type, which is followed.",
			"si32 to si8 with SAT: the hardware has no such form, nor another one with the same result, so the conversion is rejected.",
		},
		Examples: []string{
			`%r = pto.vmi.vcvt %a {rounding = "H", saturate = "SAT"} : !pto.vmi.vreg<64xf32> -> !pto.vmi.vreg<64xf16>`,
			"%r = pto.vmi.vcvt %a : !pto.vmi.vreg<256xui8> -> !pto.vmi.vreg<256xui16>",
		},
	}, anyVMI, anyVMI))
})

// Definitions of conversions of VMI vectors whose names contain the kinds of the element
// types (f for float, si for signed, ui for unsigned integer). For example, vmi.extf
// converts floats to wider floats.
var (
	VMIExtF = Define("vmi.extf", func(string) *ir.Def {
		return vmi(vmiInner, conversion(Op{
			Name: "extf", Doc: "Converts floats to wider ones.", Rules: []Rule{changesWidth(+1)},
			Examples: []string{"%r = pto.vmi.extf %a : !pto.vmi.vreg<64xf16> -> !pto.vmi.vreg<64xf32>"},
		}, anyFloats, anyFloats))
	})
	VMITruncF = Define("vmi.truncf", func(string) *ir.Def {
		return vmi(vmiInner, conversionOf(Op{
			Name: "truncf", Doc: "Converts floats to narrower ones, or to others of the same width.",
			Attrs: []ir.AttrDef{roundingAttr, saturateAttr}, Rules: []Rule{changesWidth(0)},
			Notes:    []string{"saturate: the public compiler wants it, a public kernel leaves it out and counts on SAT, which is what absence means."},
			Examples: []string{`%r = pto.vmi.truncf %a {saturate = "SAT"} : !pto.vmi.vreg<64xf32> -> !pto.vmi.vreg<64xf16>`},
		}, anyFloats, anyFloats, true))
	})
	VMIFPToSI = Define("vmi.fptosi", func(string) *ir.Def {
		return vmi(vmiInner, conversion(Op{
			Name: "fptosi", Doc: "Converts floats to signed integers.", Attrs: []ir.AttrDef{roundingAttr, saturateAttr},
			Examples: []string{`%r = pto.vmi.fptosi %a {saturate = "SAT"} : !pto.vmi.vreg<64xf32> -> !pto.vmi.vreg<64xsi32>`},
		}, anyFloats, typedSInts))
	})
	VMIFPToUI = Define("vmi.fptoui", func(string) *ir.Def {
		return vmi(vmiInner, conversion(Op{
			Name: "fptoui", Doc: "Converts floats to unsigned integers.", Attrs: []ir.AttrDef{roundingAttr, saturateAttr},
			Examples: []string{`%r = pto.vmi.fptoui %a {saturate = "SAT"} : !pto.vmi.vreg<64xf16> -> !pto.vmi.vreg<64xui8>`},
		}, anyFloats, typedUInts))
	})
	VMISIToFP = Define("vmi.sitofp", func(string) *ir.Def {
		return vmi(vmiInner, conversion(Op{
			Name: "sitofp", Doc: "Converts signed integers to floats.",
			Examples: []string{"%r = pto.vmi.sitofp %a : !pto.vmi.vreg<64xsi32> -> !pto.vmi.vreg<64xf32>"},
		}, vmiOf{I32, onlySigned}, vmiOf{on: F32}))
	})
	VMIExtSI = Define("vmi.extsi", func(string) *ir.Def {
		return vmi(vmiInner, conversion(Op{
			Name: "extsi", Doc: "Extends integers with their sign.", Rules: []Rule{changesWidth(+1)},
			Examples: []string{"%r = pto.vmi.extsi %a : !pto.vmi.vreg<64xsi16> -> !pto.vmi.vreg<64xsi32>"},
		}, typedSInts, typedSInts))
	})
	VMIExtUI = Define("vmi.extui", func(string) *ir.Def {
		return vmi(vmiInner, conversion(Op{
			Name: "extui", Doc: "Extends integers with zeros.", Rules: []Rule{changesWidth(+1)},
			Examples: []string{"%r = pto.vmi.extui %a : !pto.vmi.vreg<64xui16> -> !pto.vmi.vreg<64xui32>"},
		}, typedUInts, typedUInts))
	})
	VMITruncI = Define("vmi.trunci", func(string) *ir.Def {
		return vmi(vmiInner, conversion(Op{
			Name: "trunci", Doc: "Truncates integers to narrower ones, or saturates them.",
			Attrs: []ir.AttrDef{saturateAttr}, Rules: []Rule{changesWidth(-1)},
			Examples: []string{`%r = pto.vmi.trunci %a {saturate = "NOSAT"} : !pto.vmi.vreg<64xi32> -> !pto.vmi.vreg<64xi8>`},
		}, vmiInts, vmiInts))
	})
)

// anyFloats is a constraint that accepts vectors of any float type.
var anyFloats = vmiOf{on: lanemap.AllFloats}

// conversion completes the description o of an instruction that converts lanes: it adds
// the operand, the result and the rule on their types. The instruction saturates only if
// an attribute requests it. from and to are the constraints on the source and the result.
func conversion(o Op, from, to vmiOf) Op { return conversionOf(o, from, to, false) }

// conversionOf completes the description o of an instruction that converts lanes: it sets
// the operand, the result and the rule about its attributes. from and to are the
// constraints on the source and the result. If defaultSAT is set, an absent attribute
// saturate means SAT (saturation).
func conversionOf(o Op, from, to vmiOf, defaultSAT bool) Op {
	o.Ins = Args{In("source", from)}
	o.Outs = Args{Out("result", likeVMI{of: "source", lanes: to})}
	o.Sem = sem.LaneConvert{}
	o.Rules = append(o.Rules, Fact(func(op *ir.Op) string { return vmiConversionFault(op, defaultSAT) }))
	return o
}

// changesWidth returns a rule that compares the lane widths of the result and of the
// source. If sign > 0, the lanes of the result must be wider. If sign < 0, they must be
// narrower. If sign is 0, they must not be wider.
func changesWidth(sign int) Rule {
	return Fact(func(op *ir.Op) string {
		from, to := ir.ElementType(op.Operand(0).Type()), ir.ElementType(op.Result(0).Type())
		diff := ByteSize(to) - ByteSize(from)
		want := map[int]string{1: "wider", -1: "narrower", 0: "no wider"}[sign]
		if diff*sign > 0 || sign == 0 && diff <= 0 {
			return ""
		}
		return "lanes of the result must be " + want + " than those of the source, but are " + to.String() + " and " + from.String()
	})
}

// vmiConversionFault returns a message if the types and attributes of op, a conversion of
// lanes, are invalid, and "" otherwise. defaultSAT reports whether an absent attribute
// saturate means saturation.
func vmiConversionFault(op *ir.Op, defaultSAT bool) string {
	from, to := ir.ElementType(op.Operand(0).Type()), ir.ElementType(op.Result(0).Type())
	pair := " to convert " + from.String() + " to " + to.String()
	c := lanemap.ConversionOf(from, to)
	if c == nil {
		return "there is no conversion from " + from.String() + " to " + to.String()
	}
	if rnd, given := op.Attr("rounding").AsString(); given && !strings.Contains(c.Roundings, rnd) {
		if c.Roundings == "" {
			return AttrWanted("rounding", false) + pair
		}
		return "attribute \"rounding\" must be one of " + strings.Join(strings.Split(c.Roundings, ""), ", ") + pair + ", but is " + rnd
	}
	if c.Saturates != (op.HasAttr("saturate") || c.Saturates && defaultSAT) {
		return AttrWanted("saturate", c.Saturates) + pair
	}
	if sat, _ := op.Attr("saturate").AsString(); sat == "SAT" && IsSignedInt(from) && IsSignedInt(to) && ByteSize(from) == 4 && ByteSize(to) == 1 {
		return "attribute \"saturate\" must be NOSAT" + pair + ", since the hardware cannot saturate there"
	}
	return ""
}

// Definitions of the instructions that reinterpret the bits of a vector as another
// type.
var (
	VMIVInterpretCast = Define("vmi.vinterpret_cast", func(string) *ir.Def {
		return vmi(vmiConvert, reinterpretation("vinterpret_cast"))
	})
	VMIBitcast = Define("vmi.bitcast", func(string) *ir.Def {
		return vmi(vmiInner, reinterpretation("bitcast"))
	})
)

// reinterpretation returns the description of an instruction that reinterprets the bits
// of a vector as another type.
func reinterpretation(name string) Op {
	return Op{
		Name: name, Doc: "Reads the bits of a vector as lanes of another type.",
		Ins:      Args{In("source", anyVMI)},
		Outs:     Args{Out("result", anyVMI)},
		Sem:      sem.VecRearrange{Kind: sem.Reinterpret},
		Rules:    []Rule{Fact(otherBits), layoutTogether("source", "result"), Fact(otherLayout)},
		Examples: []string{"%r = pto.vmi." + name + " %a : !pto.vmi.vreg<64xf32> -> !pto.vmi.vreg<128xi16>"},
	}
}

// otherBits returns a message if source and result have different sizes in bits, and ""
// otherwise.
func otherBits(op *ir.Op) string {
	a, _ := ir.As[VMIVReg](op.Operand(0).Type())
	b, _ := ir.As[VMIVReg](op.Result(0).Type())
	if a.Lanes*int64(ByteSize(a.Elem)) == b.Lanes*int64(ByteSize(b.Elem)) {
		return ""
	}
	return "source and result must hold equally many bits, but are " + op.Operand(0).Type().String() + " and " + op.Result(0).Type().String()
}

// otherLayout returns a message if source and result have different layouts, and ""
// otherwise.
func otherLayout(op *ir.Op) string {
	_, a, _ := VMILanesOf(op.Operand(0).Type())
	_, b, _ := VMILanesOf(op.Result(0).Type())
	if a == b || a.IsZero() || b.IsZero() {
		return ""
	}
	return "source and result must have the same layout, but have " + a.String() + " and " + b.String()
}
