// This file changes how many terms of its sums each round of a loop computes.

package resize

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/lower/axes"
)

// sums is a loop that carries accumulators of matrix products. Each round adds the products
// of some columns of left operands and rows of right operands.
type sums struct {
	*rounds
	// first are the accesses before the loop, for products with which the accumulators
	// start. They have the terms before those of the first round.
	first []access
}

// resizeSums changes the loop of the function f so that each round computes r times as many
// terms. If the accumulators start with products before the loop, these products change in
// the same way. A nil result means success.
func resizeSums(f, loop *ir.Op, r ratio) *axes.Refusal {
	if len(loop.Results()) == 0 {
		return refuse(loop, "carries no sums from one round to the next")
	}
	s := &sums{rounds: newRounds(f, loop, r, lineModes{terms: true})}
	for _, check := range []func() *axes.Refusal{
		s.strides,
		func() *axes.Refusal { return s.seeds(axes.Complete) },
		s.adjacent,
		s.usesOfCounter,
		s.carried,
		s.close,
		s.countTerms,
		s.reorders,
	} {
		if why := check(); why != nil {
			return why
		}
	}
	s.apply()
	return nil
}

// carried verifies that the loop only adds products to the values that it carries. It adds
// the products before the loop to the scope.
func (s *sums) carried() *axes.Refusal {
	body := s.loop.Region(0).Entry()
	yield := body.Last()
	if s.block != nil {
		return refuse(s.loop, "has rounds that are divided between the blocks of the launch")
	}
	started := 0
	for i, v := range body.Args()[1:] {
		product := yield.Operand(i).Op()
		if product == nil || product.Block() != body || !isProduct(product) || !v.HasOneUse() || !product.Result(0).HasOneUse() {
			return refuse(s.loop, "carries a value that is not a sum of products")
		}
		own, complete := sem.LinesOfProduct(product, false)
		if len(own) < 2 || own[1] != v {
			return refuse(product, "does not add to the value that the loop carries")
		}
		if s.tiles.Of[own[0]] == axes.Complete {
			return refuse(product, "has the same left operand in each round")
		}
		start := s.loop.Operand(3 + i).Op()
		if start == nil || start.Block() != s.loop.Block() || !isProduct(start) || !start.Result(0).HasOneUse() {
			continue
		}
		from, with := sem.LinesOfProduct(start, false)
		if len(from) != 1 || len(with) != 1 || !s.precedes(from[0], own[0]) || !s.precedes(with[0], complete[0]) {
			return refuse(start, "does not have the terms before those of the first round")
		}
		if why := s.tiles.Spread(from[0], axes.ByCols, start); why != nil {
			return why
		}
		s.add(start)
		started++
	}
	if started > 0 && started < len(s.loop.Results()) {
		return refuse(s.loop, "has sums that start with a product, and others that do not")
	}
	s.accesses = append(s.accesses, s.first...)
	return nil
}

// isProduct reports whether op is a product of matrices whose sums can be divided.
func isProduct(op *ir.Op) bool { return sem.LineUseOf(op, false) == sem.ProductLine }

// precedes reports whether the tile v before the loop is loaded from the part of a tensor
// before the one from which the first round of the loop loads the tile w, and moved in the
// same way. It adds the operations that compute v to the scope.
func (s *sums) precedes(v, w *ir.Value) bool {
	for {
		a, b := v.Op(), w.Op()
		if a == nil || b == nil || a.Def() != b.Def() || v.Type() != w.Type() || !v.HasOneUse() {
			return false
		}
		s.add(a)
		if axes.ViewOf(a) != nil {
			return s.precedesAccess(a, b)
		}
		if _, moves := a.Def().Sem.(sem.TileMove); !moves || a.NumOperands() != 1 || b.NumOperands() != 1 {
			return false
		}
		v, w = a.Operand(0), b.Operand(0)
	}
}

// precedesAccess reports whether the load a before the loop has the terms before those that
// the first round loads by b, and records a.
func (s *sums) precedesAccess(a, b *ir.Op) bool {
	i := slices.IndexFunc(s.accesses, func(x access) bool { return x.op == b })
	part := axes.PartOf(axes.ViewOf(a))
	if i < 0 || part == nil || a.NumOperands() != 1 || b.NumOperands() != 1 {
		return false
	}
	in, out := s.accesses[i], access{a, part, s.accesses[i].dim}
	if part.Operand(0) != in.part.Operand(0) || len(part.Args("offsets")) != len(in.part.Args("offsets")) {
		return false
	}
	before := s.lower.plus(linear{c: s.stride}, -1).plus(linear{terms: []term{{s.counter, 1}}}, -1) // the round before, minus the counter
	for d, x := range part.Args("offsets") {
		y := linearOf(in.part.Args("offsets")[d])
		if !linearOf(x).equal(y.plus(before, y.factor(s.counter))) || !linearOf(part.Args("sizes")[d]).equal(linearOf(in.part.Args("sizes")[d])) {
			return false
		}
	}
	s.first = append(s.first, out)
	return true
}

// countTerms verifies that the number of terms is a multiple of those of a new round.
func (s *sums) countTerms() *axes.Refusal {
	n, ok := s.upper.plus(s.lower, -1).constant()
	if len(s.first) > 0 {
		n += s.stride
	}
	switch {
	case !ok || len(s.ragged) > 0:
		return refuse(s.loop, "has a number of terms that is not a constant")
	case n <= 0 || n%s.stride != 0 || n%s.newStride() != 0:
		return refuse(s.loop, "has %d terms, which cannot be added %d at a time", n, s.newStride())
	}
	return nil
}

// apply changes the loop and the products before it. A loop without rounds is replaced by
// these products.
func (s *sums) apply() {
	change := s.newStride() - s.stride
	s.rounds.apply()
	if len(s.first) == 0 {
		return
	}
	lower := s.lower.plus(linear{c: change}, 1)
	if n, ok := s.upper.plus(lower, -1).constant(); ok && n <= 0 {
		for i, v := range s.loop.Results() {
			v.ReplaceAllUses(s.loop.Operand(3 + i))
		}
		s.loop.Erase()
		return
	}
	if s.loop.Operand(0).Type() == ir.Index {
		s.loop.SetOperand(0, lower.emit(ir.Before(s.loop), s.index))
		return
	}
	b := ir.Before(s.loop)
	t := s.loop.Operand(0).Type()
	s.loop.SetOperand(0, b.Op(arith.AddI, []*ir.Value{s.loop.Operand(0), arith.Int(b, t, change)}, []ir.Type{t}).Result(0))
}
