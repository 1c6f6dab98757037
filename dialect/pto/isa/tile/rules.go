// This file defines rules that several tile instructions share.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// ValidIs returns a rule: the valid region of the operand with the name a must have the
// given numbers of rows and columns. If rows is negative, the valid region may have any
// number of rows; the same holds for cols and columns. The rule applies on the targets in
// the set on.
func ValidIs(on sem.Profiles, a string, rows, cols int64) Rule {
	r := ValidRule{On: on, A: a}
	for axis, n := range [2]int64{rows, cols} {
		if n >= 0 {
			r.Tests = append(r.Tests, ValidTest{Kind: TestIs, Axis: axis, N: n})
		}
	}
	return r
}

// ValidWithin returns a rule that requires tile a to have at most as many valid rows and
// columns as tile b.
func ValidWithin(targets sem.Profiles, a, b string) Rule {
	return ValidRule{On: targets, A: a, B: b, Tests: []ValidTest{{Kind: TestWithin, Axis: 0}, {Kind: TestWithin, Axis: 1}}}
}

// EvenCols returns a rule that requires the operand named a to have an even number of
// valid columns.
func EvenCols(targets sem.Profiles, a string) Rule {
	return ValidRule{On: targets, A: a, Tests: []ValidTest{{Kind: TestEven, Axis: 1}}}
}

// SameShape returns a rule on two tile operands. The rule requires that the storage of
// both tiles has the same shape. The parameters a and b are the names of the operands,
// and the parameter on is the set of targets on which the rule applies.
func SameShape(on sem.Profiles, a, b string) Rule {
	return TileCheck{On: on, Args: []string{a, b}, Check: func(_ *ir.Op, t []TileInfo) string {
		if t[0].Rows == t[1].Rows && t[0].Cols == t[1].Cols {
			return ""
		}
		return fmt.Sprintf("\"%s\" and \"%s\" must have the same shape, but are %dx%d and %dx%d", a, b, t[0].Rows, t[0].Cols, t[1].Rows, t[1].Cols)
	}}
}

// SameElemSize returns a rule that requires operands a and b to have elements of the same
// size in bytes.
func SameElemSize(targets sem.Profiles, a, b string) Rule {
	return Check(func(op *ir.Op, t ir.Target) string {
		env := ir.EnvOf(op, t)
		x, y := ir.ElementType(env.Type(a)), ir.ElementType(env.Type(b))
		if !targets.Has(t) || x.IsZero() || y.IsZero() || ByteSize(x) == ByteSize(y) {
			return ""
		}
		return fmt.Sprintf("elements of \"%s\" and \"%s\" must have the same size, but are %s and %s", a, b, x, y)
	})
}

// StaticValid returns a rule about the operands named in args. The types of these
// operands must determine their valid regions: no number of valid rows or columns may be
// known only at run time.
func StaticValid(targets sem.Profiles, args ...string) Rule {
	return Check(func(op *ir.Op, t ir.Target) string {
		for _, name := range args {
			if info, ok := TileArg(op, name); ok && targets.Has(t) && !info.StaticValid() {
				return fmt.Sprintf("valid region of \"%s\" must be static", name)
			}
		}
		return ""
	})
}

// rowBytes returns the size in bytes of one row of tile t, including elements that are
// not valid.
func rowBytes(t TileInfo) int64 { return t.Cols * int64(ByteSize(t.Elem)) }

// attrIs reports whether the named enum attribute of op has the given keyword.
func attrIs(op *ir.Op, name, keyword string) bool { return op.Attr(name).Keyword() == keyword }

// precision declares attribute precisionType of an instruction that computes an
// elementary function. e is the enum of the attribute.
func precision(e *ir.Enum) ir.AttrDef {
	return ir.AttrDef{
		Name: "precisionType", Alias: "precision_mode", Type: e, Default: e.Attr("default"),
		Doc: "high_precision asks for a slower, more exact computation",
	}
}

// anyTmp is a constraint that accepts any tile in vec as a scratch tile.
var anyTmp = VecTile(AnyElem)
