// This file reads the attributes of VMI instructions.

package lanemap

import (
	"strconv"
	"strings"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/num"
	"ptogo/ir/scalar"
)

// Relation decodes the comparison of op (kind LaneCompare). The bool result is
// false if its attribute is unknown.
func Relation(op *ir.Op) (scalar.Relation, bool) {
	kind, ok := op.Def().Sem.(sem.LaneCompare)
	name, given := op.Attr(kind.Attr).AsString()
	f, known := ir.FormatOf(ir.ElementType(op.Operand(0).Type()))
	switch {
	case !ok || !given || !known:
		return scalar.Relation{}, false
	case f.IsFloat():
		return floatRelation(name)
	}
	sign := scalar.Unsigned
	if IsSignedInt(ir.ElementType(op.Operand(0).Type())) {
		sign = scalar.Signed
	}
	if pred, ok := scalar.ParsePredicate(name); ok {
		return scalar.Relation{On: pred.Relation().On, Sign: sign}, true
	}
	if sign = scalar.Unsigned; strings.HasPrefix(name, "s") {
		sign = scalar.Signed
	}
	pred, ok := scalar.ParsePredicate(name[min(1, len(name)):])
	return scalar.Relation{On: pred.Relation().On, Sign: sign}, ok
}

// floatRelation returns the comparison of floats with the given name, such as olt. The
// bool result is false if the name is unknown.
func floatRelation(name string) (scalar.Relation, bool) {
	const ordered = scalar.Less | scalar.Equal | scalar.Greater
	switch name {
	case "ord":
		return scalar.Relation{On: ordered}, true
	case "uno":
		return scalar.Relation{On: scalar.Unordered}, true
	}
	if pred, ok := scalar.ParsePredicate(name); ok {
		return pred.Relation(), true
	}
	pred, ok := scalar.ParsePredicate(name[min(1, len(name)):])
	r := scalar.Relation{On: pred.Relation().On & ordered}
	if strings.HasPrefix(name, "u") {
		r.On |= scalar.Unordered
	}
	return r, ok
}

// Rounding returns how op, a conversion of lanes (kind LaneConvert), rounds, and
// whether it saturates.
func Rounding(op *ir.Op) (r num.Rounding, sat bool) {
	from, to := ir.ElementType(op.Operand(0).Type()), ir.ElementType(op.Result(0).Type())
	name, _ := op.Attr("rounding").AsString()
	r, ok := num.ParseRounding(name)
	switch {
	case ok:
	case HiF8.Has(to):
		r = num.NearestAway
	default:
		r = num.NearestEven
	}
	c := ConversionOf(from, to)
	how, _ := op.Attr("saturate").AsString()
	return r, c != nil && c.Saturates && how != "NOSAT"
}

// Pattern returns the number of lanes that the mask pattern in an attribute of op
// selects, for example 16 for PAT_VL16. The bool result is false for patterns without a
// number, such as PAT_ALL.
func Pattern(op *ir.Op) (int64, bool) { return ParsePattern(op.Attr("pattern")) }

// ParsePattern returns the number in attribute a, a mask pattern such as PAT_VL16. The
// bool result is false if the pattern does not have the form PAT_VLn.
func ParsePattern(a ir.Attr) (int64, bool) {
	s, _ := a.AsString()
	digits, ok := strings.CutPrefix(s, "PAT_VL")
	n, err := strconv.ParseInt(digits, 10, 64)
	return n, ok && err == nil && n > 0
}
