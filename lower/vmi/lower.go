// This file replaces values by their registers, in all operations of a function.

package vmi

import (
	"slices"

	"ptogo/dialect/cf"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/ir"
	"ptogo/passes"
)

// lowerer replaces the VMI instructions of one function by vector instructions.
type lowerer struct {
	c      *passes.Context
	f      *ir.Op
	target ir.Target
	// parts maps each VMI value to the registers that hold it.
	parts map[*ir.Value][]*ir.Value
	// refused holds the values of instructions that cannot be lowered, and of those that
	// use such values. The rest of the function is lowered to find further ones.
	refused map[*ir.Value]bool
	failed  bool
	// e creates the vector instructions.
	e *emitter
	// block is the block for which e has cached registers.
	block *ir.Block
	// old are the operations that have been replaced. They are erased at the end.
	old []*ir.Op
	// args are the blocks whose arguments were replaced, and size is the number of
	// arguments that each of them had before.
	args []*ir.Block
	size map[*ir.Block]int
}

// ready reports whether all VMI values of the function have layouts that registers can
// hold. It reports an error for the first value without one.
func (l *lowerer) ready() bool {
	ok := true
	ins, outs := fn.TypeOf(l.f)
	for _, t := range append(append([]ir.Type{}, ins...), outs...) {
		if isVMI(t) && !representable(t) {
			l.undecided(l.f, t)
			return false
		}
	}
	for op := range l.f.Walk() {
		for _, v := range append(append([]*ir.Value{}, op.Operands()...), op.Results()...) {
			if ok && isVMI(v.Type()) && !representable(v.Type()) {
				l.undecided(op, v.Type())
				ok = false
			}
		}
	}
	return ok
}

// undecided reports an error about the type t, which op uses: the layout assignment has
// found no layout for t that registers can hold.
func (l *lowerer) undecided(op *ir.Op, t ir.Type) {
	d := l.c.Errorf(op, "cannot be lowered: %s must have a layout that registers can hold", t)
	d.Note(ir.Loc{}, "run vmi-mask-granularity-assignment and vmi-layout-assignment first")
}

// function lowers the function, and reports whether all of its VMI instructions could be
// lowered.
func (l *lowerer) function() bool {
	l.signature()
	body := fn.Body(l.f)
	if body == nil {
		return true
	}
	l.size = map[*ir.Block]int{}
	l.e = &emitter{top: body, consts: map[constant]*ir.Value{}, indices: map[string]*ir.Value{}, target: l.target}
	if l.region(l.f.Regions()[0]); l.failed {
		return false
	}
	for i := len(l.old) - 1; i >= 0; i-- {
		l.old[i].Erase()
	}
	for _, b := range l.args {
		for range l.size[b] {
			b.RemoveArg(0)
		}
	}
	return true
}

// signature replaces each VMI type in the function's signature by the types of its
// registers.
func (l *lowerer) signature() {
	ins, outs := fn.TypeOf(l.f)
	fn.SetType(l.f, l.types(ins), l.types(outs))
}

