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

// InScope asks for a place inside a vector function.
func InScope() Rule {
	return PlaceRule(func(op *ir.Op) string {
		if scopeAround(op) == nil {
			return "must be inside 'pto.vecscope' or 'pto.strict_vecscope'"
		}
		return ""
	})
}

// OutsideScope asks for a place outside vector functions: the scalar unit
// executes the instruction between them.
func OutsideScope() Rule {
	return PlaceRule(func(op *ir.Op) string {
		if s := scopeAround(op); s != nil {
			return "must be outside '" + s.Name() + "'"
		}
		return ""
	})
}

// PlaceRule is a Rule on the place of an operation, the same on all profiles.
type PlaceRule func(op *ir.Op) string

// Verify implements Rule.
func (r PlaceRule) Verify(op *ir.Op, v *ir.Verifier) {
	if msg := r(op); msg != "" {
		v.Errorf(op, "%s", msg)
	}
}

// isPlaceRule reports whether a rule is about the place of an operation alone.
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

// InSimt asks for a place that runs once per work item.
func InSimt() Rule { return inSimtRule{} }

type inSimtRule struct{}

// Verify implements Rule.
func (inSimtRule) Verify(op *ir.Op, v *ir.Verifier) {
	if !WithinSimt(op) {
		v.Errorf(op, "must be inside a function with %s or 'pto.section.simt'", SimtEntry)
	}
}

// InSimtOnly reports whether an instruction exists only where code runs once
// per work item.
func InSimtOnly(d *ir.Def) bool {
	info := InfoOf(d)
	return info != nil && slices.ContainsFunc(info.Rules, func(r Rule) bool {
		_, ok := r.(inSimtRule)
		return ok
	})
}

// OutsideSimt asks for a place that does not run once per work item.
func OutsideSimt() Rule {
	return PlaceRule(func(op *ir.Op) string {
		if WithinSimt(op) {
			return "must be outside functions with " + SimtEntry + " and 'pto.section.simt'"
		}
		return ""
	})
}

// InEntry asks for a function that is the entry of a kernel.
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
