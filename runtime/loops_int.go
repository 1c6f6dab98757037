package runtime

import (
	"unsafe"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

func init() {
	integerRows[int8](num.S8)
	integerRows[int16](num.S16)
	integerRows[int32](num.S32)
	integerRows[int64](num.S64)
	integerRows[uint8](num.U8)
	integerRows[uint16](num.U16)
	integerRows[uint32](num.U32)
	integerRows[uint64](num.U64)
}

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// integerRows enters the loops for one integer format. The loops are spelled
// out: a function value per element would cost more than the element.
func integerRows[T integer](f num.Format) {
	bits := T(8*unsafe.Sizeof(T(0)) - 1) // a shift count is taken modulo the width
	rows2(scalar.Add, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] + b[i]
		}
	})
	rows2(scalar.Sub, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] - b[i]
		}
	})
	rows2(scalar.Mul, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] * b[i]
		}
	})
	rows2(scalar.Max, f, func(d, a, b []T) {
		for i := range d {
			d[i] = max(a[i], b[i])
		}
	})
	rows2(scalar.Min, f, func(d, a, b []T) {
		for i := range d {
			d[i] = min(a[i], b[i])
		}
	})
	rows2(scalar.And, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] & b[i]
		}
	})
	rows2(scalar.Or, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] | b[i]
		}
	})
	rows2(scalar.Xor, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] ^ b[i]
		}
	})
	rows2(scalar.Shl, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] << (b[i] & bits)
		}
	})
	rows2(scalar.Shr, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] >> (b[i] & bits)
		}
	})
	wide := bits | 31
	rows2(scalar.ShlWide, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] << (b[i] & wide)
		}
	})
	rows2(scalar.ShrWide, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] >> (b[i] & wide)
		}
	})
	rows1(scalar.Not, f, func(d, a []T) {
		for i := range d {
			d[i] = ^a[i]
		}
	})
	rows1(scalar.Neg, f, func(d, a []T) {
		for i := range d {
			d[i] = -a[i]
		}
	})
	rows1(scalar.Relu, f, func(d, a []T) {
		for i := range d {
			d[i] = max(a[i], 0)
		}
	})
	rows1(scalar.Copy, f, func(d, a []T) { copy(d, a) })
	divisionRows(scalar.Div, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] / b[i]
		}
	})
	divisionRows(scalar.Fmod, f, func(d, a, b []T) {
		for i := range d {
			d[i] = a[i] % b[i]
		}
	})
}

// rows1 enters a loop over one operand.
func rows1[T any](fn *scalar.Fn, f num.Format, loop func(d, a []T)) {
	fastRows[rowKey{fn, f}] = func(d, a, _, _ []byte) error {
		loop(as[T](d), as[T](a)[:len(d)/size[T]()])
		return nil
	}
}

// rows2 enters a loop over two operands.
func rows2[T any](fn *scalar.Fn, f num.Format, loop func(d, a, b []T)) {
	fastRows[rowKey{fn, f}] = func(d, a, b, _ []byte) error {
		n := len(d) / size[T]()
		loop(as[T](d), as[T](a)[:n], as[T](b)[:n])
		return nil
	}
}

// divisionRows enters a loop that divides by its second operand.
func divisionRows[T integer](fn *scalar.Fn, f num.Format, loop func(d, a, b []T)) {
	fastRows[rowKey{fn, f}] = func(d, a, b, _ []byte) error {
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

func size[T any]() int {
	var e T
	return int(unsafe.Sizeof(e))
}
