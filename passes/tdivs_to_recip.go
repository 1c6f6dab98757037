// This file defines the pass that replaces division by a scalar with multiplication by
// its reciprocal on A5.

package passes

import (
	"math"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
	"ptogo/ir/num"
)

// TDivSToRecip replaces a division by a scalar by a multiplication.
//
// On A5, the division of a floating-point tile by a scalar in default precision is
// defined as the multiplication by the rounded reciprocal; the reciprocal of both
// zeros is +inf. So every such division may be replaced. On other targets a
// division is exact, so the multiplication must be exact, too: the scalar must be a
// constant power of two, and both it and its reciprocal must be normal numbers.
// Then quotient and product are the same real number and are rounded in the same
// way. This includes denormals, whether or not the machine flushes them.
var TDivSToRecip = &Pass{
	Name:  "pto-tdivs-to-recip",
	Title: "TDivSToRecip",
	Doc:   "Replaces pto.tdivs, which divides a tile by a scalar, by a multiplication with the reciprocal of the scalar, if the multiplication computes the same bits.",
	Stats: []Stat{{"num-rewritten", "divisions turned into multiplications"}},
	Run: func(c *Context, op *ir.Op) error {
		return c.Rewrite(op, ir.Pattern{Name: "tdivs-to-recip", On: isatile.TDivS, Do: func(rw *ir.Rewriter, op *ir.Op) bool {
			if !divideByReciprocal(rw, op, c.Features) {
				return false
			}
			c.Count("num-rewritten", 1)
			return true
		}})
	},
}

// divideByReciprocal replaces the division op by a multiplication by the reciprocal and
// reports whether that was possible. features are the options that make more programs
// legal; the function needs them to check whether the multiplication is legal.
func divideByReciprocal(rw *ir.Rewriter, op *ir.Op, features ir.Features) bool {
	src, s := op.Operand(0), op.Operand(1)
	f, ok := floatFormat(s.Type())
	if !ok || !pto.IsTile(src.Type()) || !pto.SameElement(s.Type(), ir.ElementType(src.Type())) {
		return false
	}
	attr, constant := arith.ConstantAttr(s)
	_, bits, known := attr.NumberBits()
	constant = constant && known
	switch {
	case isatile.TDivSByReciprocal(op, rw.Target):
	case constant && exactReciprocal(f, bits) && !highPrecision(op):
	default:
		return false
	}
	mul := multiply(op)
	if !acceptable(mul, op, rw.Target, features) {
		return false
	}
	var recip *ir.Value
	if constant {
		a, _ := ir.NumberAttr(s.Type(), reciprocal(f, bits))
		recip = arith.Materialize(rw, a)
	} else {
		recip = emitReciprocal(rw, s, f)
	}
	mul.SetOperand(1, recip)
	rw.Insert(mul)
	rw.Update(mul)
	rw.Replace(op, mul.Results()...)
	return true
}

// highPrecision reports whether the attributes of op request true division. The pass does
// not replace such a division, even if the result would be the same.
func highPrecision(op *ir.Op) bool {
	d := op.Def().Attr("precisionType")
	return op.Attr(d.Name) != d.Default
}

// floatFormat returns the format of a builtin floating-point scalar, and false for
// other types.
func floatFormat(t ir.Type) (num.Format, bool) {
	f, ok := ir.FormatOf(t)
	return f, ok && f.IsFloat() && ir.Is[ir.FloatType](t)
}

// multiply returns a new multiplication in the same form as op, a division by a scalar.
// The new operation has the operands of op, including the divisor. The caller must
// replace the divisor by its reciprocal.
func multiply(op *ir.Op) *ir.Op {
	s := ir.State{Def: isatile.TMulS, Form: isatile.TMulS.Made().Form(op.Form().Level), Loc: op.Loc(), Operands: op.Operands()}
	for _, v := range op.Results() {
		s.Results = append(s.Results, v.Type())
	}
	s.Attrs = append(s.Attrs, op.ExtraAttrs()...)
	return ir.New(s)
}

// acceptable reports whether op is legal on the target. It must insert op before the
// operation old for the check, because rules may depend on the context. After the check
// it removes op.
func acceptable(op, old *ir.Op, target ir.Target, features ir.Features) bool {
	old.Block().InsertBefore(op, old)
	ok := ir.Verify(op, ir.VerifyOptions{Target: target, Features: features, Sequential: true}, &ir.Diags{})
	if ok {
		op.Remove()
	} else {
		op.Erase()
	}
	return ok
}

// reciprocal returns the bits of the rounded reciprocal of a number of format f, whose
// bits are given. The reciprocal of both zeros is +inf.
func reciprocal(f num.Format, bits uint64) uint64 {
	if bits&^f.SignBit() == 0 {
		return infinity(f)
	}
	return num.Encode(f, 1/num.Decode(f, bits), num.NearestEven, false)
}

// exactReciprocal reports whether a number of format f, whose bits are given, is a normal
// power of two whose reciprocal is a normal number, too. A division by the number and a
// multiplication by its reciprocal then have the same result.
func exactReciprocal(f num.Format, bits uint64) bool {
	return isNormalPower(f, bits) && isNormalPower(f, reciprocal(f, bits))
}

// isNormalPower reports whether the magnitude of a number is a power of two and a normal
// number (not a denormal one). It compares the distance to the next larger number with
// the magnitude: for a normal power of two this ratio is the same as for 1, and for a
// denormal number it is larger.
func isNormalPower(f num.Format, bits uint64) bool {
	bits &^= f.SignBit()
	x, one := num.Decode(f, bits), num.Encode(f, 1, num.NearestEven, false)
	if fraction, _ := math.Frexp(x); fraction != 0.5 {
		return false // this excludes NaN, infinity and zero
	}
	return num.Decode(f, bits+1)/x == num.Decode(f, one+1)
}

// infinity returns the bits of +inf in the format.
func infinity(f num.Format) uint64 {
	bits, _ := num.Inf(f, false)
	return bits
}

// emitReciprocal emits the computation of the reciprocal of the scalar s, which is not
// constant. The reciprocal of a zero must be +inf for both signs of the zero. The
// quotient 1/-0 would be -inf, so the emitted code tests for zero.
func emitReciprocal(rw *ir.Rewriter, s *ir.Value, f num.Format) *ir.Value {
	t := s.Type()
	number := func(bits uint64) *ir.Value {
		a, _ := ir.NumberAttr(t, bits)
		return arith.Materialize(rw, a)
	}
	one := number(num.Encode(f, 1, num.NearestEven, false))
	quotient := rw.Op(arith.DivF, []*ir.Value{one, s}, []ir.Type{t}).Result(0)
	isZero := rw.Op(arith.CmpF, []*ir.Value{s, number(0)}, []ir.Type{ir.I1}, arith.FloatPredicate("oeq")).Result(0)
	return rw.Op(arith.Select, []*ir.Value{isZero, number(infinity(f)), quotient}, []ir.Type{t}).Result(0)
}
