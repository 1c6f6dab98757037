package scalar

import "ptogo/ir/num"

// The functions here look at no more than the bits, so a NaN passes with its
// payload and its sign changes as any other sign does.

// Copy is a.
var Copy = &Fn{
	Name: "copy", Doc: "a", Arity: 1,
	FltBits: func(_ num.Format, a, _, _ uint64) uint64 { return a },
	Uint:    func(a, _, _ uint64) uint64 { return a },
}

// Select is b if a is not zero, else c. The condition has the format of the
// others here; all of its bits count.
var Select = &Fn{
	Name: "select", Doc: "b if any bit of a is set, else c", Arity: 3,
	FltBits: func(f num.Format, a, b, c uint64) uint64 { return choose(a&f.Mask(), b, c) },
	Uint:    choose,
}

func choose(a, b, c uint64) uint64 {
	if a != 0 {
		return b
	}
	return c
}

// Neg is -a: floats change the sign bit, integers wrap.
var Neg = &Fn{
	Name: "neg", Doc: "-a", Arity: 1,
	FltBits: func(f num.Format, a, _, _ uint64) uint64 { return flip(f, a, f.SignBit()) },
	Uint:    func(a, _, _ uint64) uint64 { return -a },
}

// Abs is |a|: floats lose the sign bit, and the smallest integer is its own
// absolute value.
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

// flip changes the sign bit. In HiF8 neither zero nor NaN has a sign, and the
// code of one with the bit changed is the other. In F8E8M0 nothing has one.
func flip(f num.Format, a, sign uint64) uint64 {
	if f == num.HiF8 && a&^f.SignBit()&f.Mask() == 0 {
		return a
	}
	return a ^ sign
}
