package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/ir"
)

// covers checks that an operand has storage for every element of the valid
// region of dst.
func (o *tileOperand) covers(op *ir.Op, dst *tile) *Fault {
	if dst.rows > o.l.rows || dst.cols > o.l.cols {
		return o.tooSmall(op, dst)
	}
	return nil
}

func (o *tileOperand) tooSmall(op *ir.Op, dst *tile) *Fault {
	return faultAt(op, "reads %dx%d elements of \"%s\", which has room for %dx%d", dst.rows, dst.cols, o.name, o.l.rows, o.l.cols)
}

// extentRule is a rule on valid regions that the types leave open.
type extentRule struct {
	rule pto.ValidRule
	a, b slot
	two  bool
}

// extentRules returns the rules of an instruction that must be checked when
// it runs: those on a valid region that the type does not tell.
func (p *planner) extentRules(op *ir.Op) []extentRule {
	info := pto.InfoOf(op.Def())
	if info == nil {
		return nil
	}
	var rs []extentRule
	for _, r := range info.Rules {
		v, ok := r.(pto.ValidRule)
		if !ok || !v.On.Has(p.target) {
			continue
		}
		a, b := op.Arg(v.A), op.Arg(v.B)
		if a == nil || !pto.IsTile(a.Type()) || v.B != "" && (b == nil || !pto.IsTile(b.Type())) {
			continue
		}
		open := !staticValid(a)
		e := extentRule{rule: v, a: p.slot(a)}
		if v.B != "" {
			open = open || !staticValid(b)
			e.b, e.two = p.slot(b), true
		}
		if open {
			rs = append(rs, e)
		}
	}
	return rs
}

func staticValid(v *ir.Value) bool {
	info, _ := pto.TileOf(v.Type())
	return info.StaticValid()
}

// checkExtents applies rules to the valid regions of the moment.
func checkExtents(op *ir.Op, fr *frame, rules []extentRule) *Fault {
	for i := range rules {
		r := &rules[i]
		var b pto.Extent
		if r.two {
			b = fr.t[r.b].extent()
		}
		a, profile := fr.t[r.a].extent(), fr.core.prog.target
		if r.rule.Lax.Has(profile) {
			if msg := r.rule.Shortage(a, b); msg != "" {
				fr.core.warnOnce(op, func() *Fault {
					return faultAt(op, "on %s: %s; what lies in the storage of \"%s\" is read", pto.ProfileName(profile), msg, r.rule.A)
				})
			}
		} else if msg := r.rule.Violation(a, b); msg != "" {
			return faultAt(op, "on %s: %s", pto.ProfileName(profile), msg)
		}
	}
	return nil
}

func (t *tile) extent() pto.Extent { return pto.Extent{Rows: int64(t.rows), Cols: int64(t.cols)} }

// checked puts the rules on valid regions in front of a step.
func (p *planner) checked(op *ir.Op, s step) step {
	rules := p.extentRules(op)
	if s == nil || len(rules) == 0 {
		return s
	}
	return func(fr *frame) *Fault {
		if f := checkExtents(op, fr, rules); f != nil {
			return f
		}
		return s(fr)
	}
}
