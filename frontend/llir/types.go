// This file defines types and their sizes.

package llir

// Kind is the kind of a type.
type Kind uint8

// The kinds of types.
const (
	Void Kind = iota
	Int
	Float // Bits and BFloat distinguish the formats
	Pointer
	Array
	Struct
	Vector
	Other // labels, metadata and opaque types
)

// Type is a type of LLVM IR.
type Type struct {
	Kind Kind
	// Bits is the width of an integer or of a floating-point number.
	Bits int64
	// BFloat distinguishes bfloat from half.
	BFloat bool
	// Len is the number of elements of an array or a vector.
	Len int64
	// Elem is the type of the elements of an array or a vector.
	Elem *Type
	// Fields are the types of the fields of a struct.
	Fields []*Type
	// Packed reports that the fields of a struct have no padding.
	Packed bool
}

var (
	voidType    = &Type{Kind: Void}
	pointerType = &Type{Kind: Pointer, Bits: 64}
	otherType   = &Type{Kind: Other}
	halfType    = &Type{Kind: Float, Bits: 16}
	bfloatType  = &Type{Kind: Float, Bits: 16, BFloat: true}
	floatType   = &Type{Kind: Float, Bits: 32}
	doubleType  = &Type{Kind: Float, Bits: 64}
)

// maxSize limits the size of a type in bytes. Sizes above it are not computed, so that
// products of extents do not overflow.
const maxSize = 1 << 40

// Size returns the number of bytes that a value of the type needs in memory, including
// padding at its end, or -1 if it is unknown or too large.
func (t *Type) Size() int64 {
	size, _ := t.layout(0)
	return size
}

// layout returns the size and the alignment of the type in bytes. depth limits the
// nesting of types.
func (t *Type) layout(depth int) (size, align int64) {
	if depth > 64 {
		return -1, 1
	}
	switch t.Kind {
	case Int, Float, Pointer:
		if t.Bits > 1<<20 {
			return -1, 1
		}
		align = 1
		for align*8 < t.Bits && align < 8 {
			align *= 2
		}
		return (t.Bits + 8*align - 1) / (8 * align) * align, align
	case Array, Vector:
		size, align = t.Elem.layout(depth + 1)
		if size < 0 || t.Len < 0 || size > 0 && t.Len > maxSize/size {
			return -1, 1
		}
		return size * t.Len, align
	case Struct:
		return t.structLayout(len(t.Fields), depth)
	}
	return -1, 1
}

// structLayout returns the size and the alignment of a struct that ends after n fields.
func (t *Type) structLayout(n, depth int) (size, align int64) {
	align = 1
	for _, f := range t.Fields[:n] {
		s, a := f.layout(depth + 1)
		if s < 0 {
			return -1, 1
		}
		if t.Packed {
			a = 1
		}
		align = max(align, a)
		if size = (size+a-1)/a*a + s; size > maxSize {
			return -1, 1
		}
	}
	return (size + align - 1) / align * align, align
}

// Offset returns the distance in bytes from the start of a struct to its field i, or -1.
func (t *Type) Offset(i int) int64 {
	if t.Kind != Struct || i < 0 || i >= len(t.Fields) {
		return -1
	}
	part := &Type{Kind: Struct, Packed: t.Packed, Fields: t.Fields[:i]}
	var size int64
	for _, f := range part.Fields {
		s, a := f.layout(0)
		if s < 0 {
			return -1
		}
		if t.Packed {
			a = 1
		}
		size = (size+a-1)/a*a + s
	}
	if _, a := t.Fields[i].layout(0); !t.Packed {
		size = (size + a - 1) / a * a
	}
	return size
}
