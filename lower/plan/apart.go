// This file checks that tiles do not share bytes where an instruction forbids it.

package plan

import (
	"fmt"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
)

// checkApart reports instructions whose tile operands share bytes although the
// instruction requires separate memory. It checks only tiles with known addresses. It
// returns true if it has reported no error.
func checkApart(f *ir.Op, diags *ir.Diags) bool {
	ok := true
	for op := range f.Walk() {
		info := pto.InfoOf(op.Def())
		if info == nil || info.Disjoint == nil || op.Form().Level != ir.DPS {
			continue
		}
		names := info.Disjoint(op)
		for i, a := range names {
			for _, b := range names[:i] {
				ok = apart(op, b, a, diags) && ok
			}
		}
	}
	return ok
}

// apart checks the operands a and b of op. The instruction accesses both at the same
// time, so shared bytes would have an undefined value. It returns true if they share no
// bytes or an address is unknown.
func apart(op *ir.Op, a, b string, diags *ir.Diags) bool {
	x, known := analysis.BytesOf(op.Arg(a))
	y, both := analysis.BytesOf(op.Arg(b))
	if !known || !both || !x.Meets(y) {
		return true
	}
	d := diags.Error(op.Loc(), fmt.Sprintf("'%s' op uses \"%s\" and \"%s\" at the same time, but they share bytes", op.Name(), a, b)).As(ir.CodeRule)
	d.Note(op.Arg(a).Op().Loc(), fmt.Sprintf("%q occupies bytes %d to %d", a, x.From, x.To-1))
	d.Note(op.Arg(b).Op().Loc(), fmt.Sprintf("%q occupies bytes %d to %d", b, y.From, y.To-1))
	return false
}
