// This file defines the pass that rewrites programs for a version.

package version

import (
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/history"
	"ptogo/dialect/pto/isa/base"
	"ptogo/dialect/pto/isa/simt"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/passes"
)

// Pass rewrites a program for a public version of ptoas.
var Pass = &passes.Pass{
	Name:   "pto-to-version",
	Title:  "PTOToVersion",
	Doc:    "Replaces what a public version of ptoas does not have by what it has, where the meaning stays the same, and reports an error for everything else.",
	Anchor: "builtin.module",
	Options: []passes.Option{
		{Name: "version", Kind: passes.Word, Doc: "the version, such as 0.57. The default is the newest version that is known"},
	},
	Stats: []passes.Stat{{Name: "num-rewritten", Doc: "instructions changed"}},
	Run:   run,
}

func run(c *passes.Context, module *ir.Op) error {
	v := history.Last()
	if text := c.Text("version"); text != "" {
		var err error
		if v, err = history.Parse(text); err != nil {
			c.Errorf(module, "cannot be rewritten: %v", err)
			return passes.ErrReported
		}
	}
	if module.HasAttr(Attribute) {
		module.SetAttr(Attribute, ir.Str(v.String()))
	}
	for op := range module.Walk() {
		if rewrite(c, op, v) {
			c.Count("num-rewritten", 1)
		}
	}
	if !Check(module, v, c.Diags) {
		return passes.ErrReported
	}
	return nil
}

// rewrite changes an instruction for version v and reports whether it has.
func rewrite(c *passes.Context, op *ir.Op, v history.Version) bool {
	if to := twin(op, v); to != nil && to.Made().Form(op.Form().Level) != nil {
		replace(op, to)
		return true
	}
	if dropScratch(op, v) {
		return true
	}
	const policy = "cache_policy"
	if span, known := history.Lookup(history.Arg(op.Name(), policy)); known && op.HasAttr(policy) && !span.Has(v) {
		c.Warnf(op, "loses its cache policy, which version %s does not have: the load goes through the L2 cache", v)
		op.SetAttr(policy, ir.Attr{})
		return true
	}
	return false
}

// dropScratch removes optional scratch operands of op that version v does not have: they
// only name memory for intermediate values. It reports whether there was one.
func dropScratch(op *ir.Op, v history.Version) bool {
	dropped := false
	for _, a := range op.Form().Operands {
		span, known := history.Lookup(history.Arg(op.Name(), a.Name))
		if a.Role == ir.Scratch && a.Arity == ir.Optional && known && !span.Has(v) && op.Arg(a.Name) != nil {
			op.RemoveArg(a.Name)
			dropped = true
		}
	}
	return dropped
}

// replace creates an operation with the definition to, which has the operands of op under
// the same names, in the place of op.
func replace(op *ir.Op, to *ir.Def) {
	form := to.Form(op.Form().Level)
	state := ir.State{Def: to, Form: form, Loc: op.Loc(), Attrs: slices.Collect(op.AllAttrs())}
	segs := make([]int32, len(form.Operands))
	for i, a := range form.Operands {
		values := op.Args(a.Name)
		state.Operands, segs[i] = append(state.Operands, values...), int32(len(values))
	}
	state.Segs = ir.Segments(form.Operands, segs)
	for _, r := range op.Results() {
		state.Results = append(state.Results, r.Type())
	}
	changed := ir.Before(op).Create(state)
	for i, r := range op.Results() {
		changed.Result(i).SetName(r.Name())
		r.ReplaceAllUses(changed.Result(i))
	}
	op.Erase()
}

// twins are the pairs of scalar loads and stores with the same operands and meaning. For
// global memory and outside of SIMT code, old versions have the first name and new versions
// the second.
var twins = [][2]*ir.Def{{base.LoadScalar, simt.SimtLoad}, {base.StoreScalar, simt.SimtStore}}

// twin returns the definition that version v has instead of that of op, or nil.
func twin(op *ir.Op, v history.Version) *ir.Def {
	for _, t := range twins {
		span, _ := history.Lookup(history.Op(t[0].Name))
		switch {
		case op.Is(t[0]) && !span.Has(v):
			return t[1]
		case isScalar(op, t[1]) && span.Has(v):
			return t[0]
		}
	}
	return factorTwin(op, v)
}

// isScalar reports whether op is one of the given loads and stores of elements, accesses
// global memory and runs on the scalar unit, not in a work item. Old versions accept the
// same operations on local memory, for vector code.
func isScalar(op *ir.Op, defs ...*ir.Def) bool {
	for _, d := range defs {
		if !op.Is(d) || pto.SpaceOf(op.Arg("ptr").Type()) != sem.GM {
			continue
		}
		for p := op.Parent(); p != nil; p = p.Parent() {
			if s, ok := p.Def().Sem.(sem.Scope); ok && s.Kind == sem.SimtSection || p.Is(fn.Func) && pto.IsSimtEntry(p) {
				return false
			}
		}
		return true
	}
	return false
}

// Today returns the name that the newest version has for the instruction of op, or "" if
// the newest version has no other name.
func Today(op *ir.Op) string {
	if to := twin(op, history.Last()); to != nil {
		return to.Name
	}
	return ""
}
