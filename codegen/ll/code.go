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

// Code emits the LLVM IR instructions of one function. Its methods accept scalars and
// vectors. If one operand is a vector and the other one a scalar, the scalar is
// broadcast. A method named after an operation appends the instruction to the current
// block and returns its result.
type Code struct {
	m    *Module
	Func *llir.Func
	// Block receives the next instruction. It is nil after a terminator.
	Block *llir.Block
	// names are the names in use, with the next suffix for each.
	names map[string]int
	// Active is the mask of the enabled lanes of the vector operation that is being
	// emitted; nil means all lanes. Code for disabled lanes must not trap.
	Active value.Value
	// units are the numbers that InUnits has emitted.
	units map[value.Value]inUnits
}

// NewCode starts the emission of the body of fn, a function in the module m. It creates
// the entry block.
func NewCode(m *Module, fn *llir.Func) *Code {
	c := &Code{m: m, Func: fn, names: map[string]int{}, units: map[value.Value]inUnits{}}
	for _, p := range fn.Params {
		c.Unique(p.Name())
	}
	c.Enter(c.NewBlock("entry"))
	return c
}

// Unique returns a name that the function does not use yet, and reserves it.
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

// NewBlock creates a block whose name is derived from the given one. The block is not
// part of the function yet; Enter inserts it.
func (c *Code) NewBlock(name string) *llir.Block { return llir.NewBlock(c.Unique(name)) }

// Enter appends b to the function and makes it the current block.
func (c *Code) Enter(b *llir.Block) {
	b.Parent = c.Func
	c.Func.Blocks = append(c.Func.Blocks, b)
	c.Block = b
}

// End sets the terminator of the current block. Afterwards, no block is current until
// Enter is called.
func (c *Code) End(t llir.Terminator) {
	c.Block.Term = t
	c.Block = nil
}

// Jump ends the current block with a jump to b.
func (c *Code) Jump(b *llir.Block) { c.End(llir.NewBr(b)) }

// Branch ends the current block with a conditional jump. If cond is true, the jump goes
// to the block in the parameter yes. If cond is false, it goes to the block in the
// parameter no.
func (c *Code) Branch(cond value.Value, yes, no *llir.Block) { c.End(llir.NewCondBr(cond, yes, no)) }

// Ret ends the current block with a return of v, or of no value if v is nil.
func (c *Code) Ret(v value.Value) { c.End(llir.NewRet(v)) }

// instruction is an instruction with a result.
type instruction interface {
	llir.Instruction
	value.Value
}

// Emit appends an instruction with a result and returns the result.
//
//go:noinline
func (c *Code) Emit(i instruction) value.Value {
	c.Do(i)
	return i
}

// Do appends an instruction without a result to the current block, and adds it to the
// module's count of instructions.
//
//go:noinline
func (c *Code) Do(i llir.Instruction) {
	c.Block.Insts = append(c.Block.Insts, i)
	c.m.instructions++
}

// Splat emits a vector of n elements that all equal x. If n is 0, it returns x itself.
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

// isZero reports whether v is a constant with all bits clear.
func isZero(v value.Value) bool {
	switch v := v.(type) {
	case word:
		return v.v == 0
	case number:
		return v.bits == 0
	}
	return false
}

// Like returns x in the shape of y: if y is a vector and x is a scalar, it returns a
// vector whose elements all equal x.
func (c *Code) Like(x, y value.Value) value.Value {
	if Lanes(x.Type()) == 0 {
		return c.Splat(x, Lanes(y.Type()))
	}
	return x
}

// match returns x and y as two operands of the same shape. If exactly one of them is a
// vector, it broadcasts the scalar operand to a vector.
func (c *Code) match(x, y value.Value) (value.Value, value.Value) {
	return c.Like(x, y), c.Like(y, x)
}

// Shaped returns a type with element type t in the shape of x: t itself if x is a scalar,
// and a vector of as many elements as x has if x is a vector.
func Shaped(t types.Type, x value.Value) types.Type { return VectorOf(Lanes(x.Type()), t) }

// Int returns the integer constant v in the element type of x.
func (c *Code) Int(x value.Value, v int64) value.Value { return Integer(ElementOf(x.Type()), v) }

