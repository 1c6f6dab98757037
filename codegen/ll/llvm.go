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

// Ptr is LLVM's opaque pointer type, which the library llir lacks. The constructors of
// llir inspect the pointee type and panic on Ptr, so instructions that access memory are
// created as struct literals.
var Ptr types.Type = opaquePtr{}

// opaquePtr is the LLVM type ptr. The library llir only needs the name of a type to print
// it, so this type has no fields.
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

// IsConstant reports whether v is a constant that has the same value in every function.
// The address of a stack variable is not such a constant.
func IsConstant(v value.Value) bool {
	if a, ok := v.(address); ok {
		_, isSlot := a.Value.(*llir.InstAlloca)
		return !isSlot
	}
	_, ok := v.(constant.Constant)
	return ok
}

// These are the LLVM types that most code uses.
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

// intTypes are the integer types by width. IntType returns these values, so that they can
// be compared with ==.
var intTypes = map[int]*types.IntType{1: I1, 8: I8, 16: I16, 32: I32, 64: I64, 128: I128}

// IntType returns the integer type with the given number of bits.
func IntType(bits int) *types.IntType {
	if t := intTypes[bits]; t != nil {
		return t
	}
	return types.NewInt(uint64(bits))
}

// word is an integer constant of up to 64 bits, as an LLVM value. It replaces the integer
// constants of package llir, because that package prints some of them in hexadecimal.
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

// number is a floating-point constant, given by its bits. It replaces the constants of
// the library llir, which prints some values inexactly.
type number struct {
	typ types.Type
	// bits is the number as a double, which is how LLVM's text writes floats, too.
	bits uint64
}

func (n number) Type() types.Type { return n.typ }
func (n number) Ident() string    { return fmt.Sprintf("0x%016X", n.bits) }
func (n number) String() string   { return n.typ.String() + " " + n.Ident() }
func (number) IsConstant()        {}

// Float returns the constant x of type float or double. It panics if t is float and x is
// not exactly representable.
func Float(t types.Type, x float64) value.Value {
	switch {
	case t == F32 && x != x: // Go's NaN has a bit that a float cannot have
		return float32Bits(uint32(num.NaN(num.F32)))
	case t == F32 && float64(float32(x)) != x:
		panic(fmt.Sprintf("BUG: %v is no float", x))
	}
	return number{t, math.Float64bits(x)}
}

// float32Bits returns the float constant with the given bits. In its text format, LLVM
// writes a float constant with the bits of a number of type double that has the same
// value. For a NaN, the fraction bits of the float become the upper fraction bits of that
// number.
func float32Bits(bits uint32) value.Value {
	x := math.Float32frombits(bits)
	b := math.Float64bits(float64(x))
	if x != x {
		b = uint64(bits>>31)<<63 | 0x7FF<<52 | uint64(bits&(1<<23-1))<<29
	}
	return number{F32, b}
}

// Integer returns an integer constant with the low bits of v.
func Integer(t types.Type, v int64) value.Value {
	it := t.(*types.IntType)
	if it.BitSize < 64 {
		shift := 64 - it.BitSize
		v = v << shift >> shift
	}
	return word{it, v}
}

// ConstantBool returns the i1 constant that represents v.
func ConstantBool(v bool) value.Value {
	if v {
		return word{I1, 1}
	}
	return word{I1, 0}
}

// Index returns the i64 constant v. Indices and counts in emitted code have the type i64.
func Index(v int64) value.Value { return word{I64, v} }

// Poison returns a placeholder for a value that cannot be generated. The caller has
// reported an error.
func Poison(t types.Type) value.Value { return constant.NewPoison(t) }

// Zero returns the constant of type t with all bits clear.
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

// ConstantInt returns the value of the integer constant v. The result ok is false if v is
// not an integer constant.
func ConstantInt(v value.Value) (int64, bool) {
	w, ok := v.(word)
	return w.v, ok
}

// double returns the double constant with the given bits.
func double(bits uint64) value.Value { return number{F64, bits} }

// FunctionAddress returns the address of the function f as a constant of type ptr.
func FunctionAddress(f *llir.Func) value.Value { return address{f} }

// VectorOf returns the type of vectors with n elements of type t, or t itself if n is 0.
func VectorOf(n int, t types.Type) types.Type {
	if n == 0 {
		return t
	}
	return types.NewVector(uint64(n), t)
}

// Lanes returns the number of elements of a vector type, and 0 for other types.
func Lanes(t types.Type) int {
	if v, ok := t.(*types.VectorType); ok {
		return int(v.Len)
	}
	return 0
}

// ElementOf returns the element type of a vector type, and other types unchanged.
func ElementOf(t types.Type) types.Type {
	if v, ok := t.(*types.VectorType); ok {
		return v.ElemType
	}
	return t
}

// WidthOf returns the number of bits of an element of type t.
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

// IsFloat reports whether t is the type float or double, or a vector type with elements
// of type float or double.
func IsFloat(t types.Type) bool {
	_, ok := ElementOf(t).(*types.FloatType)
	return ok
}

// arrayConstant returns a constant array with the given constant elements.
func arrayConstant(elems []value.Value) constant.Constant {
	cs := make([]constant.Constant, len(elems))
	for i, e := range elems {
		cs[i] = e.(constant.Constant)
	}
	return constant.NewArray(types.NewArray(uint64(len(cs)), elems[0].Type()), cs...)
}
