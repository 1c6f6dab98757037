// This file maps element formats to LLVM types.

package ll

import (
	"github.com/llir/llvm/ir/types"

	"ptogo/ir/num"
)

// Elements are carried as they lie in memory: integers as integers, f32 and
// f64 as float and double, and every other float as the integer of its bits:
// half is not what every machine has (Options.Half), and bfloat even less.

// ElementType returns the type that carries an element, or nil for a format
// that does not exist.
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

// MemoryType returns the type of a standalone element in memory.
func MemoryType(f num.Format) types.Type {
	if t := ElementType(f); t == F32 || t == F64 {
		return t
	}
	return IntType(8 * f.Bytes())
}

// fields describes a float made of sign, exponent and mantissa.
type fields struct {
	exp, man int
	nanTop   bool // only the code with all bits set is NaN
}

// fieldsOf holds the formats of that kind; ir/num keeps the same facts to
// itself, and a test compares every code.
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

// bias is what the exponent field counts from.
func (l fields) bias() int { return max(1<<(l.exp-1)-1, 1) }

// workType returns the type in which numbers of f are computed: float holds
// twice the precision of every shorter format and two bits more, so that + - *
// / and the square root come out as if rounded once.
func workType(f num.Format) *types.FloatType {
	if f == num.F64 {
		return F64
	}
	return F32
}
