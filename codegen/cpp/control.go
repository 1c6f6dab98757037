// This file emits control flow.

package cpp

import (
	"cmp"
	"strconv"

	"ptogo/dialect/cf"
	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/dialect/scf"
	"ptogo/ir"
)

// control emits an operation of the scf dialect with regions, or the terminator of a
// region.
func (f *function) control(op *ir.Op, kind scf.Control) {
	switch kind {
	case scf.CountedLoop:
		f.countedLoop(op)
	case scf.ConditionalLoop:
		f.conditionalLoop(op)
	case scf.TwoWay:
		f.twoWay(op)
	case scf.ManyWay:
		f.manyWay(op)
	case scf.Once:
		f.variables(op.Results())
		f.line("{")
		f.inside(op.Region(0), func(end *ir.Op) { f.assign(op.Results(), end.Operands()) })
		f.line("}")
	case scf.Leave, scf.Decide:
		f.leave(op)
	default:
		f.errorf(op, "is a parallel loop, which the C++ emitter does not support: use scf.for, which runs its iterations in order")
	}
}

// leave emits the code for the terminator op of the innermost region.
func (f *function) leave(op *ir.Op) {
	if end := f.ends[len(f.ends)-1]; end != nil {
		end(op)
	}
}

// inside emits the region r with one more level of indentation. end is a function that
// emits the code for the terminator of the region.
func (f *function) inside(r *ir.Region, end func(end *ir.Op)) {
	f.closeGuard()
	f.depth++
	f.ends = append(f.ends, end)
	f.region(r)
	f.closeGuard()
	f.ends = f.ends[:len(f.ends)-1]
	f.depth--
}

// region emits the blocks of a region. If the region has several blocks, each block
// receives a C++ label, and branches become goto statements.
func (f *function) region(r *ir.Region) {
	entry := r.Entry()
	if entry == nil {
		return
	}
	if entry == r.Last() {
		f.ops(entry)
		return
	}
	for b := range r.Blocks() {
		f.label(b)
		if b != entry {
			f.variables(b.Args())
		}
	}
	preds := r.Predecessors()
	for b := range r.Blocks() {
		if len(preds[b]) > 0 {
			f.directive(f.labels[b], ":;")
		}
		f.line("{")
		f.depth++
		f.ops(b)
		f.closeGuard()
		f.depth--
		f.line("}")
	}
}

// ops emits the C++ statements for all operations of the block b, in their order.
func (f *function) ops(b *ir.Block) {
	for op := range b.Ops() {
		f.write(op)
	}
}

// label chooses the C++ label of the block b, to which goto statements jump.
func (f *function) label(b *ir.Block) {
	if f.labels == nil {
		f.labels = map[*ir.Block]string{}
	}
	f.labels[b] = f.unique("label" + strconv.Itoa(len(f.labels)+1))
}

// hoist finds the values whose variables must be declared at the top of the function: in
// regions with several blocks, block arguments and values that another block uses. C++
// forbids a goto past a declaration with an initializer.
func (f *function) hoist(r *ir.Region) {
	if r.Entry() == nil {
		return
	}
	several := r.Entry() != r.Last()
	for b := range r.Blocks() {
		if several && b != r.Entry() {
			f.share(b.Args()...)
		}
		for op := range b.Ops() {
			for _, v := range op.Results() {
				if several && usedOutside(v, b) {
					f.share(v)
				}
			}
			for _, inner := range op.Regions() {
				f.hoist(inner)
			}
		}
	}
}

// share marks the values in vs as used in several blocks of C++ code. Their C++ variables
// are then declared at the top of the function instead of at the definition of the value.
func (f *function) share(vs ...*ir.Value) {
	if f.shared == nil {
		f.shared = map[*ir.Value]bool{}
	}
	for _, v := range vs {
		f.shared[v] = true
	}
}

// shareWith marks values whose C++ variables must be declared at the top of the function.
// If others[i] is marked, it marks vs[i] too, because both values use the same variable.
func (f *function) shareWith(others, vs []*ir.Value) {
	for i, v := range others {
		if f.shared[v] {
			f.share(vs[i])
		}
	}
}

// usedOutside reports whether v has a use that is neither in block b nor in a region
// inside of it.
func usedOutside(v *ir.Value, b *ir.Block) bool {
	for u := range v.Uses() {
		at := u.Owner()
		for at != nil && at.Block() != b {
			at = at.Parent()
		}
		if at == nil {
			return true
		}
	}
	return false
}

