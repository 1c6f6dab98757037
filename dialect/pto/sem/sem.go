// Package sem holds what instructions mean: the kinds of meaning, and the
// machine that they speak of: targets, memory spaces, pipes and cores.
package sem

import (
	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Described is a kind that says in plain words what an instruction of it does,
// which the reference quotes.
type Described interface{ Doc() string }

// The kinds of meaning (ir.Def.Sem). Runtime and code generation have one
// routine per kind; an instruction is a kind with its parameters. The comments
// on kinds and on their parameters stand in the reference, too (meaning.go).
type (
	// TileMap computes every element of the valid region of dst from the
	// elements of the inputs at the same place. Scalars stand for a tile of
	// equal elements.
	TileMap struct {
		Fn *scalar.Fn
		// Pick replaces Fn where operands, attributes or profile ask for
		// another function.
		Pick func(op *ir.Op, t ir.Target) *scalar.Fn
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

	// TileCompare sets bit j of a row of dst where the predicate of cmpMode
	// holds for column j. Each row of bits begins at a row of dst.
	TileCompare struct{}

	// TileSelect takes elements from the first input where the mask bit is
	// set, else from the second, tile or scalar.
	TileSelect struct{}

	// TileLoad copies a view of global memory into a tile. left_padding_num and
	// right_padding_num pads go in front of and behind the elements of each row:
	// pad_value, or what the pad of the type says, or the first element of the row
	// (pad_mode PadFirstElem). init_out_buffer fills all storage with pads first,
	// unless init_condition is false. A view for a tile of shared exponents
	// (fractal=32) has boxes already: their bytes keep their order.
	TileLoad struct{}

	// TileStore copies the valid region of a tile into a view, or with atomicType
	// adds it to what is there. From acc, elements are converted to the type of the
	// view on the way: multiplied by preQuantScalar (bits of an f32) or by the
	// column's factor in fp (a float, or a word of 64 bits: those of an f32, of which
	// the last 13 count as 0, and from bit 37 on an offset of 9 bits), cut at zero if
	// reluPreMode says so, rounded to nearest even and saturated.
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
	if m.Pick != nil {
		if fn := m.Pick(op, t); fn != nil {
			return fn
		}
	}
	return m.Fn
}
