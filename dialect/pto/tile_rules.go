package pto

import (
	"fmt"

	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// tileArg returns the tile that the argument name stands for, operand or
// result.
func tileArg(op *ir.Op, name string) (TileInfo, bool) {
	return TileOf(ir.EnvOf(op, 0).Type(name))
}

// ValidIs asks for a valid region of the given size; a negative number asks
// for nothing.
func ValidIs(on sem.Profiles, a string, rows, cols int64) Rule {
	return ValidRule{On: on, A: a, check: func(r ValidRule, a, _ Extent) string {
		if rows >= 0 && a.Rows != rows && a.Rows != ir.Dynamic {
			return fmt.Sprintf("\"%s\" must have %d valid rows, but has %d", r.A, rows, a.Rows)
		}
		if cols >= 0 && a.Cols != cols && a.Cols != ir.Dynamic {
			return fmt.Sprintf("\"%s\" must have %d valid columns, but has %d", r.A, cols, a.Cols)
		}
		return ""
	}}
}

// ValidWithin asks that the valid region of a fits into that of b.
func ValidWithin(on sem.Profiles, a, b string) Rule {
	return ValidRule{On: on, A: a, B: b, check: func(r ValidRule, a, b Extent) string {
		if msg := r.exceeds("rows", a.Rows, b.Rows); msg != "" {
			return msg
		}
		return r.exceeds("columns", a.Cols, b.Cols)
	}}
}

func (r ValidRule) exceeds(what string, a, b int64) string {
	if a == ir.Dynamic || b == ir.Dynamic || a <= b {
		return ""
	}
	return fmt.Sprintf("\"%s\" has %d valid %s, but \"%s\" has only %d", r.A, a, what, r.B, b)
}

// EvenCols asks for an even number of valid columns.
func EvenCols(on sem.Profiles, a string) Rule {
	return ValidRule{On: on, A: a, check: func(r ValidRule, a, _ Extent) string {
		if a.Cols != ir.Dynamic && a.Cols%2 != 0 {
			return fmt.Sprintf("\"%s\" must have an even number of valid columns, but has %d", r.A, a.Cols)
		}
		return ""
	}}
}

// TileCheck is a Rule on the tiles that some arguments stand for; it applies
// when all of them are there.
type TileCheck struct {
	On   sem.Profiles
	Args []string
	// Check returns what is wrong, or "".
	Check func(op *ir.Op, tiles []TileInfo) string
	// Late lets the runtime ask again with the valid regions that the types
	// leave open.
	Late bool
}

// scratchCheck is a rule on how large the scratch tile must be for others, the
// first of the tiles that check gets.
func scratchCheck(on sem.Profiles, others []string, check func(op *ir.Op, tiles []TileInfo) string) TileCheck {
	return TileCheck{On: on, Args: append([]string{"tmp"}, others...), Check: check, Late: true}
}

// Verify implements Rule.
func (r TileCheck) Verify(op *ir.Op, v *ir.Verifier) {
	if !r.On.Has(v.Target) {
		return
	}
	tiles := make([]TileInfo, len(r.Args))
	for i, name := range r.Args {
		t, ok := tileArg(op, name)
		if !ok {
			return
		}
		tiles[i] = t
	}
	if msg := r.Check(op, tiles); msg != "" {
		v.Errorf(op, "on %s: %s", sem.ProfileName(v.Target), msg)
	}
}

// SameShape asks for tiles with as many rows and columns of storage.
func SameShape(on sem.Profiles, a, b string) Rule {
	return TileCheck{On: on, Args: []string{a, b}, Check: func(_ *ir.Op, t []TileInfo) string {
		if t[0].Rows == t[1].Rows && t[0].Cols == t[1].Cols {
			return ""
		}
		return fmt.Sprintf("\"%s\" and \"%s\" must have the same shape, but are %dx%d and %dx%d", a, b, t[0].Rows, t[0].Cols, t[1].Rows, t[1].Cols)
	}}
}

// SameElemSize asks for elements of equally many bytes.
func SameElemSize(on sem.Profiles, a, b string) Rule {
	return Check(func(op *ir.Op, t ir.Target) string {
		env := ir.EnvOf(op, t)
		x, y := ir.ElementType(env.Type(a)), ir.ElementType(env.Type(b))
		if !on.Has(t) || x.IsZero() || y.IsZero() || ByteSize(x) == ByteSize(y) {
			return ""
		}
		return fmt.Sprintf("elements of \"%s\" and \"%s\" must be equally large, but are %s and %s", a, b, x, y)
	})
}

// StaticValid asks that valid regions are known before the program runs.
func StaticValid(on sem.Profiles, args ...string) Rule {
	return Check(func(op *ir.Op, t ir.Target) string {
		for _, name := range args {
			if info, ok := tileArg(op, name); ok && on.Has(t) && !info.StaticValid() {
				return fmt.Sprintf("valid region of \"%s\" must be static", name)
			}
		}
		return ""
	})
}

// tmpRoom asks for a scratch tile with at least rows+extra valid rows and as
// many valid columns as the tile like.
func tmpRoom(on sem.Profiles, like string, rows int64) Rule {
	return ValidRule{On: on, A: "tmp", B: like, check: func(r ValidRule, tmp, b Extent) string {
		if tmp.Rows != ir.Dynamic && tmp.Rows < rows {
			return fmt.Sprintf("\"tmp\" must have at least %d valid rows, but has %d", rows, tmp.Rows)
		}
		if msg := (ValidRule{A: r.B, B: r.A}).exceeds("columns", b.Cols, tmp.Cols); msg != "" {
			return msg
		}
		return ""
	}}
}

// tmpLike asks for a scratch tile with the element type of the tile like.
func tmpLike(on sem.Profiles, like string) Rule {
	return TileCheck{On: on, Args: []string{"tmp", like}, Check: func(_ *ir.Op, t []TileInfo) string {
		if t[0].Elem == t[1].Elem {
			return ""
		}
		return fmt.Sprintf("\"tmp\" must have elements of type %s, as \"%s\" has, but has %s", t[1].Elem, like, t[0].Elem)
	}}
}

// tmpHolds asks for a scratch tile of as many bytes as need says for the tile
// like.
func tmpHolds(on sem.Profiles, like string, need func(t TileInfo) int64) Rule {
	return TileCheck{On: on, Args: []string{"tmp", like}, Check: func(_ *ir.Op, t []TileInfo) string {
		if n := need(t[1]); t[0].Bytes() < n {
			return fmt.Sprintf("\"tmp\" must hold %d bytes, but holds %d", n, t[0].Bytes())
		}
		return ""
	}}
}

// rowBytes returns the bytes of one row of a tile.
func rowBytes(t TileInfo) int64 { return t.Cols * int64(ByteSize(t.Elem)) }

// tmpDistinct asks that the scratch tile is none of the others.
func tmpDistinct(on sem.Profiles, others ...string) Rule {
	return Check(func(op *ir.Op, t ir.Target) string {
		tmp := op.Arg("tmp")
		for _, name := range others {
			if on.Has(t) && tmp != nil && op.Arg(name) == tmp {
				return "\"tmp\" and \"" + name + "\" must be different tiles"
			}
		}
		return ""
	})
}

// attrIs reports whether an enum attribute has the given keyword.
func attrIs(op *ir.Op, name, keyword string) bool { return op.Attr(name).Keyword() == keyword }

// precision declares the precisionType attribute of an elementary function.
func precision(e *ir.Enum) ir.AttrDef {
	return ir.AttrDef{
		Name: "precisionType", Alias: "precision_mode", Type: e, Default: e.Attr("default"),
		Doc: "high_precision asks for a slower, more exact computation",
	}
}

// anyTmp accepts every scratch tile in vec.
var anyTmp = VecTile(anyElem)

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
