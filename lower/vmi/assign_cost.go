// This file computes the costs from which vmi-layout-assignment chooses layouts.

package vmi

import (
	"math"
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/routine"
	"ptogo/ir/scalar"
)

// changeCost is the additional cost of each layout change, on top of its instructions. It
// favours the program with fewer changes among programs with equally many instructions.
const changeCost = 2.5

// useCost returns the cost of using the value v at a position that needs a different
// layout. from is the type of v, and to is the needed type. An instruction that depends
// only on scalars can be repeated with the needed type, instead of converting its result.
func (a *assigner) useCost(v *ir.Value, from, to ir.Type) float64 {
	if from == to {
		return 0
	}
	cost := relayoutCost(from, to)
	if cost > 0 {
		cost += changeCost
	} else {
		cost = 0.01 // the same places: only the type changes
	}
	if again := a.repeats(v); again != nil {
		for _, c := range a.rows[again] {
			if c.outs[0] == to {
				cost = min(cost, c.cost+0.25)
			}
		}
	}
	return cost
}

// repeats returns the instruction that defines v if it can be repeated cheaply, because
// it depends only on scalars. It returns nil for all other values.
func (a *assigner) repeats(v *ir.Value) *ir.Op {
	if v == nil || v.Op() == nil {
		return nil
	}
	return rematerializable(v.Op())
}

// rematerializable returns op if a copy of op at a later position computes the same
// result, so that the result can be computed again instead of converted. It returns nil
// if op does not have this property.
func rematerializable(op *ir.Op) *ir.Op {
	for _, v := range op.Operands() {
		if isVMI(v.Type()) {
			return nil
		}
	}
	if op.NumResults() != 1 {
		return nil
	}
	if op.Def().Sem == nil || !scalarKinds.Has(op.Def().Sem) {
		return nil
	}
	return op
}

// scalarKinds is the set of kinds (types of meaning) of VMI instructions that the pass
// can duplicate. If all operands of such an instruction are scalars, the pass may insert
// a copy of the instruction at another location of the program.
var scalarKinds = kinds(
	routine.Does(func(routine.Done, *ir.Op, sem.GroupBroadcast) {}),
	routine.Does(func(routine.Done, *ir.Op, sem.GroupIndex) {}),
	routine.Does(func(routine.Done, *ir.Op, sem.PrefixMask) {}),
	routine.Does(func(routine.Done, *ir.Op, scalar.Literal) {}),
)

// kinds returns the set of the kinds (types of meaning) that the parameter rows lists.
// The set has the form of a table of routines, because such a table can look up kinds.
// Its routines do nothing.
func kinds(rows ...routine.Row[routine.Done, routine.Done]) routine.Table[routine.Done, routine.Done] {
	return routine.New(func() []routine.Row[routine.Done, routine.Done] { return rows })
}

// reduces reports whether op is a reduction that combines each group of lanes to one
// lane, or a broadcast that copies one lane to all lanes of each group.
func reduces(op *ir.Op) bool {
	_, reduces := op.Def().Sem.(sem.GroupReduce)
	_, broadcasts := op.Def().Sem.(sem.GroupBroadcast)
	return reduces || broadcasts
}

// choicesOf returns the combinations of layouts with which the instruction op can be
// lowered, with their costs.
func (a *assigner) choicesOf(op *ir.Op) (all []choice) {
	s := &shapes{op: op, used: a.used}
	ins, outs := a.nodesOf(op.Operands()), a.nodesOf(op.Results())
	for _, n := range ins {
		s.ins = append(s.ins, a.kind[n])
	}
	for _, n := range outs {
		s.out = append(s.out, a.kind[n])
	}
	e, _ := entryOf(op)
	for _, ls := range e.layouts(s) {
		c := choice{}
		ok := true
		for i, l := range ls {
			if i < len(ins) {
				c.ins = append(c.ins, withLayout(a.kind[ins[i]], l))
				ok = ok && representable(c.ins[i])
				continue
			}
			n := outs[i-len(ins)]
			t := withLayout(a.kind[n], l)
			c.outs = append(c.outs, t)
			ok = ok && slices.Contains(a.layouts[a.find(n)], l)
		}
		if ok {
			if c.cost, _ = try(op, c.ins, c.outs); !math.IsInf(c.cost, 1) {
				all = append(all, c)
			}
		}
	}
	return all
}

