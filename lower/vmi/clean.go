// This file defines passes that move or remove changes of layout.

package vmi

import (
	"math"
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	isavmi "ptogo/dialect/pto/isa/vmi"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// The passes that remove or move changes of layout. All use the costs of vmi-layout-assignment.
var (
	// Fold is the pass vmi-layout-fold.
	Fold = onChanges("vmi-layout-fold", "VMILayoutFold",
		"Removes a change of layout if the instruction that computes the value, or the instruction that uses it, can work with the other layout at no higher cost.", foldChange)
	// Repeat is vmi-layout-rematerialize.
	Repeat = onChanges("vmi-layout-rematerialize", "VMILayoutRematerialize",
		"Removes a change of layout by computing the value a second time, directly in the new layout, if this costs less than the change.", repeatBefore)
	// Sink is vmi-layout-sink-materialization.
	Sink = onChanges("vmi-layout-sink-materialization", "VMILayoutSinkMaterialization",
		"If all operands of an elementwise instruction are converted to another layout, the pass removes these conversions and converts the result of the instruction instead.", sinkChange)
)

// onChanges returns a pass that calls run for each instruction that changes a layout. The
// parameters name, title and doc describe the pass. run is a function that reports
// whether it changed the program, and the pass counts these changes.
func onChanges(name, title, doc string, run func(op *ir.Op) bool) *passes.Pass {
	return &passes.Pass{
		Name: name, Title: title, Doc: doc, Anchor: "builtin.module",
		Stats: []passes.Stat{{Name: "num-changed", Doc: "changes of layout that the pass removed or moved"}},
		Run: func(c *passes.Context, module *ir.Op) error {
			for _, op := range slices.Collect(module.Walk()) {
				if op.Def() != nil && isChange(op) && run(op) {
					c.Count("num-changed", 1)
				}
			}
			return nil
		},
	}
}

// isChange reports whether op changes the layout of a VMI value, or the lane width of a
// mask.
func isChange(op *ir.Op) bool {
	_, ok := op.Def().Sem.(sem.Relayout)
	return ok
}

// typesOf returns the types of the VMI values in vs.
func typesOf(vs []*ir.Value) (ts []ir.Type) {
	for _, v := range vs {
		if isVMI(v.Type()) {
			ts = append(ts, v.Type())
		}
	}
	return ts
}

// costWith returns the cost of the instruction op, counted in vector instructions. It
// assumes that the VMI operands have the types ins and the VMI results have the types
// outs. The cost is infinite if the instruction cannot be lowered with these types.
func costWith(op *ir.Op, ins, outs []ir.Type) float64 {
	if _, ok := entryOf(op); !ok {
		return math.Inf(1)
	}
	c, _ := try(op, ins, outs)
	return c
}

// foldChange removes the layout change op in one of two cases: the load that defines its
// operand can produce the new layout at no higher cost, or the store that uses its result
// can use the old layout. The result reports whether op has been removed.
func foldChange(op *ir.Op) bool {
	return foldIntoUse(op) || foldIntoLoad(op)
}

// foldIntoUse handles op, a layout change of an operand of a store. If the store can use
// the operands in their original layouts at no higher cost, foldIntoUse removes the
// layout changes of all operands of the store. The result reports whether it has removed
// them.
func foldIntoUse(op *ir.Op) bool {
	if !op.Result(0).HasOneUse() {
		return false
	}
	var user *ir.Op
	for u := range op.Result(0).Uses() {
		user = u.Owner()
	}
	if _, store := user.Def().Sem.(sem.LaneStore); !store {
		return false
	}
	var before []ir.Type
	sources := map[int]*ir.Value{}
	saved := 0.0
	for i, v := range user.Operands() {
		if !isVMI(v.Type()) {
			continue
		}
		from := v
		if v.Op() != nil && isChange(v.Op()) && v.HasOneUse() {
			from = v.Op().Operand(0)
			saved += relayoutCost(from.Type(), v.Type())
			sources[i] = from
		}
		before = append(before, from.Type())
	}
	for _, t := range before {
		if layoutOf(t) != layoutOf(before[0]) {
			return false
		}
	}
	if costWith(user, before, nil) > costWith(user, typesOf(user.Operands()), nil)+saved {
		return false
	}
	for i, v := range sources {
		change := user.Operand(i).Op()
		user.SetOperand(i, v)
		change.Erase()
	}
	return true
}

// foldIntoLoad handles op, a layout change whose operand is the result of a load. If the
// load can produce the new layout at no higher cost, foldIntoLoad removes op. The result
// reports whether op has been removed.
func foldIntoLoad(op *ir.Op) bool {
	v := op.Operand(0)
	load := v.Op()
	if load == nil || !v.HasOneUse() || len(load.Results()) != 1 {
		return false
	}
	if _, ok := load.Def().Sem.(sem.LaneLoad); !ok || load.Arg("mask") != nil {
		return false
	}
	to := op.Result(0).Type()
	if costWith(load, nil, []ir.Type{to}) > costWith(load, nil, []ir.Type{v.Type()})+relayoutCost(v.Type(), to) {
		return false
	}
	v.SetType(to)
	op.Result(0).ReplaceAllUses(v)
	op.Erase()
	return true
}

// repeatBefore tries to remove the layout change op. It replaces op by a copy of the
// instruction that defines the operand of op, if a copy that produces the new layout
// directly is cheaper. It reports whether it replaced op.
func repeatBefore(op *ir.Op) bool {
	v, to := op.Operand(0), op.Result(0).Type()
	from := v.Op()
	if from == nil {
		return false
	}
	if rematerializable(from) != nil {
		if math.IsInf(costWith(from, nil, []ir.Type{to}), 1) {
			return false
		}
		op.Result(0).ReplaceAllUses(changed(op, v, to, true))
		return eraseWith(op, from)
	}
	return repeatConversion(op, from)
}

// eraseWith erases op, a layout change. from is the instruction that defines the operand
// of op; eraseWith erases it too if no other instruction uses its result. The result is
// always true. It means that the program has changed, and callers return it to their
// callers.
func eraseWith(op, from *ir.Op) bool {
	op.Erase()
	if !from.Result(0).HasUses() {
		from.Erase()
	}
	return true
}

// repeatConversion handles op, a layout change. from is the instruction that defines the
// operand of op. If this instruction is a type conversion whose source has narrower
// lanes, repeatConversion moves the layout change to the source: the change then moves
// fewer registers. It reports whether it has replaced op.
func repeatConversion(op, from *ir.Op) bool {
	if _, ok := from.Def().Sem.(sem.LaneConvert); !ok {
		return false
	}
	src, to := from.Operand(0), op.Result(0).Type()
	old := relayoutCost(from.Result(0).Type(), to) + changeCost
	best, lowest := ir.Type{}, old
	for _, l := range []pto.VMILayout{contiguous, split2, split4, stride2, stride4} {
		t := withLayout(src.Type(), l)
		if t == src.Type() || !representable(t) {
			continue
		}
		if c := relayoutCost(src.Type(), t) + changeCost; c < lowest && !math.IsInf(costWith(from, []ir.Type{t}, []ir.Type{to}), 1) {
			best, lowest = t, c
		}
	}
	if best.IsZero() {
		return false
	}
	made := from.Clone(nil)
	op.Block().InsertBefore(made, op)
	made.SetOperand(0, changed(made, src, best, false))
	made.Result(0).SetType(to)
	op.Result(0).ReplaceAllUses(made.Result(0))
	return eraseWith(op, from)
}

// sinkChange moves the layout changes of all operands of an elementwise instruction to
// its result, if that is cheaper. op is one of these layout changes. It reports whether
// it moved them.
func sinkChange(op *ir.Op) bool {
	if !op.Result(0).HasOneUse() && !sameUser(op.Result(0)) {
		return false
	}
	var user *ir.Op
	for u := range op.Result(0).Uses() {
		user = u.Owner()
	}
	if user == nil || user.NumResults() != 1 || !isElementwise(user) {
		return false
	}
	to := layoutOf(op.Result(0).Type())
	from := layoutOf(op.Operand(0).Type())
	changes := 0
	for _, v := range user.Operands() {
		if !isVMI(v.Type()) {
			continue
		}
		switch d := v.Op(); {
		case d != nil && isChange(d) && withLayout(v.Type(), from) == d.Operand(0).Type() && layoutOf(v.Type()) == to:
			changes++
		case d != nil && rematerializable(d) != nil:
		default:
			return false
		}
	}
	if changes < 2 && len(typesOf(user.Operands())) > 1 {
		return false
	}
	for i, v := range user.Operands() {
		switch {
		case !isVMI(v.Type()):
		case isChange(v.Op()):
			d := v.Op()
			user.SetOperand(i, d.Operand(0))
			if d != op && !v.HasUses() {
				d.Erase()
			}
		default:
			user.SetOperand(i, changed(user, v, withLayout(v.Type(), from), true))
		}
	}
	result := user.Result(0)
	t := result.Type()
	result.SetType(withLayout(t, from))
	after := changed(user.Next(), result, t, false)
	for u := range result.Uses() {
		if u.Owner() != after.Op() {
			u.Set(after)
		}
	}
	if !op.Result(0).HasUses() {
		op.Erase()
	}
	return true
}

// sameUser reports whether all uses of the value v are in the same instruction.
func sameUser(v *ir.Value) bool {
	var user *ir.Op
	for u := range v.Uses() {
		if user != nil && u.Owner() != user {
			return false
		}
		user = u.Owner()
	}
	return user != nil
}

// isElementwise reports whether op computes each lane of its result from the lanes of its
// operands at the same position.
func isElementwise(op *ir.Op) bool {
	e, ok := entryOf(op)
	if !ok || len(op.Regions()) > 0 {
		return false
	}
	s := &shapes{op: op, ins: typesOf(op.Operands()), out: typesOf(op.Results()), used: []pto.VMILayout{contiguous, split2}}
	if _, memory := op.Def().Sem.(sem.LaneLoad); memory || len(s.ins) == 0 {
		return false
	}
	return len(e.layouts(s)) == 2
}

// RepeatWeak is the pass vmi-layout-rematerialize-weak-producers. It considers
// instructions whose operands are all scalars. It inserts a copy of such an instruction
// before each use of the result, so that each use can have its own layout.
var RepeatWeak = &passes.Pass{
	Name:   "vmi-layout-rematerialize-weak-producers",
	Title:  "VMILayoutRematerializeWeakProducers",
	Doc:    "Copies an instruction that depends only on scalars before each use of its result, so that each use can have its own layout.",
	Anchor: "builtin.module",
	Run: func(_ *passes.Context, module *ir.Op) error {
		for op := range module.Walk() {
			if _, ok := entryOf(op); !ok || op.NumResults() != 1 || !isVMI(op.Result(0).Type()) || rematerializable(op) == nil {
				continue
			}
			first := true
			for _, u := range slices.Collect(op.Result(0).Uses()) {
				if _, ok := entryOf(u.Owner()); !ok || first {
					first = false
					continue
				}
				made := op.Clone(nil)
				u.Owner().Block().InsertBefore(made, u.Owner())
				u.Set(made.Result(0))
			}
		}
		return nil
	},
}

// LegalizeSelect is the pass vmi-legalize-arith-select. It replaces an arith.select of
// VMI values by an scf.if.
var LegalizeSelect = &passes.Pass{
	Name:   "vmi-legalize-arith-select",
	Title:  "VMILegalizeArithSelect",
	Doc:    "Replaces each arith.select that selects between two VMI values by an scf.if.",
	Anchor: "builtin.module",
	Run: func(_ *passes.Context, module *ir.Op) error {
		for op := range module.Walk() {
			if isScalarChoice(op) {
				legalizeSelect(op)
			}
		}
		return nil
	},
}

// Combine is the pass vmi-pre-assignment-combine. Some programs load one element per
// group of lanes, and then broadcast this element to all lanes of its group. The pass
// merges the load and the broadcast into one load. It also replaces a load of groups that
// are adjacent in memory by a contiguous load.
var Combine = &passes.Pass{
	Name:   "vmi-pre-assignment-combine",
	Title:  "VMIPreAssignmentCombine",
	Doc:    "Replaces two instructions, one that loads an element for each group of lanes and one that broadcasts each element to its group, by one load. Replaces a load of several groups by a contiguous load, if the groups are adjacent in memory.",
	Anchor: "builtin.module",
	Run: func(_ *passes.Context, module *ir.Op) error {
		for _, op := range slices.Collect(module.Walk()) {
			if op.Def() != nil {
				combineLoad(op)
			}
		}
		return nil
	},
}

// combineLoad simplifies op if it loads lanes in groups. It merges a load of one lane per
// group with the broadcast that uses the result. It replaces a load of groups without
// gaps by a load of contiguous lanes.
func combineLoad(op *ir.Op) {
	if _, ok := op.Def().Sem.(sem.LaneLoad); !ok {
		return
	}
	at := op.Operands()[:2]
	switch {
	case op.Is(isavmi.VMIGroupLoad) && distance(op.Arg("row_stride")) == lanesOf(op.Result(0).Type())/int64(sem.GroupsOf(op)):
		replace(op, isavmi.VMILoad, at, "num_groups")
	case op.Is(isavmi.VMIGroupSlotLoad) && op.Result(0).HasOneUse():
		for u := range op.Result(0).Uses() {
			user := u.Owner()
			if !user.Is(isavmi.VMIGroupBroadcast) || user.Block() != op.Block() || writesBetween(op, user) {
				return
			}
			replace(user, isavmi.VMIGroupBroadcastLoad, op.Operands())
			op.Erase()
			return
		}
	}
}

// writesBetween considers the operations after the operation in the parameter from and
// before the operation in the parameter to. Both are in one block. writesBetween reports
// whether one of the operations between them may write memory.
func writesBetween(from, to *ir.Op) bool {
	for op := from.Next(); op != nil && op != to; op = op.Next() {
		if !op.HasTrait(ir.Pure) {
			if _, load := op.Def().Sem.(sem.LaneLoad); !load {
				return true
			}
		}
	}
	return false
}

// NormalizeSigns is the pass pto-vmi-normalize-signless-int-to-unsigned. It makes the
// operands and results of histograms unsigned.
var NormalizeSigns = &passes.Pass{
	Name:   "pto-vmi-normalize-signless-int-to-unsigned",
	Title:  "PTOVMINormalizeSignlessIntToUnsigned",
	Doc:    "Converts the signless operands and results of VMI histograms to unsigned types, with casts before and after each histogram.",
	Anchor: "builtin.module",
	Run: func(_ *passes.Context, module *ir.Op) error {
		for op := range module.Walk() {
			if _, ok := op.Def().Sem.(sem.LaneHistogram); ok {
				normalizeSigns(op)
			}
		}
		return nil
	},
}

// normalizeSigns makes the signless integers of op unsigned, and inserts casts for its
// operands and results.
func normalizeSigns(op *ir.Op) {
	unsigned := func(t ir.Type) ir.Type {
		d, ok := ir.As[pto.VMIVReg](t)
		if i, isInt := ir.As[ir.IntegerType](d.Elem); ok && isInt && i.Sign == ir.Signless {
			d.Elem = pto.UintType(i.Width)
			return ir.TypeOf(d)
		}
		return t
	}
	for i, v := range op.Operands() {
		if t := unsigned(v.Type()); t != v.Type() {
			op.SetOperand(i, ir.Before(op).Op(isavmi.VMIBitcast, []*ir.Value{v}, []ir.Type{t}).Result(0))
		}
	}
	for _, v := range op.Results() {
		old := v.Type()
		t := unsigned(old)
		if t == old {
			continue
		}
		v.SetType(t)
		back := ir.Before(op.Next()).Op(isavmi.VMIBitcast, []*ir.Value{v}, []ir.Type{old})
		for u := range v.Uses() {
			if u.Owner() != back {
				u.Set(back.Result(0))
			}
		}
	}
}

// CheckSurface is the pass pto-validate-vmi-ir: no VMI value may have a layout yet.
// CheckLayouts is the pass pto-validate-vmi-layout-ir: each VMI value must have one.
var (
	CheckSurface = validation("pto-validate-vmi-ir", "PTOValidateVMIIR", "Checks that no VMI value (a vector of any length) has a layout yet.", func(t ir.Type) string {
		m, isMask := ir.As[pto.VMIMask](t)
		if !layoutOf(t).IsZero() || isMask && m.Bits != 0 {
			return "has a layout or a width of lanes already, which later passes decide"
		}
		return ""
	})
	CheckLayouts = validation("pto-validate-vmi-layout-ir", "PTOValidateVMILayoutIR", "Checks that all VMI values have layouts, and that instructions can be lowered with them.", func(t ir.Type) string {
		if !representable(t) {
			return "needs a layout that registers can hold"
		}
		return ""
	})
)

// validation returns a pass with the given name, title and description that checks the
// types of all VMI values of a module. fault is a function that returns the error message
// for a type, or "" for a legal type.
func validation(name, title, doc string, fault func(ir.Type) string) *passes.Pass {
	p := &passes.Pass{Name: name, Title: title, Doc: doc, Anchor: "builtin.module"}
	p.Run = func(c *passes.Context, module *ir.Op) error {
		v := &validator{c: c, fault: fault, layouts: name == "pto-validate-vmi-layout-ir"}
		for op := range module.Walk() {
			if !v.operation(op) {
				return passes.ErrReported
			}
		}
		return nil
	}
	return p
}

// validator checks the types of the VMI values of a module.
type validator struct {
	c     *passes.Context
	fault func(ir.Type) string
	// layouts reports that the pass also checks whether each instruction can be lowered
	// with its layouts.
	layouts bool
}

// operation reports an error if op uses VMI types incorrectly: in an attribute, or as the
// type of an operand or result that has a fault, such as a wrong layout. It reports only
// the first error, and returns true if there is none.
func (v *validator) operation(op *ir.Op) bool {
	if hidesType(v.c, op) {
		return false
	}
	if op.Is(fn.Func) {
		ins, outs := fn.TypeOf(op)
		for _, t := range append(slices.Clone(ins), outs...) {
			if !v.check(op, t) {
				return false
			}
		}
		return true
	}
	for _, w := range append(op.Operands(), op.Results()...) {
		if !v.check(op, w.Type()) {
			return false
		}
	}
	ins, outs := typesOf(op.Operands()), typesOf(op.Results())
	if len(ins)+len(outs) == 0 {
		return true
	}
	_, known := entryOf(op)
	if !known && len(op.Regions()) == 0 && !op.HasTrait(ir.Terminator) && !op.Is(fn.Call) && !isScalarChoice(op) {
		v.c.Errorf(op, "has VMI operands or results, but is not a VMI instruction")
		return false
	}
	if !v.layouts || !known {
		return true
	}
	if _, why := try(op, ins, outs); why != "" {
		v.c.Errorf(op, "cannot be lowered to vector instructions: %s", why)
		return false
	}
	return true
}

// check reports an error at op if the VMI type t has a fault, and returns whether t is
// correct.
func (v *validator) check(op *ir.Op, t ir.Type) bool {
	if !isVMI(t) {
		return true
	}
	if why := v.fault(t); why != "" {
		v.c.Errorf(op, "has a value of type %s, which %s", t, why)
		return false
	}
	return true
}
