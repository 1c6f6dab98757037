// This file maps element formats to LLVM types.

package ll

import (
	"github.com/llir/llvm/ir/types"

	"ptogo/ir/num"
)

// Elements are carried as they lie in memory: integers as integers, f32 and
// f64 as float and double, and every other float as the integer of its bits:
// half is not what every machine has (Options.Half), and bfloat even less.

// ElementType returns the LLVM type that represents elements of number format f, or nil
// for an unknown format. Floats other than f32 and f64 are represented by integers that
// hold their bits.
func ElementType(f num.Format) types.Type {
	switch {
	case f == num.F32:
		return F32
	case f == num.F64:
		return F64
	case f == num.TF32:
		return I32 // 19 bits in a word
	case f.Bits() > 0:
		return IntType(f.Bits())
	}
	return nil
}

// MemoryType returns the LLVM type of a single element of format f in memory. An element
// of less than a byte occupies a byte.
func MemoryType(f num.Format) types.Type {
	if t := ElementType(f); t == F32 || t == F64 {
		return t
	}
	return IntType(8 * f.Bytes())
}

// fields describes a float format that consists of sign, exponent and mantissa.
type fields struct {
	// exp and man are the widths of the fields in bits.
	exp, man int
	// nanTop reports that only the code with all bits set is NaN, as in F8E4M3FN.
	nanTop bool
}

// fieldsOf lists the float formats that consist of sign, exponent and mantissa, with the
// widths of these fields. The package ir/num has the same widths but does not export
// them. A test therefore compares the numbers that this package and ir/num decode from
// the bits of these formats.
var fieldsOf = map[num.Format]fields{
	num.F16:      {exp: 5, man: 10},
	num.BF16:     {exp: 8, man: 7},
	num.F32:      {exp: 8, man: 23},
	num.F64:      {exp: 11, man: 52},
	num.TF32:     {exp: 8, man: 10},
	num.F8E4M3FN: {exp: 4, man: 3, nanTop: true},
	num.F8E5M2:   {exp: 5, man: 2},
	num.F4E2M1:   {exp: 2, man: 1},
	num.F4E1M2:   {exp: 1, man: 2},
}

// bias returns the number that the exponent field of the format contains for the exponent
// 0.
func (l fields) bias() int { return max(1<<(l.exp-1)-1, 1) }
