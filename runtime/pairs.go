// This file handles types that pack several numbers into one element, such as pairs of
// FP4.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Some element types of the dialect pack several numbers. A scalar of such a type is one
// word that contains the bits of all numbers, the first number in the lowest bits.

// pairLength returns the number of values that one element of type t packs: for example,
// 2 for a pair of 4-bit floats, and 1 for an element type of the pto dialect that packs
// nothing. It returns 0 if t is not an element type of the pto dialect.
func pairLength(t ir.Type) int {
	d, ok := ir.As[pto.ElemType](t)
	if !ok {
		return 0
	}
	return 8 * pto.ByteSize(t) / d.Format().Bits()
}

// pairConversion compiles op into a step, a function that converts n packed values. The
// operand is a word that contains the n values, and the result is a word that contains
// the n converted values. convert is a function that converts a single value.
func (p *planner) pairConversion(op *ir.Op, n int, convert func(bits uint64) uint64) step {
	in, _ := ir.FormatOf(ir.ElementType(op.Operand(0).Type()))
	out, _ := ir.FormatOf(ir.ElementType(op.Result(0).Type()))
	from, to := p.bitsOf(op.Operand(0)), p.bitsOf(op.Result(0))
	return func(fr *frame) *Fault {
		var word uint64
		for i := range n {
			x := *from(fr) >> (i * in.Bits()) & in.Mask()
			word |= convert(x) << (i * out.Bits())
		}
		*to(fr) = word
		return nil
	}
}

// storedFormat returns the format in which a scalar of type t is stored in memory. A pair
// of packed values is stored as one unsigned integer. It reports an error at op and
// returns false for types that the runtime cannot store.
func (p *planner) storedFormat(op *ir.Op, t ir.Type) (num.Format, bool) {
	if pairLength(t) > 1 {
		return wordFormats[pto.ByteSize(t)], true
	}
	return p.format(op, ir.ElementType(t))
}

// scalarBits returns the size in bits of a scalar of type t, including all values that it
// packs.
func scalarBits(t ir.Type) int {
	if pairLength(t) > 1 {
		return 8 * pto.ByteSize(t)
	}
	f, _ := ir.FormatOf(t)
	return f.Bits()
}
