// This file defines comparisons.

package arith

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// The predicates of cmpi and cmpf. The position of a word is the number of the
// predicate in MLIR.
var (
	intPredicate = keyword{
		attr: "predicate", typ: ir.I64,
		words: []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"},
	}
	floatPredicate = keyword{
		attr: "predicate", typ: ir.I64,
		words: []string{"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
			"ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"},
	}
)

// Short names for the possible outcomes of comparing two elements. The definitions of
// cmpi and cmpf list, for each predicate, the outcomes for which it is true.
const (
	lt = scalar.Less
	eq = scalar.Equal
	gt = scalar.Greater
	un = scalar.Unordered
)

// CmpI is arith.cmpi, which compares integers. The list of relations in its definition
// has the order of intPredicate.
var CmpI = define("cmpi", func(name string) *ir.Def {
	return compare(name, "Compares integers.", intPredicate, IntLike, "", []scalar.Relation{
		{On: eq}, {On: lt | gt},
		{On: lt, Sign: scalar.Signed}, {On: lt | eq, Sign: scalar.Signed},
		{On: gt, Sign: scalar.Signed}, {On: gt | eq, Sign: scalar.Signed},
		{On: lt, Sign: scalar.Unsigned}, {On: lt | eq, Sign: scalar.Unsigned},
		{On: gt, Sign: scalar.Unsigned}, {On: gt | eq, Sign: scalar.Unsigned},
	})
})

// CmpF is arith.cmpf, which compares floating-point numbers. The list of relations in its
// definition has the order of floatPredicate. An ordered comparison (o) is false if an
// operand is NaN, and an unordered one (u) is true.
var CmpF = define("cmpf", func(name string) *ir.Def {
	return compare(name, "Compares floating-point numbers.", floatPredicate, FloatLike, FastMathText, []scalar.Relation{
		{On: 0}, {On: eq}, {On: gt}, {On: gt | eq}, {On: lt}, {On: lt | eq}, {On: lt | gt}, {On: lt | eq | gt},
		{On: un | eq}, {On: un | gt}, {On: un | gt | eq}, {On: un | lt}, {On: un | lt | eq}, {On: un | lt | gt},
		{On: un}, {On: un | lt | eq | gt},
	})
})

// compare returns the definition of the comparison arith.NAME. pred describes the
// attribute that selects the predicate, and typ is the constraint on the operands. flags
// is the part of the syntax with the fast-math flags, or "". The slice cases contains the
// relation of each predicate, indexed by the number of the predicate.
func compare(name, summary string, pred keyword, typ ir.Constraint, flags string, cases []scalar.Relation) *ir.Def {
	d := &ir.Def{
		Name:    "arith." + name,
		Summary: summary,
		Page:    page,
		Traits:  ir.Pure | ir.Speculatable,
		Attrs:   []ir.AttrDef{{Name: pred.attr, Type: pred.check(), Doc: "which comparison"}},
		Forms: []*ir.Form{{
			Operands: []ir.Arg{{Name: "lhs", Type: typ}, {Name: "rhs", Type: ir.SameAs("lhs")}},
			Results:  []ir.Arg{{Name: "result", Type: boolsFor("lhs")}},
			Syntax: ir.AsmWith("custom<predicate>($predicate) `,` $lhs `,` $rhs"+flags+" attr-dict `:` type($lhs, $rhs)",
				map[string]ir.Hook{"predicate": pred.syntax()}),
		}},
		Sem:  scalar.Comparison{Attr: pred.attr, Cases: cases},
		Fold: foldCompare,
	}
	if flags != "" {
		d.Attrs = append(d.Attrs, FastMathAttr)
	}
	return d
}

// RelationOf returns the comparison that op performs. ok is false if the meaning of
// op is not a comparison or its predicate is out of range.
func RelationOf(op *ir.Op) (scalar.Relation, bool) {
	kind, ok := op.Def().Sem.(scalar.Comparison)
	if !ok {
		return scalar.Relation{}, false
	}
	i := int64(0)
	if kind.Attr != "" {
		switch d := op.Attr(kind.Attr).Data().(type) {
		case ir.IntegerAttr:
			i = d.V
		case ir.EnumAttr:
			i = d.Value
		}
	}
	if i < 0 || i >= int64(len(kind.Cases)) {
		return scalar.Relation{}, false
	}
	return kind.Cases[i], true
}

// Select is arith.select, which returns one of two values. A vector condition selects
// element by element.
var Select = define("select", func(name string) *ir.Def {
	return &ir.Def{
		Name:    "arith." + name,
		Summary: "Chooses one of two values, or element by element of two vectors or tensors.",
		Page:    page,
		Traits:  ir.Pure | ir.Speculatable,
		Forms: []*ir.Form{{
			Operands: []ir.Arg{
				{Name: "condition", Type: boolLike},
				{Name: "true_value", Type: ir.Any},
				{Name: "false_value", Type: ir.SameAs("true_value")},
			},
			Results: []ir.Arg{{Name: "result", Type: ir.SameAs("true_value")}},
			Syntax: ir.AsmWith("$condition `,` $true_value `,` $false_value attr-dict `:` custom<types>",
				map[string]ir.Hook{"types": {ParseFn: parseSelectTypes, PrintFn: printSelectTypes}}),
		}},
		Sem:    scalar.Choice{},
		Fold:   foldSelect,
		Verify: verifySelect,
	}
})

// parseSelectTypes parses the types of a select operation: either "T", the type of the
// values and the result, or "C, T", where C is the type of the condition. The form
// without C means that the condition is an i1.
func parseSelectTypes(p *ir.Parser, st *ir.OpParse) {
	cond, t := ir.I1, p.Type()
	if p.Accept(",") {
		cond, t = t, p.Type()
	}
	st.OperandType("condition", cond)
	st.OperandType("true_value", t)
	st.OperandType("false_value", t)
	st.ResultType("result", t)
}

// printSelectTypes prints the type of the condition and the type of the result, separated
// by a comma. It omits the type of the condition and the comma if this type is i1.
func printSelectTypes(w *ir.Printer, op *ir.Op) {
	if cond := op.Operand(0).Type(); cond != ir.I1 {
		w.Type(cond)
		w.Token(",")
	}
	w.Type(op.Result(0).Type())
}

// verifySelect checks that a condition with several elements has the shape of the
// selected values. A condition of type i1 can select values of any shape, because it
// selects a complete value.
func verifySelect(op *ir.Op, v *ir.Verifier) {
	cond, t := op.Operand(0).Type(), op.Result(0).Type()
	if cond != ir.I1 && !sameShape(cond, t) {
		v.Errorf(op, "selects elements by a condition of type %s, whose shape must be that of the operands, which have type %s", cond, t)
	}
}

// FloatPredicate returns the predicate attribute of a cmpf for a keyword, such as
// "oeq". It panics on an unknown keyword.
func FloatPredicate(word string) ir.NamedAttr { return floatPredicate.named(word) }

// IntPredicate returns the predicate attribute of a cmpi for a keyword, such as "slt". It
// panics on an unknown keyword.
func IntPredicate(word string) ir.NamedAttr { return intPredicate.named(word) }
