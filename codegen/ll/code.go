// This file defines the builder of one LLVM function.

package ll

import (
	"strconv"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// Code writes the instructions of one function. Operations take numbers and
// vectors alike; where one operand is a vector and the other a number, the
// number stands for a vector of equal elements.
type Code struct {
	m     *Module
	Func  *llir.Func
	Block *llir.Block    // where instructions go; nil after a terminator
	names map[string]int // those taken, with the next number for each
	// Active reports which lanes count in the vector instruction being written;
	// nil means all.
	Active value.Value
}

// NewCode starts a function with an entry block.
func NewCode(m *Module, fn *llir.Func) *Code {
	c := &Code{m: m, Func: fn, names: map[string]int{}}
	for _, p := range fn.Params {
		c.Unique(p.Name())
	}
	c.Enter(c.NewBlock("entry"))
	return c
}

// Unique makes a name that the function does not have yet.
func (c *Code) Unique(name string) string {
	next, taken := c.names[name]
	if !taken {
		c.names[name] = 1
		return name
	}
	for { // the program may have named a value row.1 itself
		unique := name + "." + strconv.Itoa(next)
		next++
		if _, taken := c.names[unique]; !taken {
			c.names[name], c.names[unique] = next, 1
			return unique
		}
	}
}

// NewBlock makes a block, which has a place in the function from enter on.
func (c *Code) NewBlock(name string) *llir.Block { return llir.NewBlock(c.Unique(name)) }

// Enter puts b at the end of the function and goes on in it.
func (c *Code) Enter(b *llir.Block) {
	b.Parent = c.Func
	c.Func.Blocks = append(c.Func.Blocks, b)
	c.Block = b
}

// End finishes the current block.
func (c *Code) End(t llir.Terminator) {
	c.Block.Term = t
	c.Block = nil
}

// Jump goes to b.
func (c *Code) Jump(b *llir.Block) { c.End(llir.NewBr(b)) }

// Branch goes to yes or no.
func (c *Code) Branch(cond value.Value, yes, no *llir.Block) { c.End(llir.NewCondBr(cond, yes, no)) }

// Ret returns v, or nothing if v is nil.
func (c *Code) Ret(v value.Value) { c.End(llir.NewRet(v)) }

// instruction is one that gives a value.
type instruction interface {
	llir.Instruction
	value.Value
}

// Emit appends an instruction and returns its value.
func (c *Code) Emit(i instruction) value.Value {
	c.Do(i)
	return i
}

// Do appends an instruction.
func (c *Code) Do(i llir.Instruction) { c.Block.Insts = append(c.Block.Insts, i) }

// Splat returns a vector of n elements that all are x; with n 0 it is x.
func (c *Code) Splat(x value.Value, n int) value.Value {
	if n == 0 {
		return x
	}
	t := types.NewVector(uint64(n), x.Type())
	if isZero(x) {
		return Zero(t)
	}
	one := c.Emit(llir.NewInsertElement(constant.NewPoison(t), x, Index(0)))
	mask := constant.NewZeroInitializer(types.NewVector(uint64(n), I32))
	return c.Emit(llir.NewShuffleVector(one, constant.NewPoison(t), mask))
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

// Like makes x a vector if y is one.
func (c *Code) Like(x, y value.Value) value.Value {
	if Lanes(x.Type()) == 0 {
		return c.Splat(x, Lanes(y.Type()))
	}
	return x
}

// match gives both operands the same number of elements.
func (c *Code) match(x, y value.Value) (value.Value, value.Value) {
	return c.Like(x, y), c.Like(y, x)
}

// Shaped returns t, or the vector of t with as many elements as x.
func Shaped(t types.Type, x value.Value) types.Type { return VectorOf(Lanes(x.Type()), t) }

// Int returns the constant v in the element type of x, an integer.
func (c *Code) Int(x value.Value, v int64) value.Value { return Integer(ElementOf(x.Type()), v) }

// Num returns the constant v in the element type of x, a float.
func (c *Code) Num(x value.Value, v float64) value.Value { return Float(ElementOf(x.Type()), v) }

// Integer arithmetic. Sums, differences and products of i64 constants are
// computed here, which keeps addresses readable.

// Add returns x + y.
func (c *Code) Add(x, y value.Value) value.Value {
	a, okA := ConstantInt(x)
	b, okB := ConstantInt(y)
	switch {
	case okA && okB && x.Type() == I64:
		return Index(a + b)
	case okA && a == 0 && Lanes(y.Type()) == 0:
		return y
	case okB && b == 0:
		return x
	}
	x, y = c.match(x, y)
	return c.Emit(llir.NewAdd(x, y))
}

// Sub returns x - y.
func (c *Code) Sub(x, y value.Value) value.Value {
	a, okA := ConstantInt(x)
	b, okB := ConstantInt(y)
	switch {
	case okA && okB && x.Type() == I64:
		return Index(a - b)
	case okB && b == 0:
		return x
	case x.Type() == I64 && x == y:
		return Index(0)
	}
	x, y = c.match(x, y)
	return c.Emit(llir.NewSub(x, y))
}

// Mul returns x * y.
func (c *Code) Mul(x, y value.Value) value.Value {
	a, okA := ConstantInt(x)
	b, okB := ConstantInt(y)
	switch {
	case okA && okB && x.Type() == I64:
		return Index(a * b)
	case okA && a == 1 && Lanes(y.Type()) == 0:
		return y
	case okB && b == 1:
		return x
	}
	x, y = c.match(x, y)
	return c.Emit(llir.NewMul(x, y))
}

// And returns the bits that both have.
func (c *Code) And(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewAnd(x, y))
}

// Or returns the bits that one has.
func (c *Code) Or(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewOr(x, y))
}

