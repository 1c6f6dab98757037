// This file folds algebraic identities such as x + 0.

package arith

import (
	"ptogo/ir"
	"ptogo/ir/num"
)

// identity is an algebraic rule such as x + 0 = x. It returns the zero FoldResult
// if it does not apply.
type identity func(op *ir.Op, in []ir.Attr) ir.FoldResult

// folder returns the Fold of an elementwise operation that also applies the given
// rules.
func folder(rules ...identity) func(op *ir.Op, in []ir.Attr) []ir.FoldResult {
	return func(op *ir.Op, in []ir.Attr) []ir.FoldResult {
		if r := FoldElementwise(op, in); r != nil {
			return r
		}
		for _, rule := range rules {
			if r := rule(op, in); r != (ir.FoldResult{}) {
				return []ir.FoldResult{r}
			}
		}
		return nil
	}
}

// outcome is the result of a rule that applies.
type outcome func(op *ir.Op) ir.FoldResult

func keepLeft(op *ir.Op) ir.FoldResult  { return ir.FoldResult{Value: op.Operand(0)} }
func keepRight(op *ir.Op) ir.FoldResult { return ir.FoldResult{Value: op.Operand(1)} }

// giveZero returns zero in all lanes of the result, or an empty result if the type
// has no constant.
func giveZero(op *ir.Op) ir.FoldResult {
	if r := splat(op.Result(0).Type(), 0); r != nil {
		return r[0]
	}
	return ir.FoldResult{}
}

// rightIs applies if the right operand is the integer n in all elements.
func rightIs(n int64, then outcome) identity { return operandIs(1, intBits(n), then) }

// leftIs applies if the left operand is the integer n in all elements.
func leftIs(n int64, then outcome) identity { return operandIs(0, intBits(n), then) }

// rightIsFloat applies if the right operand has the bits that of returns for its
// format.
func rightIsFloat(of func(num.Format) uint64, then outcome) identity { return operandIs(1, of, then) }

// leftIsFloat applies if the left operand has the bits that of returns for its
// format.
func leftIsFloat(of func(num.Format) uint64, then outcome) identity { return operandIs(0, of, then) }

// intBits returns a function from a format to the bits of n in it. Negative numbers
// are cut to the width of the format.
func intBits(n int64) func(num.Format) uint64 {
	return func(f num.Format) uint64 { return uint64(n) & f.Mask() }
}

func zero(num.Format) uint64      { return 0 }
func negZero(f num.Format) uint64 { return f.SignBit() }
func one(f num.Format) uint64     { return num.Encode(f, 1, num.NearestEven, false) }

// operandIs applies if operand i is a splat or scalar with the bits that of
// returns.
func operandIs(i int, of func(num.Format) uint64, then outcome) identity {
	return func(op *ir.Op, in []ir.Attr) ir.FoldResult {
		l, ok := lanesOfOne(in[i])
		if !ok || len(l.bits) != 1 || l.bits[0] != of(l.f) {
			return ir.FoldResult{}
		}
		return then(op)
	}
}

// equalOperands applies if both operands are the same value.
func equalOperands(then outcome) identity {
	return func(op *ir.Op, _ []ir.Attr) ir.FoldResult {
		if op.Operand(0) != op.Operand(1) {
			return ir.FoldResult{}
		}
		return then(op)
	}
}

// ownInverse folds f(f(x)) to x, for an operation f that is its own inverse.
func ownInverse(op *ir.Op, _ []ir.Attr) ir.FoldResult {
	if inner := op.Operand(0).Op(); inner != nil && inner.Is(op.Def()) {
		return ir.FoldResult{Value: inner.Operand(0)}
	}
	return ir.FoldResult{}
}
