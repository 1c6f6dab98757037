// This file folds algebraic identities such as x + 0.

package arith

import (
	"ptogo/ir"
	"ptogo/ir/num"
)

// identity is an algebraic rule such as x + 0 = x. It returns the value or constant that
// the result of op equals, or the zero FoldResult if the rule does not apply. The
// parameter in contains the constants among the operands.
type identity func(op *ir.Op, in []ir.Attr) ir.FoldResult

// folder returns a fold function for an elementwise operation. The fold function computes
// the result if all operands are constants. Otherwise it applies the first of the given
// algebraic rules that matches.
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

// outcome returns the value or constant that equals the result of op when an algebraic
// rule applies.
type outcome func(op *ir.Op) ir.FoldResult

func keepLeft(op *ir.Op) ir.FoldResult  { return ir.FoldResult{Value: op.Operand(0)} }
func keepRight(op *ir.Op) ir.FoldResult { return ir.FoldResult{Value: op.Operand(1)} }

// giveZero folds op to zero: it returns a constant zero of the type of its result. If
// this type has no constants, it returns an empty FoldResult, and op is not folded.
func giveZero(op *ir.Op) ir.FoldResult {
	if r := splat(op.Result(0).Type(), 0); r != nil {
		return r[0]
	}
	return ir.FoldResult{}
}

// rightIs returns a simplification rule for a binary operation. The rule applies if all
// elements of the right operand are the integer n. The second argument is a callback that
// returns the value or constant by which the rule replaces the result.
func rightIs(n int64, then outcome) identity { return operandIs(1, intBits(n), then) }

// leftIs returns a simplification rule for a binary operation. The rule applies if all
// elements of the left operand are the integer n. The second argument is a callback that
// returns the value or constant by which the rule replaces the result.
func leftIs(n int64, then outcome) identity { return operandIs(0, intBits(n), then) }

// rightIsFloat returns a simplification rule for a binary operation on floats. The rule
// applies if every element of the right operand is one particular number, for example 1.
// The function of receives a number format and returns the bits of this number. The
// function then returns the value or constant by which the rule replaces the result.
func rightIsFloat(of func(num.Format) uint64, then outcome) identity { return operandIs(1, of, then) }

// leftIsFloat returns a rule that applies if every element of the left operand is a
// certain constant. The first parameter is a function that returns the bits of this
// constant in a number format. If the rule applies, it calls the function in the
// parameter then, which computes the value or constant that replaces the result.
func leftIsFloat(of func(num.Format) uint64, then outcome) identity { return operandIs(0, of, then) }

// intBits returns a function that returns the bits of the integer n in a given number
// format. Negative numbers are cut to the width of the format.
func intBits(n int64) func(num.Format) uint64 {
	return func(f num.Format) uint64 { return uint64(n) & f.Mask() }
}

func zero(num.Format) uint64      { return 0 }
func negZero(f num.Format) uint64 { return f.SignBit() }
func one(f num.Format) uint64     { return num.Encode(f, 1, num.NearestEven, false) }

// operandIs returns a simplification rule for an operation. The rule applies if operand i
// is a constant, or a splat, whose element has certain bits. The second argument is a
// function that returns these bits for the number format of the operand. The last
// argument is a function that returns the value or constant by which the rule replaces
// the result of the operation.
func operandIs(i int, of func(num.Format) uint64, then outcome) identity {
	return func(op *ir.Op, in []ir.Attr) ir.FoldResult {
		l, ok := lanesOfOne(in[i])
		if !ok || len(l.bits) != 1 || l.bits[0] != of(l.f) {
			return ir.FoldResult{}
		}
		return then(op)
	}
}

// equalOperands returns a rule for operations whose two operands are the same value. If
// the rule applies, it calls the function in the parameter then, which computes the value
// or constant that replaces the result.
func equalOperands(then outcome) identity {
	return func(op *ir.Op, _ []ir.Attr) ir.FoldResult {
		if op.Operand(0) != op.Operand(1) {
			return ir.FoldResult{}
		}
		return then(op)
	}
}

// ownInverse is the rule f(f(x)) = x, for an operation f that is its own inverse.
func ownInverse(op *ir.Op, _ []ir.Attr) ir.FoldResult {
	if inner := op.Operand(0).Op(); inner != nil && inner.Is(op.Def()) {
		return ir.FoldResult{Value: inner.Operand(0)}
	}
	return ir.FoldResult{}
}
