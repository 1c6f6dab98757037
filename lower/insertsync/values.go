// This file computes the values of integers along one path of the proof.

package insertsync

import (
	"fmt"
	"strings"

	"ptogo/dialect/arith"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// values describes the integers on one execution path through a function. Each integer is
// a sum of a constant and multiples of unknown values. An unknown value does not change
// on the path. If two sums contain the same unknown value, it cancels in their
// difference, which can therefore be constant.
type values struct {
	// now is the current sum for each value of the program.
	now map[*ir.Value]sum
	// stands maps a value inside a loop to the symbol that represents it in the current
	// iteration, from the second iteration on. ran records the values that have been
	// computed before.
	stands map[*ir.Value]*ir.Value
	ran    map[*ir.Value]bool
	// same maps an expression to the value that represents it, so that two operations
	// with equal operands have the same value.
	same map[expression]*ir.Value
	// fixed are the constants that the path has chosen for unknown values.
	fixed map[*ir.Value]int64
	// choose selects one of n alternatives for a decision, which the parameter what
	// identifies. The runner tries all alternatives on different paths.
	choose func(what any, n int) int
}

// newValues returns the values of the integers at the start of an execution path, where
// none is known. The proof calls the function choose whenever the path depends on an
// unknown value, for example at a branch. This function selects one of n alternatives, an
// index from 0 to n-1. Its parameter what identifies the decision.
func newValues(choose func(what any, n int) int) *values {
	return &values{
		now: map[*ir.Value]sum{}, stands: map[*ir.Value]*ir.Value{}, ran: map[*ir.Value]bool{},
		same: map[expression]*ir.Value{}, fixed: map[*ir.Value]int64{}, choose: choose,
	}
}

// of returns the current value of v as a sum of unknown values, each with a constant
// factor, and a constant.
func (x *values) of(v *ir.Value) sum {
	if v == nil {
		return number(0)
	}
	s, ok := x.now[v]
	if !ok {
		if c, ok := arith.ConstantInt(v); ok {
			return number(c)
		}
		s = symbol(v)
	}
	return x.settle(s)
}

// settle returns the sum s without those unknown values for which the simulated execution
// path has already chosen a constant. Each of these values is replaced by its constant.
func (x *values) settle(s sum) sum {
	for _, t := range s.terms {
		if c, ok := x.fixed[t.v]; ok {
			return x.settle(s.plus(symbol(t.v), -t.k).plus(number(c), t.k))
		}
	}
	return s
}

// symbol returns a sum that consists only of the unknown value v.
func symbol(v *ir.Value) sum { return sum{ok: true, terms: []summand{{v, 1}}} }

// identity returns the symbol for the unknown value of v on the simulated path. In the
// first iteration of a loop, this is v itself. In later iterations, it is a different
// symbol, because v can have another value.
func (x *values) identity(v *ir.Value) *ir.Value {
	if s := x.stands[v]; s != nil {
		return s
	}
	return v
}

// renew assigns a new unknown value to v, because the operation that defines v is
// executed in another iteration.
func (x *values) renew(v *ir.Value) {
	if x.ran[v] {
		x.stands[v] = ir.NewBlock(v.Type()).Arg(0)
	}
	x.ran[v] = true
	x.now[v] = symbol(x.identity(v))
}

// expression identifies an expression that the analysis cannot compute: the function fn of
// the sums a and b and of the number k.
type expression struct {
	fn   string
	k    int64
	a, b operand
}

// operand is a sum in a form that can be compared. The sum consists of the constant c, the
// terms, and further terms in the text more.
type operand struct {
	c     int64
	terms [2]summand
	more  string
}

// operand returns the sum s in a form that can be compared. Most sums have at most two
// terms, and then the form needs no text.
func (s sum) operand() operand {
	o := operand{c: s.c}
	if n := copy(o.terms[:], s.terms); n < len(s.terms) {
		o.more = sum{terms: s.terms[n:]}.key()
	}
	return o
}

// alike returns an unknown value of type t that represents an expression which the
// analysis cannot compute. Two calls with equal expressions return the same unknown value,
// so that equal expressions compare as equal.
func (x *values) alike(key expression, t ir.Type) sum {
	v := x.same[key]
	if v == nil {
		v = ir.NewBlock(t).Arg(0)
		x.same[key] = v
	}
	return x.settle(symbol(v))
}

// key returns a string for use as a map key. Two sums have the same key exactly if they
// are equal.
func (s sum) key() string {
	var b strings.Builder
	for _, t := range s.terms {
		fmt.Fprintf(&b, "%p*%d+", t.v, t.k)
	}
	fmt.Fprintf(&b, "%d", s.c)
	return b.String()
}

// compute evaluates an operation and records the values of its results on the path.
func (x *values) compute(op *ir.Op) {
	for i, v := range op.Results() {
		if i == 0 {
			if s, ok := x.result(op); ok {
				x.now[v] = s
				continue
			}
		}
		x.renew(v)
	}
}

// mostResidues is the largest divisor of an unknown integer for which the static proof of
// synchronization tries out every remainder. For larger divisors, the remainder stays
// unknown.
const mostResidues = 4

// result evaluates an operation with an integer result. ok is false if the operation is
// not supported.
func (x *values) result(op *ir.Op) (sum, bool) {
	if op.NumResults() == 0 || !ir.Is[ir.IntegerType](op.Result(0).Type()) && op.Result(0).Type() != ir.Index {
		return sum{}, false
	}
	if c, ok := arith.ConstantInt(op.Result(0)); ok {
		return number(c), true
	}
	if rel, ok := arith.RelationOf(op); ok && op.NumOperands() == 2 && isInteger(op.Operand(0).Type()) {
		return x.compare(rel, op), true
	}
	if op.NumOperands() == 3 && op.Is(arith.Select) {
		if c, ok := x.of(op.Operand(0)).constant(); ok {
			return x.of(op.Operand(2 - int(c&1))), true
		}
		return sum{}, false
	}
	if op.NumOperands() == 1 {
		switch op.Def() {
		case arith.IndexCast, arith.IndexCastUI, arith.ExtSI, arith.ExtUI, arith.TruncI:
			return x.of(op.Operand(0)), true
		}
		return sum{}, false
	}
	if op.NumOperands() != 2 {
		return sum{}, false
	}
	return x.binary(op, x.of(op.Operand(0)), x.of(op.Operand(1)))
}

// isInteger reports whether t is index or an integer type.
func isInteger(t ir.Type) bool { return t == ir.Index || ir.Is[ir.IntegerType](t) }

// binary computes the result of the binary operation op. The operands a and b are sums,
// linear expressions of unknown values. The bool result is false if the result cannot be
// expressed as a sum.
func (x *values) binary(op *ir.Op, a, b sum) (sum, bool) {
	switch op.Def() {
	case arith.AddI:
		return a.plus(b, 1), true
	case arith.SubI:
		return a.plus(b, -1), true
	case arith.MulI:
		if k, ok := b.constant(); ok {
			return a.times(k), true
		}
		if k, ok := a.constant(); ok {
			return b.times(k), true
		}
	case arith.MinSI, arith.MinUI, arith.MaxSI, arith.MaxUI:
		if d, ok := a.plus(b, -1).constant(); ok {
			if (d <= 0) == (op.Is(arith.MinSI) || op.Is(arith.MinUI)) {
				return a, true
			}
			return b, true
		}
	case arith.RemSI, arith.RemUI:
		if k, ok := b.constant(); ok && k > 0 {
			return x.remainder(op, a, k), true
		}
	}
	m, ok1 := a.constant()
	n, ok2 := b.constant()
	if !ok1 || !ok2 {
		return x.alike(expression{fn: op.Name(), a: a.operand(), b: b.operand()}, op.Result(0).Type()), x.integerOp(op)
	}
	c, ok := fold(op, m, n)
	return number(c), ok
}

// integerOp reports whether op computes its result only from the values of its operands,
// as arithmetic on integers does. The result of such an operation does not depend on
// memory or other state.
func (x *values) integerOp(op *ir.Op) bool { return op.HasTrait(ir.Pure) }

// fold evaluates the binary operation op on the constant operands m and n and returns the
// result. The bool result is false for unsupported operations.
func fold(op *ir.Op, m, n int64) (int64, bool) {
	switch op.Def() {
	case arith.AndI:
		return m & n, true
	case arith.OrI:
		return m | n, true
	case arith.XOrI:
		return m ^ n, true
	case arith.ShLI:
		return m << (n & 63), n >= 0 && n < 63
	case arith.ShRUI, arith.ShRSI:
		return m >> (n & 63), m >= 0 && n >= 0 && n < 63
	}
	if n == 0 {
		return 0, false
	}
	switch op.Def() {
	case arith.DivSI:
		return m / n, true
	case arith.DivUI:
		return m / n, m >= 0 && n > 0
	case arith.CeilDivSI, arith.CeilDivUI:
		return (m + n - 1) / n, m >= 0 && n > 0
	case arith.FloorDivSI:
		return m / n, m >= 0 && n > 0
	}
	return 0, false
}

// remainder returns the remainder of the sum a divided by k, as op computes it. The sum
// is a linear expression of values. If its value is unknown and k is small, remainder
// chooses one of the possible remainders for the current path of the analysis; other
// paths use the other remainders.
func (x *values) remainder(op *ir.Op, a sum, k int64) sum {
	if c, ok := a.constant(); ok {
		if c < 0 && op.Is(arith.RemUI) {
			return number(int64(uint64(c) & ones(op.Result(0).Type()) % uint64(k)))
		}
		return number(c % k)
	}
	rest := sum{ok: true, c: mod(a.c, k)}
	for _, t := range a.terms {
		if f := mod(t.k, k); f != 0 {
			rest.terms = append(rest.terms, summand{t.v, f})
		}
	}
	c, ok := rest.constant()
	if !ok {
		free := sum{ok: true, terms: rest.terms}
		r := x.alike(expression{fn: "rem", k: k, a: free.operand()}, op.Result(0).Type())
		if _, known := r.constant(); !known && k <= mostResidues {
			x.fixed[r.terms[0].v] = int64(x.choose(remainderOf{op, k}, int(k)))
			r = x.settle(r)
		}
		at, known := r.constant()
		if !known {
			return x.alike(expression{fn: "rem", k: k, a: rest.operand()}, op.Result(0).Type())
		}
		c = at + rest.c
	}
	return number(mod(c, k))
}

// ones returns a number with all bits of an integer type set.
func ones(t ir.Type) uint64 {
	if i, ok := ir.As[ir.IntegerType](t); ok && i.Width < 64 {
		return 1<<i.Width - 1
	}
	return ^uint64(0)
}

// remainderOf identifies a decision on a simulated path: which remainder the operation op
// leaves when it divides by k.
type remainderOf struct {
	op *ir.Op
	k  int64
}

// compare returns the result of the integer comparison op, with the relation rel. If the
// operands determine the result, it is 1 or 0. Otherwise, it is a symbol that represents
// the unknown result.
func (x *values) compare(rel scalar.Relation, op *ir.Op) sum {
	a, b := x.of(op.Operand(0)), x.of(op.Operand(1))
	d := a.plus(b, -1)
	if c, ok := d.constant(); ok {
		on := scalar.Equal
		if c < 0 {
			on = scalar.Less
		} else if c > 0 {
			on = scalar.Greater
		}
		return number(truth(rel.On&on != 0))
	}
	not := rel.On&scalar.Less == 0 // a predicate and its opposite are one value
	on := rel.On & (scalar.Less | scalar.Equal | scalar.Greater)
	if not {
		on ^= scalar.Less | scalar.Equal | scalar.Greater
	}
	s := x.alike(expression{fn: "cmp", k: int64(on), a: d.operand()}, ir.I1)
	if not {
		return number(1).plus(s, -1)
	}
	return s
}

// truth returns 1 for true and 0 for false.
func truth(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// holds returns whether the condition v is true on the simulated path. at is the
// operation that tests the condition. If the value of v is unknown, holds chooses true or
// false, and this choice holds for the rest of the path.
func (x *values) holds(at *ir.Op, v *ir.Value) bool {
	s := x.of(v)
	c, ok := s.constant()
	if ok {
		return c&1 != 0
	}
	if len(s.terms) == 1 && s.ok {
		x.fixed[s.terms[0].v] = int64(1 - x.choose(at, 2))
		c, _ = x.settle(s).constant()
		return c&1 != 0
	}
	return x.choose(at, 2) == 0
}
