package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
)

// How products of tiles of f32 round their operands is a state of the core:
// up to two roundings, the first of which was set first. Each is a word: the
// bits behind the point that stay, then what else it does; zero is none.
var roundingStates = [2]string{"operands.first", "operands.second"}

const (
	fractionBits   = 1<<8 - 1
	roundsAway     = 8 // numbers of bits
	flushesSubnorm = 9
)

// setRounding writes a change of how products round their operands.
func (f *function) setRounding(op *ir.Op, kind sem.OperandRounding) {
	if !kind.On.Has(f.opts.Target) {
		return
	}
	this := int64(kind.Fraction)
	if kind.Modes[op.Attr("mode").Keyword()] == num.NearestAway {
		this |= 1 << roundsAway
	}
	if kind.NoSubnormals {
		this |= 1 << flushesSubnorm
	}
	first, second := f.state(roundingStates[0]), f.state(roundingStates[1])
	same := func(x value.Value) value.Value {
		return f.icmp(enum.IPredEQ, f.and(x, index(fractionBits)), index(int64(kind.Fraction)))
	}
	second = f.sel(same(second), index(0), second)
	inFirst := same(first)
	first, second = f.sel(inFirst, second, first), f.sel(inFirst, index(0), second)
	if on, _ := op.Attr("enable").AsBool(); on {
		none := f.icmp(enum.IPredEQ, first, index(0))
		first, second = f.sel(none, index(this), first), f.sel(none, second, index(this))
	}
	f.setState(roundingStates[0], first)
	f.setState(roundingStates[1], second)
}

// roundings are those that are set now.
func (c *code) roundings() []value.Value {
	var out []value.Value
	for _, name := range roundingStates {
		out = append(out, c.trunc(c.state(name), i32))
	}
	return out
}

// roundOperand rounds floats as a word says. A carry out of the fraction goes
// into the exponent, and from the largest exponent gives infinity.
func (c *code) roundOperand(how, x value.Value) value.Value {
	const exponent = 0xFF << 23
	bits := c.bits(x)
	one := integer(i32, 1)
	drop := c.and(c.sub(integer(i32, 23), c.and(how, integer(i32, fractionBits))), integer(i32, 31))
	half := c.lshr(c.shl(one, drop), one)
	flag := func(n int64) value.Value { return c.trunc(c.lshr(how, integer(i32, n)), i1) }
	odd := c.and(c.lshr(bits, drop), one)
	even := c.add(bits, c.add(c.sub(half, one), odd))
	r := c.sel(flag(roundsAway), c.add(bits, half), even)
	field := c.and(bits, integer(i32, exponent))
	tiny := c.and(c.icmp(enum.IPredEQ, field, integer(i32, 0)), flag(flushesSubnorm))
	r = c.sel(tiny, c.and(bits, integer(i32, -1<<31)), r)
	r = c.and(r, c.not(c.sub(c.shl(half, one), one)))
	stays := c.icmp(enum.IPredEQ, field, integer(i32, exponent)) // infinity and NaN stay
	stays = c.or(stays, c.icmp(enum.IPredEQ, how, integer(i32, 0)))
	return c.asFloat(c.sel(stays, bits, r))
}
