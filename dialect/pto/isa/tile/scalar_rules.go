// This file defines rules of instructions with a scalar operand.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// tileScalarTmp returns the definition of an instruction that computes dst = fn(src,
// scalar) for every element and needs a scratch tile on A2/A3. o contains the rules on
// the scratch tile.
func tileScalarTmp(o Op, fn *scalar.Fn, elems On) *ir.Def {
	o.Ins = Args{
		In("src", RowMajorTile(elems, 0)),
		In("scalar", NumberFor("src")),
		ScratchArg("tmp", anyTmp.RowMajor(sem.OnA2A3)),
	}
	o.Outs = Args{Out("dst", LikeTile("src"))}
	if o.Sem == nil {
		o.Sem = sem.TileMap{Fn: fn}
	}
	o.Rules = append([]Rule{SameValid(sem.OnAll, "src", "dst"), TmpLike(sem.OnA2A3, "src")}, o.Rules...)
	o.Family, o.Pipe = "tile-scalar-and-immediate", sem.PipeV
	return TileOp(o)
}

// either is the constraint on each operand of a pair that consists of a tile and a scalar
// in any order. The field other is the name of the other operand of the pair. If the
// other operand is a tile, the constrained operand must be a scalar whose type fits the
// elements of the tile. If the other operand is not a tile, the constrained operand must
// be a row-major tile in vec. The field on holds the legal element types of the tile.
type either struct {
	other string
	on    On
}

// Check implements ir.Constraint. It reports whether t is a row-major tile, or a scalar
// that fits the tile in the other operand.
func (c either) Check(t ir.Type, e *ir.Env) bool {
	if !IsTile(t) {
		return IsTile(e.Type(c.other)) && NumberFor(c.other).Check(t, e)
	}
	return !IsTile(e.Type(c.other)) && RowMajorTile(c.on, sem.OnAll).Check(t, e)
}

// Want implements ir.Constraint. It describes the accepted types for error messages.
func (c either) Want(e *ir.Env) string {
	if other := e.Type(c.other); IsTile(other) {
		return "a scalar, which is converted to " + ir.ElementType(other).String() + ", the element type of \"" + c.other + "\""
	}
	want := RowMajorTile(c.on, sem.OnAll).Want(e)
	if e.Type(c.other).IsZero() { // on a reference page
		return want + ", or a scalar of the element type of \"" + c.other + "\""
	}
	return want
}

// Hint implements ir.Hinter. It returns a note for an error about type t that suggests a
// correction, or "".
func (c either) Hint(t ir.Type, e *ir.Env) string { return RowMajorTile(c.on, sem.OnAll).Hint(t, e) }

// TargetName implements ir.Targeted. It returns the name of target t for messages.
func (c either) TargetName(t ir.Target) string { return sem.ProfileName(t) }

// Elems returns the element types that the instruction supports on target t.
func (c either) Elems(t ir.Target) Elems { return c.on.For(t) }

// likeEither is a constraint for instructions that accept a tile and a scalar in either
// order. It accepts tiles with the same element type and memory as the tile among the two
// operands a and b.
type likeEither struct{ a, b string }

// tile returns a constraint that accepts tiles with the element type and the memory space
// of another operand. This is the operand named c.a if it is a tile, and otherwise the
// operand named c.b.
func (c likeEither) tile(e *ir.Env) LikeRule {
	if IsTile(e.Type(c.a)) {
		return LikeTile(c.a)
	}
	return LikeTile(c.b)
}

// Check implements ir.Constraint. One operand of the instruction is a tile and the other
// is a scalar, in either order. Check reports whether t matches the operand that is the
// tile.
func (c likeEither) Check(t ir.Type, e *ir.Env) bool { return c.tile(e).Check(t, e) }

// Want implements ir.Constraint. It describes the accepted tiles for error messages.
func (c likeEither) Want(e *ir.Env) string { return c.tile(e).Want(e) }

// Infer implements ir.Inferrer. The program may omit the type of the result. In that
// case, the result has the type of the tile among the two operands, which Infer returns.
func (c likeEither) Infer(e *ir.Env) ir.Type { return c.tile(e).Infer(e) }

// scalarMatches returns a rule that requires the named scalar operand to have the element
// type of the named tile operand. It is a rule and not a constraint on the type of the
// scalar, because the type of the tile follows the scalar in the program text.
func scalarMatches(scalar, tile string) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		env := ir.EnvOf(op, 0)
		s, e := env.Type(scalar), ir.ElementType(env.Type(tile))
		if SameElement(s, e) {
			return ""
		}
		return fmt.Sprintf("operand \"%s\" must be %s, the element type of \"%s\", but is %s", scalar, e, tile, s)
	})
}
