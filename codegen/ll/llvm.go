// This file supplies LLVM types and names that the llir library lacks.

package ll

import (
	"fmt"
	"math"
	"strconv"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
)

// Ptr is LLVM's opaque pointer type, which llir does not have. Its functions
// New... look into the types of pointers and panic here, so instructions on
// memory are written as literals.
var Ptr types.Type = opaquePtr{}

// opaquePtr is the type ptr of LLVM 15 and newer, which the library lacks. It prints a
// type by its text, so this is all that is needed.
type opaquePtr struct{}

func (opaquePtr) String() string          { return "ptr" }
func (opaquePtr) LLString() string        { return "ptr" }
func (opaquePtr) Name() string            { return "" }
func (opaquePtr) SetName(string)          {}
func (opaquePtr) Equal(u types.Type) bool { return u == Ptr }

// address is the address of a global or of a stack slot as an opaque pointer.
type address struct{ value.Value }

func (address) Type() types.Type { return Ptr }
func (a address) String() string { return "ptr " + a.Ident() }
func (address) IsConstant()      {}

// IsConstant reports whether v is the same in every function. The address of a slot
// on the stack is not.
func IsConstant(v value.Value) bool {
	if a, ok := v.(address); ok {
		_, isSlot := a.Value.(*llir.InstAlloca)
		return !isSlot
	}
	_, ok := v.(constant.Constant)
	return ok
}

// The types that values have.
var (
	Void = types.Void
	I1   = types.I1
	I8   = types.I8
	I16  = types.I16
	I32  = types.I32
	I64  = types.I64
	I128 = types.I128
	F32  = types.Float
	F64  = types.Double
)

// intTypes holds the types above by their width, so that the common ones can
// be compared by ==.
var intTypes = map[int]*types.IntType{1: I1, 8: I8, 16: I16, 32: I32, 64: I64, 128: I128}

// IntType returns the integer type of a width.
func IntType(bits int) *types.IntType {
	if t := intTypes[bits]; t != nil {
		return t
	}
	return types.NewInt(uint64(bits))
}

// word is an integer constant of up to 64 bits. llir would write some of them
// in hexadecimal.
type word struct {
	typ *types.IntType
	v   int64
}

func (w word) Type() types.Type { return w.typ }
func (w word) String() string   { return w.typ.String() + " " + w.Ident() }
func (word) IsConstant()        {}

func (w word) Ident() string {
	if w.typ.BitSize == 1 {
		return strconv.FormatBool(w.v != 0)
	}
	return strconv.FormatInt(w.v, 10)
}

// number is a floating-point constant given by its bits. llir prints what is
// not exact in float wrongly, and rounding is our affair anyway.
type number struct {
	typ  types.Type
	bits uint64 // as a double
}

func (n number) Type() types.Type { return n.typ }
func (n number) Ident() string    { return fmt.Sprintf("0x%016X", n.bits) }
func (n number) String() string   { return n.typ.String() + " " + n.Ident() }
func (number) IsConstant()        {}

// Float returns the constant x of type float or double. For float, x must be
// one exactly.
func Float(t types.Type, x float64) value.Value {
	switch {
	case t == F32 && x != x: // Go's NaN has a bit that a float cannot have
		return float32Bits(uint32(num.NaN(num.F32)))
	case t == F32 && float64(float32(x)) != x:
		panic(fmt.Sprintf("BUG: %v is no float", x))
	}
	return number{t, math.Float64bits(x)}
}

// float32Bits returns the float with the given bits. LLVM writes a float as
// the double of the same value, and the payload of a NaN moves along.
func float32Bits(bits uint32) value.Value {
	x := math.Float32frombits(bits)
	b := math.Float64bits(float64(x))
	if x != x {
		b = uint64(bits>>31)<<63 | 0x7FF<<52 | uint64(bits&(1<<23-1))<<29
	}
	return number{F32, b}
}

// Integer returns the integer constant with the low bits of v.
func Integer(t types.Type, v int64) value.Value {
	it := t.(*types.IntType)
	if it.BitSize < 64 {
		shift := 64 - it.BitSize
		v = v << shift >> shift
	}
	return word{it, v}
}

// ConstantBool returns an i1 constant.
func ConstantBool(v bool) value.Value {
	if v {
		return word{I1, 1}
	}
	return word{I1, 0}
}

// Index returns an i64 constant.
func Index(v int64) value.Value { return word{I64, v} }

// Poison returns a placeholder for a value that cannot be generated; a diagnostic
// accompanies it.
func Poison(t types.Type) value.Value { return constant.NewPoison(t) }

// Zero is the value of t with all bits clear.
func Zero(t types.Type) value.Value {
	switch t := t.(type) {
	case *types.IntType:
		return word{t, 0}
	case *types.FloatType:
		return number{t, 0}
	case opaquePtr:
		return Null
	}
	return constant.NewZeroInitializer(t)
}

// Null is the null pointer.
var Null value.Value = nullPtr{}

// nullPtr is the constant null of type ptr.
type nullPtr struct{}

func (nullPtr) Type() types.Type { return Ptr }
func (nullPtr) Ident() string    { return "null" }
func (nullPtr) String() string   { return "ptr null" }
func (nullPtr) IsConstant()      {}

// ConstantInt returns the value of an integer constant.
func ConstantInt(v value.Value) (int64, bool) {
	w, ok := v.(word)
	return w.v, ok
}

// double returns a double by its bits.
func double(bits uint64) value.Value { return number{F64, bits} }

// FunctionAddress is the address of a function.
func FunctionAddress(f *llir.Func) value.Value { return address{f} }

// VectorOf returns the vector of n elements of type t, or t itself if n is 0.
func VectorOf(n int, t types.Type) types.Type {
	if n == 0 {
		return t
	}
	return types.NewVector(uint64(n), t)
}

// Lanes returns the number of elements of a vector, or 0 for anything else.
func Lanes(t types.Type) int {
	if v, ok := t.(*types.VectorType); ok {
		return int(v.Len)
	}
	return 0
}

// ElementOf returns the element type of a vector, and any other type itself.
func ElementOf(t types.Type) types.Type {
	if v, ok := t.(*types.VectorType); ok {
		return v.ElemType
	}
	return t
}

// WidthOf returns the bits of a number of type t, or of an element of it.
func WidthOf(t types.Type) int {
	switch t := ElementOf(t).(type) {
	case *types.IntType:
		return int(t.BitSize)
	case *types.FloatType:
		if t.Kind == types.FloatKindFloat {
			return 32
		}
		return 64
	}
	panic("BUG: no width of " + t.String())
}

// IsFloat reports whether t is float or double, or a vector of them.
func IsFloat(t types.Type) bool {
	_, ok := ElementOf(t).(*types.FloatType)
	return ok
}

// arrayConstant is the initial value of a table.
func arrayConstant(elems []value.Value) constant.Constant {
	cs := make([]constant.Constant, len(elems))
	for i, e := range elems {
		cs[i] = e.(constant.Constant)
	}
	return constant.NewArray(types.NewArray(uint64(len(cs)), elems[0].Type()), cs...)
}
