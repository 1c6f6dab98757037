// This file defines vmi-layout-assignment.

package vmi

import (
	"fmt"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// Assign is the pass vmi-layout-assignment. A VMI value is a vector or mask of any
// length, which later passes store in several registers. Its layout maps its lanes to
// lanes of these registers. The pass chooses a layout for each VMI value so that the
// program needs as few vector instructions as possible.
var Assign = &passes.Pass{
	Name:   "vmi-layout-assignment",
	Title:  "VMILayoutAssignment",
	Doc:    "Gives each VMI value a layout such that the program needs the fewest vector instructions.",
	Anchor: "builtin.module",
	Stats:  []passes.Stat{{Name: "num-converted", Doc: "uses of a value for which the pass inserted a change of layout"}},
	Run:    assign,
}

// assign runs the pass vmi-layout-assignment on a module.
func assign(c *passes.Context, module *ir.Op) error {
	if err := checkTable(); err != nil {
		return err
	}
	a := &assigner{c: c, module: module, node: map[*ir.Value]int{}, results: map[*ir.Op][]int{}}
	if hidesTypes(c, module) || !a.collect() {
		return passes.ErrReported
	}
	if len(a.kind) == 0 {
		return nil
	}
	a.domains()
	if !a.allPossible() {
		return passes.ErrReported
	}
	a.solve()
	if !a.apply() {
		return passes.ErrReported
	}
	return nil
}

// assigner chooses a layout (a mapping from lanes to register lanes) for each VMI value
// of a module.
type assigner struct {
	c      *passes.Context
	module *ir.Op
	// node maps a VMI value to its number. Numbers identify values in the remaining
	// fields.
	node map[*ir.Value]int
	// parent is a union-find structure of numbers whose layouts must be equal.
	parent []int
	// kind is the type for each number, with the layout if the program specifies one.
	kind []ir.Type
	// values are the VMI values in the order of their numbers.
	values []*ir.Value
	// boundary reports, for each number, whether the value enters the module from
	// outside.
	boundary []bool
	// results maps each function to the numbers of its results.
	results map[*ir.Op][]int
	// ops are the VMI instructions, and edges the transfers of VMI values by control
	// flow.
	ops   []*ir.Op
	edges []edge
	// layouts holds the possible layouts for each number.
	layouts [][]pto.VMILayout
	// rows holds the combinations of layouts with which each instruction can be lowered.
	rows map[*ir.Op][]choice
	// vars maps each number to its variable in the optimization problem, or to -1.
	vars []int
	// chosen holds, for each number, the type with the chosen layout. used are the
	// layouts that the solver considers.
	chosen []ir.Type
	used   []pto.VMILayout
}

// edge is a transfer of a VMI value by control flow. The field number is the number of
// the operand of op that is transferred, and to is the number of the value that receives
// it.
type edge struct {
	op     *ir.Op
	number int
	to     int
}

// choice is a combination of operand and result types with layouts for one instruction,
// and the cost of lowering the instruction with these layouts.
type choice struct {
	ins, outs []ir.Type
	cost      float64
}

// add returns the number of the VMI value v, and assigns one if it has none. It returns
// -1 for values of other types.
func (a *assigner) add(v *ir.Value) int {
	if !isVMI(v.Type()) {
		return -1
	}
	n, ok := a.node[v]
	if !ok {
		n = a.fresh(v.Type())
		a.node[v], a.values[n] = n, v
	}
	return n
}

// fresh returns a new number, which identifies a value of type t in the layout
// assignment.
func (a *assigner) fresh(t ir.Type) int {
	n := len(a.parent)
	a.parent, a.kind = append(a.parent, n), append(a.kind, t)
	a.values, a.boundary = append(a.values, nil), append(a.boundary, false)
	return n
}

// find returns the representative of the value with number n: one number for all values
// that must have the same layout.
func (a *assigner) find(n int) int {
	for a.parent[n] != n {
		n = a.parent[n]
	}
	return n
}

// join requires the values with the numbers m and n to have equal layouts. For this it
// gives the two values, and all values joined with them, the same representative.
func (a *assigner) join(m, n int) {
	m, n = a.find(m), a.find(n)
	if m == n {
		return
	}
	if m > n {
		m, n = n, m
	}
	a.parent[n] = m
	if layoutOf(a.kind[m]).IsZero() {
		a.kind[m] = a.kind[n]
	}
	a.boundary[m] = a.boundary[m] || a.boundary[n]
}

// collect assigns numbers to all VMI values of the module, and records the instructions
// and the control flow between them. It returns false after an error.
func (a *assigner) collect() bool {
	called := map[*ir.Op]bool{}
	for op := range a.module.Walk() {
		if op.Is(fn.Call) {
			called[callee(op)] = true
		}
	}
	for _, f := range fn.Functions(a.module) {
		if !a.function(f, called[f]) {
			return false
		}
	}
	for op := range a.module.Walk() {
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for _, v := range b.Args() {
					a.add(v)
				}
			}
		}
		for _, v := range op.Results() {
			a.add(v)
		}
	}
	for op := range a.module.Walk() {
		if !a.operation(op) {
			return false
		}
	}
	return true
}

