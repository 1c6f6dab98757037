// This file computes the terms of integers.

package syncproof

import (
	"slices"

	"ptogo/dialect/arith"
	"ptogo/dialect/arith/terms"
	"ptogo/dialect/pto"
	ptoanalysis "ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/term"
)

// mostBlocks is the largest number of blocks of a launch.
const mostBlocks = 1 << 16

// known returns the current term of v, or the zero Term if the proof has not followed its
// definition.
func (x *prover) known(t *thread, v *ir.Value) term.Term {
	if e, ok := t.env[v]; ok {
		return e
	}
	w, scalar := terms.Width(v.Type())
	if c, ok := arith.ConstantInt(v); ok && scalar {
		e := x.pool.Const(w, c)
		t.env[v] = e
		return e
	}
	return term.Term{}
}

// value returns the current term of v, or the zero Term if v is not a scalar.
func (x *prover) value(t *thread, v *ir.Value) term.Term {
	if e := x.known(t, v); !e.IsZero() {
		return e
	}
	w, ok := terms.Width(v.Type())
	if !ok {
		return term.Term{}
	}
	return x.fresh(varKey{t.n, 0, v, "v"}, w, outside)
}

// argument returns the term of a parameter, which all cores and blocks share, unless the
// launch binds it to a property of the block.
func (x *prover) argument(t *thread, v *ir.Value, w int) term.Term {
	if what, ok := ptoanalysis.LaunchParam(v); ok {
		return x.query(t, what, w)
	}
	return x.fresh(varKey{-1, 0, v.Index(), "arg"}, w, shared)
}

// owners that are not loops.
const (
	// shared owns what is equal in all blocks, such as arguments.
	shared int32 = -1
	// outside owns what is computed outside of loops.
	outside int32 = 0
)

// compute records the terms of the results of op.
func (x *prover) compute(c *cursor, op *ir.Op) {
	var ts []term.Term
	if q, ok := op.Def().Sem.(sem.Query); ok {
		if w, ok := terms.Width(op.Result(0).Type()); ok {
			ts = []term.Term{x.query(c.th, q.What, w)}
		}
	} else if t := x.element(c, op); !t.IsZero() {
		ts = []term.Term{t}
	} else if op.NumResults() > 0 {
		args := make([]term.Term, op.NumOperands())
		for i, v := range op.Operands() {
			args[i] = x.value(c.th, v)
		}
		ts, _ = terms.Of(x.pool, op, args)
	}
	for i, v := range op.Results() {
		if ts == nil {
			x.bind(c, v, meaning{})
		} else {
			c.th.env[v] = ts[i]
		}
	}
}

// element returns the term of an element that op reads from a table, or the zero term. An
// index outside of the table ends the launch.
func (x *prover) element(c *cursor, op *ir.Op) (t term.Term) {
	if kind, ok := op.Def().Sem.(sem.Local); !ok || kind.Act != sem.LocalGet || kind.Events {
		return t
	}
	table := x.tableOf(op.Operand(0))
	w, ok := terms.Width(op.Result(0).Type())
	if table == nil || !ok {
		return t
	}
	p, i := x.pool, x.value(c.th, op.Operand(1))
	if step := table[min(1, len(table)-1)] - table[0]; inSteps(table, step) { // such as event IDs in their order
		return p.Resize(p.AddConst(p.MulConst(i, step), table[0]), w, true)
	}
	t = p.Const(w, table[len(table)-1])
	for k := len(table) - 2; k >= 0; k-- {
		t = p.Ite(p.Eq(i, p.Const(i.Width(), int64(k))), p.Const(w, table[k]), t)
	}
	return t
}

// inSteps reports whether each number of a table is the one before it plus step.
func inSteps(table []int64, step int64) bool {
	for i, n := range table[1:] {
		if n-table[i] != step {
			return false
		}
	}
	return true
}

// mostElements limits the number of elements of a table.
const mostElements = 32

// tableOf returns the elements of a local array of integers that the program fills with
// constants before it reads it, and does not change afterwards. Otherwise it returns nil.
func (x *prover) tableOf(array *ir.Value) []int64 {
	table, known := x.tables[array]
	if !known {
		table = constantTable(array)
		x.tables[array] = table
	}
	return table
}

