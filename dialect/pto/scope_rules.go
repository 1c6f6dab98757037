// This file verifies where an instruction can be: in a vector function, in a SIMT
// function, or outside.

package pto

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Rules on what an instruction may stand in.

// scopeAround returns the vector function around op, or nil.
func scopeAround(op *ir.Op) *ir.Op {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if s, ok := p.Def().Sem.(sem.Scope); ok && s.Kind == sem.VectorFunction {
			return p
		}
	}
	return nil
}

// InScope requires that an instruction is inside a vector function.
func InScope() Rule {
	return PlaceRule(func(op *ir.Op) string {
		if scopeAround(op) == nil {
			return "must be inside 'pto.vecscope' or 'pto.strict_vecscope'"
		}
		return ""
	})
}

// OutsideScope requires that an instruction is outside of vector functions, because the
// scalar unit executes it between them.
func OutsideScope() Rule {
	return PlaceRule(func(op *ir.Op) string {
		if s := scopeAround(op); s != nil {
			return "must be outside '" + s.Name() + "'"
		}
		return ""
	})
}

// PlaceRule is a Rule on the position of an operation in the program. It does not depend
// on the profile.
type PlaceRule func(op *ir.Op) string

// Verify implements Rule.
func (r PlaceRule) Verify(op *ir.Op, v *ir.Verifier) {
	if msg := r(op); msg != "" {
		v.Errorf(op, "%s", msg)
	}
}

// isPlaceRule reports whether a rule depends only on the position of an operation.
func isPlaceRule(r Rule) bool {
	switch r.(type) {
	case PlaceRule, inSimtRule:
		return true
	}
	return false
}

// WithinSimt reports whether op runs once per work item.
func WithinSimt(op *ir.Op) bool {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if s, ok := p.Def().Sem.(sem.Scope); ok && s.Kind == sem.SimtSection || p.HasAttr(SimtEntry) {
			return true
		}
	}
	return false
}

// InSimt requires that an instruction runs once per work item.
func InSimt() Rule { return inSimtRule{} }

// inSimtRule is the rule that InSimt returns.
type inSimtRule struct{}

// Verify implements Rule.
func (inSimtRule) Verify(op *ir.Op, v *ir.Verifier) {
	if !WithinSimt(op) {
		v.Errorf(op, "must be inside a function with %s or 'pto.section.simt'", SimtEntry)
	}
}

// InSimtOnly reports whether an instruction exists only in code that runs once per work
// item.
func InSimtOnly(d *ir.Def) bool {
	info := InfoOf(d)
	return info != nil && slices.ContainsFunc(info.Rules, func(r Rule) bool {
		_, ok := r.(inSimtRule)
		return ok
	})
}

// OutsideSimt requires that an instruction does not run once per work item.
func OutsideSimt() Rule {
	return PlaceRule(func(op *ir.Op) string {
		if WithinSimt(op) {
			return "must be outside functions with " + SimtEntry + " and 'pto.section.simt'"
		}
		return ""
	})
}

// InEntry requires that an instruction is in the entry function of a kernel.
func InEntry() Rule {
	return PlaceRule(func(op *ir.Op) string {
		for p := op.Parent(); p != nil; p = p.Parent() {
			for _, a := range entryAttrs {
				if p.HasAttr(a) {
					return ""
				}
			}
		}
		return "must be inside the entry function of a kernel, which has pto.entry, pto.kernel or pto.aicore"
	})
}
