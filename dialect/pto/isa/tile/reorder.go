// This file defines the reordering of MX exponents.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// isZZ reports whether op, a tmov, reorders exponents of MX quantization. In such a move,
// the operand fp is a workspace. In all other moves that have this operand, it contains
// scales.
func isZZ(op *ir.Op) bool {
	fp := op.Arg("fp")
	return fp != nil && !isScale(fp)
}

// ReordersExponents reports whether op, a move between tiles in vec, converts exponents
// of MX quantization to the order that the cube unit reads.
func ReordersExponents(op *ir.Op) bool {
	dst, _ := TileArg(op, "dst")
	return dst.Space == sem.UB && isZZ(op)
}

// unlessZZ returns a rule that applies r only to moves that do not reorder exponents.
func unlessZZ(r Rule) Rule { return conditional{func(op *ir.Op) bool { return !isZZ(op) }, r} }

// conditional is a rule that applies another rule only to operations for which a
// condition is true.
type conditional struct {
	when func(op *ir.Op) bool
	rule Rule
}

// Verify implements Rule. It verifies op with the embedded rule c.rule if the condition
// c.when is true for op.
func (c conditional) Verify(op *ir.Op, v *ir.Verifier) {
	if c.when(op) {
		c.rule.Verify(op, v)
	}
}

// zzMove is the rule for a tmov that reorders the shared exponents of MX quantization
// into boxes. It restricts the target, the attributes, and the types of the source, the
// destination and the workspace. Attribute grpAxis states whether the exponents belong to
// groups along rows (axis1) or columns (axis0). Other moves must not have this attribute.
var zzMove = Check(func(op *ir.Op, t ir.Target) string {
	if !isZZ(op) {
		if op.HasAttr("grpAxis") {
			return "grpAxis requires a move with a workspace"
		}
		return ""
	}
	src, _ := TileArg(op, "src")
	dst, _ := TileArg(op, "dst")
	tmp, _ := TileArg(op, "fp")
	// The headers read as many exponents as dst has. A source of one row can have more, such
	// as the padding that completes the last box.
	longer := src.VRows == 1 && !attrIs(op, "grpAxis", "axis0")
	switch {
	case t != sem.A5:
		return "moves with a workspace are not available"
	case op.Arg("preQuantScalar") != nil || op.HasAttr("accToVecMode") || !attrIs(op, "reluPreMode", "no_relu"):
		return "a move with a workspace must not have preQuantScalar, accToVecMode or reluPreMode"
	case op.Form().Level == ir.DPS && op.NumResults() > 0:
		return "a move with a workspace must not have results"
	case src.Space != sem.UB || dst.Space != sem.UB:
		return "a move with a workspace must have all its tiles in vec"
	case op.Arg("src") == op.Arg("fp") || op.Arg("dst") != nil && (op.Arg("dst") == op.Arg("src") || op.Arg("dst") == op.Arg("fp")):
		return "\"src\", \"dst\" and the workspace must be different tiles"
	case !src.StaticValid() || !dst.StaticValid():
		return "valid regions must be static in a move with a workspace"
	case src.Elem != dst.Elem || src.Elem != tmp.Elem || !(U8 | HiF8 | F8E8M0).Has(src.Elem):
		return fmt.Sprintf("all tiles must have elements of %s, but have %s, %s and %s", U8|HiF8|F8E8M0, src.Elem, dst.Elem, tmp.Elem)
	case formOf(src) != formND:
		return "\"src\" must be " + formND.String() + ", but is " + formOf(src).String()
	case formOf(dst) != FormZZ:
		return "\"dst\" must be " + FormZZ.String() + ", but is " + formOf(dst).String()
	case src.VRows*src.VCols != dst.VRows*dst.VCols && !(longer && src.VCols > dst.VRows*dst.VCols):
		return "\"src\" and \"dst\" must have the same number of valid elements"
	case attrIs(op, "grpAxis", "axis0"):
		return zzColumns(src, dst)
	}
	return zzRows(src, dst, tmp)
})

// zzRows checks the tiles of an instruction that reorders the exponents of groups, where
// a group extends along a row. The instruction pads the number of rows to a multiple of
// 16. zzRows returns a message if src, dst or the workspace tmp is too small or has an
// unsuitable shape, and "" otherwise.
func zzRows(src, dst, tmp TileInfo) string {
	need := (dst.VRows + 15) / 16 * 16 * dst.VCols
	work := 64 + CeilDiv(dst.VRows, 16)*dst.VCols
	switch {
	case dst.VCols%2 != 0:
		return fmt.Sprintf("\"dst\" must have an even number of valid columns, but has %d", dst.VCols)
	case src.VRows != 1 && src.Cols != src.VCols:
		return "valid elements of \"src\" must be contiguous"
	case src.Bytes() < need:
		return fmt.Sprintf("\"src\" must hold %d bytes for its padding, but holds %d", need, src.Bytes())
	case dst.Bytes() < need:
		return fmt.Sprintf("\"dst\" must hold %d bytes, but holds %d", need, dst.Bytes())
	case tmp.Bytes() < work:
		return fmt.Sprintf("the workspace must hold %d bytes, but holds %d", work, tmp.Bytes())
	}
	return ""
}

// zzColumns checks a tmov that arranges exponents of MX quantization in boxes. Each
// exponent belongs to a group of adjacent elements of one column. zzColumns returns a
// message if src or dst has an unsuitable shape or is too small, and "" otherwise.
func zzColumns(src, dst TileInfo) string {
	need := src.VRows * src.VCols
	switch {
	case src.VRows < 2 || src.VRows%2 != 0:
		return fmt.Sprintf("\"src\" must have an even number of valid rows, but has %d", src.VRows)
	case src.VCols%16 != 0:
		return fmt.Sprintf("\"src\" must have a multiple of 16 valid columns, but has %d", src.VCols)
	case src.Cols != src.VCols:
		return "valid elements of \"src\" must be contiguous"
	case src.Bytes() < need || dst.Bytes() < need:
		return fmt.Sprintf("\"src\" and \"dst\" must hold %d bytes", need)
	}
	return ""
}
