// This file defines the pass that rewrites programs for a version.

package version

import (
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
	if to := twin(op, v); to != nil {
		b := ir.Before(op)
		var results []ir.Type
		for _, r := range op.Results() {
			results = append(results, r.Type())
		}
		changed := b.Op(to, op.Operands(), results, op.ExtraAttrs()...)
		for i, r := range op.Results() {
			changed.Result(i).SetName(r.Name())
			r.ReplaceAllUses(changed.Result(i))
		}
		op.Erase()
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
	return nil
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
