// This file changes the program to the layouts that the solver has chosen.

package vmi

import (
	"math"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isavmi "ptogo/dialect/pto/isa/vmi"
	"ptogo/ir"
)

// apply sets the types of all VMI values to the chosen layouts, and inserts layout
// changes before the uses that need them. It returns false after an error.
func (a *assigner) apply() bool {
	type use struct {
		op     *ir.Op
		number int
		t      ir.Type
	}
	var uses []use
	impossible := false
	for _, op := range a.ops {
		if len(a.rows[op]) == 0 {
			a.cannot(op)
			impossible = true
		}
	}
	if impossible {
		return false
	}
	for _, op := range a.ops {
		row := a.cheapest(op)
		if row == nil {
			a.cannot(op)
			return false
		}
		k := 0
		for i, v := range op.Operands() {
			if isVMI(v.Type()) {
				uses = append(uses, use{op, i, row.ins[k]})
				k++
			}
		}
	}
	for _, e := range a.edges {
		uses = append(uses, use{e.op, e.number, withLayout(a.kind[a.node[e.op.Operand(e.number)]], layoutOf(a.chosen[e.to]))})
	}
	for v, n := range a.node {
		v.SetType(a.chosen[n])
	}
	for _, f := range fn.Functions(a.module) {
		a.signature(f)
	}
	for _, u := range uses {
		a.convert(u.op, u.number, u.t)
	}
	a.sweep()
	return true
}

// cheapest returns the combination of layouts for op that costs least, given the layouts
// chosen for its operands and results. It returns nil if op has no combination.
func (a *assigner) cheapest(op *ir.Op) *choice {
	ins, outs := a.nodesOf(op.Operands()), a.nodesOf(op.Results())
	var best *choice
	lowest := math.Inf(1)
	for r := range a.rows[op] {
		row := &a.rows[op][r]
		cost := row.cost
		for i, n := range outs {
			if a.chosen[n] != row.outs[i] {
				cost = math.Inf(1)
			}
		}
		for i, n := range ins {
			cost += a.useCost(a.values[n], a.chosen[n], row.ins[i])
		}
		if cost < lowest {
			best, lowest = row, cost
		}
	}
	return best
}

// cannot reports the error that the instruction op cannot be lowered, whatever layouts
// its operands and results have.
func (a *assigner) cannot(op *ir.Op) {
	why := "its results have layouts that it cannot produce"
	if len(a.rows[op]) == 0 {
		why = a.reason(op)
	}
	a.c.Errorf(op, "cannot be lowered to vector instructions in any layout: %s", why)
}

// reason returns the reason why op cannot be lowered with any combination of layouts.
func (a *assigner) reason(op *ir.Op) string {
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
		var types [2][]ir.Type
		for i, l := range ls {
			if i < len(ins) {
				types[0] = append(types[0], withLayout(a.kind[ins[i]], l))
			} else {
				types[1] = append(types[1], withLayout(a.kind[outs[i-len(ins)]], l))
			}
		}
		if _, why := try(op, types[0], types[1]); why != "" {
			return why
		}
	}
	return "registers cannot hold its operands and results"
}

// signature updates the type of the function f after layouts have been chosen for its
// values. The parameters receive the types of the arguments of the entry block. The
// results receive the types that have been chosen for the returned values.
func (a *assigner) signature(f *ir.Op) {
	ins, outs := fn.TypeOf(f)
	if body := fn.Body(f); body != nil {
		for i, v := range body.Args() {
			ins[i] = v.Type()
		}
	}
	for i, n := range a.results[f] {
		if n >= 0 {
			outs[i] = a.chosen[n]
		}
	}
	fn.SetType(f, ins, outs)
}

// convert changes the operand of op with the given number to the type t. It inserts a
// layout change if necessary.
func (a *assigner) convert(op *ir.Op, number int, t ir.Type) {
	v := op.Operand(number)
	if v.Type() == t {
		return
	}
	a.c.Count("num-converted", 1)
	op.SetOperand(number, changed(op, v, t, a.cheapToRepeat(v, t)))
}

// cheapToRepeat compares two ways to obtain the value v in the layout of type t. The
// first way repeats the instruction that defines v, with a result of type t. The second
// way converts v to the layout of t. cheapToRepeat reports whether the first way is
// cheaper.
func (a *assigner) cheapToRepeat(v *ir.Value, t ir.Type) bool {
	again := a.repeats(v)
	if again == nil {
		return false
	}
	for _, c := range a.rows[again] {
		if c.outs[0] == t {
			return c.cost+0.25 <= relayoutCost(v.Type(), t)+changeCost
		}
	}
	return false
}

// changed returns the value v as a value of type t, which has another layout. The
// operation op will use it. If the parameter repeat is set, changed inserts a copy of the
// instruction that defines v before op, with the new layout as result. If not, it inserts
// a layout change before op.
func changed(op *ir.Op, v *ir.Value, t ir.Type, repeat bool) *ir.Value {
	if repeat {
		made := v.Op().Clone(nil)
		op.Block().InsertBefore(made, op)
		made.Result(0).SetType(t)
		return made.Result(0)
	}
	b := ir.Before(op)
	from, isMask := ir.As[pto.VMIMask](v.Type())
	if !isMask {
		return b.Op(isavmi.VMIEnsureLayout, []*ir.Value{v}, []ir.Type{t}).Result(0)
	}
	if to, _ := ir.As[pto.VMIMask](t); from.Bits != to.Bits {
		return b.Op(isavmi.VMIEnsureMaskGranularity, []*ir.Value{v}, []ir.Type{t}).Result(0)
	}
	return b.Op(isavmi.VMIEnsureMaskLayout, []*ir.Value{v}, []ir.Type{t}).Result(0)
}
