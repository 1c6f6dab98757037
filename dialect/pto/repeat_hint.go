// This file suggests instructions that repeat a row or a column.

package pto

import (
	"fmt"
	"strings"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// repeatHint adds a note to error d, which reports that two operands of an elementwise
// instruction have different valid regions. The rule r contains the names of the two
// operands. If the first one has a single row or column and the second one has more, the
// note names the instruction that broadcasts the first one.
func repeatHint(d *ir.Diag, op *ir.Op, r ValidRule) {
	a, ok := TileArg(op, r.A)
	dst, two := TileArg(op, r.B)
	if !ok || !two {
		return
	}
	for _, x := range []struct {
		one    bool
		prefix string
		axis   sem.Axis
		over   string
	}{
		{(a.Rows == 1 || a.VRows == 1) && dst.VRows != 1 && a.Cols == dst.Cols, "tcolexpand", sem.AlongCol, "rows"},
		{(a.Cols == 1 || a.VCols == 1) && dst.VCols != 1 && a.Rows == dst.Rows, "trowexpand", sem.AlongRow, "columns"},
	} {
		if !x.one {
			continue
		}
		if name := repeating(op, x.prefix, x.axis); name != "" {
			d.Note(op.Loc(), fmt.Sprintf("'%s' repeats \"%s\" over the %s of \"%s\"", name, r.A, x.over, r.B))
		}
		return
	}
}

// repeating returns the name of the instruction that computes the same function as the
// elementwise instruction op and broadcasts the second operand along axis. The name of
// that instruction starts with prefix. The result is "" if there is none.
func repeating(op *ir.Op, prefix string, axis sem.Axis) string {
	kind, ok := op.Def().Sem.(sem.TileMap)
	if !ok || len(kind.Then) > 0 {
		return ""
	}
	def := ir.Lookup("pto." + prefix + strings.TrimPrefix(op.Def().Name, "pto.t"))
	if def == nil {
		return ""
	}
	if e, ok := def.Sem.(sem.TileExpand); ok && e.Axis == axis && e.Fn == kind.Fn && e.Then == nil {
		return def.Name
	}
	return ""
}
