package pto

import (
	"fmt"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// TileCheck is a Rule on the tiles that some arguments stand for; it applies
// when all of them are there.
type TileCheck struct {
	On   sem.Profiles
	Args []string
	// Check returns what is wrong, or "".
	Check func(op *ir.Op, tiles []TileInfo) string
}

// Verify implements Rule.
func (r TileCheck) Verify(op *ir.Op, v *ir.Verifier) { refuse(op, v, r.broken(op, v)) }

func (r TileCheck) broken(op *ir.Op, v *ir.Verifier) string {
	if !r.On.Has(v.Target) {
		return ""
	}
	tiles := make([]TileInfo, len(r.Args))
	for i, name := range r.Args {
		t, ok := TileArg(op, name)
		if !ok {
			return ""
		}
		tiles[i] = t
	}
	return onProfile(v.Target, r.Check(op, tiles))
}

// TileArg returns the tile that the argument name stands for, operand or
// result.
func TileArg(op *ir.Op, name string) (TileInfo, bool) {
	if v := op.Arg(name); v != nil { // the usual case, without a copy of all types
		return TileOf(v.Type())
	}
	return TileOf(ir.EnvOf(op, 0).Type(name))
}

// halfEmpty reports whether a valid region is known to have rows or columns
// without elements. With neither it is the mark of a part that is not there.
func halfEmpty(e Extent) bool {
	return (e.Rows == 0) != (e.Cols == 0) && e.Rows != ir.Dynamic && e.Cols != ir.Dynamic
}

// TileAlign is the alignment of tiles in every space, and of rows in vec.
const TileAlign = 32

// MaybeEqual reports whether two extents can be equal.
func MaybeEqual(a, b int64) bool { return a == b || a == ir.Dynamic || b == ir.Dynamic }

func CeilDiv(a, b int64) int64 { return (a + b - 1) / b }

// ViewDims returns the extents of a view of global memory.
func ViewDims(t ir.Type) (dims ir.Dims, ok bool) {
	switch d := t.Data().(type) {
	case TensorView:
		return d.Shape, true
	case PartitionView:
		return d.Shape, true
	case ir.MemRefType:
		return d.Shape, !d.Unranked
	}
	return dims, false
}

// Outermost returns the operation around op that has none around it.
func Outermost(op *ir.Op) *ir.Op {
	for op.Parent() != nil {
		op = op.Parent()
	}
	return op
}

// FirstOf returns the first message that is not empty.
func FirstOf(msgs ...string) string {
	for _, m := range msgs {
		if m != "" {
			return m
		}
	}
	return ""
}

// EqualElements asks for equal element types.
func EqualElements(a, b string) Rule {
	return Check(func(op *ir.Op, _ ir.Target) string {
		env := ir.EnvOf(op, 0)
		x, y := ir.ElementType(env.Type(a)), ir.ElementType(env.Type(b))
		if x == y {
			return ""
		}
		return fmt.Sprintf("element types of \"%s\" and \"%s\" must be equal, but are %s and %s", a, b, x, y)
	})
}
