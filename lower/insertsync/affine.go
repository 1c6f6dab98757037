// This file represents integers as sums of unknown values with constant factors, so
// that addresses can be compared.

package insertsync

import (
	"ptogo/dialect/arith"
	isabase "ptogo/dialect/pto/isa/base"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// sum is an integer expression c + k1*v1 + k2*v2 + .... Here, c and k are constants, and
// v are program values that the compiler cannot evaluate. Two addresses in this form are
// compared by subtracting them. If ok is false, the integer is completely unknown.
type sum struct {
	ok    bool
	c     int64
	terms []summand // by order of first appearance, no zero factors
}

// summand is one term of a sum: the value v multiplied by the constant k.
type summand struct {
	v *ir.Value
	k int64
}

// number returns the constant c as a sum.
func number(c int64) sum { return sum{ok: true, c: c} }

// constant returns the value of a sum that has no unknown values. ok is false for every
// other sum.
func (a sum) constant() (int64, bool) { return a.c, a.ok && len(a.terms) == 0 }

// plus returns a + k*b. The result is unknown if a or b is unknown.
func (a sum) plus(b sum, k int64) sum {
	if !a.ok || !b.ok {
		return sum{}
	}
	r := sum{ok: true, c: a.c + k*b.c, terms: append([]summand(nil), a.terms...)}
	for _, t := range b.terms {
		r = r.add(t.v, k*t.k)
	}
	return r
}

// add returns a + k*v. It drops the term of v if its factor becomes 0.
func (a sum) add(v *ir.Value, k int64) sum {
	for i, t := range a.terms {
		if t.v == v {
			if a.terms[i].k += k; a.terms[i].k == 0 {
				a.terms = append(a.terms[:i:i], a.terms[i+1:]...)
			}
			return a
		}
	}
	if k != 0 {
		a.terms = append(a.terms, summand{v, k})
	}
	return a
}

// times returns k*a.
func (a sum) times(k int64) sum { return number(0).plus(a, k) }

// factor returns the constant by which the value v is multiplied in this sum, or 0 if v
// does not occur in the sum.
func (a sum) factor(v *ir.Value) int64 {
	for _, t := range a.terms {
		if t.v == v {
			return t.k
		}
	}
	return 0
}

// sumOf expresses the integer value v as a sum. It follows additions, subtractions,
// multiplications by constants and casts; any other value becomes a single term.
func sumOf(v *ir.Value) sum { return sumIn(v, 16) }

// sumIn expresses the integer value v as a sum of a constant and multiples of unknown
// values. For this, sumIn follows the operations that compute v back to their operands,
// at most depth operations deep. The limit bounds the time for long chains of operations.
func sumIn(v *ir.Value, depth int) sum {
	if v == nil {
		return number(0)
	}
	if c, ok := arith.ConstantInt(v); ok {
		return number(c)
	}
	self := sum{ok: true, terms: []summand{{v, 1}}}
	op := v.Op()
	if op == nil || depth == 0 {
		return self
	}
	arg := func(i int) sum { return sumIn(op.Operand(i), depth-1) }
	switch op.Def() {
	case arith.AddI:
		return arg(0).plus(arg(1), 1)
	case arith.SubI:
		return arg(0).plus(arg(1), -1)
	case arith.MulI:
		a, b := arg(0), arg(1)
		if k, ok := b.constant(); ok {
			return a.times(k)
		}
		if k, ok := a.constant(); ok {
			return b.times(k)
		}
	case arith.IndexCast, arith.ExtSI:
		return arg(0)
	case arith.IndexCastUI, arith.ExtUI: // a number below 0 becomes a large one
		if s := arg(0); len(s.terms) == 1 && s.c == 0 || s.natural() {
			return s
		}
	}
	return self
}

// natural reports whether the sum provably cannot be negative.
func (s sum) natural() bool {
	lo, ok := s.least(8)
	return ok && lo >= 0
}

// least returns a lower bound of a sum. ok is false if no lower bound is known. The
// parameter depth limits the number of nested loops that the computation follows.
func (s sum) least(depth int) (int64, bool) {
	lo, ok := s.c, s.ok
	for _, t := range s.terms {
		n, known := leastOf(t.v, depth)
		lo, ok = lo+t.k*n, ok && known && t.k > 0
	}
	return lo, ok
}

// leastOf returns a lower bound of the value v. It is for values that are not a sum of
// other values: a loop counter is at least its first value, and a remainder or a block
// number is at least 0. The result ok is false if no lower bound is known. To find the
// bounds of the operands, leastOf follows at most depth nested operations.
func leastOf(v *ir.Value, depth int) (int64, bool) {
	if depth == 0 {
		return 0, false
	}
	op := v.Op()
	if op == nil {
		if loop := v.Block().Parent(); v.Index() == 0 && loop != nil && loop.Def().Sem == scf.CountedLoop {
			return sumOf(loop.Arg("lowerBound")).least(depth - 1)
		}
		return 0, false
	}
	switch op.Def() {
	case arith.RemUI, arith.RemSI, arith.DivUI, arith.DivSI, arith.MulI:
		for _, x := range op.Operands() {
			if n, ok := sumOf(x).least(depth - 1); !ok || n < 0 {
				return 0, false
			}
		}
		return 0, true
	case isabase.GetBlockIdx, isabase.GetSubBlockIdx, isabase.GetBlockNum, isabase.GetSubBlockNum:
		return 0, true
	}
	return 0, false
}
