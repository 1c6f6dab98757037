package plan

import (
	"fmt"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/analysis"
	"ptogo/ir"
)

// checkApart reports instructions whose tiles share bytes and must not, as far
// as it is known where the tiles lie. It reports whether all is well.
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

func apart(op *ir.Op, a, b string, diags *ir.Diags) bool {
	x, known := analysis.BytesOf(op.Arg(a))
	y, both := analysis.BytesOf(op.Arg(b))
	if !known || !both || !x.Meets(y) {
		return true
	}
	d := diags.Error(op.Loc(), fmt.Sprintf("'%s' op works on \"%s\" and \"%s\" side by side, but they share bytes", op.Name(), a, b))
	d.Note(op.Arg(a).Op().Loc(), fmt.Sprintf("%q takes bytes %d to %d", a, x.From, x.To-1))
	d.Note(op.Arg(b).Op().Loc(), fmt.Sprintf("%q takes bytes %d to %d", b, y.From, y.To-1))
	return false
}
