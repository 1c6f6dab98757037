// This file changes how many rows each round of a loop processes.

package resize

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
	"ptogo/lower/axes"
	"ptogo/passes"
)

// rounds is a loop whose rounds process consecutive rows of its views.
type rounds struct {
	*scope
	loop    *ir.Op
	counter *ir.Value
	// lower, upper and step are the bounds and the step of the loop.
	lower, upper, step linear
	// stride is the distance between consecutive rounds of all blocks: the step of the
	// loop, or its factor if the step is a multiple of the number of blocks.
	stride int64
	// blocks is the number of blocks and block the number of the block, if rounds are
	// divided between the blocks. They are nil otherwise.
	blocks, block *ir.Value
	// ragged are the numbers of rows of views whose last round has fewer rows.
	ragged map[*ir.Value]bool
}

// newRounds returns the rounds of the loop of the function f.
func newRounds(f, loop *ir.Op, r ratio, modes lineModes) *rounds {
	body := loop.Region(0).Entry()
	l := &rounds{scope: newScope(f, slices.Collect(body.Ops()), r, modes), loop: loop, counter: body.Args()[0], ragged: map[*ir.Value]bool{}}
	l.lower, l.upper, l.step = linearOf(loop.Operand(0)), linearOf(loop.Operand(1)), linearOf(loop.Operand(2))
	return l
}

// resizeRounds changes the loop of the function f so that each round processes r times as
// many lines (rows or columns, as d states). A nil result means success. The function is
// not changed otherwise.
func resizeRounds(f, loop *ir.Op, d axes.Division, r ratio) *axes.Refusal {
	if len(loop.Results()) > 0 {
		return refuse(loop, "carries values from one round to the next")
	}
	l := newRounds(f, loop, r, lineModes{})
	if why := l.resizable(d); why != nil {
		return why
	}
	l.apply()
	return nil
}

// resizable verifies that rounds with another number of lines process the same lines, and
// prepares the change.
func (l *rounds) resizable(d axes.Division) *axes.Refusal {
	for _, check := range []func() *axes.Refusal{
		l.strides,
		func() *axes.Refusal { return l.seeds(d) },
		l.close,
		l.adjacent,
		l.count,
		l.usesOfCounter,
		l.reorders,
	} {
		if why := check(); why != nil {
			return why
		}
	}
	return nil
}

// strides finds the distance between consecutive rounds. If the step of the loop is a
// multiple of the number of blocks, block b must start b rounds after the first round.
func (l *rounds) strides() *axes.Refusal {
	if n, ok := l.step.constant(); ok && n > 0 {
		l.stride = n
	} else {
		i, j := l.step.launchTerm(sem.BlockNum), l.lower.launchTerm(sem.BlockIdx)
		if i < 0 || j < 0 || len(l.step.terms) > 1 || l.step.c != 0 || l.step.terms[i].k <= 0 || l.lower.terms[j].k != l.step.terms[i].k {
			return refuse(l.loop, "has a step that is not a constant, and its rounds are not divided between the blocks of the launch")
		}
		l.stride, l.blocks, l.block = l.step.terms[i].k, l.step.terms[i].v, l.lower.terms[j].v
	}
	if _, ok := l.ratio.of(l.stride); !ok {
		return refuse(l.loop, "has rounds of %d, which cannot be divided into %d equal parts", l.stride, l.ratio.parts)
	}
	return nil
}

// seeds finds the accesses whose view moves from round to round, and the tiles that are
// resized because of them. The first of them must move along the axis d, unless d is
// axes.Complete.
func (l *rounds) seeds(d axes.Division) *axes.Refusal {
	for _, op := range l.ops {
		view := axes.ViewOf(op)
		if view == nil || axes.PartOf(view) == nil {
			continue
		}
		part, tile := axes.PartOf(view), axes.TileAt(op)
		dim := -1
		for i, o := range part.Args("offsets") {
			if linearOf(o).factor(l.counter) == 0 {
				continue
			}
			if dim >= 0 {
				return refuse(op, "has a view that moves in two dimensions")
			}
			dim = i
		}
		if dim < 0 {
			continue
		}
		division := axes.DivisionAt(view, tile, dim)
		if division == axes.Complete {
			return refuse(op, "has a view that does not move along the rows or columns of the tile")
		}
		if len(l.accesses) == 0 && d != axes.Complete && division != d {
			return refuse(l.loop, "does not process %s", d.Lines())
		}
		l.accesses = append(l.accesses, access{op, part, dim})
		if why := l.tiles.Spread(tile, division, op); why != nil {
			return why
		}
	}
	if len(l.accesses) == 0 {
		return refuse(l.loop, "has no loads and stores that move from round to round")
	}
	return nil
}

// adjacent verifies that each round accesses the lines after those of the round before,
// and that no other load or store has one of the tiles.
func (l *rounds) adjacent() *axes.Refusal {
	moving := map[*ir.Op]bool{}
	for _, a := range l.accesses {
		moving[a.op] = true
		lines := linearOf(a.offset()).factor(l.counter) * l.stride
		if n, ok := arith.ConstantInt(a.size()); ok {
			if n != lines {
				return refuse(a.op, "accesses %d lines, but the next round starts %d lines later", n, lines)
			}
			continue
		}
		if !l.isRest(a.size(), lines) || linearOf(a.offset()).factor(l.counter) != 1 {
			return refuse(a.op, "has a view whose size is neither a constant nor the smaller of a constant and the rest of the loop")
		}
		e := axes.ExtentOf(axes.TileAt(a.op).Type(), l.tiles.Of[axes.TileAt(a.op)])
		if e.Size != lines || e.Valid != ir.Dynamic {
			return refuse(a.op, "has a tile of %d lines, but the next round starts %d lines later", e.Size, lines)
		}
		l.ragged[a.size()] = true
	}
	for _, op := range l.ops {
		if t := axes.TileAt(op); axes.ViewOf(op) != nil && l.tiles.Of[t] != axes.Complete && !moving[op] {
			return refuse(op, "accesses the same memory in each round")
		}
	}
	return nil
}

