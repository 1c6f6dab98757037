// This file defines arrays of elements.

package kernel

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"reflect"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Array is an argument of a kernel: a multi-dimensional array of numbers. Data contains
// the elements of type Elem, little-endian and in row-major order. The number of elements
// is the product of Shape.
type Array struct {
	Elem  ir.Type
	Shape []int64
	Data  []byte
}

// ParseShape parses a shape with an element type, such as 32x64xf32. It returns an
// error for dynamic extents, for element types that memory cannot hold, and for
// more than MaxElements elements.
func ParseShape(text string) ([]int64, ir.Type, error) {
	var diags ir.Diags
	p := ir.NewParser(&ir.Source{Name: "shape", Text: text}, ir.ParseOptions{Sequential: true}, &diags)
	dims := p.Dims()
	elem := p.Type()
	if !p.Failed() && !p.AtEOF() {
		p.Errorf("unexpected text")
	}
	if p.Failed() {
		return nil, ir.Type{}, fmt.Errorf("'%s' is not a shape: write extents and element type, as in 32x64xf32", text)
	}
	if !dims.Static() {
		return nil, ir.Type{}, fmt.Errorf("shape '%s' has a dynamic extent", text)
	}
	if pto.ByteSize(elem) == 0 || elem == ir.Index {
		return nil, ir.Type{}, fmt.Errorf("an array cannot have elements of type %s", elem)
	}
	if n, ok := product(dims.Slice()); !ok || n > MaxElements {
		return nil, ir.Type{}, fmt.Errorf("shape '%s' has too many elements", text)
	}
	return dims.Slice(), elem, nil
}

// ShapeBytes returns the number of bytes of an array with the shape in text, such as
// 32x64xf32. It returns 0 if text is not a valid shape.
func ShapeBytes(text string) int64 {
	shape, elem, err := ParseShape(text)
	if err != nil {
		return 0
	}
	n, _ := product(shape)
	return n * int64(pto.ByteSize(elem))
}

// MaxElements is the maximum number of elements of one array.
const MaxElements = 1 << 32

// NewArray returns an array of zeros whose shape and element type are given as text, such
// as 32x64xf32. It returns an error if text is not a valid shape.
func NewArray(text string) (*Array, error) {
	shape, elem, err := ParseShape(text)
	if err != nil {
		return nil, err
	}
	return Zeros(elem, shape...), nil
}

// Zeros returns an array of zeros. It panics if elements of type elem cannot be stored in
// memory, or if there are more than MaxElements.
func Zeros(elem ir.Type, shape ...int64) *Array {
	size := int64(pto.ByteSize(elem))
	if size == 0 || elem == ir.Index {
		panic(fmt.Sprintf("kernel.Zeros: an array cannot have elements of type %s", elem))
	}
	n, ok := product(shape)
	if !ok || n > MaxElements {
		panic(fmt.Sprintf("kernel.Zeros: no array has the shape %v", shape))
	}
	return &Array{elem, shape, make([]byte, n*size)}
}

// Number is the constraint for the Go types that correspond to element types of arrays.
type Number interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | float32 | float64
}

// goTypes maps each kind of Go number, such as int8, to the element type of an array that
// holds such numbers.
var goTypes = map[reflect.Kind]ir.Type{
	reflect.Int8: ir.I8, reflect.Int16: ir.I16, reflect.Int32: ir.I32, reflect.Int64: ir.I64,
	reflect.Uint8: pto.UintType(8), reflect.Uint16: pto.UintType(16), reflect.Uint32: pto.UintType(32), reflect.Uint64: pto.UintType(64),
	reflect.Float32: ir.F32, reflect.Float64: ir.F64,
}

