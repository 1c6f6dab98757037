// This file defines integer arithmetic.

package arith

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

const page = "https://mlir.llvm.org/docs/Dialects/ArithOps/"

// binary returns the definition of arith.NAME, which computes fn of two operands of the
// same type. typ is the constraint on the operands, flags is the part of the syntax with
// the overflow or fast-math flags, and rules are the algebraic identities with which it
// is folded.
func binary(name, summary string, fn *scalar.Fn, typ ir.Constraint, flags string, rules ...identity) *ir.Def {
	d := &ir.Def{
		Name:    "arith." + name,
		Summary: summary,
		Page:    page,
		Traits:  ir.Pure | ir.Speculatable,
		Forms: []*ir.Form{{
			Operands: []ir.Arg{{Name: "lhs", Type: typ}, {Name: "rhs", Type: ir.SameAs("lhs")}},
			Results:  []ir.Arg{{Name: "result", Type: ir.SameAs("lhs")}},
			Syntax:   ir.Asm("$lhs `,` $rhs" + flags + " attr-dict `:` type($lhs, $rhs, $result)"),
		}},
		Sem:  scalar.Elementwise{Fn: fn},
		Fold: folder(rules...),
	}
	if fn.Commutative {
		d.Traits |= ir.Commutative
	}
	if fn.Divisor != 0 && typ == IntLike { // a zero divisor faults, so it must not be executed speculatively
		d.Traits &^= ir.Speculatable
	}
	return d
}

// integer returns the definition of the operation with the given name in the arith
// dialect. The operation computes fn of two integers and has no flags. rules are the
// algebraic identities with which the operation is folded.
func integer(name, summary string, fn *scalar.Fn, rules ...identity) *ir.Def {
	return binary(name, summary, fn, IntLike, "", rules...)
}

// wrapping returns the definition of arith.NAME, an integer operation that computes the
// function fn of two operands. The result wraps around on overflow. The operation can
// have the attribute overflowFlags, which promises that no overflow occurs. rules are the
// algebraic identities that simplify the operation.
func wrapping(name, summary string, fn *scalar.Fn, rules ...identity) *ir.Def {
	d := binary(name, summary, fn, IntLike, overflowText, rules...)
	d.Attrs = []ir.AttrDef{overflowAttr}
	return d
}

// Definitions of the integer sum, difference and product. The result wraps around if it
// is out of range. With an overflow flag, the program promises that this does not happen.
var (
	AddI = define("addi", func(name string) *ir.Def {
		return wrapping(name, "Adds integers.", scalar.Add, rightIs(0, keepLeft), leftIs(0, keepRight))
	})
	SubI = define("subi", func(name string) *ir.Def {
		return wrapping(name, "Subtracts integers.", scalar.Sub, rightIs(0, keepLeft), equalOperands(giveZero))
	})
	MulI = define("muli", func(name string) *ir.Def {
		return wrapping(name, "Multiplies integers.", scalar.Mul,
			rightIs(0, keepRight), leftIs(0, keepLeft), rightIs(1, keepLeft), leftIs(1, keepRight))
	})
)

// Divisions and remainders. A zero divisor is a fault.
var (
	DivSI = define("divsi", func(name string) *ir.Def {
		return integer(name, "Divides signed integers, truncating toward zero.", scalar.DivS, rightIs(1, keepLeft))
	})
	DivUI = define("divui", func(name string) *ir.Def {
		return integer(name, "Divides unsigned integers, truncating.", scalar.DivU, rightIs(1, keepLeft))
	})
	CeilDivSI = define("ceildivsi", func(name string) *ir.Def {
		return integer(name, "Divides signed integers, rounding up.", scalar.CeilDivS, rightIs(1, keepLeft))
	})
	CeilDivUI = define("ceildivui", func(name string) *ir.Def {
		return integer(name, "Divides unsigned integers, rounding up.", scalar.CeilDivU, rightIs(1, keepLeft))
	})
	FloorDivSI = define("floordivsi", func(name string) *ir.Def {
		return integer(name, "Divides signed integers, rounding down.", scalar.FloorDivS, rightIs(1, keepLeft))
	})
	RemSI = define("remsi", func(name string) *ir.Def {
		return integer(name, "Gives the remainder of a signed division, with the sign of the dividend.", scalar.RemS, rightIs(1, giveZero))
	})
	RemUI = define("remui", func(name string) *ir.Def {
		return integer(name, "Gives the remainder of an unsigned division.", scalar.RemU, rightIs(1, giveZero))
	})
)

