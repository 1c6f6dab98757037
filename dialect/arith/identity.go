package arith

import (
	"ptogo/ir"
	"ptogo/ir/num"
)

// identity is a law such as x + 0 = x. It returns the zero FoldResult where it
// does not apply.
type identity func(op *ir.Op, in []ir.Attr) ir.FoldResult

// folder returns the Fold of an elementwise operation with the given laws.
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

// A consequence of a law.
type outcome func(op *ir.Op) ir.FoldResult

func keepLeft(op *ir.Op) ir.FoldResult  { return ir.FoldResult{Value: op.Operand(0)} }
func keepRight(op *ir.Op) ir.FoldResult { return ir.FoldResult{Value: op.Operand(1)} }

func giveZero(op *ir.Op) ir.FoldResult {
	if r := splat(op.Result(0).Type(), 0); r != nil {
		return r[0]
	}
	return ir.FoldResult{}
}

// rightIs applies where the right operand is the integer n in every element.
func rightIs(n int64, then outcome) identity { return operandIs(1, intBits(n), then) }

// leftIs is rightIs for the left operand.
func leftIs(n int64, then outcome) identity { return operandIs(0, intBits(n), then) }

// rightIsFloat applies where the right operand is the number that of gives.
func rightIsFloat(of func(num.Format) uint64, then outcome) identity { return operandIs(1, of, then) }

// leftIsFloat is rightIsFloat for the left operand.
func leftIsFloat(of func(num.Format) uint64, then outcome) identity { return operandIs(0, of, then) }

func intBits(n int64) func(num.Format) uint64 {
	return func(f num.Format) uint64 { return uint64(n) & f.Mask() }
}

func zero(num.Format) uint64      { return 0 }
func negZero(f num.Format) uint64 { return f.SignBit() }
func one(f num.Format) uint64     { return num.Encode(f, 1, num.NearestEven, false) }

func operandIs(i int, of func(num.Format) uint64, then outcome) identity {
	return func(op *ir.Op, in []ir.Attr) ir.FoldResult {
		l, ok := lanesOfOne(in[i])
		if !ok || len(l.bits) != 1 || l.bits[0] != of(l.f) {
			return ir.FoldResult{}
		}
		return then(op)
	}
}

// equalOperands applies where both operands are the same value.
func equalOperands(then outcome) identity {
	return func(op *ir.Op, _ []ir.Attr) ir.FoldResult {
		if op.Operand(0) != op.Operand(1) {
			return ir.FoldResult{}
		}
		return then(op)
	}
}

// ownInverse applies where the operand is itself the result of such an operation,
// which is its own inverse.
func ownInverse(op *ir.Op, _ []ir.Attr) ir.FoldResult {
	if inner := op.Operand(0).Op(); inner != nil && inner.Is(op.Def()) {
		return ir.FoldResult{Value: inner.Operand(0)}
	}
	return ir.FoldResult{}
}