// variables declares a C++ variable for each of the values vs. Later statements assign
// the variables.
func (f *function) variables(vs []*ir.Value) {
	for _, v := range vs {
		f.variable(v)
	}
}

// assign emits assignments to the C++ variables of several values. The parameter to
// contains these values, and from contains the values to assign. The effect is that of a
// simultaneous assignment: it uses temporaries if a variable would be overwritten before
// it is read.
func (f *function) assign(to, from []*ir.Value) {
	names := make([]string, len(from))
	for i, v := range from {
		names[i] = f.value(v)
	}
	for i := range to {
		for k := i + 1; k < len(from); k++ {
			if names[k] == f.value(to[i]) && names[i] != names[k] { // about to be overwritten
				old := f.unique(names[k] + "_old")
				f.line(f.typeOf(to[i]), " ", old, " = ", names[k], ";")
				names[k] = old
			}
		}
		if f.value(to[i]) != names[i] {
			f.assignOne(to[i], from[i], names[i])
		}
	}
}

// assignOne emits an assignment to the C++ variable of one value, the parameter to. from
// is the value to assign, and name is its C++ expression. Tiles and views with different
// layouts have different C++ types, so they are converted first or reported as an error.
func (f *function) assignOne(to, from *ir.Value, name string) {
	if f.described(from) && f.typeOf(to) != f.typeOf(from) {
		view, ok := f.asView(from, to.Type())
		if !ok {
			f.errorf(f.op, "has a tile or view whose C++ type must be the same on all branches, but is %s on one and %s on another", f.typeOf(from), f.typeOf(to)).
				Note(ir.Loc{}, "create the tile or view after the branch or inside the loop; only its offsets may depend on control flow")
			return
		}
		name = view
	}
	f.line(f.value(to), " = ", name, ";")
}

// described reports whether the C++ type of the variable for v determines the layout of v
// in memory. This is the case for tiles, and for values that C++ accesses through a view.
func (f *function) described(v *ir.Value) bool {
	return pto.IsTile(v.Type()) || f.views[v] != nil
}

// countedLoop emits scf.for as a C++ for loop.
func (f *function) countedLoop(op *ir.Op) {
	args := op.Region(0).Entry().Args()
	f.shareWith(op.Results(), args[1:])
	f.carry(args[1:], op.Operands()[3:])
	f.sameNames(op.Results(), args[1:])
	counter := f.nameFor(args[0])
	f.names[args[0]] = counter
	f.closeGuard()
	f.line("for (", f.typeName(args[0].Type()), " ", counter, " = ", f.value(op.Operand(0)), "; ", counter, " < ", f.value(op.Operand(1)),
		"; ", counter, " += ", f.value(op.Operand(2)), ") {")
	f.inside(op.Region(0), func(end *ir.Op) { f.assign(args[1:], end.Operands()) })
	f.line("}")
}

// carry declares a variable for each of the loop-carried values vs. The initial contents
// of the variables are the values in the parameter first.
func (f *function) carry(vs, first []*ir.Value) {
	for i, v := range vs {
		if f.variable(v) {
			f.assignOne(v, first[i], f.value(first[i]))
		}
	}
}

// sameNames gives each value vs[i] the C++ variable of the value others[i]. The generated
// code then needs no assignment between the two.
func (f *function) sameNames(vs, others []*ir.Value) {
	for i, v := range vs {
		f.names[v] = f.value(others[i])
	}
}

// conditionalLoop emits scf.while as a C++ loop.
func (f *function) conditionalLoop(op *ir.Op) {
	before, after := op.Region(0).Entry().Args(), op.Region(1).Entry().Args()
	f.carry(before, op.Operands())
	f.variables(op.Results())
	f.sameNames(after, op.Results())
	f.closeGuard()
	f.line("while (true) {")
	f.inside(op.Region(0), func(end *ir.Op) {
		f.assign(op.Results(), end.Operands()[1:])
		f.line("if (!", f.value(end.Operand(0)), ") break;")
	})
	f.inside(op.Region(1), func(end *ir.Op) { f.assign(before, end.Operands()) })
	f.line("}")
}

