// This file defines types: interned descriptions of values.

package ir

import "strconv"

// Type is the type of a value. It occupies one word. Two types with equal content are
// equal by ==, because all types of the process share one intern table, which any
// goroutine may use. (MLIR has a table per context.) The zero Type means "no type".
type Type struct{ n *interned[TypeData] }

// TypeData is the content of a Type. Its dynamic type must be comparable, because
// it is the key of the intern table.
type TypeData interface {
	// AppendType appends the type in MLIR syntax to b and returns the extended slice.
	AppendType(b []byte) []byte
}

// TypeOf returns the type with content d. Equal contents always return the same Type.
func TypeOf[D interface {
	comparable
	TypeData
}](d D) Type {
	same := func(known TypeData) bool { k, ok := known.(D); return ok && k == d }
	return Type{internType(hashData(d), same, func() TypeData { return ownStrings(d) })}
}

// internType returns the interned content of a type. It has the given hash, and the
// function same returns true for it. If the table of types does not contain it,
// internType adds the content that the function own returns. It is neither generic nor
// inlined, so that the Go compiler translates the table only once.
//
//go:noinline
func internType(hash uint64, same func(TypeData) bool, own func() TypeData) *interned[TypeData] {
	return intern(&types, hash, same, own)
}

// types is the intern table of all type contents. It is shared by the whole process.
var types internTable[TypeData]

// IsZero reports whether t is the zero Type.
func (t Type) IsZero() bool { return t == Type{} }

// Data returns the content of t, or nil if t is the zero Type.
func (t Type) Data() TypeData {
	if t.IsZero() {
		return nil
	}
	return t.n.data
}

// As returns the content of t and true if its dynamic type is D.
func As[D TypeData](t Type) (D, bool) {
	d, ok := t.Data().(D)
	return d, ok
}

// Is reports whether the content of t has the Go type D.
func Is[D TypeData](t Type) bool {
	_, ok := t.Data().(D)
	return ok
}

// AppendTo appends the type in MLIR syntax to b and returns the extended slice. For the
// zero Type it appends <<no type>>, so that printing an invalid operation does not panic.
func (t Type) AppendTo(b []byte) []byte {
	if t.IsZero() {
		return append(b, "<<no type>>"...)
	}
	return t.Data().AppendType(b)
}

// String returns the MLIR syntax of t.
//
//go:noinline
func (t Type) String() string { return string(t.AppendTo(nil)) }

// Sign is the signedness of an integer type: signless, signed or unsigned.
type Sign uint8

// The signednesses. As in MLIR, most integer types are signless, and the operation
// decides how to read the bits.
const (
	Signless Sign = iota
	Signed
	Unsigned
)

type (
	// IntegerType is an integer type with a width N in bits. Its syntax is iN if it is
	// signless, siN if it is signed, and uiN if it is unsigned.
	IntegerType struct {
		Width uint32
		Sign  Sign
	}
	// IndexType is index, an integer with the width of an address.
	IndexType struct{}
	// FloatType is a builtin floating-point type; Name is its MLIR syntax, such as
	// "bf16".
	FloatType struct{ Name string }
	// NoneType is none, the type without values.
	NoneType struct{}
	// FunctionType is a function type, with the syntax (Ins) -> Outs. Ins are the types
	// of the arguments and Outs those of the results.
	FunctionType struct{ Ins, Outs List[Type] }
	// TupleType is a tuple of values, with the syntax tuple<Elems>.
	TupleType struct{ Elems List[Type] }
	// ComplexType is a complex number whose parts have type Elem, with the syntax
	// complex<Elem>.
	ComplexType struct{ Elem Type }
	// VectorType is a vector, with the syntax vector<Shape x Elem>. Scalable has one
	// character per dimension: '1' if the hardware multiplies the dimension by a factor
	// at run time (its syntax is [4]), and '0' if not. It is "" if no dimension is
	// scalable.
	VectorType struct {
		Shape    Dims
		Scalable string
		Elem     Type
	}
	// TensorType is a tensor, with the syntax tensor<Shape x Elem, Encoding>. Unranked
	// means that the number of dimensions is unknown.
	TensorType struct {
		Unranked bool
		Shape    Dims
		Elem     Type
		Encoding Attr
	}
	// MemRefType is a reference to a buffer in memory, with the syntax memref<Shape x
	// Elem, Layout, Space>. Unranked means that the number of dimensions is unknown.
	MemRefType struct {
		Unranked bool
		Shape    Dims
		Elem     Type
		Layout   Attr
		Space    Attr
	}
	// OpaqueType is a type of a dialect that is not registered: !dialect.body.
	OpaqueType struct{ Dialect, Body string }
)