// Num returns the floating-point constant v in the element type of x.
func (c *Code) Num(x value.Value, v float64) value.Value { return Float(ElementOf(x.Type()), v) }

// Integer arithmetic. Sums, differences and products of i64 constants are
// computed here, which keeps addresses readable.

// Add emits x + y for integers. If both operands are constants, it returns a constant, so
// that later code can test for it with ConstantInt.
func (c *Code) Add(x, y value.Value) value.Value {
	a, okA := ConstantInt(x)
	b, okB := ConstantInt(y)
	switch {
	case okA && okB && x.Type() == I64 && (interval{a, a}).plus(interval{b, b}).known():
		return Index(a + b) // a sum that wraps stays, so that the fence sees it
	case okA && a == 0 && Lanes(y.Type()) == 0:
		return y
	case okB && b == 0:
		return x
	}
	x, y = c.match(x, y)
	return c.Emit(llir.NewAdd(x, y))
}

// Sub emits x - y for integers. If both operands are constants, it returns a constant.
func (c *Code) Sub(x, y value.Value) value.Value {
	a, okA := ConstantInt(x)
	b, okB := ConstantInt(y)
	switch {
	case okA && okB && x.Type() == I64 && (interval{a, a}).minus(interval{b, b}).known():
		return Index(a - b)
	case okB && b == 0:
		return x
	case x.Type() == I64 && x == y:
		return Index(0)
	}
	x, y = c.match(x, y)
	return c.Emit(llir.NewSub(x, y))
}

// Mul emits x * y for integers. If both operands are constants, it returns a constant.
func (c *Code) Mul(x, y value.Value) value.Value {
	a, okA := ConstantInt(x)
	b, okB := ConstantInt(y)
	switch {
	case okA && okB && x.Type() == I64 && (interval{a, a}).times(interval{b, b}).known():
		return Index(a * b)
	case okA && a == 1 && Lanes(y.Type()) == 0:
		return y
	case okB && b == 1:
		return x
	}
	x, y = c.match(x, y)
	return c.Emit(llir.NewMul(x, y))
}

// And emits the bitwise and of x and y.
func (c *Code) And(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewAnd(x, y))
}

// Or emits the bitwise or of x and y.
func (c *Code) Or(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewOr(x, y))
}

// Xor emits the bitwise exclusive or of x and y.
func (c *Code) Xor(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewXor(x, y))
}

// Not emits the bitwise complement of x.
func (c *Code) Not(x value.Value) value.Value { return c.Xor(x, c.Int(x, -1)) }

// Shifts; the count must be below the width.

// Shl emits x shifted to the left by y bits. The result is undefined unless y is less
// than the width of x in bits.
func (c *Code) Shl(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewShl(x, y))
}

// LShr emits x shifted to the right by y bits, with zeros in the upper bits.
func (c *Code) LShr(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewLShr(x, y))
}

// AShr emits x shifted to the right by y bits, with copies of the sign bit in the upper
// bits.
func (c *Code) AShr(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewAShr(x, y))
}

// Divisions; the divisor must not be zero, and a quotient must fit.

// SDiv emits the quotient x / y of signed integers, rounded toward zero. Division by zero
// and overflow are undefined.
func (c *Code) SDiv(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewSDiv(x, y))
}

// UDiv emits the quotient x / y of unsigned integers. Division by zero is undefined.
func (c *Code) UDiv(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewUDiv(x, y))
}

// srem emits the remainder of the signed integer division x / y; it has the sign of x. A
// zero divisor is undefined behavior.
func (c *Code) srem(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewSRem(x, y))
}

// URem emits the remainder of the unsigned integer division x / y. A zero divisor is
// undefined behavior.
func (c *Code) URem(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewURem(x, y))
}

// Float arithmetic. No flag allows anything beyond IEEE 754, so nothing is
// fused or reordered.

// FAdd emits the floating-point sum x + y.
func (c *Code) FAdd(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewFAdd(x, y))
}

// FSub emits the floating-point difference x - y.
func (c *Code) FSub(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewFSub(x, y))
}

// FMul emits the floating-point product x * y.
func (c *Code) FMul(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewFMul(x, y))
}

