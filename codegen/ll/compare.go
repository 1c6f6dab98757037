// This file emits comparisons of elements of any format.

package ll

import (
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// ConstantOf returns the constant of number format f with the given bits.
func ConstantOf(f num.Format, bits uint64) value.Value {
	switch t := ElementType(f); t {
	case F32:
		return float32Bits(uint32(bits))
	case F64:
		return double(bits)
	default:
		return Integer(t, num.Int(f, bits))
	}
}

// floatRelations maps a set of outcomes of a comparison (less, equal, greater, unordered)
// to the LLVM predicate that is true for these outcomes.
var floatRelations = [16]enum.FPred{
	0:                             enum.FPredFalse,
	scalar.Less:                   enum.FPredOLT,
	scalar.Equal:                  enum.FPredOEQ,
	scalar.Less | scalar.Equal:    enum.FPredOLE,
	scalar.Greater:                enum.FPredOGT,
	scalar.Less | scalar.Greater:  enum.FPredONE,
	scalar.Equal | scalar.Greater: enum.FPredOGE,
	scalar.Less | scalar.Equal | scalar.Greater: enum.FPredORD,
	scalar.Unordered:                                               enum.FPredUNO,
	scalar.Unordered | scalar.Less:                                 enum.FPredULT,
	scalar.Unordered | scalar.Equal:                                enum.FPredUEQ,
	scalar.Unordered | scalar.Less | scalar.Equal:                  enum.FPredULE,
	scalar.Unordered | scalar.Greater:                              enum.FPredUGT,
	scalar.Unordered | scalar.Less | scalar.Greater:                enum.FPredUNE,
	scalar.Unordered | scalar.Equal | scalar.Greater:               enum.FPredUGE,
	scalar.Unordered | scalar.Less | scalar.Equal | scalar.Greater: enum.FPredTrue,
}

var (
	// signedRelations and unsignedRelations map a set of outcomes of an integer
	// comparison to the LLVM predicate that is true for these outcomes. Integers are
	// never unordered.
	signedRelations = map[scalar.Order]enum.IPred{
		scalar.Less: enum.IPredSLT, scalar.Less | scalar.Equal: enum.IPredSLE,
		scalar.Greater: enum.IPredSGT, scalar.Greater | scalar.Equal: enum.IPredSGE,
		scalar.Equal: enum.IPredEQ, scalar.Less | scalar.Greater: enum.IPredNE,
	}
	unsignedRelations = map[scalar.Order]enum.IPred{
		scalar.Less: enum.IPredULT, scalar.Less | scalar.Equal: enum.IPredULE,
		scalar.Greater: enum.IPredUGT, scalar.Greater | scalar.Equal: enum.IPredUGE,
		scalar.Equal: enum.IPredEQ, scalar.Less | scalar.Greater: enum.IPredNE,
	}
)

// Relation emits the comparison rel of x and y, which are elements of number format f.
// The result is an i1, or a vector of i1 if the operands are vectors.
func (c *Code) Relation(rel scalar.Relation, f num.Format, x, y value.Value) value.Value {
	if f.IsFloat() {
		return c.FCmp(floatRelations[rel.On&15], c.Decode(f, x), c.Decode(f, y))
	}
	on := rel.On &^ scalar.Unordered
	preds := unsignedRelations
	if rel.Sign.Reading(f).Signed() {
		preds = signedRelations
	}
	p, ok := preds[on]
	if !ok { // always or never
		return c.Like(Integer(I1, int64(on&1)), c.Like(x, y))
	}
	return c.ICmp(p, x, y)
}

// CastTo emits the conversion of the element x that the parameter how selects. from is
// the number format of x, and to is the number format of the result. The conversion
// rounds in mode r. The type scalar.Cast defines the result.
func (c *Code) CastTo(how scalar.Cast, from, to num.Format, x value.Value, r num.Rounding) value.Value {
	if how.Bits {
		return c.Bitcast(x, Shaped(ElementType(to), x))
	}
	return c.Convert(how.From.Reading(from), how.To.Reading(to), x, r, how.Sat)
}