// twoWay emits scf.if as a C++ if statement.
func (f *function) twoWay(op *ir.Op) {
	f.variables(op.Results())
	end := func(end *ir.Op) { f.assign(op.Results(), end.Operands()) }
	f.closeGuard()
	f.line("if (", f.value(op.Operand(0)), ") {")
	f.inside(op.Region(0), end)
	if len(op.Regions()) > 1 && !op.Region(1).Empty() {
		f.line("} else {")
		f.inside(op.Region(1), end)
	}
	f.line("}")
}

// manyWay emits scf.index_switch as a C++ switch statement.
func (f *function) manyWay(op *ir.Op) {
	f.variables(op.Results())
	f.closeGuard()
	f.line("switch (", f.value(op.Operand(0)), ") {")
	cases := scf.Cases(op)
	for i, r := range op.Regions()[1:] {
		f.oneCase("case "+strconv.FormatInt(cases[i], 10), op, r)
	}
	f.oneCase("default", op, op.Region(0))
	f.line("}")
}

// oneCase emits one case of a C++ switch. head is the label of the case, without the
// colon, and the region r of op contains the code of the case.
func (f *function) oneCase(head string, op *ir.Op, r *ir.Region) {
	f.line(head, ": {")
	f.inside(r, func(end *ir.Op) { f.assign(op.Results(), end.Operands()) })
	f.line("} break;")
}

// jumpTo emits a terminator of the cf dialect (a branch or a switch) as goto statements.
func (f *function) jumpTo(op *ir.Op, kind cf.Jump) {
	f.closeGuard()
	switch kind {
	case cf.Always:
		f.jump(op, 0)
	case cf.ByCondition:
		f.line("if (", f.value(op.Operand(0)), ") {")
		f.jumpInside(op, 0)
		f.line("} else {")
		f.jumpInside(op, 1)
		f.line("}")
	case cf.ByValue:
		f.line("switch (", f.value(op.Operand(0)), ") {")
		for i, c := range cf.CaseValues(op) {
			f.line("case ", strconv.FormatInt(signed(c, op.Operand(0).Type()), 10), ": {")
			f.jumpInside(op, i+1)
			f.line("}")
		}
		f.line("default: {")
		f.jumpInside(op, 0)
		f.line("}")
		f.line("}")
	}
}

// signed converts the bits of an integer of type t to a signed number. It extends the
// sign bit of the type.
func signed(bits uint64, t ir.Type) int64 {
	shift := 64 - widthOf(t)
	return int64(bits<<shift) >> shift
}

// jumpInside emits a jump to successor i of op with one more level of indentation.
func (f *function) jumpInside(op *ir.Op, i int) {
	f.depth++
	f.jump(op, i)
	f.depth--
}

// jump emits assignments of the block arguments of successor i of op, and a goto.
func (f *function) jump(op *ir.Op, i int) {
	to := op.Successors()[i]
	from, end := op.SuccRange(i)
	f.assign(to.Args(), op.Operands()[from:end])
	f.line("goto ", f.labels[to], ";")
}

// assert emits cf.assert: a trap if the condition is false.
func (f *function) assert(op *ir.Op, _ cf.Check) {
	f.line("if (!", f.value(op.Operand(0)), ") trap();")
}

// scope emits an operation that executes its region once, such as a section for one kind
// of core. The code of such a section is enclosed in an #if.
func (f *function) scope(op *ir.Op, kind sem.Scope) {
	switch kind.Kind {
	case sem.CubeSection, sem.VectorSection:
		f.closeGuard()
		mixed := f.mixed
		f.mixed = false
		end := f.scopeOf(op, kind.Kind.Unit(), f.unit != kind.Kind.Unit())
		f.flat(op)
		if entry := op.Region(0).Entry(); (entry == nil || entry.Empty()) && onlySection(f.op) == 0 {
			f.line("pipe_barrier(PIPE_ALL);") // otherwise, nothing in the C++ says that the block has this core
		}
		end()
		f.mixed = mixed
	case sem.FusionRegion:
		f.flat(op)
	default:
		f.micro(op)
	}
}