// Xor returns the bits that only one has.
func (c *Code) Xor(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewXor(x, y))
}

// Not inverts every bit.
func (c *Code) Not(x value.Value) value.Value { return c.Xor(x, c.Int(x, -1)) }

// Shifts; the count must be below the width.

// Shl shifts x to the left by y bits.
func (c *Code) Shl(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewShl(x, y))
}

// LShr shifts x to the right by y bits and fills up with zeros.
func (c *Code) LShr(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewLShr(x, y))
}

// AShr shifts x to the right by y bits and fills up with the sign.
func (c *Code) AShr(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewAShr(x, y))
}

// Divisions; the divisor must not be zero, and a quotient must fit.

// SDiv returns the quotient of signed integers, rounded toward zero.
func (c *Code) SDiv(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewSDiv(x, y))
}

// UDiv returns the quotient of unsigned integers.
func (c *Code) UDiv(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewUDiv(x, y))
}

func (c *Code) srem(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewSRem(x, y))
}

// URem returns the remainder of UDiv.
func (c *Code) URem(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewURem(x, y))
}

// Float arithmetic. No flag allows anything beyond IEEE 754, so nothing is
// fused or reordered.

// FAdd returns x + y.
func (c *Code) FAdd(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewFAdd(x, y))
}

// FSub returns x - y.
func (c *Code) FSub(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewFSub(x, y))
}

// FMul returns x * y.
func (c *Code) FMul(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewFMul(x, y))
}

func (c *Code) fdiv(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewFDiv(x, y))
}

// FNeg changes the sign, of a NaN too.
func (c *Code) FNeg(x value.Value) value.Value { return c.Emit(llir.NewFNeg(x)) }

// ICmp compares integers.
func (c *Code) ICmp(p enum.IPred, x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(&llir.InstICmp{Pred: p, X: x, Y: y, Typ: Shaped(I1, x)})
}

// FCmp compares floats.
func (c *Code) FCmp(p enum.FPred, x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(&llir.InstFCmp{Pred: p, X: x, Y: y, Typ: Shaped(I1, x)})
}

// IsNaN reports whether x is a NaN.
func (c *Code) IsNaN(x value.Value) value.Value { return c.FCmp(enum.FPredUNO, x, x) }

// Select is yes where cond holds, else no. What is not chosen may be poison.
func (c *Code) Select(cond, yes, no value.Value) value.Value {
	n := max(Lanes(cond.Type()), Lanes(yes.Type()), Lanes(no.Type()))
	if Lanes(yes.Type()) == 0 {
		yes = c.Splat(yes, n)
	}
	if Lanes(no.Type()) == 0 {
		no = c.Splat(no, n)
	}
	return c.Emit(llir.NewSelect(cond, yes, no))
}

// either is a or b, where b may be poison if a is true.
func (c *Code) either(a, b value.Value) value.Value { return c.Select(a, Integer(I1, 1), b) }

// Conversions take the element type of the result.

// ZExt extends integers with zeros.
func (c *Code) ZExt(x value.Value, t types.Type) value.Value { return cast(c, x, t, llir.NewZExt) }

// SExt extends integers with their sign.
func (c *Code) SExt(x value.Value, t types.Type) value.Value { return cast(c, x, t, llir.NewSExt) }

// Trunc keeps the low bits of integers.
func (c *Code) Trunc(x value.Value, t types.Type) value.Value { return cast(c, x, t, llir.NewTrunc) }

// cast converts x, unless it has the type already.
func cast[I instruction](c *Code, x value.Value, t types.Type, convert func(value.Value, types.Type) I) value.Value {
	if ElementOf(x.Type()).Equal(t) {
		return x
	}
	return c.Emit(convert(x, Shaped(t, x)))
}

// Resize cuts x to the width of t, or extends it.
func (c *Code) Resize(x value.Value, t types.Type, signed bool) value.Value {
	switch from, to := WidthOf(x.Type()), WidthOf(t); {
	case from > to:
		return c.Trunc(x, t)
	case signed:
		return c.SExt(x, t)
	}
	return c.ZExt(x, t)
}

// FPExt extends floats.
func (c *Code) FPExt(x value.Value, t types.Type) value.Value { return cast(c, x, t, llir.NewFPExt) }

// FPTrunc rounds floats to the nearest, ties to even.
func (c *Code) FPTrunc(x value.Value, t types.Type) value.Value {
	return cast(c, x, t, llir.NewFPTrunc)
}

// SIToFP converts signed integers to floats.
func (c *Code) SIToFP(x value.Value, t types.Type) value.Value {
	return c.Emit(llir.NewSIToFP(x, Shaped(t, x)))
}

func (c *Code) uitofp(x value.Value, t types.Type) value.Value {
	return c.Emit(llir.NewUIToFP(x, Shaped(t, x)))
}

// Bits reads a float as an integer of the same width.
func (c *Code) Bits(x value.Value) value.Value {
	return c.Bitcast(x, Shaped(IntType(WidthOf(x.Type())), x))
}

// Bitcast reads x as another type of the same size.
func (c *Code) Bitcast(x value.Value, t types.Type) value.Value {
	if x.Type().Equal(t) {
		return x
	}
	return c.Emit(llir.NewBitCast(x, t))
}
