// This file determines which values of a round of a loop are sums or extremes of the lines
// that the round processes.

package resize

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/routine"
	"ptogo/ir/scalar"
	"ptogo/lower/axes"
)

// foldKind describes a value that a round of a loop computes, as a function of the lines of
// the round and of the values that the loop carries. The descriptions hold for real
// numbers; rounding errors are ignored.
//
// Let m be a carried maximum (or minimum), and M its value after the round. Sums relative to
// M have terms with the factor exp(-c*M), for a number c. Such a sum of the earlier rounds,
// which is relative to m, is multiplied by exp(c*(m-M)) before the round adds its own sum.
// The result is the sum of all lines so far, relative to M, for any division of the lines
// into rounds.
type foldKind uint8

const (
	// unknownTerm is any other function.
	unknownTerm foldKind = iota
	// fixedTerm is the same in each round.
	fixedTerm
	// lineTerm is a tile of which each line depends on the same lines of the loads only.
	lineTerm
	// scaledTerm is a lineTerm multiplied by exp(-c*M).
	scaledTerm
	// sumTerm is a sum of the lines of a lineTerm or scaledTerm, or a linear function of
	// such a sum.
	sumTerm
	// extremeTerm is the maximum or minimum of the lines of a lineTerm.
	extremeTerm
	// carriedTerm is a value that the loop carries, as it was before the round.
	carriedTerm
	// boundTerm is a carried value m after the round: M, the larger (or smaller) one of m
	// and an extremeTerm.
	boundTerm
	// belowTerm is c*(x-M) of a lineTerm x, and agedTerm is c*(m-M).
	belowTerm
	agedTerm
	// rescaleTerm is exp(c*(m-M)), and rescaledTerm a carried value multiplied by it.
	rescaleTerm
	rescaledTerm
	// totalTerm is a sumTerm added to a carriedTerm, or, if it is relative to M, to a
	// rescaledTerm.
	totalTerm
)

// foldScale identifies the factor exp(-c*M) of a value. The bound is the value M, or nil
// for the factor 1, and the factor is c, or nil for 1.
type foldScale struct{ bound, factor *ir.Value }

// foldTerm describes a value.
type foldTerm struct {
	kind foldKind
	// state is the number of the carried value of a carriedTerm, boundTerm, rescaledTerm or
	// totalTerm.
	state int
	scale foldScale
	// fn is the function of an extremeTerm.
	fn *scalar.Fn
	// along is the axis of the tile along which the lines differ that are not combined:
	// element i of M belongs to row i (axes.ByRows) or column i of the tile. axes.Complete
	// means that it is not determined.
	along axes.Division
}

// foldTerms describes the values of the body of a loop.
type foldTerms struct {
	of map[*ir.Value]foldTerm
	// divided are the tiles whose lines the rounds process.
	divided map[*ir.Value]axes.Division
	target  ir.Target
}

// term returns the description of an operand. Values from before the loop are fixed.
func (t *foldTerms) term(v *ir.Value) foldTerm {
	if x, ok := t.of[v]; ok {
		return x
	}
	return foldTerm{kind: fixedTerm}
}

// add describes the results of op.
func (t *foldTerms) add(op *ir.Op) {
	for _, v := range op.Results() {
		x := foldTerm{}
		if len(op.Results()) == 1 {
			x = t.describe(op)
		}
		if x.kind == boundTerm && x.scale.bound == nil {
			x.scale.bound = v
		}
		lines := t.divided[v] != axes.Complete
		switch x.kind {
		case lineTerm, scaledTerm, belowTerm:
			if !lines {
				x = foldTerm{}
			}
		case fixedTerm, sumTerm, extremeTerm, totalTerm, rescaledTerm:
			if lines && x.kind != fixedTerm {
				x = foldTerm{}
			}
			if lines && x.kind == fixedTerm {
				x.kind = lineTerm
			}
		}
		t.of[v] = x
	}
}

// termRoutines describe the results of the kinds of instructions that occur in sums and
// extremes. Results of other kinds are described by independent.
var termRoutines = routine.New(func() []routine.Row[*foldTerms, foldTerm] {
	return []routine.Row[*foldTerms, foldTerm]{
		routine.Makes((*foldTerms).elements),
		routine.Makes((*foldTerms).expand),
		routine.Makes((*foldTerms).reduce),
		routine.Makes((*foldTerms).product),
		routine.Makes((*foldTerms).convert),
		routine.Makes((*foldTerms).reshaped),
		routine.Makes((*foldTerms).move),
	}
})

// describe returns the description of the result of op.
func (t *foldTerms) describe(op *ir.Op) foldTerm {
	if x, ok := termRoutines.Run(t, op); ok {
		return x
	}
	return t.independent(op.Operands())
}

// elements describes the result of an elementwise instruction.
func (t *foldTerms) elements(op *ir.Op, kind sem.TileMap) foldTerm {
	if len(kind.Args) > 0 || len(kind.Then) > 0 {
		return t.independent(op.Operands())
	}
	return t.apply(kind.For(op, t.target), op.Operands())
}

