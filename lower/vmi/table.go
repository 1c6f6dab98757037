// This file is the table of kinds: the layouts that each can have, and how it is lowered.

package vmi

import (
	"fmt"
	"math"
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/routine"
)

// choices is a function that returns the combinations of layouts which an instruction may
// use. A combination contains one layout for each VMI operand and result (vector or mask
// of any length), in order. The caller must still test whether a combination can be
// lowered.
type choices func(s *shapes) [][]pto.VMILayout

// shapes describes the VMI operands and results of an instruction. A function of type
// choices receives this description and returns which layouts the operands and results
// can have.
type shapes struct {
	op *ir.Op
	// ins are the types of the VMI operands.
	ins []ir.Type
	// out are the types of the VMI results.
	out []ir.Type
	// used are the layouts that other instructions of the function use or prefer.
	used []pto.VMILayout
}

// entry is a row of the table of VMI instructions: the layouts that a kind of instruction
// may use, and the routine that lowers it.
type entry struct {
	layouts choices
	lower   func(c *call) lowered
}

// row returns the table row for instructions of kind S, a type that describes what
// instructions compute. layouts lists the possible layouts of their operands, and lower
// is the function that lowers them.
func row[S ir.Meaning](layouts choices, lower func(*call, *ir.Op, S) lowered) routine.Row[routine.Done, entry] {
	return routine.Makes(func(_ routine.Done, _ *ir.Op, kind S) entry {
		return entry{layouts, func(c *call) lowered { return lower(c, c.op, kind) }}
	})
}

// table has one row for each kind of VMI instruction: the possible layouts, and the
// routine that lowers it.
var table = routine.New(func() []routine.Row[routine.Done, entry] {
	return []routine.Row[routine.Done, entry]{
		row(equal, (*call).mapped),
		row(equal, (*call).choice),
		row(equal, (*call).carry),
		row(equal, (*call).extended),
		row(equal, (*call).compare),
		row(equal, (*call).literal),
		row(equal, (*call).iota),
		row(equal, (*call).prefixMask),
		row(equal, (*call).load),
		row(equal, (*call).store),
		row(equal, (*call).gather),
		row(equal, (*call).scatter),
		row(converted, (*call).convert),
		row(converted, (*call).widened),
		row(independent, (*call).relayoutOp),
		row(independent, (*call).broadcast),
		row(independent, (*call).shuffle),
		row(independent, (*call).channels),
		row(rearranged, (*call).rearrange),
		row(reducing, (*call).reduce),
		row(onlyContiguous, (*call).tail),
		row(onlyContiguous, (*call).histogram),
		row(given, (*call).partsOp),
	}
})

// entryOf returns the table row for the instruction op: its possible layouts, and the
// routine that lowers it. The second result is false if the table has no row.
func entryOf(op *ir.Op) (entry, bool) {
	if op.Def().Sem == nil {
		return entry{}, false
	}
	return table.Run(routine.Done{}, op)
}

// checkTable returns an error if the kind of some VMI instruction has no row in table.
func checkTable() error {
	for _, d := range pto.Dialect.All() {
		if info := pto.InfoOf(d); info != nil && info.Group == "vmi" && !table.Has(d.Sem) {
			return fmt.Errorf("the table of VMI layouts lacks a row for the kind %T of instruction %s", d.Sem, d.Name)
		}
	}
	return nil
}

// lower replaces the VMI instruction c.op, whose vectors may have any length, by vector
// instructions. The layouts of its operands and results determine the instructions that
// replace it.
func (c *call) lower() lowered {
	e, ok := entryOf(c.op)
	if !ok {
		return refused("instructions of its kind are not lowered")
	}
	for _, t := range c.vmiTypes() {
		if !representable(t) {
			return refused("registers cannot hold %s", t)
		}
	}
	done := e.lower(c)
	if done.why == "" || c.tries {
		return done
	}
	if other, ok := c.otherwise(e); ok {
		return other
	}
	return done
}

// The method otherwise lowers the instruction with layouts other than those of the
// program. e is the table row of the instruction, which lists the possible combinations
// of layouts. The method converts the operands to these layouts, and the results back to
// the layouts of the program. It returns false if no combination of layouts works.
func (c *call) otherwise(e entry) (out lowered, ok bool) {
	s := &shapes{op: c.op, used: []pto.VMILayout{contiguous, split2, split4, stride2, stride4, blocks2, blocks4}}
	var at []int
	for i, a := range c.args {
		if isVMI(a.t) {
			s.ins, at = append(s.ins, a.t), append(at, i)
		}
	}
	for _, t := range c.outs {
		if isVMI(t) {
			s.out = append(s.out, t)
		}
	}
	for _, t := range c.vmiTypes() {
		n := lanesOf(t)
		for _, l := range append(groupLayouts(n), slots(n, 8, 2), slots(n, 8, 4), layoutOf(t)) {
			if !slices.Contains(s.used, l) {
				s.used = append(s.used, l)
			}
		}
	}
	lowest := math.Inf(1)
	var ins, outs []ir.Type
	for _, ls := range e.layouts(s) {
		x, y := s.with(ls)
		cost, why := try(c.op, x, y)
		if why != "" {
			continue
		}
		for i, t := range x {
			cost += relayoutCost(s.ins[i], t)
		}
		for i, t := range y {
			cost += relayoutCost(t, s.out[i])
		}
		if cost < lowest {
			ins, outs, lowest = x, y, cost
		}
	}
	if math.IsInf(lowest, 1) {
		return out, false
	}
	same := &call{emitter: c.emitter, op: c.op, args: slices.Clone(c.args), outs: slices.Clone(c.outs), tries: true}
	for k, i := range at {
		a := c.args[i]
		same.args[i] = arg{t: ins[k], parts: c.relayout(a.parts, a.t, ins[k]), v: a.v}
	}
	k := 0
	for i, t := range c.outs {
		if isVMI(t) {
			same.outs[i], k = outs[k], k+1
		}
	}
	out = e.lower(same)
	k = 0
	for i, t := range c.outs {
		if isVMI(t) {
			out.outs[i] = c.relayout(out.outs[i], outs[k], t)
			k++
		}
	}
	return out, true
}

