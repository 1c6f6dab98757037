package codegen

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"
)

// What is known while code is written is computed here, and of what cannot
// happen nothing is written.

// quo is an i64, which is not negative, divided by a constant.
func (c *code) quo(x value.Value, n int64) value.Value {
	if v, ok := constantInt(x); ok {
		return index(v / n)
	}
	return c.udiv(x, index(n))
}

// rest is the remainder of quo.
func (c *code) rest(x value.Value, n int64) value.Value {
	if v, ok := constantInt(x); ok {
		return index(v % n)
	}
	return c.urem(x, index(n))
}

// ceilQuo is x divided by n, rounded up; x is not negative.
func (c *code) ceilQuo(x value.Value, n int64) value.Value {
	return c.quo(c.add(x, index(n-1)), n)
}

// roundUpTo is x rounded up to a multiple of n.
func (c *code) roundUpTo(x value.Value, n int64) value.Value {
	return c.mul(c.ceilQuo(x, n), index(n))
}

// atMost is the smaller of two counts.
func (c *code) atMost(x, y value.Value) value.Value {
	a, okA := constantInt(x)
	b, okB := constantInt(y)
	if okA && okB {
		return index(min(a, b))
	}
	return c.minInt(x, y)
}

// bitField is some bits of a word of 64.
func (c *code) bitField(word value.Value, from, bits int64) value.Value {
	if n, ok := constantInt(word); ok {
		return index(int64(uint64(n) >> from & (1<<bits - 1)))
	}
	return c.and(c.lshr(word, index(from)), index(1<<bits-1))
}

// flag is a bit of a word, as i1.
func (c *code) flag(word value.Value, bit int64) value.Value {
	if n, ok := constantInt(word); ok {
		return constantBool(n>>bit&1 != 0)
	}
	return c.trunc(c.lshr(word, index(bit)), i1)
}

// nonZero is whether a word is not zero.
func (c *code) nonZero(x value.Value) value.Value {
	if n, ok := constantInt(x); ok {
		return constantBool(n != 0)
	}
	return c.icmp(enum.IPredNE, x, index(0))
}

// anyOf is whether one of several conditions holds.
func (c *code) anyOf(conds ...value.Value) value.Value {
	r := conds[0]
	for _, x := range conds[1:] {
		n, ok := constantInt(r)
		switch {
		case ok && n != 0:
			return r
		case ok:
			r = x
		default:
			if n, ok := constantInt(x); !ok || n != 0 {
				r = c.or(r, x)
			}
		}
	}
	return r
}

// noneOf is whether no condition holds.
func (c *code) noneOf(conds ...value.Value) value.Value {
	any := c.anyOf(conds...)
	if n, ok := constantInt(any); ok {
		return constantBool(n == 0)
	}
	return c.not(any)
}

// pick is the value of yes if cond holds, else that of no; of a constant
// condition only one is written.
func (c *code) pick(name string, cond value.Value, yes, no func() value.Value) value.Value {
	if n, ok := constantInt(cond); ok {
		if n != 0 {
			return yes()
		}
		return no()
	}
	return c.choose(name, cond, yes, no)
}

// eitherWay runs yes if cond holds, else no; of a constant only one is written.
func (c *code) eitherWay(name string, cond value.Value, yes, no func()) {
	if n, ok := constantInt(cond); ok {
		if n != 0 {
			yes()
		} else {
			no()
		}
		return
	}
	c.when(name, cond, yes)
	c.when(name+".not", c.not(cond), no)
}

// repeat is loop, which is none if n is 1.
func (c *code) repeat(name string, n value.Value, body func(i value.Value)) {
	if k, ok := constantInt(n); ok && k == 1 {
		body(index(0))
		return
	}
	c.loop(name, n, body)
}

// atMostOrTrap stops the program if x, without sign, is greater than a field
// holds.
func (c *code) atMostOrTrap(x value.Value, largest int64) {
	if n, ok := constantInt(x); ok && uint64(n) <= uint64(largest) {
		return
	}
	c.trapIf(c.icmp(enum.IPredUGT, x, index(largest)))
}

// belowOrTrap stops the program unless x is from 0 on and below a limit.
func (c *code) belowOrTrap(x value.Value, limit int64) {
	if n, ok := constantInt(x); ok && 0 <= n && n < limit {
		return
	}
	c.trapIf(c.icmp(enum.IPredUGE, x, index(limit)))
}

// multipleOrTrap stops the program if x is no multiple of n.
func (c *code) multipleOrTrap(x value.Value, n int64) {
	if v, ok := constantInt(x); ok && v%n == 0 {
		return
	}
	c.trapIf(c.icmp(enum.IPredNE, c.rest(x, n), index(0)))
}
