// This file chooses how remainders are computed, which differs by target and precision.

package tile

import (
	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// exactRemainder reports whether op requests high precision on a target and for elements
// where the headers have it, f32 on A5.
func exactRemainder(op *ir.Op, t ir.Target, elem ir.Type) bool {
	return t == sem.A5 && elem == ir.F32 && attrIs(op, "precisionType", "high_precision")
}

// fmodFn returns the function of op, a tfmod or tfmods, on target t. In default precision,
// the headers divide and round each step.
func fmodFn(op *ir.Op, t ir.Target) *scalar.Fn {
	dst, _ := TileArg(op, "dst")
	if !(F16 | F32).Has(dst.Elem) || exactRemainder(op, t, dst.Elem) {
		return scalar.Fmod
	}
	return scalar.FmodByQuotient
}

// remainderFn returns a function that chooses the remainder of a trem or trems. The
// parameter onA5 is that of floats on A5 in default precision; on A2/A3 both instructions
// correct the sign of the result. There, they compute integers by ints, in f32. Integers of
// 64 bits, which only A5 has, keep the sign of the dividend.
func remainderFn(onA5, ints *scalar.Fn) func(op *ir.Op, t ir.Target) *scalar.Fn {
	return func(op *ir.Op, t ir.Target) *scalar.Fn {
		dst, _ := TileArg(op, "dst")
		switch float := (F16 | F32).Has(dst.Elem); {
		case exactRemainder(op, t, dst.Elem):
			return scalar.RemZero
		case float && t == sem.A5:
			return onA5
		case float:
			return scalar.RemByQuotient
		case t != sem.A5 && I32.Has(dst.Elem):
			return ints
		case (I64 | U64).Has(dst.Elem):
			return scalar.Fmod
		}
		return scalar.Rem
	}
}

// The notes of reference pages about remainders. They describe where public sources disagree.
const (
	fmodNote = "The page's summary says floor, its formula fmod; public golden data is fmod. " +
		"Floats in default precision are computed as in the NPU headers: quotient, product and difference are each rounded in f32 (f16 is then cut to f16). " +
		"The simulator and, on A5, high precision of f32 are exact."
	remSteps = "Floats in default precision are computed as in the NPU headers: quotient, product and difference are each rounded in f32 (f16 is then cut to f16), which loses digits where the quotient has more than f32. " +
		"The headers of A2/A3 compute i32 in f32, too, which loses digits beyond 2^24. The simulator and, on A5, high precision of f32 are exact."
	remWide        = "Integers of 64 bits have the sign of the dividend, as the headers of A5 have it (Int64RemRegs in a5/Int64Div.hpp); golden data of trems is the same. For a zero divisor, the headers have 0, and pto-run faults."
	remUncorrected = "On A5 in default precision, floats whose quotient is rounded up keep a remainder of the other sign (RemSOp in a5/TRemS.hpp); trem and A2/A3 add the scalar then."
	remZero        = "A zero is positive, as in the page's formula and the headers. In high precision of f32 on A5 it has the sign of the dividend, as the headers and the simulator have it; golden data has the sign of the divisor and compares numbers. " +
		"By an infinity the result is NaN; only in high precision a negative number gives +infinity, as the page's rounding down and the simulator have it."
)
