// This file checks rules on valid regions that are only known at run time.

package runtime

import (
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// covers returns a fault if the storage of the operand has fewer rows or fewer columns
// than the valid region of the tile t.
func (o *tileOperand) covers(op *ir.Op, t *tile) *Fault {
	if t.rows > o.l.rows || t.cols > o.l.cols {
		return faultAt(op, "reads %dx%d elements of \"%s\", which has room for only %dx%d", t.rows, t.cols, o.name, o.l.rows, o.l.cols)
	}
	return nil
}

// extentRule is a run-time check of a constraint on valid regions (the rows and columns
// of tiles that hold data). An example of a constraint is that two operands have equally
// many rows. The function returns a fault if the constraint is violated, and nil
// otherwise.
type extentRule func(fr *frame) *Fault

// extentRules returns the checks on the valid regions of the operands of op. It returns
// only checks that must wait for the execution, because the valid regions are not
// constant.
func (p *planner) extentRules(op *ir.Op) []extentRule {
	var rs []extentRule
	for _, r := range pto.OpenRules(op, p.target) {
		rs = append(rs, p.validRule(op, r))
	}
	return rs
}

// validRule returns the run-time check of r, a constraint on the valid regions of one or
// two tile operands.
func (p *planner) validRule(op *ir.Op, r pto.ValidRule) extentRule {
	profile := sem.ProfileName(p.target)
	a, b, two := p.slot(op.Arg(r.A)), slot(0), r.B != ""
	if two {
		b = p.slot(op.Arg(r.B))
	}
	lax := r.Lax.Has(p.target)
	return func(fr *frame) *Fault {
		x, y := fr.t[a].extent(), pto.Extent{}
		if two {
			y = fr.t[b].extent()
		}
		if lax {
			if msg := r.Shortage(x, y); msg != "" {
				fr.core.warnOnce(op, func() *Fault {
					return faultAt(op, "on target %s: %s; the instruction reads storage of \"%s\" outside of its valid region", profile, msg, r.A)
				})
			}
		} else if msg := r.Violation(x, y); msg != "" {
			return faultAt(op, "on target %s: %s", profile, msg)
		}
		return nil
	}
}

// checkExtents checks constraints on the valid regions of tiles, for example that two
// operands have equally many rows. It returns the fault of the first violated constraint,
// or nil.
func checkExtents(fr *frame, rules []extentRule) *Fault {
	for _, r := range rules {
		if f := r(fr); f != nil {
			return f
		}
	}
	return nil
}

// extent returns the numbers of rows and columns of the valid region of the tile.
func (t *tile) extent() pto.Extent { return pto.Extent{Rows: int64(t.rows), Cols: int64(t.cols)} }

// checked returns a step that executes s after a check. The check examines the
// constraints on the valid regions of the operands of op, which are the rows and columns
// that hold data.
func (p *planner) checked(op *ir.Op, s step) step {
	rules := p.extentRules(op)
	if s == nil || len(rules) == 0 {
		return s
	}
	return func(fr *frame) *Fault {
		if f := checkExtents(fr, rules); f != nil {
			return f
		}
		return s(fr)
	}
}
