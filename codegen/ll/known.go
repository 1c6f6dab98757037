// This file simplifies integer operations with constants while it emits them.

package ll

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"
)

// Operations whose operands may be constants: what is known while code is
// written is computed at once, and a branch that cannot be taken is left out.

// Quo emits the quotient x / n for an i64 that is not negative. If x is a constant, the
// result is a constant. If InUnits emitted x in units of n, the result is the number of
// units.
func (c *Code) Quo(x value.Value, n int64) value.Value {
	if v, ok := ConstantInt(x); ok {
		return Index(v / n)
	}
	if u, ok := c.units[x]; ok && u.size == n {
		return u.number
	}
	return c.UDiv(x, Index(n))
}

// Rem emits the remainder of x divided by n, for an i64 that is not negative. If InUnits
// emitted x in units of n, the result is the position in the unit.
func (c *Code) Rem(x value.Value, n int64) value.Value {
	if v, ok := ConstantInt(x); ok {
		return Index(v % n)
	}
	if u, ok := c.units[x]; ok && u.size == n {
		return u.at
	}
	return c.URem(x, Index(n))
}

// inUnits describes a number as a position in one of several units of equal size.
type inUnits struct {
	size       int64
	number, at value.Value
}

// InUnits emits number*size + at, where 0 <= at < size. Quo and Rem of the result by size
// are number and at, without an instruction.
func (c *Code) InUnits(number value.Value, size int64, at value.Value) value.Value {
	x := c.Add(c.Mul(number, Index(size)), at)
	if _, constant := ConstantInt(x); !constant {
		c.units[x] = inUnits{size, number, at}
	}
	return x
}

// CeilQuo emits x / n rounded up, for x that is not negative.
func (c *Code) CeilQuo(x value.Value, n int64) value.Value {
	return c.Quo(c.Add(x, Index(n-1)), n)
}

// RoundUpTo emits x rounded up to a multiple of n, for x that is not negative.
func (c *Code) RoundUpTo(x value.Value, n int64) value.Value {
	return c.Mul(c.CeilQuo(x, n), Index(n))
}

// AtMost emits the minimum of two i64 counts. If both are constants, the result is a
// constant.
func (c *Code) AtMost(x, y value.Value) value.Value {
	a, okA := ConstantInt(x)
	b, okB := ConstantInt(y)
	if okA && okB {
		return Index(min(a, b))
	}
	return c.MinInt(x, y)
}

// BitField emits a field of a 64-bit word as an i64. from is the number of the lowest bit
// of the field, and bits is its width.
func (c *Code) BitField(word value.Value, from, bits int64) value.Value {
	if n, ok := ConstantInt(word); ok {
		return Index(int64(uint64(n) >> from & (1<<bits - 1)))
	}
	return c.And(c.LShr(word, Index(from)), Index(1<<bits-1))
}

// Flag emits one bit of a 64-bit word as an i1. bit is the index of the bit, counted from
// the lowest.
func (c *Code) Flag(word value.Value, bit int64) value.Value {
	if n, ok := ConstantInt(word); ok {
		return ConstantBool(n>>bit&1 != 0)
	}
	return c.Trunc(c.LShr(word, Index(bit)), I1)
}

// NonZero emits an i1 that is true if x is not zero.
func (c *Code) NonZero(x value.Value) value.Value {
	if n, ok := ConstantInt(x); ok {
		return ConstantBool(n != 0)
	}
	return c.ICmp(enum.IPredNE, x, Index(0))
}

// AnyOf emits an i1 that is true if at least one of the conditions is true.
func (c *Code) AnyOf(conds ...value.Value) value.Value {
	r := conds[0]
	for _, x := range conds[1:] {
		n, ok := ConstantInt(r)
		switch {
		case ok && n != 0:
			return r
		case ok:
			r = x
		default:
			if n, ok := ConstantInt(x); !ok || n != 0 {
				r = c.Or(r, x)
			}
		}
	}
	return r
}

// NoneOf emits an i1 that is true if all conditions are false.
func (c *Code) NoneOf(conds ...value.Value) value.Value {
	any := c.AnyOf(conds...)
	if n, ok := ConstantInt(any); ok {
		return ConstantBool(n == 0)
	}
	return c.Not(any)
}

// ChooseKnown emits a choice between the code of two functions, and returns the result of
// the code that executes. The code of the function yes executes if cond is true, and the
// code of the function no executes if cond is false. If cond is a constant, ChooseKnown
// emits only the code that executes. The names of the LLVM blocks that it creates begin
// with the string name.
func (c *Code) ChooseKnown(name string, cond value.Value, yes, no func() value.Value) value.Value {
	if n, ok := ConstantInt(cond); ok {
		if n != 0 {
			return yes()
		}
		return no()
	}
	return c.Choose(name, cond, yes, no)
}

// WhenElse emits a branch. The functions yes and no emit the code for the two cases: the
// emitted code of yes executes if cond is true, and that of no executes if cond is false.
// If cond is a constant, WhenElse emits only the code for this case. name is the prefix
// of the names of the LLVM blocks.
func (c *Code) WhenElse(name string, cond value.Value, yes, no func()) {
	if n, ok := ConstantInt(cond); ok {
		if n != 0 {
			yes()
		} else {
			no()
		}
		return
	}
	c.When(name, cond, yes)
	c.When(name+".not", c.Not(cond), no)
}

// Repeat emits a loop over i = 0, 1, ..., n-1. It calls body once, to emit the code of an
// iteration with the counter i. The names of the loop's LLVM blocks begin with the string
// name. If n is the constant 1, Repeat emits one iteration without a loop.
func (c *Code) Repeat(name string, n value.Value, body func(i value.Value)) {
	if k, ok := ConstantInt(n); ok && k == 1 {
		body(Index(0))
		return
	}
	c.Loop(name, n, body)
}

// AtMostOrTrap emits a trap if x, as an unsigned number, is greater than largest.
func (c *Code) AtMostOrTrap(x value.Value, largest int64) {
	if n, ok := ConstantInt(x); ok && uint64(n) <= uint64(largest) {
		return
	}
	c.TrapIf(c.ICmp(enum.IPredUGT, x, Index(largest)))
}

// BelowOrTrap emits a trap unless 0 <= x < limit, and returns x. A fenced module checks
// the bounds of all memory accesses. In such a module, BelowOrTrap returns the minimum of
// x and limit-1 instead of x. The minimum equals x after the trap test, but the bounds
// checks can derive an upper bound from it. LLVM later removes the minimum operation.
func (c *Code) BelowOrTrap(x value.Value, limit int64) value.Value {
	n, known := ConstantInt(x)
	if known && 0 <= n && n < limit {
		return x
	}
	c.TrapIf(c.ICmp(enum.IPredUGE, x, Index(limit)))
	if !c.m.Fenced || known || limit < 1 {
		return x
	}
	return c.Call(c.m.Intrinsic("llvm.umin.i64", I64, I64, I64), x, Index(limit-1))
}

// MultipleOrTrap emits a trap unless x is a multiple of n.
func (c *Code) MultipleOrTrap(x value.Value, n int64) {
	if v, ok := ConstantInt(x); ok && v%n == 0 {
		return
	}
	c.TrapIf(c.ICmp(enum.IPredNE, c.Rem(x, n), Index(0)))
}
