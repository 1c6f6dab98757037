// This file writes integers as sums of values with constant factors.

package resize

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// linear is the integer c + k1*v1 + k2*v2 + ....
type linear struct {
	c     int64
	terms []term
}

// term is a value with a constant factor other than 0.
type term struct {
	v *ir.Value
	k int64
}

// plus returns a + k*b.
func (a linear) plus(b linear, k int64) linear {
	sum := linear{a.c + k*b.c, slices.Clone(a.terms)}
	for _, t := range b.terms {
		i := slices.IndexFunc(sum.terms, func(s term) bool { return s.v == t.v })
		if i < 0 {
			sum.terms = append(sum.terms, term{t.v, 0})
			i = len(sum.terms) - 1
		}
		if sum.terms[i].k += k * t.k; sum.terms[i].k == 0 {
			sum.terms = slices.Delete(sum.terms, i, i+1)
		}
	}
	return sum
}

// constant returns the value of a sum without terms.
func (a linear) constant() (int64, bool) { return a.c, len(a.terms) == 0 }

// factor returns the factor of the value v, which is 0 if v does not occur in the sum.
func (a linear) factor(v *ir.Value) int64 {
	for _, t := range a.terms {
		if t.v == v {
			return t.k
		}
	}
	return 0
}

// equal reports whether a and b are the same sum.
func (a linear) equal(b linear) bool {
	n, ok := a.plus(b, -1).constant()
	return ok && n == 0
}

// deepest limits how many operations linearOf follows from a value to its operands.
const deepest = 16

// linearOf returns the integer v as a sum. It follows additions, subtractions, products
// with constants, and casts between integers of different types.
func linearOf(v *ir.Value) linear { return linearIn(v, deepest) }

// linearIn returns the integer v as a sum, and follows at most depth operations.
func linearIn(v *ir.Value, depth int) linear {
	if c, ok := arith.ConstantInt(v); ok {
		return linear{c: c}
	}
	op := v.Op()
	if op != nil && depth > 0 {
		arg := func(i int) linear { return linearIn(op.Operand(i), depth-1) }
		switch op.Def() {
		case arith.AddI:
			return arg(0).plus(arg(1), 1)
		case arith.SubI:
			return arg(0).plus(arg(1), -1)
		case arith.IndexCast:
			return arg(0)
		case arith.MulI:
			x, y := arg(0), arg(1)
			if k, ok := x.constant(); ok {
				return linear{}.plus(y, k)
			}
			if k, ok := y.constant(); ok {
				return linear{}.plus(x, k)
			}
		}
	}
	return linear{terms: []term{{v, 1}}}
}

// emit creates operations that compute the sum as a value of type index. The function index
// returns constants.
func (a linear) emit(b *ir.Builder, index func(n int64) *ir.Value) *ir.Value {
	bin := func(d *ir.Def, x, y *ir.Value) *ir.Value {
		return b.Op(d, []*ir.Value{x, y}, []ir.Type{ir.Index}).Result(0)
	}
	var sum *ir.Value
	for _, t := range a.terms {
		v := t.v
		if v.Type() != ir.Index {
			v = b.Op(arith.IndexCast, []*ir.Value{v}, []ir.Type{ir.Index}).Result(0)
		}
		if t.k != 1 {
			v = bin(arith.MulI, v, index(t.k))
		}
		if sum == nil {
			sum = v
		} else {
			sum = bin(arith.AddI, sum, v)
		}
	}
	switch {
	case sum == nil:
		return index(a.c)
	case a.c != 0:
		return bin(arith.AddI, sum, index(a.c))
	}
	return sum
}

// launchTerm returns the index of the first term whose value is a property of the launch,
// such as the number of the block, or -1.
func (a linear) launchTerm(what sem.QueryKind) int {
	return slices.IndexFunc(a.terms, func(t term) bool {
		if op := t.v.Op(); op != nil {
			q, ok := op.Def().Sem.(sem.Query)
			return ok && q.What == what
		}
		got, ok := analysis.LaunchParam(t.v)
		return ok && got == what
	})
}