// Builtin types that many operations use.
var (
	I1    = Int(1)
	I8    = Int(8)
	I16   = Int(16)
	I32   = Int(32)
	I64   = Int(64)
	Index = TypeOf(IndexType{})
	None  = TypeOf(NoneType{})
	F16   = TypeOf(FloatType{"f16"})
	BF16  = TypeOf(FloatType{"bf16"})
	F32   = TypeOf(FloatType{"f32"})
	F64   = TypeOf(FloatType{"f64"})
)

// Int returns the signless integer type of the given width.
func Int(width uint32) Type { return TypeOf(IntegerType{Width: width}) }

// Func returns the function type (ins) -> outs.
func Func(ins, outs []Type) Type {
	return TypeOf(FunctionType{MakeList(ins...), MakeList(outs...)})
}

// floatNames is the set of the builtin floating-point types of MLIR.
var floatNames = map[string]bool{
	"f16": true, "bf16": true, "f32": true, "f64": true, "f80": true, "f128": true, "tf32": true,
	"f8E5M2": true, "f8E4M3": true, "f8E4M3FN": true, "f8E5M2FNUZ": true, "f8E4M3FNUZ": true,
	"f8E4M3B11FNUZ": true, "f8E3M4": true, "f8E8M0FNU": true,
	"f4E2M1FN": true, "f6E2M3FN": true, "f6E3M2FN": true,
}

// AppendType implements TypeData: it appends the type in MLIR syntax to b.
func (t IntegerType) AppendType(b []byte) []byte {
	switch t.Sign {
	case Signed:
		b = append(b, 's')
	case Unsigned:
		b = append(b, 'u')
	}
	return strconv.AppendUint(append(b, 'i'), uint64(t.Width), 10)
}

// AppendType implements TypeData: it appends the type in MLIR syntax to b.
func (IndexType) AppendType(b []byte) []byte { return append(b, "index"...) }

// AppendType implements TypeData: it appends the type in MLIR syntax to b.
func (t FloatType) AppendType(b []byte) []byte { return append(b, t.Name...) }

// AppendType implements TypeData: it appends the type in MLIR syntax to b.
func (NoneType) AppendType(b []byte) []byte { return append(b, "none"...) }

// AppendType implements TypeData: it appends the type in MLIR syntax to b.
func (t FunctionType) AppendType(b []byte) []byte {
	b = append(b, '(')
	b = appendTypes(b, t.Ins)
	b = append(b, ") -> "...)
	return appendResultTypes(b, t.Outs.Slice())
}

// appendResultTypes appends the result types ts of a function type to b, after its arrow.
// It writes a single type without parentheses, and several types with parentheses. As an
// exception, a single type that is a function type needs parentheses, because the arrow
// is right-associative.
func appendResultTypes(b []byte, ts []Type) []byte {
	if len(ts) == 1 && !Is[FunctionType](ts[0]) {
		return ts[0].AppendTo(b)
	}
	b = append(b, '(')
	for i, t := range ts {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = t.AppendTo(b)
	}
	return append(b, ')')
}