// The method with determines types for a choice of layouts. The list ls contains one
// layout for each VMI operand of the instruction, followed by one for each VMI result.
// The results ins and outs are the types of these operands and results if they have the
// given layouts.
func (s *shapes) with(ls []pto.VMILayout) (ins, outs []ir.Type) {
	for i, l := range ls {
		if i < len(s.ins) {
			ins = append(ins, withLayout(s.ins[i], l))
		} else {
			outs = append(outs, withLayout(s.out[i-len(s.ins)], l))
		}
	}
	return ins, outs
}

// equal returns combinations of layouts for an instruction. In each combination, all
// operands and results have the same layout. There is one combination for each layout
// that occurs in the program function that contains the instruction.
func equal(s *shapes) (all [][]pto.VMILayout) {
	n := len(s.ins) + len(s.out)
	for _, l := range s.used {
		if l.Kind == pto.LayoutGroupSlots && !s.lanesAre(l.Factor) {
			continue
		}
		same := make([]pto.VMILayout, n)
		for i := range same {
			same[i] = l
		}
		all = append(all, same)
	}
	return all
}

// lanesAre reports whether all VMI operands and results have n lanes.
func (s *shapes) lanesAre(n int64) bool {
	for _, t := range append(append([]ir.Type{}, s.ins...), s.out...) {
		if lanesOf(t) != n {
			return false
		}
	}
	return true
}

// forType returns the layouts that a value of type t can have. It considers only the
// layouts in s.used, which other instructions of the function use or prefer.
func (s *shapes) forType(t ir.Type) (ls []pto.VMILayout) {
	for _, l := range s.used {
		if (l.Kind != pto.LayoutGroupSlots || l.Factor == lanesOf(t)) && representable(withLayout(t, l)) {
			ls = append(ls, l)
		}
	}
	return ls
}

// converted returns the combinations of layouts for a conversion. In a combination, all
// operands have the same layout, and the result has any layout that its type permits.
func converted(s *shapes) (all [][]pto.VMILayout) {
	for _, in := range s.forType(s.ins[0]) {
		for _, out := range s.forType(s.out[0]) {
			var ls []pto.VMILayout
			for range s.ins {
				ls = append(ls, in)
			}
			all = append(all, append(ls, out))
		}
	}
	return all
}

// independent returns combinations of layouts. In each combination, all operands have one
// layout and all results have one layout. The layout of the operands may differ from the
// layout of the results.
func independent(s *shapes) (all [][]pto.VMILayout) {
	ins := [][]pto.VMILayout{nil}
	if len(s.ins) > 0 {
		ins = nil
		for _, l := range s.forType(s.ins[0]) {
			ins = append(ins, repeat(l, len(s.ins)))
		}
	}
	for _, in := range ins {
		for _, l := range s.forType(s.out[0]) {
			all = append(all, append(append([]pto.VMILayout{}, in...), repeat(l, len(s.out))...))
		}
	}
	return all
}

// repeat returns a list of n layouts equal to l.
func repeat(l pto.VMILayout, n int) []pto.VMILayout {
	ls := make([]pto.VMILayout, n)
	for i := range ls {
		ls[i] = l
	}
	return ls
}

// rearranged returns the combinations of layouts for a rearrangement of lanes. The
// combinations depend on the kind of the rearrangement. An interleaving permits any
// layout for all operands and any layout for all results. A bitcast permits any layout
// that all operands and results share. Every other kind requires contiguous values.
func rearranged(s *shapes) [][]pto.VMILayout {
	switch kind, _ := s.op.Def().Sem.(sem.VecRearrange); kind.Kind {
	case sem.Interleave, sem.Deinterleave:
		return independent(s)
	case sem.Reinterpret:
		return equal(s)
	}
	return onlyContiguous(s)
}

// onlyContiguous returns a single combination of layouts for an instruction, in which
// every operand and result is contiguous: lane i of the value is lane i of its registers.
func onlyContiguous(s *shapes) [][]pto.VMILayout {
	return [][]pto.VMILayout{repeat(contiguous, len(s.ins)+len(s.out))}
}

// reducing returns the combinations of layouts for an instruction that reduces each group
// of lanes to one lane. Each combination contains three layouts: those of the source, the
// mask and the result. The result has one lane per group. s contains the types of the
// operands and the result.
func reducing(s *shapes) (all [][]pto.VMILayout) {
	groups := lanesOf(s.out[0])
	results := groupLayouts(groups)
	if groups == 1 {
		results = []pto.VMILayout{contiguous, slots(1, 1, 1), slots(1, 8, 1)}
	}
	for _, in := range s.forType(s.ins[0]) {
		for _, out := range results {
			all = append(all, []pto.VMILayout{in, in, out})
		}
	}
	return all
}

// given returns a single combination of layouts for an instruction: those that the types
// of its operands and results specify in the program.
func given(s *shapes) [][]pto.VMILayout {
	var ls []pto.VMILayout
	for _, t := range append(append([]ir.Type{}, s.ins...), s.out...) {
		ls = append(ls, layoutOf(t))
	}
	return [][]pto.VMILayout{ls}
}