// isRest reports whether v is the smaller of the constant lines and the distance from the
// counter to the end of the loop.
func (l *rounds) isRest(v *ir.Value, lines int64) bool {
	op := v.Op()
	if op == nil || !op.Is(arith.MinSI) {
		return false
	}
	rest := l.upper.plus(linear{terms: []term{{l.counter, 1}}}, -1)
	x, y := linearOf(op.Operand(0)), linearOf(op.Operand(1))
	n, ok := y.constant()
	if !ok {
		x, y = y, x
		n, ok = y.constant()
	}
	return ok && n == lines && x.equal(rest)
}

// count verifies that the rounds process the same lines as before. This holds for any
// bounds if all views end at the end of the loop. Otherwise, the number of lines must be a
// multiple of those of an old and of a new round.
func (l *rounds) count() *axes.Refusal {
	all := true
	for _, a := range l.accesses {
		all = all && l.ragged[a.size()]
	}
	if all {
		return nil
	}
	from := l.lower
	if l.block != nil {
		from = from.plus(linear{terms: []term{{l.block, 1}}}, -l.stride)
	}
	n, ok := l.upper.plus(from, -1).constant()
	switch {
	case !ok:
		return refuse(l.loop, "has a number of rounds that is not a constant")
	case n <= 0 || n%l.stride != 0 || n%l.newStride() != 0:
		return refuse(l.loop, "has %d rounds, which cannot become rounds of %d", (n+l.stride-1)/l.stride, l.newStride())
	}
	return nil
}

// newStride returns the distance between consecutive rounds after the change.
func (l *rounds) newStride() int64 {
	n, _ := l.ratio.of(l.stride)
	return n
}

// usesOfCounter verifies that the counter of the loop determines nothing but the offsets
// and sizes of the views that are resized.
func (l *rounds) usesOfCounter() *axes.Refusal {
	resized := map[*ir.Op]int{}
	for _, a := range l.accesses {
		resized[a.part] = a.dim
	}
	accesses := map[*ir.Op]bool{}
	for _, a := range l.accesses {
		accesses[a.op] = true
	}
	depends := map[*ir.Value]bool{l.counter: true}
	for _, op := range l.ops {
		for i, v := range op.Operands() {
			if !depends[v] {
				continue
			}
			dim, part := resized[op]
			if part {
				from, _ := op.ArgRange(1)
				sizes, _ := op.ArgRange(2)
				if i != from+dim && (i != sizes+dim || !l.ragged[v]) {
					return refuse(op, "depends on the counter of the loop in another way than by the rows of a view")
				}
				for use := range op.Result(0).Uses() {
					if !accesses[use.Owner()] {
						return refuse(use.Owner(), "uses a view of each round")
					}
				}
				continue
			}
			if len(op.Regions()) > 0 || !passes.IsPure(op) || op.NumResults() != 1 || pto.IsTile(op.Result(0).Type()) {
				return refuse(op, "depends on the counter of the loop in another way than by the rows of a view")
			}
			depends[op.Result(0)] = true
		}
	}
	return nil
}

// apply changes the loop.
func (l *rounds) apply() {
	b := ir.Before(l.loop)
	if l.block == nil {
		step := l.index(l.newStride())
		if t := l.counter.Type(); t != ir.Index {
			step = arith.Int(l.entry, t, l.newStride())
		}
		l.loop.SetOperand(2, step)
	} else {
		change := l.newStride() - l.stride
		l.loop.SetOperand(0, l.lower.plus(linear{terms: []term{{l.block, 1}}}, change).emit(b, l.index))
		l.loop.SetOperand(2, linear{terms: []term{{l.blocks, l.newStride()}}}.emit(b, l.index))
	}
	sizes := map[*ir.Value]*ir.Value{} // of views whose last round has fewer lines
	l.resizeViews(func(a access, _ *ir.Builder) (offset, size *ir.Value) {
		if n, ok := arith.ConstantInt(a.size()); ok {
			n, _ = l.ratio.of(n)
			return a.offset(), l.index(n)
		}
		if sizes[a.size()] == nil {
			least := a.size().Op()
			rest := least.Operand(0)
			if _, ok := arith.ConstantInt(rest); ok {
				rest = least.Operand(1)
			}
			sizes[a.size()] = l.smaller(ir.Before(least), rest, l.newStride())
			sizes[a.size()].SetName(a.size().Name())
		}
		return a.offset(), sizes[a.size()]
	})
	for old := range sizes {
		if passes.IsDead(old.Op()) {
			old.Op().Erase()
		}
	}
	l.resizeTiles()
}

// isRounds reports whether op is a loop that resizeRounds can change.
func isRounds(op *ir.Op) bool { return op.Is(scf.For) }
