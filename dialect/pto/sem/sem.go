// Package sem defines what PTO instructions mean and the machine that executes them.
//
// A kind is a Go type that describes what a family of instructions computes, such as
// TileMap for elementwise functions. The field Sem of an instruction's definition
// (ir.Def) holds a kind with its parameters. Engines read operands through functions such
// as ProductOf, which return decoded descriptors. The machine consists of targets
// (target.go), memory spaces (space.go), pipes (pipe.go) and cores (core.go).
//
// Start reading at TileMap.
package sem

import (
	"slices"

	"ptogo/ir"
	"ptogo/ir/scalar"
)

// Described is implemented by kinds that return a description of what their instructions
// do. Reference pages contain it.
type Described interface{ Doc() string }

// DescribedFor is implemented by kinds whose description depends on the operands and
// attributes in the definition d of an instruction.
type DescribedFor interface{ DocFor(d *ir.Def) string }

// given returns its last argument, a text, if the instruction with definition d has an
// operand or attribute with the given name. Otherwise it returns "".
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

// Kinds of meaning, the types of field Sem of an instruction's definition (ir.Def). A
// value of such a type, a kind with its parameters, describes what an instruction
// computes. The simulator and the code generators have one routine per kind.
type (
	// TileMap computes every element of the valid region of dst from the elements of the
	// inputs at the same index. A scalar is equivalent to a tile of equal elements.
	TileMap struct {
		Fn *scalar.Fn
		// Choose, if set, returns a function that replaces Fn for the operands and
		// attributes of op on target t. It returns nil to use Fn.
		Choose func(op *ir.Op, t ir.Target) *scalar.Fn
		// Args names the operands of Fn in order. If it is empty, they are the tiles and
		// scalars that the instruction reads, in textual order. Elements of a narrower
		// float type are first widened to the type of dst.
		Args []string
		// Then holds further functions that are applied to the result. Each result is
		// rounded to the element type before the next function.
		Then []MapStep
		// AllOfMat means that elements outside the valid region are computed as well if
		// dst is in mat (L1).
		AllOfMat bool
	}

	// TileCompare compares tiles, or a tile with a scalar, element by element. It returns
	// a mask with one bit per element.
	TileCompare struct{}

	// TileSelect selects each element from one of two tiles, or from a tile and a scalar.
	// The bits of a mask decide.
	TileSelect struct{}

	// TileLoad copies a view, a tensor in global memory, into a tile. It can pad the
	// rows.
	TileLoad struct{}

	// TileStore copies a tile to a view, a tensor in global memory. A tile in acc (L0C)
	// is copied through FIXPIPE, which can convert its elements.
	TileStore struct{}

	// MakeView returns a view: an address in global memory with a shape and strides.
	MakeView struct{}
	// PartView returns a rectangular region of a view, a tensor in global memory.
	PartView struct{}
	// AllocTile reserves the storage of a tile in a local memory.
	AllocTile struct{}
)

// For returns the function that op applies to elements on target t. The function Choose
// selects it if m has such a function; otherwise it is Fn.
func (m TileMap) For(op *ir.Op, t ir.Target) *scalar.Fn {
	if m.Choose != nil {
		if fn := m.Choose(op, t); fn != nil {
			return fn
		}
	}
	return m.Fn
}
