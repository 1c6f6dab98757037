// This file states which conversions of lanes exist, and how they round.

package lanemap

import (
	. "ptogo/dialect/pto"
	"ptogo/ir"
)

// Sets of element types that conversions of VMI vectors accept.
const (
	packedFloats = FP4 | HiF8x2 | BF16x2
	AllFloats    = Floats | FP8 | HiF8 | F8E8M0 | packedFloats
)

// Conversion describes which attributes a conversion of logical vectors accepts.
type Conversion struct {
	// Roundings are the rounding modes that the attribute rounding may name, one letter
	// each. If it is empty, the attribute is forbidden.
	Roundings string
	// Saturates reports whether the attribute saturate is allowed.
	Saturates bool
}

// Sets of rounding modes that several conversions support, one letter each.
const (
	narrowRound = "RAHZ"
	intRound    = "RAFCZ"
)

// floatToInt describes the conversions from floats to integers. For each integer type,
// the set from contains the float types that can be converted to it. The set fits
// contains the float types whose values are always in the range of the integer type. All
// integers are signed except U8.
var floatToInt = map[Elems]struct{ from, fits Elems }{
	I32: {F32 | F16 | BF16, F16},
	I16: {F32 | F16, 0},
	I8:  {F16, 0},
	U8:  {F16, 0},
}

// ConversionOf returns which attributes a conversion from one element type to another
// has, or nil if the conversion does not exist. If both are integers or both are floats,
// they must differ in width.
func ConversionOf(from, to ir.Type) *Conversion {
	a, b := ElemOf(from), ElemOf(to)
	wider := ByteSize(to) - ByteSize(from)
	switch {
	case (a|b)&packedFloats != 0:
		return packedConversion(a, b)
	case a&AllFloats != 0 && b&AllFloats != 0:
		switch {
		case wider > 0:
			return &Conversion{}
		case wider < 0 || a == BF16 && b == F16:
			return &Conversion{narrowRound, true}
		}
	case a&AllFloats != 0:
		if !IsSignedInt(to) { // signless counts as unsigned
			b = unsignedElem(b)
		}
		if c, ok := floatToInt[b]; ok && c.from&a != 0 {
			return &Conversion{intRound, c.fits&a == 0}
		}
	case b&AllFloats != 0:
		if IsSignedInt(from) && b&Floats != 0 {
			return &Conversion{}
		}
	case wider > 0:
		return &Conversion{}
	case wider < 0:
		return &Conversion{"", true}
	}
	return nil
}

// unsignedElem returns the unsigned integer type with the width of the integers in e, or
// 0 if e contains no integers of 8, 16 or 32 bits.
func unsignedElem(e Elems) Elems {
	for _, both := range []Elems{Ints8, Ints16, Ints32} {
		if e&both != 0 {
			return both & (U8 | U16 | U32)
		}
	}
	return 0
}

// packedConversion describes a conversion between vectors whose lanes hold pairs of
// floats. The sets from and to contain one element type each: that of the source and that
// of the destination. The result states which attributes the conversion has. It is nil if
// no such conversion exists.
func packedConversion(from, to Elems) *Conversion {
	switch {
	case from == BF16x2 && to&FP4 != 0:
		return &Conversion{intRound, false}
	case from&FP4 != 0 && to == BF16x2:
		return &Conversion{}
	}
	return nil
}
