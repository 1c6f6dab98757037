// This file finds the dimension of a view that is divided together with a tile.

package axes

import (
	"slices"

	"ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// ViewOf returns the view that op loads a tile from or stores a tile to, or nil.
func ViewOf(op *ir.Op) *ir.Value {
	if !sem.CopiesTile(op) {
		return nil
	}
	for _, v := range op.Operands() {
		if ir.Is[pto.PartitionView](v.Type()) {
			return v
		}
	}
	return nil
}

// TileAt returns the tile that op loads or stores, or nil.
func TileAt(op *ir.Op) *ir.Value {
	for _, v := range append(op.Results(), op.Operands()...) {
		if pto.IsTile(v.Type()) {
			return v
		}
	}
	return nil
}

// PartOf returns the operation that selects the part of a tensor to which the view refers,
// or nil if the view is not such a part.
func PartOf(view *ir.Value) *ir.Op {
	if op := view.Op(); op != nil {
		if _, part := op.Def().Sem.(sem.PartView); part {
			return op
		}
	}
	return nil
}

// DividedDim returns the dimension of a view that is divided if the tile, which is loaded
// from the view or stored to it, is divided along the axis d. It returns -1 if the
// dimension is unknown.
func DividedDim(view, tile *ir.Value, d Division) int {
	if PartOf(view) == nil {
		return -1
	}
	n := ExtentOf(tile.Type(), d).Valid
	shape, _ := ir.As[pto.PartitionView](view.Type())
	found := -1
	for _, dim := range axisDims(view, tile, d) {
		switch at := shape.Shape.At(dim); {
		case at == 1:
		case found < 0 && (at == n || at == ir.Dynamic):
			found = dim
		default:
			return -1
		}
	}
	return found
}

// axisDims returns the dimensions of the view that are the rows or columns of the tile.
func axisDims(view, tile *ir.Value, d Division) []int {
	info, _ := pto.TileOf(tile.Type())
	axis, cols := pto.ViewAxes(info)
	if d == ByCols {
		axis = cols
	}
	shape, _ := ir.As[pto.PartitionView](view.Type())
	return axis.Dims(shape.Shape.Len())
}

// DivisionAt returns the division of a tile that divides dimension dim of its view. It
// returns Complete if the tile has further rows or columns in other dimensions.
func DivisionAt(view, tile *ir.Value, dim int) Division {
	shape, _ := ir.As[pto.PartitionView](view.Type())
	for _, d := range []Division{ByRows, ByCols} {
		dims := axisDims(view, tile, d)
		if !slices.Contains(dims, dim) {
			continue
		}
		for _, other := range dims {
			if other != dim && shape.Shape.At(other) != 1 {
				return Complete
			}
		}
		return d
	}
	return Complete
}
