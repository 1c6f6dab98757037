// This file defines SIMT conversions.

package simt

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Convert is pto.convert, which converts one number, or each number of a pair, to
// another type.
var Convert = Define("convert", func(name string) *ir.Def {
	return simt(Op{
		Name: name, Family: "conversion", Doc: "Converts a number, or each of two, to another type.",
		Ins:  Args{In("src", ir.TypeIf("a number", isConvertible))},
		Outs: Args{Out("dst", ir.TypeIf("a number", isConvertible))},
		Attrs: []ir.AttrDef{
			{Name: "rounding", Type: RoundingEnum, Doc: "to nearest even, away from zero, down, up, toward zero, to odd, half up"},
			{Name: "saturation", Type: SaturationEnum, Doc: "whether a number that does not fit becomes the nearest that does"},
			optSignedness,
		},
		Traits: ir.Pure,
		Sem:    sem.SimtConvert{},
		Rules:  []Rule{Fact(simtConvertFault)},
		Syntax: ir.Asm("$src `round` `` `(` $rounding `)` $saturation ($signedness^)? attr-dict `:` type($src) `->` type($dst)"),
		Notes: []string{
			"Rounding a: the manual describes it as away from zero. As for vectors, it rounds to nearest, with ties away from zero.",
			"The small packed types stand in the public definition and its tests, but not in the manual's list.",
		},
		Examples: []string{
			"%r = pto.convert %a round(z) sat signed : f32 -> i32",
			"%r = pto.convert %a round(r) nosat : vector<2xf32> -> vector<2xf16>",
		},
	})
})

// smallPairs maps each packed type with numbers of less than 16 bits to the packed type
// from and to which it can be converted.
var smallPairs = map[ir.Type]ir.Type{
	packed(2, f8e4m3):                       v2f32,
	packed(2, f8e5m2):                       v2f32,
	ir.TypeOf(ElemType{Kind: KindHiF8x2}):   v2f32,
	ir.TypeOf(ElemType{Kind: KindF4E1M2x2}): v2bf16,
	ir.TypeOf(ElemType{Kind: KindF4E2M1x2}): v2bf16,
}

// isConvertible reports whether pto.convert supports values of type t.
func isConvertible(t ir.Type) bool {
	_, small := smallPairs[t]
	return small || t == v2f16 || t == v2bf16 || t == v2f32 || (I32|I64|Floats).Has(t) && !isUnsignedInt(t)
}

// isUnsignedInt reports whether t is an integer type that states its sign. Despite the
// name, these are the unsigned types, such as ui32, and the signed types, such as si32.
// The result is false for signless types, such as i32, which are the only integer types
// that pto.convert supports.
func isUnsignedInt(t ir.Type) bool {
	d, ok := ir.As[ir.IntegerType](t)
	return ok && d.Sign != ir.Signless
}

// simtConvertFault returns a message if the types and attributes of a conversion are
// invalid, and "" otherwise.
func simtConvertFault(op *ir.Op) string {
	from, to := op.Operand(0).Type(), op.Result(0).Type()
	fromInt, toInt := ir.Is[ir.IntegerType](from), ir.Is[ir.IntegerType](to)
	switch sign := op.HasAttr("signedness"); {
	case !simtConvertible(from, to):
		return fmt.Sprintf("there is no conversion from %s to %s", from, to)
	case (fromInt || toInt) && !sign:
		return fmt.Sprintf("needs signed or unsigned to convert %s to %s", from, to)
	case !fromInt && !toInt && sign:
		return fmt.Sprintf("must not specify signed or unsigned to convert %s to %s", from, to)
	case toInt && op.Attr("saturation").Keyword() != "sat":
		return fmt.Sprintf("needs sat to convert %s to %s: conversion to an integer requires saturation", from, to)
	}
	return ""
}

// simtConvertible reports whether a SIMT conversion from one type to another exists. from
// is the type of the operand, and to is the type of the result.
func simtConvertible(from, to ir.Type) bool {
	switch {
	case isWide(from) || isWide(to):
		return wideOf(from, to) || wideOf(to, from)
	case from == ir.I64 || to == ir.I64:
		return from == ir.F32 || to == ir.F32
	}
	return from != ir.I32 || to != ir.I32
}

// isWide reports whether a value of type t consists of two packed numbers. This holds for
// the packed types of 32 bits, and for the narrower types in smallPairs.
func isWide(t ir.Type) bool {
	_, small := smallPairs[t]
	return small || isPacked(t)
}

// wideOf reports whether a value of a packed type, the parameter narrow, can be converted
// to another packed type, the parameter wide.
func wideOf(narrow, wide ir.Type) bool {
	if w, ok := smallPairs[narrow]; ok {
		return wide == w
	}
	return wide == v2f32 && (narrow == v2f16 || narrow == v2bf16)
}
