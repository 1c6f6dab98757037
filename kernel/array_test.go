package kernel_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/kernel"
)

// roundTrip compares elements with what comes back from an array of them, and
// the bytes of the array with its element type.
func roundTrip[T kernel.Number](t *testing.T, elem string, elems ...T) {
	a := kernel.ArrayOf(elems)
	if got := a.Elem.String(); got != elem {
		t.Errorf("%T: element type is %s, not %s", elems, got, elem)
	}
	if want := len(elems) * pto.ByteSize(a.Elem); len(a.Data) != want {
		t.Errorf("%T: array has %d bytes, not %d", elems, len(a.Data), want)
	}
	if got := kernel.Slice[T](a); !slices.Equal(got, elems) {
		t.Errorf("%T: got %v back of %v", elems, got, elems)
	}
}

func TestSliceGivesBack(t *testing.T) {
	roundTrip[int8](t, "i8", -128, 0, 127)
	roundTrip[int16](t, "i16", math.MinInt16, -1, math.MaxInt16)
	roundTrip[int32](t, "i32", math.MinInt32, -1, math.MaxInt32)
	roundTrip[int64](t, "i64", math.MinInt64, -1, math.MaxInt64)
	roundTrip[uint8](t, "ui8", 0, 255)
	roundTrip[uint16](t, "ui16", 0, math.MaxUint16)
	roundTrip[uint32](t, "ui32", 0, math.MaxUint32)
	roundTrip[uint64](t, "ui64", 0, math.MaxUint64)
	roundTrip[float32](t, "f32", -0.5, math.MaxFloat32, float32(math.Inf(-1)))
	roundTrip[float64](t, "f64", -0.5, math.SmallestNonzeroFloat64, math.Inf(1))
	roundTrip[float32](t, "f32")
}

// TestArrayCopies checks that neither end shares memory with Go's slice.
func TestArrayCopies(t *testing.T) {
	elems := []int32{1, 2, 3, 4}
	a := kernel.ArrayOf(elems, 2, 2)
	elems[0] = 9
	kernel.Slice[int32](a)[1] = 9
	if got := kernel.Slice[int32](a); !slices.Equal(got, []int32{1, 2, 3, 4}) {
		t.Errorf("array holds %v", got)
	}
	if !slices.Equal(a.Shape, []int64{2, 2}) || a.Float(3) != 4 {
		t.Errorf("shape is %v, element 3 is %v", a.Shape, a.Float(3))
	}
}

// TestSliceOfOtherSign reads integers whose sign differs, and bits of a type
// that numpy and Go have none for.
func TestSliceOfOtherSign(t *testing.T) {
	if got := kernel.Slice[uint8](kernel.ArrayOf([]int8{-1, 2})); !slices.Equal(got, []uint8{255, 2}) {
		t.Errorf("got %v", got)
	}
	if got := kernel.Slice[int8](kernel.ArrayOf([]uint8{255, 2})); !slices.Equal(got, []int8{-1, 2}) {
		t.Errorf("got %v", got)
	}
}

// TestArrayMisuse checks that wrong uses say what is wrong.
func TestArrayMisuse(t *testing.T) {
	for want, use := range map[string]func(){
		"there are 3 elements, but the shape is [2 2]":                   func() { kernel.ArrayOf([]int8{1, 2, 3}, 2, 2) },
		"there are 0 elements, but the shape is [4294967296 4294967296]": func() { kernel.ArrayOf([]int8{}, 1<<32, 1<<32) },
		"the elements are of type f32, not i32":                          func() { kernel.Slice[int32](kernel.Zeros(ir.F32, 1)) },
		"the elements are of type i64, not i32":                          func() { kernel.Slice[int32](kernel.Zeros(ir.I64, 1)) },
		"an array cannot have elements of type index":                    func() { kernel.Zeros(ir.Index, 1) },
		"no array has the shape [4294967296 4294967296]":                 func() { kernel.Zeros(ir.F32, 1<<32, 1<<32) },
		"no array has the shape [-1]":                                    func() { kernel.Zeros(ir.F32, -1) },
	} {
		got := panicOf(use)
		if s, ok := got.(string); !ok || !strings.HasPrefix(s, "kernel.") || !strings.Contains(s, want) {
			t.Errorf("got %v, want %q", got, want)
		}
	}
}

// panicOf returns what f panics with, or nil.
func panicOf(f func()) (what any) {
	defer func() { what = recover() }()
	f()
	return nil
}
