// This file maps the dimensions of views to rows and columns of tiles.

package pto

// ViewRank is the maximum number of dimensions of a view. A view with fewer dimensions is
// equivalent to one with leading dimensions of size 1.
const ViewRank = 5

// ViewAxis is dimensions of a view that are seen as one, the innermost first.
// They have the numbers of a view of ViewRank dimensions.
type ViewAxis []int

// The axes of a view as a matrix, and as a sequence of elements.
var (
	MatrixRows = ViewAxis{3, 2, 1, 0}
	MatrixCols = ViewAxis{4}
	WholeView  = ViewAxis{4, 3, 2, 1, 0}
)

// ViewAxes returns the dimensions of a view that are the rows and the columns of
// a tile which is loaded from it or stored to it. The first three continue the
// axis along which lines of the tile follow each other; views of boxed data have
// the rows and columns of a box last.
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

// Dims returns the indices of the dimensions in a view of the given rank, as far as the
// view has them.
func (a ViewAxis) Dims(rank int) []int {
	var dims []int
	for _, d := range a {
		if i := d - (ViewRank - rank); i >= 0 {
			dims = append(dims, i)
		}
	}
	return dims
}