// fdiv emits the floating-point quotient x / y.
func (c *Code) fdiv(x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(llir.NewFDiv(x, y))
}

// FNeg emits x with its sign bit inverted, even if x is a NaN.
func (c *Code) FNeg(x value.Value) value.Value { return c.Emit(llir.NewFNeg(x)) }

// ICmp emits the comparison p of the integers x and y. The result is i1 or a vector of
// i1.
func (c *Code) ICmp(p enum.IPred, x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(&llir.InstICmp{Pred: p, X: x, Y: y, Typ: Shaped(I1, x)})
}

// FCmp emits the comparison p of the floats x and y. The result is i1 or a vector of i1.
func (c *Code) FCmp(p enum.FPred, x, y value.Value) value.Value {
	x, y = c.match(x, y)
	return c.Emit(&llir.InstFCmp{Pred: p, X: x, Y: y, Typ: Shaped(I1, x)})
}

// IsNaN emits a test whether x is a NaN.
func (c *Code) IsNaN(x value.Value) value.Value { return c.FCmp(enum.FPredUNO, x, x) }

// Select emits a choice between two values in each lane. The result is yes in lanes where
// cond is true, and no in lanes where cond is false. The value that is not chosen may be
// poison.
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

// either emits the logical or of the conditions a and b. The condition b may be poison if
// a is true; the bitwise instruction that Or emits does not permit this.
func (c *Code) either(a, b value.Value) value.Value { return c.Select(a, Integer(I1, 1), b) }

// Conversions take the element type of the result.

// ZExt emits the integer x extended with zeros to element type t.
//
//go:noinline
func (c *Code) ZExt(x value.Value, t types.Type) value.Value { return cast(c, x, t, llir.NewZExt) }

// SExt emits the integer x extended with copies of the sign bit to element type t.
func (c *Code) SExt(x value.Value, t types.Type) value.Value { return cast(c, x, t, llir.NewSExt) }

// Trunc emits the low bits of the integer x as element type t.
//
//go:noinline
func (c *Code) Trunc(x value.Value, t types.Type) value.Value { return cast(c, x, t, llir.NewTrunc) }

// cast emits a conversion of x to elements of type t. The function convert constructs the
// LLVM instruction. If x already has this type, cast returns x.
func cast[I instruction](c *Code, x value.Value, t types.Type, convert func(value.Value, types.Type) I) value.Value {
	if ElementOf(x.Type()).Equal(t) {
		return x
	}
	return c.Emit(convert(x, Shaped(t, x)))
}

// Resize emits the integer x truncated to the width of t, or extended as a signed or
// unsigned integer.
func (c *Code) Resize(x value.Value, t types.Type, signed bool) value.Value {
	switch from, to := WidthOf(x.Type()), WidthOf(t); {
	case from > to:
		return c.Trunc(x, t)
	case signed:
		return c.SExt(x, t)
	}
	return c.ZExt(x, t)
}

// FPExt emits the float x converted to the wider element type t, which is exact.
func (c *Code) FPExt(x value.Value, t types.Type) value.Value { return cast(c, x, t, llir.NewFPExt) }

// FPTrunc emits the float x rounded to the narrower element type t: to the nearest value,
// ties to even.
func (c *Code) FPTrunc(x value.Value, t types.Type) value.Value {
	return cast(c, x, t, llir.NewFPTrunc)
}

// SIToFP emits the signed integer x converted to the floating-point element type t.
func (c *Code) SIToFP(x value.Value, t types.Type) value.Value {
	return c.Emit(llir.NewSIToFP(x, Shaped(t, x)))
}

// uitofp emits the unsigned integer x converted to the floating-point element type t.
func (c *Code) uitofp(x value.Value, t types.Type) value.Value {
	return c.Emit(llir.NewUIToFP(x, Shaped(t, x)))
}

// Bits emits the bits of the float x as an integer of the same width.
func (c *Code) Bits(x value.Value) value.Value {
	return c.Bitcast(x, Shaped(IntType(WidthOf(x.Type())), x))
}

// Bitcast emits x reinterpreted as another type of the same size.
func (c *Code) Bitcast(x value.Value, t types.Type) value.Value {
	if x.Type().Equal(t) {
		return x
	}
	return c.Emit(llir.NewBitCast(x, t))
}
