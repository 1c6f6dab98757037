package runtime

import (
	"ptogo/ir/num"
	"ptogo/runtime/kernels"
)

// convertFunc converts elements that lie side by side in a to elements side
// by side in d, as many as d has. d and a do not overlap.
type convertFunc func(d, a []byte)

// converter returns the conversion between two formats of whole bytes.
func converter(from, to num.Format, r num.Rounding, sat bool) convertFunc {
	return converterAt(kernels.Best, from, to, r, sat)
}

// converterAt is converter with the vector instructions of a level.
func converterAt(level kernels.Level, from, to num.Format, r num.Rounding, sat bool) convertFunc {
	rest := converterInGo(from, to, r, sat)
	if from.Bytes() < to.Bytes() && from.IsFloat() && to == num.F32 {
		r, sat = num.NearestEven, false // exact
	}
	l, ok := kernels.Conversion(from, to, sat, level)
	if !ok || r != num.NearestEven {
		return rest
	}
	size, in := l.Size()
	return func(d, a []byte) {
		if n := l.Run(d, a, nil, nil, false); n < len(d) {
			rest(d[n:], a[n/size*in:])
		}
	}
}

// converterInGo is converter without vector instructions.
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

// convertSlow converts element by element.
func convertSlow(from, to num.Format, r num.Rounding, sat bool) convertFunc {
	in, out := from.Bytes(), to.Bytes()
	return func(d, a []byte) {
		for i := range len(d) / out {
			num.Store(to, d[i*out:], convertOne(from, to, num.Load(from, a[i*in:]), r, sat))
		}
	}
}

// convertByTable looks up what each byte becomes.
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

func lookUp[T word](table *[256]uint64) convertFunc {
	return func(d, a []byte) {
		for i := range as[T](d) {
			as[T](d)[i] = T(table[a[i]])
		}
	}
}

// convertOne converts one element. Where values saturate, NaN becomes zero in
// formats of 8 bits; wider floats keep it. A format that has every number of
// the other one keeps infinity too.
func convertOne(from, to num.Format, bits uint64, r num.Rounding, sat bool) uint64 {
	switch {
	case sat && to.Bits() <= 8 && num.IsNaN(from, bits):
		return 0
	case to == num.F32 && from.IsFloat() && from.Bits() <= 32:
		sat = false
	}
	return num.Convert(from, to, bits, r, sat)
}
