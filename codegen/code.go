package codegen

import (
	"strconv"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// code writes the instructions of one function. Operations take numbers and
// vectors alike; where one operand is a vector and the other a number, the
// number stands for a vector of equal elements.
type code struct {
	*module
	fn    *llir.Func
	block *llir.Block // where instructions go; nil behind a terminator
	names map[string]int
	// active tells which lanes count in the vector instruction being written;
	// nil means all.
	active value.Value
	// ub is where the unified buffer of a vector core starts; nil for the cube
	// core and for one that stands for all.
	ub value.Value
}

// newCode starts a function with an entry block.
func newCode(m *module, fn *llir.Func) *code {
	c := &code{module: m, fn: fn, names: map[string]int{}}
	c.enter(c.newBlock("entry"))
	return c
}

// unique makes a name that the function does not have yet.
func (c *code) unique(name string) string {
	n := c.names[name]
	c.names[name]++
	if n == 0 {
		return name
	}
	return name + "." + strconv.Itoa(n)
}

// newBlock makes a block, which has a place in the function from enter on.
func (c *code) newBlock(name string) *llir.Block { return llir.NewBlock(c.unique(name)) }

// enter puts b at the end of the function and goes on in it.
func (c *code) enter(b *llir.Block) {
	b.Parent = c.fn
	c.fn.Blocks = append(c.fn.Blocks, b)
	c.block = b
}

// end finishes the current block.
func (c *code) end(t llir.Terminator) {
	c.block.Term = t
	c.block = nil
}

// jump goes to b.
func (c *code) jump(b *llir.Block) { c.end(llir.NewBr(b)) }

// branch goes to yes or no.
func (c *code) branch(cond value.Value, yes, no *llir.Block) { c.end(llir.NewCondBr(cond, yes, no)) }

// ret returns v, or nothing if v is nil.
func (c *code) ret(v value.Value) { c.end(llir.NewRet(v)) }

// instruction is one that gives a value.
type instruction interface {
	llir.Instruction
	value.Value
}

// add appends an instruction.
func add[I instruction](c *code, i I) value.Value {
	c.do(i)
	return i
}

// do appends an instruction.
func (c *code) do(i llir.Instruction) { c.block.Insts = append(c.block.Insts, i) }

// splat returns a vector of n elements that all are x; with n 0 it is x.
func (c *code) splat(x value.Value, n int) value.Value {
	if n == 0 {
		return x
	}
	t := types.NewVector(uint64(n), x.Type())
	if isZero(x) {
		return zero(t)
	}
	one := add(c, llir.NewInsertElement(constant.NewPoison(t), x, index(0)))
	mask := constant.NewZeroInitializer(types.NewVector(uint64(n), i32))
	return add(c, llir.NewShuffleVector(one, constant.NewPoison(t), mask))
}

func isZero(v value.Value) bool {
	switch v := v.(type) {
	case word:
		return v.v == 0
	case number:
		return v.bits == 0
	}
	return false
}

// like makes x a vector if y is one.
func (c *code) like(x, y value.Value) value.Value {
	if lanes(x.Type()) == 0 {
		return c.splat(x, lanes(y.Type()))
	}
	return x
}

// match gives both operands the same number of elements.
func (c *code) match(x, y value.Value) (value.Value, value.Value) {
	return c.like(x, y), c.like(y, x)
}

// shaped returns t, or the vector of t with as many elements as x.
func shaped(t types.Type, x value.Value) types.Type { return vectorOf(lanes(x.Type()), t) }

// int returns the constant v in the element type of x, an integer.
func (c *code) int(x value.Value, v int64) value.Value { return integer(elementOf(x.Type()), v) }

// num returns the constant v in the element type of x, a float.
func (c *code) num(x value.Value, v float64) value.Value { return float(elementOf(x.Type()), v) }

// Integer arithmetic. Sums, differences and products of i64 constants are
// computed here, which keeps addresses readable.

func (c *code) add(x, y value.Value) value.Value {
	a, okA := constantInt(x)
	b, okB := constantInt(y)
	switch {
	case okA && okB && x.Type() == i64:
		return index(a + b)
	case okA && a == 0 && lanes(y.Type()) == 0:
		return y
	case okB && b == 0:
		return x
	}
	x, y = c.match(x, y)
	return add(c, llir.NewAdd(x, y))
}

func (c *code) sub(x, y value.Value) value.Value {
	a, okA := constantInt(x)
	b, okB := constantInt(y)
	switch {
	case okA && okB && x.Type() == i64:
		return index(a - b)
	case okB && b == 0:
		return x
	case x.Type() == i64 && x == y:
		return index(0)
	}
	x, y = c.match(x, y)
	return add(c, llir.NewSub(x, y))
}

func (c *code) mul(x, y value.Value) value.Value {
	a, okA := constantInt(x)
	b, okB := constantInt(y)
	switch {
	case okA && okB && x.Type() == i64:
		return index(a * b)
	case okA && a == 1 && lanes(y.Type()) == 0:
		return y
	case okB && b == 1:
		return x
	}
	x, y = c.match(x, y)
	return add(c, llir.NewMul(x, y))
}

func (c *code) and(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, llir.NewAnd(x, y))
}

