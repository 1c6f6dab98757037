// This file compares iteration spaces.

package fusion

import (
	"fmt"
	"strings"

	"ptogo/dialect/arith"
	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// spaces assigns names to iteration spaces. Two instructions have the same iteration
// space if and only if their spaces have equal names; they can then share a loop.
type spaces struct {
	// infers states that computed extents can be equal: those that are the same expression
	// of the same values.
	infers  bool
	numbers map[*ir.Value]int
}

// of returns the name of the iteration space of op. The bool result is false if op cannot
// share a loop.
func (s *spaces) of(op *ir.Op) (string, bool) {
	if !onTiles(op) {
		return "", false
	}
	var over *ir.Value
	if reduces, ok := op.Def().Sem.(sem.TileReduce); ok && !reduces.Arg {
		over = sem.TileEndsOf(op).Src.Value
	} else if elementwise(op) {
		over = written(op)
	}
	info, ok := pto.TileOf(typeOf(over))
	if !ok || info.SLayout != pto.NoneBox {
		return "", false
	}
	rows, cols := s.valid(over, info)
	return fmt.Sprintf("%s x %s, %v", rows, cols, info.BLayout), true
}

// typeOf returns the type of v, or the zero type if v is nil.
func typeOf(v *ir.Value) ir.Type {
	if v == nil {
		return ir.Type{}
	}
	return v.Type()
}

// written returns the tile that op writes. It returns nil if op writes no tile or several
// tiles. Scratch tiles do not count.
func written(op *ir.Op) *ir.Value {
	var found *ir.Value
	for _, a := range accesses(op) {
		if a.writes && !a.scratch {
			if found != nil {
				return nil
			}
			found = a.v
		}
	}
	return found
}

// valid returns a text for the number of valid rows of the tile v, and a text for its
// number of valid columns. Equal texts mean that the numbers are certain to be equal. The
// parameter info describes the type of v.
func (s *spaces) valid(v *ir.Value, info pto.TileInfo) (rows, cols string) {
	extents := [2]*ir.Value{}
	if op := v.Op(); op != nil && !resized(v) && (means[sem.AllocTile](op) || means[sem.SubTile](op)) {
		p := sem.PlacingOf(op)
		extents = [2]*ir.Value{p.Rows.Value, p.Cols.Value}
	}
	names := [2]string{}
	for i, n := range []int64{info.VRows, info.VCols} {
		switch {
		case n != ir.Dynamic:
			names[i] = fmt.Sprint(n)
		case s.infers && extents[i] != nil:
			names[i] = s.expression(extents[i], mostNested)
		default:
			names[i] = fmt.Sprintf("extent %d of %s", i, s.name(v))
		}
	}
	return names[0], names[1]
}

// resized reports whether an instruction changes the valid region of the tile v.
func resized(v *ir.Value) bool {
	for u := range v.Uses() {
		if _, changes := u.Owner().Def().Sem.(sem.SetValid); changes {
			return true
		}
	}
	return false
}

// mostNested limits the comparison of expressions that compute extents. Operands of such
// an expression can be expressions themselves; nesting beyond this depth is not compared.
const mostNested = 6

// expression returns a name for the computation of v. Two values with the same name are
// equal. The name describes the operation that computes v and, recursively, its operands.
// depth limits the recursion: at depth 0, the name of an operand is the name of its SSA
// value.
func (s *spaces) expression(v *ir.Value, depth int) string {
	if n, ok := arith.ConstantInt(v); ok {
		return fmt.Sprint(n)
	}
	op := v.Op()
	if op == nil || depth == 0 || !op.HasTrait(ir.Pure) || len(op.Regions()) > 0 || op.NumResults() != 1 {
		return s.name(v)
	}
	var b strings.Builder
	b.WriteString(op.Name())
	for a := range op.OwnAttrs() {
		fmt.Fprintf(&b, " %s=%s", a.Name, a.Attr)
	}
	fmt.Fprintf(&b, " %s(", v.Type())
	for _, o := range op.Operands() {
		b.WriteString(s.expression(o, depth-1) + ",")
	}
	return b.String() + ")"
}

// name returns a name that only the value v has.
func (s *spaces) name(v *ir.Value) string {
	if _, ok := s.numbers[v]; !ok {
		s.numbers[v] = len(s.numbers)
	}
	return fmt.Sprintf("value %d", s.numbers[v])
}
