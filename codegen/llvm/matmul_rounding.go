// This file emits the rounding modes of product operands.

package llvm

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/codegen/ll"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// roundingStates are the names of the two core registers for the rounding of f32 product
// operands. A program can set up to two modes, which apply in the order in which they
// were set. A mode is a word with the number of remaining fraction bits and two flags;
// zero means no mode.
var roundingStates = [2]string{"operands.first", "operands.second"}

const (
	// fractionBits masks the bits of a mode word that hold the number of remaining
	// fraction bits.
	fractionBits = 1<<8 - 1
	// roundsAway is the number of the bit that selects rounding of ties away from zero.
	roundsAway = 8 // numbers of bits
	// flushesSubnorm is the number of the bit that makes subnormal operands zero.
	flushesSubnorm = 9
)

// setRounding emits an instruction that changes how f32 operands of matrix products are
// rounded.
func (f *function) setRounding(op *ir.Op, kind sem.OperandRounding) {
	if !kind.On.Has(f.opts.Target) {
		return
	}
	o := sem.RoundingChangeOf(op)
	this := int64(kind.Fraction)
	if o.Away {
		this |= 1 << roundsAway
	}
	if kind.NoSubnormals {
		this |= 1 << flushesSubnorm
	}
	first, second := f.state(roundingStates[0]), f.state(roundingStates[1])
	same := func(x value.Value) value.Value {
		return f.ICmp(enum.IPredEQ, f.And(x, ll.Index(fractionBits)), ll.Index(int64(kind.Fraction)))
	}
	second = f.Select(same(second), ll.Index(0), second)
	inFirst := same(first)
	first, second = f.Select(inFirst, second, first), f.Select(inFirst, ll.Index(0), second)
	if o.Enable {
		none := f.ICmp(enum.IPredEQ, first, ll.Index(0))
		first, second = f.Select(none, ll.Index(this), first), f.Select(none, second, ll.Index(this))
	}
	f.setState(roundingStates[0], first)
	f.setState(roundingStates[1], second)
}

// roundings emits loads of the rounding modes that the core currently uses for the
// operands of matrix products. It returns one i32 value per mode, in the order of
// roundingStates.
func (c *code) roundings() []value.Value {
	var out []value.Value
	for _, name := range roundingStates {
		out = append(out, c.Trunc(c.state(name), ll.I32))
	}
	return out
}

// roundOperand emits the rounding of the f32 values x. The parameter how is the mode word
// that describes the rounding. A carry out of the fraction increments the exponent, so
// the largest finite number can become infinity.
func (c *code) roundOperand(how, x value.Value) value.Value {
	const exponent = 0xFF << 23
	bits := c.Bits(x)
	one := ll.Integer(ll.I32, 1)
	drop := c.And(c.Sub(ll.Integer(ll.I32, 23), c.And(how, ll.Integer(ll.I32, fractionBits))), ll.Integer(ll.I32, 31))
	half := c.LShr(c.Shl(one, drop), one)
	flag := func(n int64) value.Value { return c.Trunc(c.LShr(how, ll.Integer(ll.I32, n)), ll.I1) }
	odd := c.And(c.LShr(bits, drop), one)
	even := c.Add(bits, c.Add(c.Sub(half, one), odd))
	r := c.Select(flag(roundsAway), c.Add(bits, half), even)
	field := c.And(bits, ll.Integer(ll.I32, exponent))
	tiny := c.And(c.ICmp(enum.IPredEQ, field, ll.Integer(ll.I32, 0)), flag(flushesSubnorm))
	r = c.Select(tiny, c.And(bits, ll.Integer(ll.I32, -1<<31)), r)
	r = c.And(r, c.Not(c.Sub(c.Shl(half, one), one)))
	stays := c.ICmp(enum.IPredEQ, field, ll.Integer(ll.I32, exponent)) // infinity and NaN stay
	stays = c.Or(stays, c.ICmp(enum.IPredEQ, how, ll.Integer(ll.I32, 0)))
	return c.AsFloat(c.Select(stays, bits, r))
}