// function assigns numbers to the VMI parameters and results of the function f. It
// returns false after an error.
func (a *assigner) function(f *ir.Op, called bool) bool {
	ins, outs := fn.TypeOf(f)
	body := fn.Body(f)
	for _, t := range append(append([]ir.Type{}, ins...), outs...) {
		if isVMI(t) && body == nil {
			a.c.Errorf(f, "is a declaration with VMI parameters or results, so the pass cannot know their registers").
				Note(ir.Loc{}, "define the function in this module, or pass registers")
			return false
		}
	}
	if body == nil {
		return true
	}
	for _, v := range body.Args() {
		if n := a.add(v); n >= 0 {
			visibility, _ := f.Attr("sym_visibility").AsString()
			a.boundary[n] = visibility != "private" || !called
		}
	}
	for _, t := range outs {
		n := -1
		if isVMI(t) {
			n = a.fresh(t)
		}
		a.results[f] = append(a.results[f], n)
	}
	return true
}

// operation records op if it is a VMI instruction. If it is not, it records the VMI
// values that the control flow of op transfers. It returns false after an error.
func (a *assigner) operation(op *ir.Op) bool {
	if op.Is(fn.Func) {
		return true
	}
	some := false
	for _, v := range append(append([]*ir.Value{}, op.Operands()...), op.Results()...) {
		some = some || isVMI(v.Type())
	}
	if _, ok := entryOf(op); ok && some {
		a.ops = append(a.ops, op)
		return true
	}
	switch {
	case op.Is(fn.Call) && some:
		return a.call(op)
	case op.Is(fn.Return):
		for i, n := range a.results[op.ParentOf(fn.Func)] {
			if n >= 0 {
				a.edges = append(a.edges, edge{op, i, n})
			}
		}
	case len(op.Successors()) > 0:
		for i, b := range op.Successors() {
			from, to := op.SuccRange(i)
			for k := from; k < to; k++ {
				if n := a.add(b.Arg(k - from)); n >= 0 {
					a.edges = append(a.edges, edge{op, k, n})
				}
			}
		}
	case len(op.Regions()) > 0:
		a.flows(op)
	case some && !op.HasTrait(ir.Terminator):
		a.c.Errorf(op, "has VMI operands or results, but is not a VMI instruction")
		return false
	}
	return true
}

// call relates the layouts of the values that op, a function call, passes. The arguments
// of the call become the parameters of the called function, and the results of the
// function become the results of op. call returns false after an error.
func (a *assigner) call(op *ir.Op) bool {
	f := callee(op)
	body := (*ir.Block)(nil)
	if f != nil {
		body = fn.Body(f)
	}
	if body == nil {
		a.c.Errorf(op, "passes VMI values to a function that is not defined in this module")
		return false
	}
	for i, v := range body.Args() {
		if n := a.add(v); n >= 0 {
			a.edges = append(a.edges, edge{op, i, n})
		}
	}
	for i, n := range a.results[f] {
		if n >= 0 {
			a.join(a.add(op.Result(i)), n)
		}
	}
	return true
}

// flows records how op transfers VMI values into and out of its regions. If control flow
// passes one operand to several values, these values must have the same layout.
func (a *assigner) flows(op *ir.Op) {
	flows, _ := passes.Flows(op)
	type source struct {
		op     *ir.Op
		number int
	}
	becomes := map[source]int{}
	for _, f := range flows {
		for i, v := range f.To {
			n := a.add(v)
			if n < 0 {
				continue
			}
			s := source{f.From, f.First + i}
			if m, ok := becomes[s]; ok {
				a.join(m, n)
				continue
			}
			becomes[s] = n
			a.edges = append(a.edges, edge{f.From, f.First + i, n})
		}
	}
}

