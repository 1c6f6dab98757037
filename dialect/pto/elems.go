// This file defines sets of element types.

package pto

import (
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Elems is a set of element types, one bit per type. Signless integers count as signed:
// I16 contains i16 and si16, and U16 contains ui16.
type Elems uint64

// The sets that contain a single element type, one constant per type.
const (
	I1 Elems = 1 << iota
	I4
	I8
	I16
	I32
	I64
	U8
	U16
	U32
	U64
	F16
	BF16
	F32
	F64
	F8E4M3
	F8E5M2
	HiF8
	F8E8M0
	F4E2M1
	F4E1M2
	BF16x2
	HiF8x2
)

// Sets of element types that many instructions accept.
const (
	Ints8  = I8 | U8
	Ints16 = I16 | U16
	Ints32 = I32 | U32
	Ints64 = I64 | U64
	Ints   = Ints8 | Ints16 | Ints32
	Floats = F16 | BF16 | F32
	FP8    = F8E4M3 | F8E5M2
	FP4    = F4E2M1 | F4E1M2
	B8     = Ints8 | FP8 | HiF8 | F8E8M0 | FP4
	B16    = Ints16 | F16 | BF16
	B32    = Ints32 | F32
)

// elemNames lists the element types with their names and number formats, in the order in
// which messages list them.
var elemNames = []struct {
	e    Elems
	name string
	f    num.Format
}{
	{I1, "i1", num.I1}, {I4, "i4", num.I4},
	{I8, "i8", num.I8}, {U8, "ui8", num.U8}, {I16, "i16", num.I16}, {U16, "ui16", num.U16},
	{I32, "i32", num.I32}, {U32, "ui32", num.U32}, {I64, "i64", num.I64}, {U64, "ui64", num.U64},
	{F16, "f16", num.F16}, {BF16, "bf16", num.BF16}, {F32, "f32", num.F32}, {F64, "f64", num.F64},
	{F8E4M3, "f8E4M3FN", num.F8E4M3FN}, {F8E5M2, "f8E5M2", num.F8E5M2}, {HiF8, "hif8", num.HiF8},
	{F8E8M0, "f8E8M0", num.F8E8M0}, {F4E2M1, "f4E2M1x2", num.F4E2M1}, {F4E1M2, "f4E1M2x2", num.F4E1M2},
	{BF16x2, "bf16x2", num.Invalid}, {HiF8x2, "hif8x2", num.Invalid},
}

// String lists the element types of the set for messages, for example "i16, i32 or f32".
func (s Elems) String() string {
	var names []string
	for _, n := range elemNames {
		if s&n.e != 0 {
			names = append(names, n.name)
		}
	}
	switch n := len(names); n {
	case 0:
		return "no type"
	case 1:
		return names[0]
	default:
		return strings.Join(names[:n-1], ", ") + " or " + names[n-1]
	}
}

// ElemOf returns the set that contains only the element type t, or 0 if t is not an
// element type.
func ElemOf(t ir.Type) Elems {
	switch d := t.Data().(type) {
	case ElemType:
		return d.elem()
	case ir.FloatType:
		switch d.Name {
		case "f16":
			return F16
		case "bf16":
			return BF16
		case "f32":
			return F32
		case "f64":
			return F64
		case "f8E4M3FN", "f8E4M3":
			return F8E4M3
		case "f8E5M2":
			return F8E5M2
		case "f8E8M0FNU":
			return F8E8M0
		}
	case ir.IntegerType:
		return intElem(d)
	}
	return 0
}

// intElem returns the set that contains only the integer type d. It returns 0 if d cannot
// be the type of elements.
func intElem(d ir.IntegerType) Elems {
	if d.Sign == ir.Unsigned {
		switch d.Width {
		case 8:
			return U8
		case 16:
			return U16
		case 32:
			return U32
		case 64:
			return U64
		}
		return 0
	}
	switch d.Width {
	case 1:
		return I1
	case 4:
		return I4
	case 8:
		return I8
	case 16:
		return I16
	case 32:
		return I32
	case 64:
		return I64
	}
	return 0
}

// Has reports whether the set contains the element type t.
func (s Elems) Has(t ir.Type) bool { return ElemOf(t)&s != 0 }

// On holds the element types that an instruction supports on each target. An empty set
// means that the target does not have the instruction.
type On struct{ A2A3, A5 Elems }

// Both returns an On with the same element types on all targets.
func Both(e Elems) On { return On{e, e} }

// For returns the element types that o permits on target t. If the target is unknown (t
// is 0), as during parsing, it returns the union over all targets.
func (o On) For(t ir.Target) Elems {
	switch t {
	case 0:
		return o.A2A3 | o.A5
	case sem.A5:
		return o.A5
	}
	return o.A2A3
}

// ByteSize returns the size in bytes of an element of type t in memory, or 0 for a type
// that memory cannot hold. Packed pairs (f4E2M1x2, bf16x2) count as one element. Integers
// shorter than a byte occupy one byte each. This includes 4-bit integers in tiles,
// although conversions pack two of them into each byte and thus use only the first half
// of each row of the tile.
func ByteSize(t ir.Type) int {
	switch d := t.Data().(type) {
	case ElemType:
		return d.bytes()
	case ir.IntegerType:
		if d.Width == 1 || d.Width == 4 {
			return 1
		}
		return int(d.Width) / 8
	case ir.IndexType:
		return 8
	case PtrType:
		return 8
	case ir.VectorType:
		return int(d.Shape.Elements()) * ByteSize(d.Elem)
	}
	if f, ok := ir.FormatOf(t); ok {
		return f.Bytes()
	}
	return 0
}