// constantTable computes the result of tableOf.
func constantTable(array *ir.Value) []int64 {
	t, ok := ir.As[pto.LocalArray](array.Type())
	made := array.Op()
	if !ok || made == nil || t.Shape.Len() != 1 || t.Shape.At(0) < 1 || t.Shape.At(0) > mostElements || !ir.Is[ir.IntegerType](t.Elem) {
		return nil
	}
	elements := map[int64]int64{}
	last := made
	var reads []*ir.Op
	for u := range array.Uses() {
		op := u.Owner()
		kind, ok := op.Def().Sem.(sem.Local)
		switch {
		case ok && kind.Act == sem.LocalGet:
			for op != nil && op.Block() != made.Block() {
				op = op.Parent()
			}
			reads = append(reads, op)
		case ok && kind.Act == sem.LocalSet && op.Block() == made.Block():
			i, ok1 := arith.ConstantInt(op.Operand(1))
			n, ok2 := arith.ConstantInt(op.Operand(2))
			if _, again := elements[i]; again || !ok1 || !ok2 {
				return nil
			}
			elements[i] = n
			if last.Before(op) {
				last = op
			}
		default:
			return nil
		}
	}
	table := make([]int64, t.Shape.At(0))
	for i := range table {
		n, set := elements[int64(i)]
		if !set {
			return nil
		}
		table[i] = n
	}
	if slices.ContainsFunc(reads, func(op *ir.Op) bool { return op == nil || !last.Before(op) }) {
		return nil
	}
	return table
}

// query returns the term of a property of the launch, with w bits.
func (x *prover) query(t *thread, what sem.QueryKind, w int) term.Term {
	v := func(tag string, owner int32, lo, hi int64) term.Term {
		return x.freshIn(varKey{-1, 0, what, tag}, 64, owner, lo, hi)
	}
	var e term.Term
	switch what {
	case sem.BlockIdx:
		e = v("block", outside, 0, mostBlocks-1)
		x.block = e
	case sem.BlockNum:
		e = v("blocks", shared, 1, mostBlocks)
		x.count = e
	case sem.SubBlockIdx:
		if e = x.pool.Const(64, int64(t.Vector)); len(x.threads) == 1 {
			e = v("vector", outside, 0, sem.VectorCores-1)
		}
	default:
		e = v("vectors", shared, 1, sem.VectorCores)
	}
	return x.pool.Resize(e, w, false)
}

// meaning is what a value stands for: a scalar, or memory.
type meaning struct {
	term   term.Term
	places Places
}

// meaning returns what v stands for now.
func (x *prover) meaning(t *thread, v *ir.Value) meaning {
	m := meaning{term: x.value(t, v)}
	if refers(v) {
		m.places = t.memory.Places(v)
	}
	return m
}

// refers reports whether v refers to memory.
func refers(v *ir.Value) bool { return pto.SpaceOf(v.Type()) != sem.NoSpace }

// bind gives a value a meaning.
func (x *prover) bind(c *cursor, v *ir.Value, m meaning) {
	if w, ok := terms.Width(v.Type()); ok {
		if m.term.IsZero() {
			m.term = x.fresh(varKey{c.th.n, c.ctx, v, "v"}, w, c.loop())
		}
		c.th.env[v] = m.term
		return
	}
	c.th.memory.Bind(v, m.places)
}

// number returns a constant operand or attribute. ok is false if it is not constant.
func (x *prover) number(t *thread, n sem.Number, s *state) (v int64, ok bool) {
	if !n.Given() {
		return n.Constant, n.Ok
	}
	return x.constant(x.value(t, n.Value), s)
}

// constant returns the value of e if it has only one under the facts of s.
func (x *prover) constant(e term.Term, s *state) (v int64, ok bool) {
	if e.IsZero() {
		return 0, false
	}
	if v, ok := e.ConstSigned(); ok {
		return v, true
	}
	for v := range int64(sem.EventIDs) {
		if !x.possible(append(s.facts[:len(s.facts):len(s.facts)], x.pool.Ne(e, x.pool.Const(e.Width(), v)))...) {
			return v, true
		}
	}
	return 0, false
}

// eventArray follows op, which declares, reads or writes an array of event IDs.
func (x *prover) eventArray(c *cursor, op *ir.Op, kind sem.Local, s *state) {
	if kind.Act == sem.LocalDeclare {
		var ids []term.Term
		for _, v := range op.Operands() {
			ids = append(ids, x.value(c.th, v))
		}
		s.arrays[arrayKey{c.th.n, op.Result(0)}] = ids
		return
	}
	use := sem.EventUseOf(op)
	k := arrayKey{c.th.n, use.Array.Value}
	ids := s.arrays[k]
	i, known := x.number(c.th, sem.Number{Operand: use.Index}, s)
	if !known || i < 0 || i >= int64(len(ids)) {
		delete(s.arrays, k)
		x.compute(c, op)
		return
	}
	if op.NumResults() > 0 {
		c.th.env[op.Result(0)] = ids[i]
		return
	}
	ids = append([]term.Term(nil), ids...)
	ids[i] = x.value(c.th, use.Value.Value)
	s.arrays[k] = ids
}
