// This file defines how matrix products accumulate for each combination of formats, and the
// modes that round their f32 operands.

package runtime

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/runtime/kernels"
)

// operandRounding describes a hardware mode that rounds the f32 operands of matrix
// products to fewer fraction bits.
type operandRounding struct {
	// fraction is the number of fraction bits that remain after rounding.
	fraction int
	// away means that ties round away from zero instead of to even.
	away bool
	// flush means that subnormal numbers become zero.
	flush bool
}

// setRounding compiles op into a step, a function that switches a rounding mode for f32
// operands of matrix products on or off. Modes with different widths are independent of
// each other.
func (p *planner) setRounding(op *ir.Op, kind sem.OperandRounding) step {
	if !kind.On.Has(p.target) {
		return nil
	}
	d := sem.RoundingChangeOf(op)
	r := operandRounding{fraction: d.Fraction, away: d.Away, flush: d.NoSubnormals}
	return func(fr *frame) *Fault {
		c := fr.core
		c.roundings = slices.DeleteFunc(c.roundings, func(o operandRounding) bool { return o.fraction == r.fraction })
		if d.Enable {
			c.roundings = append(c.roundings, r)
		}
		return nil
	}
}

// apply rounds the f32 numbers in xs to the number of fraction bits in r.fraction. It
// changes xs, which contains the numbers as bits, in place. A carry out of the fraction
// increments the exponent, so the largest finite number can become infinity.
func (r operandRounding) apply(xs []uint32) {
	const exponent = 0xFF << 23
	drop := 23 - r.fraction
	half := uint32(1) << (drop - 1)
	for i, x := range xs {
		switch {
		case x&exponent == exponent: // infinity or NaN
			continue
		case x&exponent == 0 && r.flush:
			x &= 1 << 31
		case r.away:
			x += half
		default:
			x += half - 1 + x>>drop&1
		}
		xs[i] = x &^ (half<<1 - 1)
	}
}

// roundOperands rounds the operands x and y of a matrix product in place, according to
// the modes of the core. It does nothing unless both formats, l and r, are f32.
func (c *core) roundOperands(l, r num.Format, x, y []byte) {
	if l != num.F32 || r != num.F32 {
		return
	}
	for _, how := range c.roundings {
		how.apply(as[uint32](x))
		how.apply(as[uint32](y))
	}
}

// arithmeticOf returns how a matrix product of formats l and r adds up its terms in
// format sum. Integers are added exactly, modulo 2^32. Floats are added in f32: each
// result is a running sum in the order of k, rounded to nearest even after each addition.
// Products of narrow floats are rounded to f32 before the addition. Products of f32 are
// not rounded (fused multiply-add).
func arithmeticOf(sum, l, r num.Format) kernels.Arithmetic {
	switch {
	case sum.IsInt():
		return kernels.Integers
	case l == num.F16 && r == num.F16:
		return kernels.Fused // f32 has every product, so that rounding it does nothing
	case l.Bits() < 32 && r.Bits() < 32:
		return kernels.Apart
	}
	return kernels.Fused
}