// types replaces each VMI type in the list ts by the types of its registers.
func (l *lowerer) types(ts []ir.Type) (out []ir.Type) {
	for _, t := range ts {
		if isVMI(t) {
			out = append(out, partTypes(t)...)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// region lowers the blocks of the region r.
func (l *lowerer) region(r *ir.Region) {
	for b := range r.Blocks() {
		l.arguments(b)
	}
	for b := range r.Blocks() {
		for op := b.First(); op != nil; {
			next := op.Next()
			l.operation(op)
			op = next
		}
	}
}

// arguments replaces each VMI argument of the block b by one argument per register. The
// old arguments are removed after all operations have been lowered.
func (l *lowerer) arguments(b *ir.Block) {
	old := append([]*ir.Value{}, b.Args()...)
	some := false
	for _, v := range old {
		some = some || isVMI(v.Type())
	}
	if !some {
		return
	}
	for _, v := range old {
		if !isVMI(v.Type()) {
			w := b.AddArg(v.Type())
			w.SetName(v.Name())
			v.ReplaceAllUses(w)
			continue
		}
		for _, t := range partTypes(v.Type()) {
			l.parts[v] = append(l.parts[v], b.AddArg(t))
		}
	}
	l.args = append(l.args, b)
	l.size[b] = len(old)
}

// operation lowers op and the operations in its regions.
func (l *lowerer) operation(op *ir.Op) {
	_, isInstruction := entryOf(op) // arith.select is one
	if info := pto.InfoOf(op.Def()); info != nil && info.Group == "vmi" || isInstruction && l.touches(op) {
		if !l.usesRefused(op) {
			l.instruction(op)
		}
		return
	}
	for _, r := range op.Regions() {
		l.region(r)
	}
	switch {
	case !l.touches(op) || l.usesRefused(op):
	case passesOn(op):
		l.expand(op)
	default:
		l.c.Errorf(op, "works on VMI values, but is not a VMI instruction")
		l.refuse(op)
	}
}

// passesOn reports whether op only passes values on, as loops, branches and calls do.
func passesOn(op *ir.Op) bool {
	return len(op.Regions()) > 0 || op.HasTrait(ir.Terminator) || op.Is(fn.Call)
}

// usesRefused reports whether op uses values that cannot be lowered. Then its results
// cannot be lowered either.
func (l *lowerer) usesRefused(op *ir.Op) bool {
	for _, v := range op.Operands() {
		if l.refused[v] {
			l.refuse(op)
			return true
		}
	}
	return false
}

// refuse records that op cannot be lowered: it marks the results of op as refused. It
// also marks the results of all operations that enclose op, because these results may
// depend on results of op. Operations that use a refused value are not lowered.
func (l *lowerer) refuse(op *ir.Op) {
	l.failed = true
	for ; op != nil && op != l.f; op = op.Parent() {
		for _, v := range op.Results() {
			l.refused[v] = true
		}
	}
}

// touches reports whether op has VMI operands or results (vectors or masks of any
// length).
func (l *lowerer) touches(op *ir.Op) bool {
	for _, vs := range [][]*ir.Value{op.Operands(), op.Results()} {
		for _, v := range vs {
			if isVMI(v.Type()) {
				return true
			}
		}
	}
	return false
}

// expand replaces each VMI operand and result (vector or mask of any length) of op by its
// registers. op belongs to another dialect, such as scf.yield.
func (l *lowerer) expand(op *ir.Op) {
	s := ir.State{Def: op.Def(), Form: op.Form(), Loc: op.Loc(), Succs: op.Successors()}
	s.Segs = l.segments(op.Form().Operands, op.Operands(), op.ArgRange, &s.Operands)
	var results []*ir.Value
	s.ResSegs = l.segments(op.Form().Results, op.Results(), op.ResultRange, &results)
	for _, v := range op.Results() {
		s.Results = append(s.Results, l.types([]ir.Type{v.Type()})...)
	}
	s.Attrs = slices.Collect(op.AllAttrs())
	for _, r := range op.Regions() {
		to := ir.NewRegion()
		to.Take(r)
		s.Regions = append(s.Regions, to)
	}
	made := ir.Before(op).Create(s)
	if op.Is(cf.Switch) {
		l.recount(op, made)
	}
	at := 0
	for _, v := range op.Results() {
		if !isVMI(v.Type()) {
			made.Result(at).SetName(v.Name())
			v.ReplaceAllUses(made.Result(at))
			at++
			continue
		}
		n := len(partTypes(v.Type()))
		l.parts[v] = made.Results()[at : at+n]
		at += n
	}
	l.old = append(l.old, op)
}

// recount updates the operand counts of a switch, because each case now passes registers
// instead of VMI values. made is the operation that replaces op.
func (l *lowerer) recount(op, made *ir.Op) {
	for i := range op.Successors() {
		if i == 0 {
			continue
		}
		from, to := op.SuccRange(i)
		more := 0
		for _, v := range op.Operands()[from:to] {
			if isVMI(v.Type()) {
				more += len(partTypes(v.Type())) - 1
			}
		}
		cf.PassFewer(made, i, -more)
	}
}

// segments appends the registers that hold the values in vs to a list; the parameter to
// points to this list. bounds is a function that returns the index range, in vs, of the
// values that belong to the argument with a given index. The result contains the number
// of appended registers for each argument in args.
func (l *lowerer) segments(args []ir.Arg, vs []*ir.Value, bounds func(int) (int, int), to *[]*ir.Value) []int32 {
	counts := make([]int32, len(args))
	for i := range args {
		from, end := bounds(i)
		for _, v := range vs[from:end] {
			add := []*ir.Value{v}
			if isVMI(v.Type()) {
				if add = l.parts[v]; add == nil { // a result
					add = make([]*ir.Value, len(partTypes(v.Type())))
				}
			}
			*to = append(*to, add...)
			counts[i] += int32(len(add))
		}
	}
	return ir.Segments(args, counts)
}

// instruction lowers one VMI instruction. It reports an error if this is not possible.
func (l *lowerer) instruction(op *ir.Op) {
	if op.Block() != l.block {
		l.block, l.e.indices = op.Block(), map[string]*ir.Value{}
	}
	l.e.at = ir.Before(op)
	c := &call{emitter: l.e, op: op}
	for _, v := range op.Operands() {
		c.args = append(c.args, arg{t: v.Type(), parts: l.parts[v], v: v})
	}
	for _, v := range op.Results() {
		c.outs = append(c.outs, v.Type())
	}
	done := c.lower()
	if done.why != "" {
		l.c.Errorf(op, "cannot be lowered to vector instructions: %s", done.why)
		l.refuse(op)
		return
	}
	for i, v := range op.Results() {
		if isVMI(v.Type()) {
			l.parts[v] = done.outs[i]
		} else {
			v.ReplaceAllUses(done.outs[i][0])
		}
	}
	l.old = append(l.old, op)
	l.c.Count("num-lowered", 1)
}