// try returns the cost of lowering op if its operands have the types ins and its results
// have the types outs. If op cannot be lowered with these types, the cost is infinite,
// and the second result is the reason.
func try(op *ir.Op, ins, outs []ir.Type) (float64, string) {
	for _, t := range append(slices.Clone(ins), outs...) {
		if !representable(t) {
			return math.Inf(1), "registers cannot hold " + t.String()
		}
	}
	if !legal(op, ins, outs) {
		return math.Inf(1), "its operands and results have layouts that it does not accept"
	}
	var types []ir.Type
	for _, t := range ins {
		types = append(types, partTypes(t)...)
	}
	cost := math.Inf(1)
	block := ir.NewBlock(types...)
	c := &call{emitter: scratch(block), op: op, tries: true}
	c.target = sem.A5
	at, k := 0, 0
	for _, v := range op.Operands() {
		if !isVMI(v.Type()) {
			c.args = append(c.args, arg{t: v.Type(), v: v})
			continue
		}
		n := len(partTypes(ins[k]))
		c.args = append(c.args, arg{t: ins[k], v: v, parts: block.Args()[at : at+n]})
		at, k = at+n, k+1
	}
	k = 0
	for _, v := range op.Results() {
		if !isVMI(v.Type()) {
			c.outs = append(c.outs, v.Type())
			continue
		}
		c.outs, k = append(c.outs, outs[k]), k+1
	}
	done := c.lower()
	if spent := c.discard(); done.why == "" {
		cost = spent
	}
	return cost, done.why
}

// legal reports whether the verifier accepts the instruction op with other types: ins are
// the types of the operands, and outs are the types of the results.
func legal(op *ir.Op, ins, outs []ir.Type) bool {
	block := ir.NewBlock()
	s := ir.State{Def: op.Def(), Form: op.Form()}
	counts := make([]int32, len(op.Form().Operands))
	k := 0
	for i := range op.Form().Operands {
		from, to := op.ArgRange(i)
		counts[i] = int32(to - from)
		for _, v := range op.Operands()[from:to] {
			t := v.Type()
			if isVMI(t) {
				t, k = ins[k], k+1
			}
			s.Operands = append(s.Operands, block.AddArg(t))
		}
	}
	s.Segs = ir.Segments(op.Form().Operands, counts)
	k = 0
	for _, v := range op.Results() {
		t := v.Type()
		if isVMI(t) {
			t, k = outs[k], k+1
		}
		s.Results = append(s.Results, t)
	}
	for a := range op.OwnAttrs() {
		s.Attrs = append(s.Attrs, a)
	}
	probe := ir.New(s)
	block.Append(probe)
	var diags ir.Diags
	ok := ir.Verify(probe, ir.VerifyOptions{Target: sem.A5, Sequential: true}, &diags)
	probe.Erase()
	return ok
}

// opFactor adds a factor (a cost that depends on the chosen layouts) to the optimization
// problem p: the cost of the instruction op and of the layout changes of its operands.
func (a *assigner) opFactor(p *problem, op *ir.Op) {
	ins, outs := a.nodesOf(op.Operands()), a.nodesOf(op.Results())
	var vars []int
	place := map[int]int{}
	for _, n := range append(append([]int{}, ins...), outs...) {
		v := a.vars[a.find(n)]
		if _, ok := place[v]; !ok {
			place[v] = len(vars)
			vars = append(vars, v)
		}
	}
	rows := a.rows[op]
	// uses[r][i][k] is the cost of operand i in row r if its value has layout k.
	uses := make([][][]float64, len(rows))
	for r, row := range rows {
		uses[r] = make([][]float64, len(ins))
		for i, n := range ins {
			for _, l := range a.layouts[a.find(n)] {
				uses[r][i] = append(uses[r][i], a.useCost(a.values[n], withLayout(a.kind[n], l), row.ins[i]))
			}
		}
	}
	p.factors = append(p.factors, p.newFactor(vars, func(at []int) float64 {
		best := math.Inf(1)
		for r, row := range rows {
			cost := row.cost
			for i, n := range outs {
				if a.layouts[a.find(n)][at[place[a.vars[a.find(n)]]]] != layoutOf(row.outs[i]) {
					cost = math.Inf(1)
				}
			}
			if math.IsInf(cost, 1) {
				continue
			}
			for i, n := range ins {
				cost += uses[r][i][at[place[a.vars[a.find(n)]]]]
			}
			best = min(best, cost)
		}
		return best
	}))
}

// edgeFactor adds the cost of edge e to the optimization problem p. At the edge, control
// flow transfers a value to another value, for which the solver may choose another
// layout. The cost is that of the layout change, and depends on both choices.
func (a *assigner) edgeFactor(p *problem, e edge) {
	v := e.op.Operand(e.number)
	from, to := a.node[v], e.to
	x, y := a.vars[a.find(from)], a.vars[a.find(to)]
	if x == y {
		return
	}
	p.factors = append(p.factors, p.newFactor([]int{x, y}, func(at []int) float64 {
		s, t := a.layouts[a.find(from)][at[0]], a.layouts[a.find(to)][at[1]]
		return a.useCost(v, withLayout(a.kind[from], s), withLayout(a.kind[from], t))
	}))
}
