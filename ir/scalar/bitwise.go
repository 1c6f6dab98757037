// This file defines bitwise functions and shifts.

package scalar

import (
	"math/bits"

	"ptogo/ir/num"
)

// And is the bitwise a & b.
var And = &Fn{
	Name: "and", Doc: "bitwise a & b", Arity: 2, Commutative: true,
	Uint: func(a, b, _ uint64) uint64 { return a & b },
}

// Or is the bitwise a | b.
var Or = &Fn{
	Name: "or", Doc: "bitwise a | b", Arity: 2, Commutative: true,
	Uint: func(a, b, _ uint64) uint64 { return a | b },
}

// Xor is the bitwise a ^ b.
var Xor = &Fn{
	Name: "xor", Doc: "bitwise a ^ b", Arity: 2, Commutative: true,
	Uint: func(a, b, _ uint64) uint64 { return a ^ b },
}

// Not inverts every bit.
var Not = &Fn{
	Name: "not", Doc: "bitwise complement of a", Arity: 1,
	Uint: func(a, _, _ uint64) uint64 { return ^a },
}

// A shift uses its count modulo the width. The instruction pages do not define
// counts outside [0, width), and MLIR calls them poison. The published golden data
// of the vector shifts mask the count to 4 bits for 16-bit elements and to 5 bits
// for 32-bit ones. All shifts except those of the tile instructions follow these
// data.

// Shl shifts its first operand to the left. The shift count is the second operand modulo
// the width.
var Shl = &Fn{
	Name: "shl", Doc: "a << b, with b modulo the width", Arity: 2,
	IntBits: func(f num.Format, a, b, _ uint64) uint64 { return a << shiftCount(f, b) },
}

// Shr shifts a right by b bits: arithmetically if the format is signed or signless,
// and logically if it is unsigned.
var Shr = &Fn{
	Name: "shr", Doc: "a >> b with the sign of the format, with b modulo the width", Arity: 2,
	IntBits: func(f num.Format, a, b, _ uint64) uint64 {
		n := shiftCount(f, b)
		if f.Signed() {
			return uint64(num.Int(f, a) >> n)
		}
		return a >> n
	},
}

// ShrS shifts a right by b bits and shifts in copies of the sign bit.
var ShrS = withSign(Shr, Signed, "shr_s", "arithmetic a >> b, with b modulo the width")

// ShrU shifts a right by b bits, modulo the width of a. The shift is logical: the upper
// bits of the result become zero.
var ShrU = withSign(Shr, Unsigned, "shr_u", "logical a >> b, with b modulo the width")

// shiftCount returns b modulo the width of f, which is a power of two.
func shiftCount(f num.Format, b uint64) uint64 { return b & uint64(f.Bits()-1) }

// ShlWide shifts a left by b bits as C does. Elements below 32 bits are extended to 32
// bits first. The result is therefore 0 if b is at least the width of the element and at
// most 31. The CPU simulator of pto-isa shifts in the same way, and so do the published
// results (golden data) of the tile instructions.
var ShlWide = &Fn{
	Name: "shl_wide", Doc: "a << b, with b modulo 32, or 64 for 64 bits", Arity: 2,
	IntBits: func(f num.Format, a, b, _ uint64) uint64 { return a << wideCount(f, b) },
}

// ShrWide shifts its first operand to the right. As in C, the shift count is the second
// operand modulo 32, or modulo 64 for 64-bit elements. The shift is arithmetic if the
// format is signed.
var ShrWide = &Fn{
	Name: "shr_wide", Doc: "a >> b with the sign of the format, with b modulo 32, or 64 for 64 bits", Arity: 2,
	IntBits: func(f num.Format, a, b, _ uint64) uint64 {
		if f.Signed() {
			return uint64(num.Int(f, a) >> wideCount(f, b))
		}
		return a >> wideCount(f, b)
	},
}

// wideCount returns the shift count b modulo the width in bits of format f. For formats
// below 32 bits it uses the width 32, because such elements are extended to 32 bits
// before the shift.
func wideCount(f num.Format, b uint64) uint64 { return b & uint64(max(f.Bits(), 32)-1) }

// PopCount counts the bits that are set.
var PopCount = &Fn{
	Name: "popcount", Doc: "number of set bits", Arity: 1,
	Uint: func(a, _, _ uint64) uint64 { return uint64(bits.OnesCount64(a)) },
}

// LeadingZeros counts the zeros above the highest set bit. For 0 it is the width.
var LeadingZeros = &Fn{
	Name: "clz", Doc: "number of leading zero bits", Arity: 1,
	IntBits: func(f num.Format, a, _, _ uint64) uint64 { return uint64(f.Bits() - bits.Len64(a)) },
}

// TrailingZeros counts the zeros below the lowest set bit. For 0 it is the width.
var TrailingZeros = &Fn{
	Name: "ctz", Doc: "number of trailing zero bits", Arity: 1,
	IntBits: func(f num.Format, a, _, _ uint64) uint64 {
		return uint64(min(bits.TrailingZeros64(a), f.Bits()))
	},
}

// LeadingSigns counts how many of the bits that directly follow the sign bit are equal to
// the sign bit.
var LeadingSigns = &Fn{
	Name: "cls", Doc: "number of bits after the sign bit that equal it", Arity: 1,
	IntBits: func(f num.Format, a, _, _ uint64) uint64 {
		if a&(1<<(f.Bits()-1)) != 0 {
			a = ^a & f.Mask()
		}
		return uint64(f.Bits() - bits.Len64(a) - 1)
	},
}