// ArrayOf returns an array with a copy of elems. Without a shape, the array has one
// dimension. It panics if the product of shape is not len(elems).
func ArrayOf[T Number](elems []T, shape ...int64) *Array {
	if len(shape) == 0 {
		shape = []int64{int64(len(elems))}
	}
	if n, ok := product(shape); !ok || n != int64(len(elems)) {
		panic(fmt.Sprintf("kernel.ArrayOf: there are %d elements, but the shape is %v", len(elems), shape))
	}
	a := &Array{Elem: goTypes[reflect.TypeFor[T]().Kind()], Shape: shape}
	a.Data, _ = binary.Append(nil, binary.LittleEndian, elems)
	return a
}

// Slice returns a copy of the elements as Go numbers. It panics if T does not
// correspond to the element type; Float works for all element types.
func Slice[T Number](a *Array) []T {
	if want := goTypes[reflect.TypeFor[T]().Kind()]; !SameBits(a.Elem, want) {
		panic(fmt.Sprintf("kernel.Slice: the elements are of type %s, not %s", a.Elem, want))
	}
	_, n := a.Size()
	elems := make([]T, n)
	if _, err := binary.Decode(a.Data, binary.LittleEndian, elems); err != nil {
		panic("BUG: " + err.Error())
	}
	return elems
}

// SameBits reports whether an array with elements of type have can be passed for a kernel
// parameter with elements of type want. It returns true if the types are equal, or if
// both are integers of the same width. Numpy has no type for some elements, such as bf16.
// For these, SameBits also returns true if the array has integers of the same size.
func SameBits(have, want ir.Type) bool {
	_, isInt := ir.As[ir.IntegerType](have)
	_, wantsInt := ir.As[ir.IntegerType](want)
	same := pto.ByteSize(have) == pto.ByteSize(want)
	return have == want || same && isInt && (wantsInt || NumpyCode(want) == "")
}

// Size returns the number of bytes per element and the number of elements.
func (a *Array) Size() (bytes, n int) {
	bytes = pto.ByteSize(a.Elem)
	return bytes, len(a.Data) / bytes
}

// Float returns element i, counted in row-major order, as a float64. The result is exact
// except for integers beyond 2^53.
func (a *Array) Float(i int) float64 {
	bytes, _ := a.Size()
	f, _ := ir.FormatOf(a.Elem)
	return num.Decode(f, num.Load(f, a.Data[i*bytes:]))
}

// Position converts the number of an element, counted in row-major order, into its index
// in each dimension of the array.
func (a *Array) Position(i int) []int64 {
	index, rest := make([]int64, len(a.Shape)), int64(i)
	for k := len(a.Shape) - 1; k >= 0; k-- {
		index[k] = rest % a.Shape[k]
		rest /= a.Shape[k]
	}
	return index
}

// Fill sets each element i (in row-major order) to f(i), rounded to nearest even and
// saturated to the range of the element type.
func (a *Array) Fill(f func(i int) float64) {
	bytes, n := a.Size()
	format, _ := ir.FormatOf(a.Elem)
	for i := range n {
		num.Store(format, a.Data[i*bytes:], num.Encode(format, f(i), num.NearestEven, true))
	}
}

// FillBits sets all elements to the given bits. If an element has fewer than 64 bits, it
// uses only the low bits.
func (a *Array) FillBits(bits uint64) {
	bytes, n := a.Size()
	for i := range n {
		for k := range bytes {
			a.Data[i*bytes+k] = byte(bits >> (8 * k))
		}
	}
}

// Randomize fills the array with pseudo-random numbers that depend only on seed: floats
// between -1 and 1, or integers that fit into a byte.
func (a *Array) Randomize(seed uint64) {
	r := rand.New(rand.NewPCG(seed, 0x9E3779B97F4A7C15))
	if !ir.Is[ir.IntegerType](a.Elem) {
		a.Fill(func(int) float64 { return 2*r.Float64() - 1 })
		return
	}
	lo := -128.0
	if t, _ := ir.As[ir.IntegerType](a.Elem); t.Sign == ir.Unsigned {
		lo = 0
	}
	a.Fill(func(int) float64 { return lo + float64(r.IntN(256)) })
}