// convert describes a conversion. The conversion of a float to another float format rounds.
func (t *foldTerms) convert(op *ir.Op, _ sem.TileConvert) foldTerm {
	if isFloat(op.Operand(0)) && isFloat(op.Result(0)) {
		return t.term(op.Operand(0))
	}
	return t.independent(op.Operands())
}

// move describes a copy of a complete tile.
func (t *foldTerms) move(op *ir.Op, _ sem.TileMove) foldTerm {
	if op.NumOperands() == 1 && isPlain(op) {
		return t.term(op.Operand(0))
	}
	return t.independent(op.Operands())
}

// independent returns the description of a result that depends on the operands in any way.
// It is known only if no operand depends on the values that the loop carries or on the
// number of lines.
func (t *foldTerms) independent(operands []*ir.Value) foldTerm {
	kind := fixedTerm
	for _, v := range operands {
		switch t.term(v).kind {
		case fixedTerm:
		case lineTerm:
			kind = lineTerm
		default:
			return foldTerm{}
		}
	}
	return foldTerm{kind: kind}
}

// isFloat reports whether the elements of a tile are floats.
func isFloat(v *ir.Value) bool {
	f, ok := ir.FormatOf(ir.ElementType(v.Type()))
	return ok && f.IsFloat()
}

// isPlain reports whether op has no attributes other than those with default values.
func isPlain(op *ir.Op) bool {
	for a := range op.OwnAttrs() {
		i := slices.IndexFunc(op.Def().Attrs, func(d ir.AttrDef) bool { return d.Name == a.Name })
		if i < 0 || a.Attr != op.Def().Attrs[i].Default {
			return false
		}
	}
	return true
}

// reshaped describes a tile with the storage of another one. Only the exchange of a column
// and a row, and a tile with the same rows and columns, keep the position of each element.
func (t *foldTerms) reshaped(op *ir.Op, _ sem.SameStorage) foldTerm {
	x := t.term(op.Operand(0))
	from, _ := pto.TileOf(op.Operand(0).Type())
	to, _ := pto.TileOf(op.Result(0).Type())
	switch {
	case from.Elem != to.Elem:
		return t.independent(op.Operands())
	case from.Rows == to.Rows && from.Cols == to.Cols && from.BLayout == to.BLayout:
	case from.Cols == 1 && to.Rows == 1 && from.Rows == to.Cols, from.Rows == 1 && to.Cols == 1 && from.Cols == to.Rows:
		x.along = x.along.Flipped()
	default:
		return t.independent(op.Operands())
	}
	return x
}

// apply describes the result of a function of elements.
func (t *foldTerms) apply(fn *scalar.Fn, operands []*ir.Value) foldTerm {
	if x := t.independent(operands); x.kind != unknownTerm {
		return x
	}
	switch {
	case len(operands) == 1:
		return t.function(fn, t.term(operands[0]))
	case len(operands) == 2:
		a, b := t.term(operands[0]), t.term(operands[1])
		if x := t.combined(fn, a, b, operands[1]); x.kind != unknownTerm {
			return x
		}
		if fn == scalar.Add || fn == scalar.Mul || fn == scalar.Max || fn == scalar.Min {
			return t.combined(fn, b, a, operands[0])
		}
	}
	return foldTerm{}
}

// function describes a function of one value.
func (t *foldTerms) function(fn *scalar.Fn, x foldTerm) foldTerm {
	switch {
	case fn == scalar.Copy:
		return x
	case fn == scalar.Exp && x.kind == belowTerm:
		x.kind = scaledTerm
		return x
	case fn == scalar.Exp && x.kind == agedTerm:
		x.kind = rescaleTerm
		return x
	}
	return foldTerm{}
}

// combined describes a function of two values, of which the second one is v. A boundTerm
// that it returns has no bound yet, because the result is this bound.
func (t *foldTerms) combined(fn *scalar.Fn, a, b foldTerm, v *ir.Value) foldTerm {
	along, aligned := a.along, a.along == b.along || b.along == axes.Complete
	if along == axes.Complete {
		along, aligned = b.along, true
	}
	if !aligned {
		return foldTerm{}
	}
	independent := b.kind == fixedTerm || b.kind == lineTerm
	switch fn {
	case scalar.Max, scalar.Min:
		if a.kind == carriedTerm && b.kind == extremeTerm && b.fn == fn {
			return foldTerm{kind: boundTerm, state: a.state, along: along}
		}
	case scalar.Sub:
		switch {
		case b.kind != boundTerm || b.scale.bound == nil:
		case a.kind == lineTerm:
			return foldTerm{kind: belowTerm, scale: b.scale, along: along}
		case a.kind == carriedTerm && a.state == b.state:
			return foldTerm{kind: agedTerm, scale: b.scale, along: along}
		}
	case scalar.Mul:
		switch {
		case (a.kind == belowTerm || a.kind == agedTerm) && b.kind == fixedTerm && !pto.IsTile(v.Type()) && a.scale.factor == nil:
			a.scale.factor = constantOf(v)
			return a
		case a.kind == scaledTerm && independent, a.kind == sumTerm && b.kind == fixedTerm:
			a.along = along
			return a
		case a.kind == carriedTerm && b.kind == rescaleTerm:
			return foldTerm{kind: rescaledTerm, state: a.state, scale: b.scale, along: along}
		}
	case scalar.Div:
		if a.kind == scaledTerm && independent || a.kind == sumTerm && b.kind == fixedTerm {
			a.along = along
			return a
		}
	case scalar.Add:
		switch {
		case b.kind == sumTerm && a.kind == sumTerm && a.scale == b.scale, b.kind == scaledTerm && a.kind == scaledTerm && a.scale == b.scale:
			a.along = along
			return a
		case b.kind == sumTerm && a.kind == carriedTerm && b.scale.bound == nil,
			b.kind == sumTerm && (a.kind == rescaledTerm || a.kind == totalTerm) && a.scale == b.scale:
			return foldTerm{kind: totalTerm, state: a.state, scale: b.scale, along: along}
		}
	}
	return foldTerm{}
}

