// This file maps the dimensions of views to rows and columns of tiles.

package pto

import "ptogo/dialect/pto/sem"

// ViewRank is the maximum number of dimensions of a view, a tensor in global memory. A
// view with fewer dimensions is equivalent to one with leading dimensions of size 1.
const ViewRank = 5

// ViewAxis lists dimensions of a view that together act as one dimension, the innermost
// first. Dimensions are numbered as in a view of ViewRank dimensions.
type ViewAxis []int

// MatrixRows and MatrixCols list the indices of the dimensions of a view that count as
// rows and as columns when an instruction treats the view as a matrix. WholeView lists
// the indices of all dimensions, for a view that is treated as one sequence of elements.
// Dimension 0 is the outermost one. Each list starts with the innermost dimension.
var (
	MatrixRows = ViewAxis{3, 2, 1, 0}
	MatrixCols = ViewAxis{4}
	WholeView  = ViewAxis{4, 3, 2, 1, 0}
)

// ViewAxes returns which dimensions of a view act as the rows and as the columns of tile
// t when the tile is loaded or stored.
//
// Dimensions 3 and 4 are the rows and columns of a matrix, or of one box if the tile has
// boxes. The leading dimensions 0 to 2 repeat such a matrix. In a row-major tile, the
// rows of the repeated matrices follow each other in memory, so the leading dimensions
// extend the rows. In a column-major tile, the columns follow each other, so the leading
// dimensions extend the columns. With boxes, dimension 2 extends the rows, and dimensions
// 0 and 1 extend the columns.
func ViewAxes(t TileInfo) (rows, cols ViewAxis) {
	switch {
	case t.SLayout != NoneBox && t.Rows == 1: // a row of small boxes is stored as one
		return nil, WholeView
	case t.SLayout != NoneBox:
		return ViewAxis{3, 2}, ViewAxis{4, 1, 0}
	case t.BLayout == ColMajor:
		return ViewAxis{3}, ViewAxis{4, 2, 1, 0}
	}
	return MatrixRows, MatrixCols
}

// TableAxes returns which dimensions of a table in global memory act as its rows and columns
// when indices select rows or elements of the table for tile t. The bool result reports
// whether the table has boxes (layout nz), as a tile with boxes in vec requires. The element
// n of such a table is in row n/c and column n%c, where c is the number of its columns; of
// other tables, it is the element n places after the start.
func TableAxes(t TileInfo) (rows, cols ViewAxis, boxes bool) {
	if t.Space == sem.UB && t.SLayout != NoneBox {
		return ViewAxis{3, 2}, ViewAxis{4, 1, 0}, true
	}
	return MatrixRows, MatrixCols, false
}

// Dims returns the dimensions of the axis, as indices in a view with the given number of
// dimensions. It omits dimensions of the axis that such a view does not have.
func (a ViewAxis) Dims(rank int) []int {
	var dims []int
	for _, d := range a {
		if i := d - (ViewRank - rank); i >= 0 {
			dims = append(dims, i)
		}
	}
	return dims
}

// WindowRows returns the sizes and strides of v with all rows in dimension 3, so that the
// dimensions 0 to 2 have the size 1. It combines dimension 2 with dimension 3 if one of
// them has the size 1, or if they are contiguous. The bool result is false if v is not one
// matrix. A size that is unknown counts as more than 1.
func WindowRows(v ViewInfo) (ViewInfo, bool) {
	for i := range 2 {
		if v.Size[i] != 1 {
			return v, false
		}
	}
	switch rows, step := v.Size[2], v.Stride[2]; {
	case rows == 1:
		return v, true
	case v.Size[3] == 1:
		v.Size[3], v.Stride[3] = rows, step
	case rows > 0 && v.Size[3] > 0 && step == v.Size[3]*v.Stride[3] && step > 0:
		v.Size[3] *= rows
	default:
		return v, false
	}
	v.Size[2] = 1
	return v, true
}
