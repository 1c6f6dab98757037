// This file selects the fastest function that converts rows of elements between two
// formats, with rounding and saturation.

package runtime

import (
	"ptogo/ir/num"
	"ptogo/runtime/kernels"
)

// convertFunc converts consecutive elements of a to consecutive elements of d, in another
// number format, until d is full. The memory of d and a must not overlap.
type convertFunc func(d, a []byte)

// converter returns a function that converts elements of the format given by the
// parameter from to the format given by the parameter to. The elements of each format
// occupy complete bytes. The function rounds in mode r and saturates if sat is set.
func converter(from, to num.Format, r num.Rounding, sat bool) convertFunc {
	return converterAt(kernels.Best, from, to, r, sat)
}

// converterAt returns a function that converts elements of the source format (the
// parameter from) to the destination format (the parameter to). It rounds in mode r and
// saturates if sat is set. The function uses only machine instructions up to the given
// level, such as AVX2. Tests compare the levels with each other.
func converterAt(level kernels.Level, from, to num.Format, r num.Rounding, sat bool) convertFunc {
	convert := converterBothWays(level, from, to, r, sat, false)
	return func(d, a []byte) { convert(d, a, false) }
}

// converterBothWays returns a function that converts elements of the source format (from)
// to the destination format (to). level limits which vector instructions of the processor
// it uses. The returned function has an argument for the direction: if back is set, it
// may process the elements from last to first. [core.turn] explains why alternating
// directions use the processor cache better. If the parameter zero is set, NaN becomes
// zero; the destination format must then have 16 bits.
func converterBothWays(level kernels.Level, from, to num.Format, r num.Rounding, sat, zero bool) func(d, a []byte, back bool) {
	rest := converterInGo(from, to, r, sat)
	if zero {
		keeping := rest
		rest = func(d, a []byte) {
			keeping(d, a)
			zeroNaN(to, d)
		}
	}
	if from.IsInt() && from.Signed() {
		from = from.AsSigned()
	}
	if exact(from, to) {
		r, sat = num.NearestEven, false
	} else if from == num.S32 && to == num.F32 {
		sat = false // nothing is out of range
	}
	if c, ok := kernels.ToIntegerOf(from, to, r, level); ok {
		return func(d, a []byte, _ bool) { convertInRange(&c, rest, from.Bytes(), to.Bytes(), d, a) }
	}
	l, ok := kernels.Conversion(from, to, sat, zero, level)
	if !ok || r != num.NearestEven {
		return func(d, a []byte, _ bool) { rest(d, a) }
	}
	size, in := l.Size()
	return func(d, a []byte, back bool) {
		if n := l.Run(d, a, nil, nil, back); n < len(d) {
			rest(d[n:], a[n/size*in:])
		}
	}
}

// exact reports whether the conversion between two formats never rounds: every number of
// the source format (the parameter from) is then representable in the destination format
// (the parameter to). It returns true only for pairs of formats that have a vectorized
// loop, and false for all other pairs.
func exact(from, to num.Format) bool {
	switch {
	case from.IsFloat():
		return from.Bytes() < to.Bytes() && to == num.F32
	case to == num.F16:
		return from.Bits() == 8
	}
	return to == num.F32 && from.Bits() <= 16
}

// convertInRange converts the floats in a to integers in d. The vectorized loop c
// converts several elements per step, and stops before a step that contains an
// out-of-range value. The function rest, which implements wrapping and saturation, then
// converts the elements of this step, and c continues after them. The parameter in is the
// size of a float in bytes, and out is the size of an integer in bytes.
func convertInRange(c *kernels.ToInteger, rest convertFunc, in, out int, d, a []byte) {
	for len(d) > 0 {
		n := c.Run(d, a)
		d, a = d[n*out:], a[n*in:]
		n = min(c.Step(), len(d)/out)
		rest(d[:n*out], a[:n*in])
		d, a = d[n*out:], a[n*in:]
	}
}

// converterInGo returns a function that converts elements of the source format (the
// parameter from) to the destination format (the parameter to). It rounds in mode r and
// saturates if sat is set. The function uses no vector instructions, so it also runs on
// processors for which this package has no assembly code.
func converterInGo(from, to num.Format, r num.Rounding, sat bool) convertFunc {
	nearest := r == num.NearestEven && !sat
	switch {
	case from.Signless() == to.Signless() && from.IsInt() && !sat:
		return func(d, a []byte) { copy(d, a) }
	case from == num.F16 && to == num.F32:
		return func(d, a []byte) { num.F16sToF32s(as[float32](d), as[uint16](a)[:len(d)/4]) }
	case from == num.BF16 && to == num.F32:
		return func(d, a []byte) { num.BF16sToF32s(as[float32](d), as[uint16](a)[:len(d)/4]) }
	case from == num.F32 && to == num.F16 && nearest:
		return func(d, a []byte) { num.F32sToF16s(as[uint16](d), as[float32](a)[:len(d)/2]) }
	case from == num.F32 && to == num.BF16 && nearest:
		return func(d, a []byte) { num.F32sToBF16s(as[uint16](d), as[float32](a)[:len(d)/2]) }
	case from.Bytes() == 1:
		return convertByTable(from, to, r, sat)
	}
	return convertSlow(from, to, r, sat)
}

// convertSlow returns a function that converts one element at a time, from the source
// format (the parameter from) to the destination format (the parameter to). It rounds in
// mode r and saturates if sat is set. It is the fallback for pairs of formats without a
// specialized loop.
func convertSlow(from, to num.Format, r num.Rounding, sat bool) convertFunc {
	in, out := from.Bytes(), to.Bytes()
	return func(d, a []byte) {
		for i := range len(d) / out {
			num.Store(to, d[i*out:], convertOne(from, to, num.Load(from, a[i*in:]), r, sat))
		}
	}
}

// convertByTable returns a function that converts 8-bit elements of the source format
// (the parameter from) to the destination format (the parameter to). It rounds in mode r
// and saturates if sat is set. The function looks up each result in a table that contains
// the converted value of all 256 source bytes.
func convertByTable(from, to num.Format, r num.Rounding, sat bool) convertFunc {
	var table [256]uint64
	for i := range table {
		table[i] = convertOne(from, to, uint64(i), r, sat)
	}
	switch to.Bytes() {
	case 1:
		return lookUp[uint8](&table)
	case 2:
		return lookUp[uint16](&table)
	case 4:
		return lookUp[uint32](&table)
	}
	return lookUp[uint64](&table)
}

// lookUp returns a conversion that reads each result, of type T, from a table of 256
// entries that is indexed by the source byte.
func lookUp[T word](table *[256]uint64) convertFunc {
	return func(d, a []byte) {
		for i := range as[T](d) {
			as[T](d)[i] = T(table[a[i]])
		}
	}
}

// convertOne converts the bits of one element from the source format (the parameter from)
// to the destination format (the parameter to) and returns the new bits. It rounds in
// mode r. If sat is set, a number beyond the range becomes the nearest finite number. NaN
// then becomes zero if the destination has at most 8 bits, and stays NaN in wider float
// formats. As an exception, conversions from floats of at most 32 bits to f32 never
// saturate: f32 contains all values of these formats, so infinities stay infinite.
func convertOne(from, to num.Format, bits uint64, r num.Rounding, sat bool) uint64 {
	switch {
	case sat && to.Bits() <= 8 && num.IsNaN(from, bits):
		return 0
	case to == num.F32 && from.IsFloat() && from.Bits() <= 32:
		sat = false
	}
	return num.Convert(from, to, bits, r, sat)
}
