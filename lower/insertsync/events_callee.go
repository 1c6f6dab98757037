// This file determines the events that called functions use.

package insertsync

import (
	"ptogo/dialect/arith"
	"ptogo/dialect/fn"
	ptoanalysis "ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/order"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// A flag of a loop may be up while the loop calls a function, which raises and
// waits for flags as well: both need events of their own. So functions are
// synchronized before those that call them.

// calleesFirst returns the functions of a module in an order in which each function comes
// after the functions that it calls.
func calleesFirst(module *ir.Op) []*ir.Op {
	var list []*ir.Op
	seen := map[*ir.Op]bool{}
	var visit func(f *ir.Op)
	visit = func(f *ir.Op) {
		if f == nil || seen[f] {
			return
		}
		seen[f] = true
		for op := range f.Walk() {
			visit(ptoanalysis.CalleeOf(op))
		}
		list = append(list, f)
	}
	for f := range module.Walk() {
		if f.Is(fn.Func) {
			visit(f)
		}
	}
	return list
}

// eventsIn returns the event IDs that the function f, and the functions that it calls,
// already use. Each entry of the result has the text position pos, the position of the
// call of f. seen contains the functions already visited, which prevents endless
// recursion.
func eventsIn(f *ir.Op, target ir.Target, pos int32, seen map[*ir.Op]bool) (all []taken) {
	if f == nil || seen[f] {
		return nil
	}
	seen[f] = true
	for op := range f.Walk() {
		if _, sets := op.Def().Sem.(sem.SetFlag); sets {
			use := sem.FlagOf(op)
			from, count := eventRange(use.Event)
			all = append(all, taken{pair: [2]line{order.LineOf(use.Source), order.LineOf(use.Destination)}, from: from, count: count, pos: pos})
		}
		if m := ptoanalysis.MacroOf(op, target); m != nil {
			all = append(all, macroEvents(m, pos)...)
		}
		all = append(all, eventsIn(ptoanalysis.CalleeOf(op), target, pos, seen)...)
	}
	return all
}

// eventRange returns which event IDs an instruction can select: the first ID and the
// number of IDs. n is the operand or attribute that selects the ID. A constant selects
// one ID. A remainder, as in ring buffers, selects as many IDs as its divisor, starting
// at 0. For the sum of a remainder and a constant, the constant is the first ID. Any
// other value can select every ID.
func eventRange(n sem.Number) (from, count int64) {
	if !n.Given() {
		return n.Constant, 1
	}
	v := n.Value
	if op := v.Op(); op != nil && op.Is(arith.AddI) {
		if c, ok := arith.ConstantInt(op.Operand(1)); ok {
			v, from = op.Operand(0), c
		}
	}
	if op := v.Op(); op != nil && op.Is(arith.RemUI) {
		if k, ok := arith.ConstantInt(op.Operand(1)); ok {
			return from, k
		}
	}
	return 0, sem.EventIDs
}

// sharing determines whether the function shares the buffer tokens of the core with
// another function. If another function calls it, the result is the function itself. If
// it calls another function that needs tokens, the result is the calling operation. The
// caller mentions this operation in a message. If the function does not share the tokens,
// sharing returns nil.
func (i *insertion) sharing() *ir.Op {
	if i.called {
		return i.f
	}
	for op := range i.f.Walk() {
		if op.Is(fn.Call) && i.t.calls[ptoanalysis.CalleeOf(op)] && helperBody(op) == nil && simtBody(op) == nil {
			return op
		}
	}
	return nil
}
