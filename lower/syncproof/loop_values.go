// This file describes the values that a loop carries, at the head of the loop.

package syncproof

import (
	"fmt"
	"slices"

	"ptogo/ir/term"
)

// abstract returns how node n represents the carried value m, number j of core i, and a
// text that is part of the key of the node. ok is false if the plan had to change.
func (r *rounds) abstract(n, from *node, i, j int, m meaning, s *state) (v meaning, text string, ok bool) {
	p := r.plan
	demote := func(to mode) (meaning, string, bool) {
		if r.checking {
			r.fail(r.l.op, "carried", "a value that this loop carries does not follow the plan of the certificate")
			return m, "", false
		}
		p.modes[i][j] = to
		r.replan()
		return m, "", false
	}
	switch p.modes[i][j] {
	case byStep:
		if m.term.IsZero() {
			if m.places == nil {
				return m, "", true // neither a number nor memory
			}
			return r.placesByStep(n, from, i, j, m, demote)
		}
		init := r.init[i][j].term
		if r.initDiffers(i, j, m, from) {
			return demote(byConstant)
		}
		step := p.steps[i][j].term
		switch known := p.steps[i][j].known; {
		case from == nil && !known:
			return meaning{term: init}, "?", true
		case !known:
			d := r.pool.Sub(m.term, from.carried[i][j].term)
			if r.varies(d) {
				return demote(byConstant)
			}
			p.steps[i][j] = stride{known: true, term: d}
			r.replan()
			return m, "", false
		}
		at := r.pool.Add(init, r.pool.Mul(step, r.pool.Resize(n.k, step.Width(), false)))
		if from != nil {
			next := r.pool.Add(init, r.pool.Mul(step, r.pool.Resize(r.pool.AddConst(from.k, 1), step.Width(), false)))
			if next != m.term && r.possible(append(slices.Clip(s.facts), r.pool.Ne(next, m.term))...) {
				return demote(byConstant)
			}
		}
		return meaning{term: at}, "", true
	case byConstant:
		if !m.term.IsZero() {
			if c, ok := m.term.Const(); ok && r.nodes < mostConstants {
				return m, fmt.Sprintf(" %v", c), true
			}
		} else if m.places != nil && r.nodes < mostConstants && !slices.ContainsFunc(m.places.Terms(), r.varies) {
			return m, " " + m.places.Key(), true
		}
		return demote(byName)
	}
	if m.term.IsZero() {
		if m.places == nil {
			return m, "", true
		}
		return meaning{places: r.cs[i].th.memory.Anywhere(m.places)}, "", true
	}
	return meaning{term: r.fresh(varKey{r.cs[i].th.n, r.cs[i].ctx, carriedKey{r.l, i, j}, "c"}, m.term.Width(), r.l.id)}, "", true
}

// carriedKey identifies a value that a loop carries.
type carriedKey struct {
	l    *loop
	i, j int
}

// placesByStep is abstract for memory that moves by a constant number of bytes.
func (r *rounds) placesByStep(n, from *node, i, j int, m meaning, demote func(mode) (meaning, string, bool)) (meaning, string, bool) {
	p := r.plan
	init := r.init[i][j].places
	step := p.steps[i][j].distance
	switch known := p.steps[i][j].known; {
	case from == nil && !known:
		return meaning{places: init}, "?", true
	case !known:
		d, ok := m.places.Minus(from.carried[i][j].places)
		if !ok {
			return demote(byConstant)
		}
		p.steps[i][j] = stride{known: true, distance: d}
		r.replan()
		return m, "", false
	}
	if from != nil && init.Plus(step, r.pool.AddConst(from.k, 1)).Key() != m.places.Key() {
		return demote(byConstant)
	}
	return meaning{places: init.Plus(step, n.k)}, "", true
}

// initDiffers reports whether the loop has been entered before with another initial value.
func (r *rounds) initDiffers(i, j int, m meaning, from *node) bool {
	if from != nil {
		return false
	}
	k := initKey{r.parent, carriedKey{r.l, i, j}}
	old, ok := r.inits[k]
	if !ok {
		r.inits[k] = m.term
		return false
	}
	return old != m.term
}

// initKey identifies an initial value in a round of the loops around its loop.
type initKey struct {
	parent *node
	carriedKey
}

// varies reports whether a term can differ between rounds of the loop.
func (r *rounds) varies(t term.Term) bool {
	loops, known := r.varyIn[t]
	if !known {
		for _, v := range term.Vars(t) {
			if l := r.owner[v]; !slices.Contains(loops, l) {
				loops = append(loops, l)
			}
		}
		r.varyIn[t] = loops
	}
	return slices.ContainsFunc(loops, func(l int32) bool { return r.within(l, r.l.id) })
}
