// This file handles types that pack several numbers into one element, such as pairs of
// FP4.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/ir/num"
)

// Some element types of the dialect pack several numbers. A scalar of such a
// type is the bits of all of them in one word, the first in the lowest bits.

// pairLength returns how many numbers a type packs into one element, such as 2 for a
// pair of 4-bit floats. The result is at most 1 for types that do not pack numbers.
func pairLength(t ir.Type) int {
	d, ok := ir.As[pto.ElemType](t)
	if !ok {
		return 0
	}
	return 8 * pto.ByteSize(t) / d.Format().Bits()
}

// pairConversion returns the step that converts n numbers, which are packed into one word
// in the operand and in the result.
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

// storedFormat returns the format in which a scalar is stored in memory. A pair of packed
// numbers is stored as one unsigned integer.
func (p *planner) storedFormat(op *ir.Op, t ir.Type) (num.Format, bool) {
	if pairLength(t) > 1 {
		return wordFormats[pto.ByteSize(t)], true
	}
	return p.format(op, ir.ElementType(t))
}

// scalarBits returns the size in bits of a scalar of type t, including all numbers that
// it packs.
func scalarBits(t ir.Type) int {
	if pairLength(t) > 1 {
		return 8 * pto.ByteSize(t)
	}
	f, _ := ir.FormatOf(t)
	return f.Bits()
}