func (c *code) or(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, llir.NewOr(x, y))
}

func (c *code) xor(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, llir.NewXor(x, y))
}

// not inverts every bit.
func (c *code) not(x value.Value) value.Value { return c.xor(x, c.int(x, -1)) }

// Shifts; the count must be below the width.

func (c *code) shl(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, llir.NewShl(x, y))
}

func (c *code) lshr(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, llir.NewLShr(x, y))
}

func (c *code) ashr(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, llir.NewAShr(x, y))
}

// Divisions; the divisor must not be zero, and a quotient must fit.

func (c *code) sdiv(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, llir.NewSDiv(x, y))
}

func (c *code) udiv(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, llir.NewUDiv(x, y))
}

func (c *code) srem(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, llir.NewSRem(x, y))
}

func (c *code) urem(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, llir.NewURem(x, y))
}

// Float arithmetic. No flag allows anything beyond IEEE 754, so nothing is
// fused or reordered.

func (c *code) fadd(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, llir.NewFAdd(x, y))
}

func (c *code) fsub(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, llir.NewFSub(x, y))
}

func (c *code) fmul(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, llir.NewFMul(x, y))
}

func (c *code) fdiv(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, llir.NewFDiv(x, y))
}

// fneg changes the sign, of a NaN too.
func (c *code) fneg(x value.Value) value.Value { return add(c, llir.NewFNeg(x)) }

// icmp compares integers.
func (c *code) icmp(p enum.IPred, x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, &llir.InstICmp{Pred: p, X: x, Y: y, Typ: shaped(i1, x)})
}

// fcmp compares floats.
func (c *code) fcmp(p enum.FPred, x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return add(c, &llir.InstFCmp{Pred: p, X: x, Y: y, Typ: shaped(i1, x)})
}

// isNaN tells whether x is a NaN.
func (c *code) isNaN(x value.Value) value.Value { return c.fcmp(enum.FPredUNO, x, x) }

// sel is yes where cond holds, else no. What is not chosen may be poison.
func (c *code) sel(cond, yes, no value.Value) value.Value {
	n := max(lanes(cond.Type()), lanes(yes.Type()), lanes(no.Type()))
	if lanes(yes.Type()) == 0 {
		yes = c.splat(yes, n)
	}
	if lanes(no.Type()) == 0 {
		no = c.splat(no, n)
	}
	return add(c, llir.NewSelect(cond, yes, no))
}

// either is a or b, where b may be poison if a is true.
func (c *code) either(a, b value.Value) value.Value { return c.sel(a, integer(i1, 1), b) }

// Conversions take the element type of the result.

func (c *code) zext(x value.Value, t types.Type) value.Value  { return cast(c, x, t, llir.NewZExt) }
func (c *code) sext(x value.Value, t types.Type) value.Value  { return cast(c, x, t, llir.NewSExt) }
func (c *code) trunc(x value.Value, t types.Type) value.Value { return cast(c, x, t, llir.NewTrunc) }

// cast converts x, unless it has the type already.
func cast[I instruction](c *code, x value.Value, t types.Type, convert func(value.Value, types.Type) I) value.Value {
	if elementOf(x.Type()).Equal(t) {
		return x
	}
	return add(c, convert(x, shaped(t, x)))
}

// resize cuts x to the width of t, or extends it.
func (c *code) resize(x value.Value, t types.Type, signed bool) value.Value {
	switch from, to := widthOf(x.Type()), widthOf(t); {
	case from > to:
		return c.trunc(x, t)
	case signed:
		return c.sext(x, t)
	}
	return c.zext(x, t)
}

func (c *code) fpext(x value.Value, t types.Type) value.Value { return cast(c, x, t, llir.NewFPExt) }
func (c *code) fptrunc(x value.Value, t types.Type) value.Value {
	return cast(c, x, t, llir.NewFPTrunc)
}

func (c *code) sitofp(x value.Value, t types.Type) value.Value {
	return add(c, llir.NewSIToFP(x, shaped(t, x)))
}

func (c *code) uitofp(x value.Value, t types.Type) value.Value {
	return add(c, llir.NewUIToFP(x, shaped(t, x)))
}

// bits reads a float as an integer of the same width.
func (c *code) bits(x value.Value) value.Value {
	return c.bitcast(x, shaped(intType(widthOf(x.Type())), x))
}

// bitcast reads x as another type of the same size.
func (c *code) bitcast(x value.Value, t types.Type) value.Value {
	if x.Type().Equal(t) {
		return x
	}
	return add(c, llir.NewBitCast(x, t))
}
