// This file changes how many rows or columns a loop adds in each round to the sums and
// maxima that it carries.

package resize

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/axes"
)

// resizeFolds changes the loop of the function f, which carries sums, maxima or minima of
// lines (rows or columns, as d states), so that each round combines r times as many lines.
// The sums then add their terms in another order, so the results can have other rounding
// errors. A nil result means success.
func resizeFolds(f, loop *ir.Op, d axes.Division, r ratio) *axes.Refusal {
	l := newRounds(f, loop, r, lineModes{reduced: true})
	if why := l.resizable(d); why != nil {
		return why
	}
	if why := l.folds(); why != nil {
		return why
	}
	l.apply()
	return nil
}

// folds verifies that the values that the loop carries do not depend on how the lines are
// divided into rounds, except for rounding errors.
func (l *rounds) folds() *axes.Refusal {
	body := l.loop.Region(0).Entry()
	yield := body.Last()
	terms := &foldTerms{of: map[*ir.Value]foldTerm{}, divided: l.tiles.Of, target: ir.TargetOf(l.loop)}
	for i, v := range body.Args()[1:] {
		terms.of[v] = foldTerm{kind: carriedTerm, state: i}
	}
	for op := range body.Ops() {
		if op == yield {
			continue
		}
		if len(op.Regions()) > 0 {
			return refuse(op, "is inside of a loop that carries sums")
		}
		terms.add(op)
		if _, stores := op.Def().Sem.(sem.TileStore); stores && terms.of[axes.TileAt(op)].kind != lineTerm {
			return refuse(op, "stores a value that depends on the number of %s in a round", l.lines())
		}
	}
	bounds := map[*ir.Value]bool{} // the extremes with which the next round continues
	for i, v := range yield.Operands() {
		if t := terms.of[v]; t.kind == boundTerm && t.state == i {
			bounds[t.scale.bound] = true
		}
	}
	for i, v := range yield.Operands() {
		t := terms.of[v]
		switch {
		case t.state == i && t.kind == carriedTerm, t.state == i && t.kind == boundTerm && bounds[t.scale.bound]:
		case t.state == i && t.kind == totalTerm && (t.scale.bound == nil || bounds[t.scale.bound]):
		default:
			at := v.Op()
			if at == nil {
				at = yield
			}
			return refuse(at, "computes a carried value that is not a sum, a maximum or a minimum of %s, so it may depend on their number in a round", l.lines())
		}
	}
	return nil
}

// lines returns what the rounds of the loop process: rows or columns.
func (l *rounds) lines() string { return l.tiles.Of[axes.TileAt(l.accesses[0].op)].Lines() }

// isFold reports whether op is a loop that carries tiles.
func isFold(op *ir.Op) bool {
	if !isRounds(op) || len(op.Results()) == 0 {
		return false
	}
	for _, v := range op.Results() {
		if pto.IsTile(v.Type()) {
			return true
		}
	}
	return false
}
