// This file contains the loops in Go for integer functions.

package runtime

import (
	"unsafe"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// integers adds the specialized Go loops for functions on integers to the table t.
func (t fastTable) integers() {
	integerRows[int8](t, num.S8)
	integerRows[int16](t, num.S16)
	integerRows[int32](t, num.S32)
	integerRows[int64](t, num.S64)
	integerRows[uint8](t, num.U8)
	integerRows[uint16](t, num.U16)
	integerRows[uint32](t, num.U32)
	integerRows[uint64](t, num.U64)
}

// integer is the constraint for the Go types of integer elements.
type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// integerRows adds the Go loops for elements of the integer format f, which the Go type T
// represents, to the table t. Each loop contains its operation directly, because calling
// a function value for each element would cost more than the operation.
func integerRows[T integer](t fastTable, f num.Format) {
	rows1(t, scalar.Copy, f, func(d, a []T) { copy(d, a) })
	arithmeticRows[T](t, f)
	bitwiseRows[T](t, f)
	shiftRows[T](t, f)
	divisionRows(t, scalar.Div, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] / b[i]
		}
	})
	divisionRows(t, scalar.Fmod, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] % b[i]
		}
	})
}

// arithmeticRows adds the Go loops for arithmetic, maximum, minimum and comparison on
// elements of the integer format f to the table t.
func arithmeticRows[T integer](t fastTable, f num.Format) {
	rows2(t, scalar.Add, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] + b[i]
		}
	})
	rows2(t, scalar.Sub, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] - b[i]
		}
	})
	rows2(t, scalar.Mul, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] * b[i]
		}
	})
	rows2(t, scalar.Max, f, func(d, a, b []T) {
		for i := range d {
			d[i] = max(a[i], b[i])
		}
	})
	rows2(t, scalar.Min, f, func(d, a, b []T) {
		for i := range d {
			d[i] = min(a[i], b[i])
		}
	})
	rows1(t, scalar.Neg, f, func(d, a []T) {
		for i := range d {
			d[i] = -a[i]
		}
	})
	rows1(t, scalar.Relu, f, func(d, a []T) {
		for i := range d {
			d[i] = max(a[i], 0)
		}
	})
}

// bitwiseRows adds the Go loops for bitwise operations on elements of the integer format
// f to the table t.
func bitwiseRows[T integer](t fastTable, f num.Format) {
	rows2(t, scalar.And, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] & b[i]
		}
	})
	rows2(t, scalar.Or, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] | b[i]
		}
	})
	rows2(t, scalar.Xor, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] ^ b[i]
		}
	})
	rows1(t, scalar.Not, f, func(d, a []T) {
		for i := range d {
			d[i] = ^a[i]
		}
	})
}

// shiftRows adds the Go loops for shifts of elements of type T to the table t. Ordinary
// shifts use the shift count modulo the width of T in bits. The functions ShlWide and
// ShrWide of ir/scalar allow larger counts for narrow types: they use the count modulo 32
// if T has fewer than 32 bits, so that a shift can remove all bits.
func shiftRows[T integer](t fastTable, f num.Format) {
	bits := T(8*unsafe.Sizeof(T(0)) - 1)
	rows2(t, scalar.Shl, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] << (b[i] & bits)
		}
	})
	rows2(t, scalar.Shr, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] >> (b[i] & bits)
		}
	})
	wide := bits | 31
	rows2(t, scalar.ShlWide, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] << (b[i] & wide)
		}
	})
	rows2(t, scalar.ShrWide, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] >> (b[i] & wide)
		}
	})
}

// rows1 adds an entry to the table t: the Go loop for fn, a function of one operand of
// format f. The loop stores fn(a[i]) in d[i].
func rows1[T any](t fastTable, fn *scalar.Fn, f num.Format, loop func(d, a []T)) {
	t[rowKey{fn, f}] = func(d, a, _, _ []byte) error {
		loop(as[T](d), as[T](a)[:len(d)/size[T]()])
		return nil
	}
}

// rows2 adds an entry to the table t: the Go loop for fn, a function of two operands of
// format f. The loop stores fn(a[i], b[i]) in d[i].
func rows2[T any](t fastTable, fn *scalar.Fn, f num.Format, loop func(d, a, b []T)) {
	t[rowKey{fn, f}] = func(d, a, b, _ []byte) error {
		n := len(d) / size[T]()
		loop(as[T](d), as[T](a)[:n], as[T](b)[:n])
		return nil
	}
}

// divisionRows adds a Go loop to the table t for fn, which divides by its second operand.
// Before the loop divides elements, it checks all divisors and returns an error if one of
// them is zero.
func divisionRows[T integer](t fastTable, fn *scalar.Fn, f num.Format, loop func(d, a, b []T)) {
	t[rowKey{fn, f}] = func(d, a, b, _ []byte) error {
		n := len(d) / size[T]()
		divisors := as[T](b)[:n]
		for _, x := range divisors {
			if x == 0 {
				return scalar.ErrDivideByZero
			}
		}
		loop(as[T](d), as[T](a)[:n], divisors)
		return nil
	}
}

// size returns the number of bytes of a value of type T.
func size[T any]() int {
	var e T
	return int(unsafe.Sizeof(e))
}