// constantOf returns a value that represents all constants equal to v in its function: the
// first one in the block of v, or v itself if it is not a constant.
func constantOf(v *ir.Value) *ir.Value {
	if v.Op() == nil || !v.Op().Is(arith.Constant) {
		return v
	}
	for op := range v.Block().Ops() {
		if op.Is(arith.Constant) && op.Result(0).Type() == v.Type() && op.Attr("value") == v.Op().Attr("value") {
			return op.Result(0)
		}
	}
	return v
}

// reduce describes a reduction of the rows or columns of a tile.
func (t *foldTerms) reduce(op *ir.Op, kind sem.TileReduce) foldTerm {
	x := t.term(op.Operand(0))
	d := t.divided[op.Operand(0)]
	if !sem.ReducesLines(op, d == axes.ByCols) || d == axes.Complete || x.kind == fixedTerm {
		return t.independent(op.Operands())
	}
	switch {
	case kind.Fn == scalar.Add && (x.kind == lineTerm || x.kind == scaledTerm):
		return foldTerm{kind: sumTerm, scale: x.scale, along: d.Flipped()}
	case x.kind == lineTerm && (kind.Fn == scalar.Max || kind.Fn == scalar.Min):
		return foldTerm{kind: extremeTerm, fn: kind.Fn, along: d.Flipped()}
	}
	return foldTerm{}
}

// expand describes a broadcast of a column over the columns of a tile, or of a row over its
// rows.
func (t *foldTerms) expand(op *ir.Op, kind sem.TileExpand) foldTerm {
	if x := t.independent(op.Operands()); x.kind != unknownTerm {
		return x
	}
	along, across := axes.ByRows, axes.ByCols
	if kind.Axis == sem.AlongCol {
		along, across = across, along
	}
	operands := op.Operands()
	vector := len(operands) - 1
	wide := axes.ExtentOf(op.Result(0).Type(), across).Size != 1
	if vector == 1 && kind.Axis == sem.AlongRow && wide && axes.ExtentOf(operands[0].Type(), across).Size == 1 {
		vector = 0
	}
	if vector > 1 || axes.ExtentOf(operands[vector].Type(), across).Size != 1 {
		return foldTerm{}
	}
	v := t.term(operands[vector])
	if v.along != along && v.along != axes.Complete {
		return foldTerm{}
	}
	if v.kind != fixedTerm {
		v.along = along
	}
	if kind.Fn == nil {
		return v
	}
	terms := []foldTerm{t.term(operands[0]), t.term(operands[1])}
	terms[vector] = v
	x := t.combined(kind.Fn, terms[0], terms[1], operands[1])
	if x.kind == unknownTerm && (kind.Fn == scalar.Add || kind.Fn == scalar.Mul) {
		x = t.combined(kind.Fn, terms[1], terms[0], operands[0])
	}
	if kind.Then != nil {
		return t.function(kind.Then, x)
	}
	return x
}

// product describes a matrix product. If the columns of the left operand are divided, its
// elements are sums over them.
func (t *foldTerms) product(op *ir.Op, kind sem.TileMatmul) foldTerm {
	if kind.Scaled || kind.Bias {
		return t.independent(op.Operands())
	}
	left, right := op.Arg(kind.Lhs), op.Arg(kind.Rhs)
	a, b := t.term(left), t.term(right)
	if t.divided[left] != axes.ByCols {
		return t.independent(op.Operands())
	}
	sum := foldTerm{}
	switch {
	case a.kind == lineTerm && b.kind == lineTerm:
		sum = foldTerm{kind: sumTerm}
	case a.kind == scaledTerm && b.kind == lineTerm && a.along != axes.ByCols:
		sum = foldTerm{kind: sumTerm, scale: a.scale, along: axes.ByRows}
	case a.kind == lineTerm && b.kind == scaledTerm && b.along != axes.ByRows:
		sum = foldTerm{kind: sumTerm, scale: b.scale, along: axes.ByCols}
	}
	if kind.Acc && sum.kind != unknownTerm {
		return t.combined(scalar.Add, t.term(op.Arg(kind.In)), sum, nil)
	}
	return sum
}
