// This file finds parameters whose memory a function only reads.

package analysis

import (
	"slices"

	"ptogo/dialect/fn"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// MayWrite reports whether a function may write memory through its parameter v, itself or
// in a function that it calls. The result false is certain.
func MayWrite(v *ir.Value) bool { return mayWrite(v, map[*ir.Value]bool{}) }

// mayWrite is MayWrite for any value that holds an address. The values in seen are under
// examination.
func mayWrite(v *ir.Value, seen map[*ir.Value]bool) bool {
	if seen[v] {
		return false
	}
	seen[v] = true
	for u := range v.Uses() {
		if useMayWrite(u.Owner(), v, seen) {
			return true
		}
	}
	return false
}

// useMayWrite reports whether op may write memory through its operand v, or through a
// result that has the address of v. It returns true for kinds that may keep the address.
func useMayWrite(op *ir.Op, v *ir.Value, seen map[*ir.Value]bool) bool {
	if _, passes := op.Def().Sem.(sem.PassesAddress); passes {
		return slices.ContainsFunc(op.Results(), func(r *ir.Value) bool { return mayWrite(r, seen) })
	}
	if _, now := op.Def().Sem.(sem.OnlyNow); now {
		return effectsThrough(op, v)&pto.Writes != 0
	}
	return !op.Is(fn.Call) || calleeMayWrite(op, v, seen)
}

// effectsThrough returns how op accesses memory through its operand v.
func effectsThrough(op *ir.Op, v *ir.Value) (kind pto.EffectKind) {
	for i, a := range op.Form().Operands {
		from, to := op.ArgRange(i)
		if slices.Contains(op.Operands()[from:to], v) {
			kind |= pto.EffectOn(op, a, v)
		}
	}
	return kind
}

// calleeMayWrite reports whether the function that op calls may write memory through a
// parameter that is v.
func calleeMayWrite(op *ir.Op, v *ir.Value, seen map[*ir.Value]bool) bool {
	callee := CalleeOf(op)
	if callee == nil || fn.Body(callee) == nil {
		return true
	}
	params := fn.Body(callee).Args()
	for i, o := range op.Operands() {
		if o == v && (i >= len(params) || mayWrite(params[i], seen)) {
			return true
		}
	}
	return false
}