// Bitwise operations and shifts.
var (
	AndI = define("andi", func(name string) *ir.Def {
		return integer(name, "Gives the bitwise and.", scalar.And,
			rightIs(0, keepRight), leftIs(0, keepLeft), rightIs(-1, keepLeft), leftIs(-1, keepRight), equalOperands(keepLeft))
	})
	OrI = define("ori", func(name string) *ir.Def {
		return integer(name, "Gives the bitwise or.", scalar.Or,
			rightIs(0, keepLeft), leftIs(0, keepRight), rightIs(-1, keepRight), leftIs(-1, keepLeft), equalOperands(keepLeft))
	})
	XOrI = define("xori", func(name string) *ir.Def {
		return integer(name, "Gives the bitwise exclusive or.", scalar.Xor,
			rightIs(0, keepLeft), leftIs(0, keepRight), equalOperands(giveZero))
	})
	ShLI  = define("shli", func(name string) *ir.Def { return wrapping(name, "Shifts left.", scalar.Shl, rightIs(0, keepLeft)) })
	ShRSI = define("shrsi", func(name string) *ir.Def {
		return integer(name, "Shifts right and repeats the sign bit.", scalar.ShrS, rightIs(0, keepLeft))
	})
	ShRUI = define("shrui", func(name string) *ir.Def {
		return integer(name, "Shifts right and fills with zeros.", scalar.ShrU, rightIs(0, keepLeft))
	})
)

// Maxima and minima.
var (
	MaxSI = define("maxsi", func(name string) *ir.Def {
		return integer(name, "Gives the larger of two signed integers.", scalar.MaxS, equalOperands(keepLeft))
	})
	MaxUI = define("maxui", func(name string) *ir.Def {
		return integer(name, "Gives the larger of two unsigned integers.", scalar.MaxU, equalOperands(keepLeft))
	})
	MinSI = define("minsi", func(name string) *ir.Def {
		return integer(name, "Gives the smaller of two signed integers.", scalar.MinS, equalOperands(keepLeft))
	})
	MinUI = define("minui", func(name string) *ir.Def {
		return integer(name, "Gives the smaller of two unsigned integers.", scalar.MinU, equalOperands(keepLeft))
	})
)

// AddUIExtended is arith.addui_extended, which returns the sum and its carry, an i1.
var AddUIExtended = define("addui_extended", func(name string) *ir.Def {
	return &ir.Def{
		Name:    "arith." + name,
		Summary: "Adds unsigned integers and returns the sum and its carry.",
		Page:    page,
		Traits:  ir.Pure | ir.Speculatable | ir.Commutative,
		Forms: []*ir.Form{{
			Operands: []ir.Arg{{Name: "lhs", Type: IntLike}, {Name: "rhs", Type: ir.SameAs("lhs")}},
			Results:  []ir.Arg{{Name: "sum", Type: ir.SameAs("lhs")}, {Name: "overflow", Type: boolsFor("lhs")}},
			Syntax:   ir.Asm("$lhs `,` $rhs attr-dict `:` type($lhs, $rhs, $sum) `,` type($overflow)"),
		}},
		Sem:  scalar.Extended{Low: scalar.Add, High: scalar.Carry},
		Fold: foldExtended,
	}
})

// Multiplications that return the complete product in two results: its lower and its
// upper half, each as wide as an operand.
var (
	MulSIExtended = define("mulsi_extended", func(name string) *ir.Def {
		return mulExtended(name, "Multiplies signed integers and returns both halves of the product.", scalar.MulHiS)
	})
	MulUIExtended = define("mului_extended", func(name string) *ir.Def {
		return mulExtended(name, "Multiplies unsigned integers and returns both halves of the product.", scalar.MulHiU)
	})
)

// mulExtended defines the operation with the given name in the arith dialect, a
// multiplication with a result of twice the width. The operation returns the lower and
// the upper half as two values. The function high computes the upper half. The lower half
// is the same for signed and unsigned numbers.
func mulExtended(name, summary string, high *scalar.Fn) *ir.Def {
	return &ir.Def{
		Name:    "arith." + name,
		Summary: summary,
		Page:    page,
		Traits:  ir.Pure | ir.Speculatable | ir.Commutative,
		Forms: []*ir.Form{{
			Operands: []ir.Arg{{Name: "lhs", Type: IntLike}, {Name: "rhs", Type: ir.SameAs("lhs")}},
			Results:  []ir.Arg{{Name: "low", Type: ir.SameAs("lhs")}, {Name: "high", Type: ir.SameAs("lhs")}},
			Syntax:   ir.Asm("$lhs `,` $rhs attr-dict `:` type($lhs, $rhs, $low, $high)"),
		}},
		Sem:  scalar.Extended{Low: scalar.Mul, High: high},
		Fold: foldExtended,
	}
}