// flat emits the statements of the region of op without enclosing them in braces. The
// results of op share the C++ variables of the values that the terminator of the region
// yields.
func (f *function) flat(op *ir.Op) {
	entry := op.Region(0).Entry()
	f.sameNames(entry.Args(), op.Operands()[:len(entry.Args())])
	if op.NumResults() > 0 {
		f.shareWith(op.Results(), op.Region(0).Last().Terminator().Operands())
	}
	f.ends = append(f.ends, func(end *ir.Op) { f.sameNames(op.Results(), end.Operands()) })
	f.region(op.Region(0))
	f.ends = f.ends[:len(f.ends)-1]
}

// callFunction emits a call of another function of the program.
func (f *function) callFunction(op *ir.Op) {
	callee := fn.Definition(ir.LookupSymbol(op, op.Attr("callee")))
	text := cmp.Or(f.functions.inner[callee], f.functions.of[callee]) + "("
	ins, _ := fn.TypeOf(callee)
	for i, v := range op.Operands() {
		if i > 0 {
			text += ", "
		}
		arg := f.value(v)
		if f.described(v) && f.typeOf(v) != f.typeName(ins[i]) {
			view, ok := f.asView(v, ins[i])
			if arg = view; !ok {
				f.errorf(op, "passes a tile or view of C++ type %s, but the parameter of @%s has the C++ type %s", f.typeOf(v), fn.Name(callee), f.typeName(ins[i]))
			}
		}
		text += arg
	}
	if op.NumResults() == 1 {
		f.define(op.Result(0), text+")")
		return
	}
	for i, v := range op.Results() {
		if !f.variable(v) {
			return
		}
		if op.NumOperands()+i > 0 {
			text += ", "
		}
		text += f.value(v)
	}
	f.startLine()
	f.b = append(f.b, text+")"...)
	f.endLine(op)
}

// giveBack emits the C++ return statement for op. If the function consists of one block,
// giveBack only records op: the code of the function is inside an #if for one kind of
// core, and the return must follow the #endif.
func (f *function) giveBack(op *ir.Op) {
	if f.op.Region(0).Entry() == f.op.Region(0).Last() {
		f.returned = op
		return
	}
	f.closeGuard()
	f.leaveKernel()
	f.finish(op)
}

// finish emits the end of a function or of a kernel. op is the return operation of the
// function, or nil. A function with several results assigns them to parameters.
func (f *function) finish(op *ir.Op) {
	switch {
	case op == nil:
	case op.NumOperands() > 1:
		for i, v := range op.Operands() {
			f.line(f.results[i], " = ", f.returnedValue(v), ";")
		}
		f.line("return;")
	case op.NumOperands() > 0:
		f.line("return ", f.returnedValue(op.Operand(0)), ";")
	default:
		f.line("return;")
	}
}

// returnedValue returns the value v as a C++ expression that has the return type of the
// function. A view needs a conversion if its C++ type inside the function has more
// constant extents than the return type.
func (f *function) returnedValue(v *ir.Value) string {
	name := f.value(v)
	if f.views[v] == nil || f.typeOf(v) == f.typeName(v.Type()) {
		return name
	}
	view, ok := f.asView(v, v.Type())
	if !ok {
		f.errorf(f.op, "returns a view of C++ type %s, which cannot be converted to the required C++ type %s", f.typeOf(v), f.typeName(v.Type()))
	}
	return view
}

// leaveKernel emits the last statements of a kernel: a barrier of all pipes if
// Options.EndBarrier requests it, and a flush of the data cache if the kernel may have
// written to it.
func (f *function) leaveKernel() {
	if f.opts.EndBarrier && !f.called[f.op] {
		f.endBarrier()
	}
	f.flush()
}

// endBarrier emits the call at the end of a function that waits for all pipes (hardware
// queues). If an attribute of the function requests it, the call waits only for stores.
func (f *function) endBarrier() {
	mode := "kBarrierAll"
	if pto.WaitsForStoresOnly(f.op) {
		mode = "kSetWaitMte3ToSEvent0"
	}
	f.need("ptoas_auto_sync_tail")
	f.line("ptoas_auto_sync_tail(PTOAutoSyncTailMode::", mode, ");")
}

// flush emits code that writes the data cache of the scalar unit back to global memory.
// This is necessary because the hardware does not write the cache back at the end of a
// kernel.
func (f *function) flush() {
	if f.dirty {
		f.line("pipe_barrier(PIPE_ALL);")
		f.line("dcci((__gm__ void*)0, cache_line_t::ENTIRE_DATA_CACHE);")
		f.line("dsb((mem_dsb_t)0);")
	}
}