// appendTypes appends the types ts to b, separated by commas.
func appendTypes(b []byte, ts List[Type]) []byte {
	for i, t := range ts.All() {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = t.AppendTo(b)
	}
	return b
}

// AppendType implements TypeData: it appends the type in MLIR syntax to b.
func (t TupleType) AppendType(b []byte) []byte {
	return append(appendTypes(append(b, "tuple<"...), t.Elems), '>')
}

// AppendType implements TypeData: it appends the type in MLIR syntax to b.
func (t ComplexType) AppendType(b []byte) []byte {
	return append(t.Elem.AppendTo(append(b, "complex<"...)), '>')
}

// AppendType implements TypeData: it appends the type in MLIR syntax to b.
func (t VectorType) AppendType(b []byte) []byte {
	b = append(b, "vector<"...)
	for i, d := range t.Shape.Slice() {
		if i < len(t.Scalable) && t.Scalable[i] == '1' {
			b = append(appendDim(append(b, '['), d), "]x"...)
		} else {
			b = append(appendDim(b, d), 'x')
		}
	}
	return append(t.Elem.AppendTo(b), '>')
}

// AppendType implements TypeData: it appends the type in MLIR syntax to b.
func (t TensorType) AppendType(b []byte) []byte {
	b = append(b, "tensor<"...)
	b = appendShape(b, t.Unranked, t.Shape, t.Elem)
	return append(appendTrailing(b, t.Encoding), '>')
}

// AppendType implements TypeData: it appends the type in MLIR syntax to b.
func (t MemRefType) AppendType(b []byte) []byte {
	b = append(b, "memref<"...)
	b = appendShape(b, t.Unranked, t.Shape, t.Elem)
	return append(appendTrailing(appendTrailing(b, t.Layout), t.Space), '>')
}

// AppendType implements TypeData: it appends the type in MLIR syntax to b.
func (t OpaqueType) AppendType(b []byte) []byte {
	b = append(append(b, '!'), t.Dialect...)
	if t.Body == "" || t.Body[0] != '<' {
		b = append(b, '.')
	}
	return append(b, t.Body...)
}

// appendShape appends the extents and the element type of a tensor or memref type to b,
// such as 4x?xf32. If unranked is true, it appends *x and the element type.
func appendShape(b []byte, unranked bool, shape Dims, elem Type) []byte {
	if unranked {
		b = append(b, "*x"...)
	}
	return elem.AppendTo(AppendDims(b, shape))
}

// AppendDims appends the extents of a shape, each followed by x, such as 4x?x.
func AppendDims(b []byte, shape Dims) []byte {
	for i := range shape.Len() {
		b = append(appendDim(b, shape.At(i)), 'x')
	}
	return b
}

// appendDim appends an extent in decimal, or ? if it is Dynamic.
func appendDim(b []byte, d int64) []byte {
	if d == Dynamic {
		return append(b, '?')
	}
	return strconv.AppendInt(b, d, 10)
}

// appendTrailing appends a comma and the attribute a to b. Tensor and memref types can
// end with such an attribute. If a is the zero Attr, appendTrailing appends nothing.
func appendTrailing(b []byte, a Attr) []byte {
	if a.IsZero() {
		return b
	}
	return a.AppendTo(append(b, ", "...))
}

// WithoutSign returns the integer type without a sign that has the width of t, because
// scalars and operations of the dialect arith have no sign. Other types are unchanged.
func WithoutSign(t Type) Type {
	if d, ok := As[IntegerType](t); ok {
		return Int(d.Width)
	}
	return t
}

// ElementType returns the element type of a tensor, vector, memref or similar type of a
// dialect, and t itself for any other type. A dialect type has elements if its content
// implements a method Element.
func ElementType(t Type) Type {
	switch d := t.Data().(type) {
	case VectorType:
		return d.Elem
	case TensorType:
		return d.Elem
	case MemRefType:
		return d.Elem
	case interface{ Element() Type }:
		return d.Element()
	}
	return t
}
