// Package sem holds what instructions mean: the kinds of meaning, and the
// machine that they speak of: targets, memory spaces, pipes and cores.
package sem

import (
	"slices"

	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Described is a kind that describes what its instructions do, for reference pages.
type Described interface{ Doc() string }

// DescribedFor is a kind whose description depends on the operands and attributes of an
// instruction.
type DescribedFor interface{ DocFor(d *ir.Def) string }

// given returns text if an instruction has an operand or attribute with the given name,
// and "" otherwise.
func given(d *ir.Def, name, text string) string {
	if has(d, name) {
		return text
	}
	return ""
}

// has reports whether an instruction has an operand or attribute with the given name.
func has(d *ir.Def, name string) bool {
	return slices.ContainsFunc(d.Forms[0].Operands, func(a ir.Arg) bool { return a.Name == name }) ||
		slices.ContainsFunc(d.Attrs, func(a ir.AttrDef) bool { return a.Name == name })
}

// The kinds of meaning (ir.Def.Sem). Runtime and code generation have one routine per
// kind. The meaning of an instruction is a value of such a type: a kind with its
// parameters.
type (
	// TileMap computes every element of the valid region of dst from the elements of the
	// inputs at the same index. A scalar is equivalent to a tile of equal elements.
	TileMap struct {
		Fn *scalar.Fn
		// Choose returns another function than Fn if operands, attributes or the
		// profile require it.
		Choose func(op *ir.Op, t ir.Target) *scalar.Fn
		// Args names the operands of Fn in order; without it they are the tiles
		// and scalars that are read, in the order of the form. An element of a
		// narrower float type is widened to that of dst first.
		Args []string
		// Then are further steps on the result, each rounded by itself.
		Then []MapStep
		// AllOfMat computes what lies beyond the valid region, too, where dst is
		// in mat.
		AllOfMat bool
	}

	// TileCompare returns a mask with the results of comparisons.
	TileCompare struct{}

	// TileSelect chooses between two tiles, or a tile and a scalar, by a mask.
	TileSelect struct{}

	// TileLoad copies a view of global memory into a tile, padding rows.
	TileLoad struct{}

	// TileStore copies a tile to a view, through FIXPIPE if it is in acc.
	TileStore struct{}

	// MakeView describes a tensor in global memory.
	MakeView struct{}
	// PartView cuts a part out of a view.
	PartView struct{}
	// AllocTile reserves the storage of a tile.
	AllocTile struct{}
)

// For returns the function that op applies on a profile.
func (m TileMap) For(op *ir.Op, t ir.Target) *scalar.Fn {
	if m.Choose != nil {
		if fn := m.Choose(op, t); fn != nil {
			return fn
		}
	}
	return m.Fn
}
