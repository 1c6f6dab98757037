package passes

import (
	"math"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	isatile "ptogo/dialect/pto/isa/tile"
	"ptogo/ir"
	"ptogo/ir/num"
)

// TDivSToRecip turns a division by a scalar into a multiplication.
//
// On A5 the division of a floating-point tile by a scalar in default
// precision is defined as the multiplication by the rounded reciprocal, where
// that of either zero is +inf, so every such division may be rewritten.
// Elsewhere a division is exact, and so the rewrite must be: the scalar is a
// constant power of two, it and its reciprocal normal numbers. Then quotient
// and product are the same real number and are rounded alike, for denormals
// too, and whether or not the machine flushes those.
var TDivSToRecip = &Pass{
	Name:  "pto-tdivs-to-recip",
	Title: "TDivSToRecip",
	Doc:   "Multiplies by the reciprocal where pto.tdivs divides a tile by a scalar and the result is the same.",
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

// divideByReciprocal rewrites one division.
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

// highPrecision reports whether true division is asked for by name. Such a
// division is left as it was written, even where nobody could tell.
func highPrecision(op *ir.Op) bool {
	d := op.Def().Attr("precisionType")
	return op.Attr(d.Name) != d.Default
}

// floatFormat returns the format of a floating-point scalar.
func floatFormat(t ir.Type) (num.Format, bool) {
	f, ok := ir.FormatOf(t)
	return f, ok && f.IsFloat() && ir.Is[ir.FloatType](t)
}

// multiply returns the multiplication that replaces a division, at the same
// level, still with the divisor as its factor.
func multiply(op *ir.Op) *ir.Op {
	s := ir.State{Def: isatile.TMulS, Form: isatile.TMulS.Made().Form(op.Form().Level), Loc: op.Loc(), Operands: op.Operands()}
	for _, v := range op.Results() {
		s.Results = append(s.Results, v.Type())
	}
	s.Attrs = append(s.Attrs, op.ExtraAttrs()...)
	return ir.New(s)
}

// acceptable reports whether the target has op for these operands. It judges
// op in the place of old and takes it out again.
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

// reciprocal returns the rounded reciprocal, which is +inf for both zeros.
func reciprocal(f num.Format, bits uint64) uint64 {
	if bits&^f.SignBit() == 0 {
		return infinity(f)
	}
	return num.Encode(f, 1/num.Decode(f, bits), num.NearestEven, false)
}

// exactReciprocal reports whether a number is a power of two that is normal
// and has a normal reciprocal.
func exactReciprocal(f num.Format, bits uint64) bool {
	return isNormalPower(f, bits) && isNormalPower(f, reciprocal(f, bits))
}

// isNormalPower reports whether the magnitude of a number is a power of two
// and the number is normal: then the next larger magnitude is as near, for its
// size, as that of 1. Among denormals it is further away.
func isNormalPower(f num.Format, bits uint64) bool {
	bits &^= f.SignBit()
	x, one := num.Decode(f, bits), num.Encode(f, 1, num.NearestEven, false)
	if fraction, _ := math.Frexp(x); fraction != 0.5 {
		return false // NaN, infinity and zero are among these
	}
	return num.Decode(f, bits+1)/x == num.Decode(f, one+1)
}

func infinity(f num.Format) uint64 {
	bits, _ := num.Inf(f, false)
	return bits
}

// emitReciprocal computes the reciprocal of a scalar that is not known yet.
// 1/-0 would be -inf, so zeros are looked for.
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