// domains determines the possible layouts for each VMI value.
func (a *assigner) domains() {
	a.used = []pto.VMILayout{contiguous, split2, split4, stride2, stride4}
	use := func(l pto.VMILayout) {
		if !l.IsZero() && !slices.Contains(a.used, l) {
			a.used = append(a.used, l)
		}
	}
	for _, op := range a.ops {
		useGroups := func(groups int64) {
			for _, l := range append(groupLayouts(groups), slots(groups, 8, 2), slots(groups, 8, 4)) {
				use(l)
			}
		}
		n := int64(sem.GroupsOf(op))
		if reduces(op) {
			for _, v := range append(op.Operands(), op.Results()...) {
				if lanesOf(v.Type()) == n {
					useGroups(n)
				}
			}
		}
		if sem.AccessesLanes(op) && (op.HasAttr("group") || op.HasAttr("num_groups")) {
			useGroups(n)
			if sem.WayOf(op) == sem.WayGrouped {
				use(blocks2)
				use(blocks4)
			}
		}
	}
	for _, t := range a.kind {
		use(layoutOf(t))
	}
	a.layouts = make([][]pto.VMILayout, len(a.kind))
	for n, t := range a.kind {
		if a.find(n) != n {
			continue
		}
		a.layouts[n] = a.domain(t, a.boundary[n])
	}
}

// allPossible reports an error for each value that can have no layout, and returns whether
// there is none.
func (a *assigner) allPossible() bool {
	ok := true
	for n, ls := range a.layouts {
		if a.find(n) != n || len(ls) > 0 {
			continue
		}
		ok = false
		v := a.values[n]
		at := v.Op()
		if at == nil {
			at = v.Block().Parent()
		}
		d := a.c.Diags.Error(at.Loc(), fmt.Sprintf("a value of type %s can have no layout", v.Type()))
		if m, isMask := ir.As[pto.VMIMask](v.Type()); isMask && m.Bits == 0 {
			d.Note(ir.Loc{}, "the width of its lanes is not known: run vmi-mask-granularity-assignment first")
		}
	}
	return ok
}

// domain returns the layouts that a value of type t can have. boundary is set if code
// outside of the module passes or receives the value. Such a value must have the
// contiguous layout, if registers can represent a value of type t in this layout.
func (a *assigner) domain(t ir.Type, boundary bool) (ls []pto.VMILayout) {
	if l := layoutOf(t); !l.IsZero() {
		return []pto.VMILayout{l}
	}
	if boundary && representable(withLayout(t, contiguous)) {
		return []pto.VMILayout{contiguous}
	}
	v, isVector := ir.As[pto.VMIVReg](t)
	for _, l := range a.used {
		switch {
		case l.Kind == pto.LayoutGroupSlots && l.Factor != lanesOf(t), !representable(withLayout(t, l)):
			continue
		case l.LaneStride > 1 && isVector && int(l.LaneStride)*bitsOf(v.Elem) > 32:
			continue
		case l.Split() && lanesOf(t) < l.Factor:
			continue
		}
		ls = append(ls, l)
	}
	return ls
}

// solve chooses a layout for each VMI value so that the total cost is minimal.
func (a *assigner) solve() {
	a.rows = map[*ir.Op][]choice{}
	for _, op := range a.ops {
		a.rows[op] = a.choicesOf(op)
	}
	p := &problem{}
	a.vars = make([]int, len(a.kind))
	for n := range a.kind {
		a.vars[n] = -1
		if a.find(n) == n {
			a.vars[n] = len(p.sizes)
			p.sizes = append(p.sizes, len(a.layouts[n]))
		}
	}
	for _, op := range a.ops {
		a.opFactor(p, op)
	}
	for _, e := range a.edges {
		a.edgeFactor(p, e)
	}
	solution := p.solve()
	a.chosen = make([]ir.Type, len(a.kind))
	for n, t := range a.kind {
		root := a.find(n)
		if k := solution[a.vars[root]]; k < len(a.layouts[root]) {
			a.chosen[n] = withLayout(t, a.layouts[root][k])
		}
	}
}

// nodesOf returns the numbers, as in assigner.node, of the VMI values among vs.
func (a *assigner) nodesOf(vs []*ir.Value) (ns []int) {
	for _, v := range vs {
		if isVMI(v.Type()) {
			ns = append(ns, a.node[v])
		}
	}
	return ns
}

// sweep erases the instructions that have been repeated at their uses, and whose results
// therefore have no uses left.
func (a *assigner) sweep() {
	for _, op := range a.ops {
		if rematerializable(op) != nil && !op.Result(0).HasUses() {
			op.Erase()
		}
	}
}

// callee returns the function that the given call names, or nil.
func callee(call *ir.Op) *ir.Op {
	f := ir.LookupSymbol(call, call.Attr("callee"))
	if f == nil || !f.Is(fn.Func) {
		return nil
	}
	return f
}
