// This file verifies where an instruction can be: in a vector function, in a SIMT
// function, or outside.

package pto

import (
	"slices"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// Rules on what an instruction may stand in.

// IsVectorFunction reports whether op is a vector function (pto.vecscope), a region of
// vector instructions that the vector unit executes out of order.
func IsVectorFunction(op *ir.Op) bool {
	s, ok := op.Def().Sem.(sem.Scope)
	return ok && s.Kind == sem.VectorFunction
}

// VectorFunctionAround returns the vector function that contains op, or nil.
func VectorFunctionAround(op *ir.Op) *ir.Op {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if IsVectorFunction(p) {
			return p
		}
	}
	return nil
}

// InScope returns a rule that requires an instruction to be inside a vector function
// (pto.vecscope), because only the vector unit can execute it.
func InScope() Rule {
	return PlaceRule(func(op *ir.Op) string {
		if VectorFunctionAround(op) == nil {
			return "must be inside 'pto.vecscope' or 'pto.strict_vecscope'"
		}
		return ""
	})
}

// OutsideScope returns a rule that requires an instruction to be outside of vector
// functions (pto.vecscope), because the scalar unit executes it.
func OutsideScope() Rule {
	return PlaceRule(func(op *ir.Op) string {
		if s := VectorFunctionAround(op); s != nil {
			return "must be outside '" + s.Name() + "'"
		}
		return ""
	})
}

// PlaceRule is a Rule on where in the program an operation may occur. It returns a
// message for a violation, or "". The result does not depend on the target.
type PlaceRule func(op *ir.Op) string

// Verify implements Rule. It reports the violation that r returns, if any.
func (r PlaceRule) Verify(op *ir.Op, v *ir.Verifier) {
	if msg := r(op); msg != "" {
		v.Errorf(op, "%s", msg)
	}
}

// isPlaceRule reports whether rule r only depends on where in the program an operation
// occurs.
func isPlaceRule(r Rule) bool {
	switch r.(type) {
	case PlaceRule, inSimtRule:
		return true
	}
	return false
}

// WithinSimt reports whether op is in SIMT code, a function or a section that runs once
// per work item.
func WithinSimt(op *ir.Op) bool {
	for p := op.Parent(); p != nil; p = p.Parent() {
		if s, ok := p.Def().Sem.(sem.Scope); ok && s.Kind == sem.SimtSection || p.HasAttr(SimtEntry) {
			return true
		}
	}
	return false
}

// InSimt returns a rule that requires an instruction to be in SIMT code, which runs once
// per work item.
func InSimt() Rule { return inSimtRule{} }

// inSimtRule is the rule that InSimt returns. It has its own type so that InSimtOnly can
// recognize it.
type inSimtRule struct{}

// Verify implements Rule. It reports an error if op is not in SIMT code.
func (inSimtRule) Verify(op *ir.Op, v *ir.Verifier) {
	if !WithinSimt(op) {
		v.Errorf(op, "must be inside a function with the attribute %s or inside 'pto.section.simt'", SimtEntry)
	}
}

// InSimtOnly reports whether the instruction that d defines may only occur in SIMT code,
// which runs once per work item.
func InSimtOnly(d *ir.Def) bool {
	info := InfoOf(d)
	return info != nil && slices.ContainsFunc(info.Rules, func(r Rule) bool {
		_, ok := r.(inSimtRule)
		return ok
	})
}

// OutsideSimt returns a rule that requires an instruction to be outside of SIMT code,
// which runs once per work item.
func OutsideSimt() Rule {
	return PlaceRule(func(op *ir.Op) string {
		if WithinSimt(op) {
			return "must be outside functions with " + SimtEntry + " and 'pto.section.simt'"
		}
		return ""
	})
}

// InEntry returns a rule that the instruction which has it must be in the entry function
// of a kernel, not in a function that the entry function calls.
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
