// This file encloses code for one kind of core in preprocessor conditions.

package cpp

import (
	"ptogo/dialect/pto/analysis"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/effect"
)

// guards maps a kind of core to the macro that the compiler defines when it compiles for
// that kind.
var guards = map[sem.Unit]string{sem.CubeUnit: "__DAV_CUBE__", sem.VectorUnit: "__DAV_VEC__"}

// scopeOf opens an #if for a function or section that one kind of core executes, and
// returns a function that closes it. If guarded is false, it emits no #if.
func (f *function) scopeOf(op *ir.Op, u sem.Unit, guarded bool) (end func()) {
	macro := guards[u]
	if macro == "" || !guarded {
		return func() {}
	}
	f.directive("#if defined(", macro, ")")
	one := false
	if u == sem.VectorUnit {
		f.line("set_mask_norm();")
		f.line("set_vector_mask(-1, -1);")
		if one = f.oneVectorCore(op); one {
			f.line("if (get_subblockid() == 0) {")
			f.depth++
		}
	}
	return func() {
		if one {
			f.depth--
			f.line("}")
		}
		f.directive("#endif // ", macro)
	}
}

// resetMask emits code that enables all lanes of vector instructions, because a previous
// kernel may have left another mask.
func (f *function) resetMask() {
	f.directive("#if defined(", guards[sem.VectorUnit], ")")
	f.line("set_mask_norm();")
	f.line("set_vector_mask(-1, -1);")
	f.directive("#endif")
}

// oneVectorCore reports whether only the first vector core of a block may execute op, an
// instruction on a queue. On A5, a queue whose entries are not divided between the two
// vector cores connects the cube core with the first vector core only.
func (f *function) oneVectorCore(op *ir.Op) bool {
	if f.opts.Target != sem.A5 {
		return false
	}
	whole := false
	for o := range op.Walk() {
		if o.Effects().Has(effect.TellsCores) {
			return false
		}
		if use := sem.QueueUseOf(o); use.Act != 0 && use.Act != sem.QueueAlloc {
			whole = whole || use.Split == 0
		}
	}
	return whole
}

// unitsOutside returns the kinds of cores that execute instructions of op outside of
// sections.
func (f *function) unitsOutside(op *ir.Op) sem.Unit {
	var units sem.Unit
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				if _, section := o.Def().Sem.(sem.Scope); !section {
					units |= f.unitOf(o) | f.unitsOutside(o)
				}
			}
		}
	}
	return units
}

// unitOf returns the kind of core for which op must be enclosed in an #if of the C++
// code. It returns 0 if op is not enclosed. This is the case if cube cores and vector
// cores execute op. It is also the case if op has results that code for the other kind of
// core can use. A store of a scalar that one kind of core computes is enclosed for it.
func (f *function) unitOf(op *ir.Op) sem.Unit {
	u := analysis.StoreUnitFor(op, f.opts.Target)
	entry := sem.QueueEntryOf(op)
	inside := op.Form().Level == ir.DPS || op.NumResults() == 0 || entry.Act != 0 && entry.From != sem.QueueHandle
	if u == sem.AnyUnit || !inside {
		return 0
	}
	return u
}

// guard starts an #if block for the code of op, so that the C++ compiler compiles this
// code only for the kind of core that executes op. It has no effect unless the function
// contains code for both kinds of cores.
func (f *function) guard(op *ir.Op) {
	if !f.mixed {
		return
	}
	u := f.unitOf(op)
	if len(op.Regions()) > 0 {
		u = 0
	}
	if u == f.open {
		return
	}
	f.closeGuard()
	if u != 0 {
		f.directive("#if defined(", guards[u], ")")
		f.open = u
	}
}

// closeGuard closes the current #if for one kind of core, if there is one.
func (f *function) closeGuard() {
	if f.open != 0 {
		f.directive("#endif")
		f.open = 0
	}
}
