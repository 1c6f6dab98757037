// This file defines functions that copy, select, or change only the sign.

package scalar

import "ptogo/ir/num"

// The functions here only move bits. So a NaN keeps its payload, and its sign
// changes like that of any other number.

// Copy returns its operand with all bits unchanged, even if the operand is a NaN.
var Copy = &Fn{
	Name: "copy", Doc: "a", Arity: 1,
	FltBits: func(_ num.Format, a, _, _ uint64) uint64 { return a },
	Uint:    func(a, _, _ uint64) uint64 { return a },
}

// Select is b if a is not zero, and c otherwise. The condition a has the format of
// the other operands, and all of its bits count.
var Select = &Fn{
	Name: "select", Doc: "b if any bit of a is set, else c", Arity: 3,
	FltBits: func(f num.Format, a, b, c uint64) uint64 { return choose(a&f.Mask(), b, c) },
	Uint:    choose,
}

// choose returns b if a is not zero, and c otherwise.
func choose(a, b, c uint64) uint64 {
	if a != 0 {
		return b
	}
	return c
}

// Neg is -a. The sign bit of a float changes, and an integer wraps.
var Neg = &Fn{
	Name: "neg", Doc: "-a", Arity: 1,
	FltBits: func(f num.Format, a, _, _ uint64) uint64 { return flip(f, a, f.SignBit()) },
	Uint:    func(a, _, _ uint64) uint64 { return -a },
}

// Abs is |a|. The sign bit of a float is cleared. The smallest integer is its own
// absolute value, because the positive one does not fit.
var Abs = &Fn{
	Name: "abs", Doc: "|a|", Arity: 1,
	FltBits: func(f num.Format, a, _, _ uint64) uint64 { return flip(f, a, a&f.SignBit()) },
	Int: func(a, _, _ int64) int64 {
		if a < 0 {
			return -a
		}
		return a
	},
	Uint: func(a, _, _ uint64) uint64 { return a },
}

// CopySign is a with the sign of b.
var CopySign = &Fn{
	Name: "copysign", Doc: "a with the sign of b", Arity: 2,
	FltBits: func(f num.Format, a, b, _ uint64) uint64 { return flip(f, a, (a^b)&f.SignBit()) },
}

// flip returns the number a with the sign bit inverted. sign is the bit to invert, or 0
// if flip must not change a. In HiF8, zero and NaN have no sign: the code of zero with
// the sign bit inverted would be the code of NaN, and vice versa. flip therefore returns
// them unchanged. In F8E8M0, numbers have no sign, and the parameter sign must be 0.
func flip(f num.Format, a, sign uint64) uint64 {
	if f == num.HiF8 && a&^f.SignBit()&f.Mask() == 0 {
		return a
	}
	return a ^ sign
}
