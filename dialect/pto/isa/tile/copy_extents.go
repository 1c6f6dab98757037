// This file checks the extents of tile loads and stores.

package tile

import (
	"fmt"

	. "ptogo/dialect/pto"
	"ptogo/dialect/pto/sem"
	"ptogo/ir"
)

// CopyMismatch returns a message if a region of a tensor cannot be copied to or from a
// tile because of its size, and "" otherwise. load is true for a copy to the tile. part
// and valid are the rows and columns of the region and of the tile's valid region;
// unknown numbers are ir.Dynamic.
//
// A store requires equal sizes. A load also accepts a larger region, of which it reads
// the start, as public kernels do. A load of a smaller region is wrong: it leaves valid
// elements unwritten, and the device reports no error. The headers of pto-isa assert
// equal sizes for loads and stores. A copy without elements is legal, because the last
// iteration of a loop may have none.
func CopyMismatch(load bool, part, valid [2]int64) string {
	for axis := range 2 {
		if part[axis] == 0 || valid[axis] == 0 {
			return ""
		}
	}
	for axis, name := range []string{"rows", "columns"} {
		p, v := part[axis], valid[axis]
		switch {
		case p == ir.Dynamic || v == ir.Dynamic || p == v:
		case load && p < v:
			return fmt.Sprintf("\"dst\" has %d valid %s, but \"src\" has only %d to load", v, name, p)
		case !load:
			return fmt.Sprintf("\"src\" has %d valid %s, but \"dst\" has %d to store to", v, name, p)
		}
	}
	return ""
}

// scaleFractal is the size in bytes of the boxes (inner blocks) of tiles that hold shared
// exponents. The dimensions of tensors with such boxes count boxes instead of elements.
const scaleFractal = 32

// copyExtents is a rule that warns about a load or store whose types have different
// sizes. It is not an error, because tests of the public compiler contain such copies;
// executing such a copy is a fault.
type copyExtents struct{ view, tile string }

// Verify implements Rule. It warns if the sizes of the tensor region and of the tile
// differ and both are constant.
func (r copyExtents) Verify(op *ir.Op, v *ir.Verifier) {
	t, ok := TileArg(op, r.tile)
	dims, ok2 := ViewDims(ir.EnvOf(op, v.Target).Type(r.view))
	if !ok || !ok2 || LoadPads(op) || t.Halves() {
		return
	}
	rows, cols := ViewAxes(t)
	part, valid := [2]int64{extentAlong(rows, dims), extentAlong(cols, dims)}, [2]int64{t.VRows, t.VCols}
	if t.SLayout != NoneBox && t.Rows > 1 {
		if t.Fractal == scaleFractal {
			return
		}
		if !t.StaticValid() || part[0] == ir.Dynamic || part[1] == ir.Dynamic || part == [2]int64{valid[1], valid[0]} {
			return // may be the transposed matrix
		}
	}
	if all := extentAlong(MatrixRows, dims); LoadsColumn(op) && (all == ir.Dynamic || all == t.VRows) {
		return // planes that may follow each other
	}
	if wrong := CopyMismatch(r.tile == "dst", part, valid); wrong != "" {
		WarnRejected(op, v, "on target %s: %s, so the copy will fault at run time", sem.ProfileName(v.Target), wrong).
			Note(op.Loc(), fmt.Sprintf("for a tile in this layout, a part of type %s has %s rows and %s columns", ir.EnvOf(op, v.Target).Type(r.view), extent(part[0]), extent(part[1])))
	}
}

// extentAlong returns the number of rows or columns that a view has in a copy to or from
// a tile. The axis a names the dimensions of the view that together form the rows or the
// columns; the result is the product of their extents, or ir.Dynamic if one extent is
// unknown.
func extentAlong(a ViewAxis, dims ir.Dims) int64 {
	n := int64(1)
	for _, d := range a.Dims(dims.Len()) {
		if dims.At(d) == ir.Dynamic {
			return ir.Dynamic
		}
		n *= dims.At(d)
	}
	return n
}

// extent formats a size for messages: a number, or ? if it is unknown.
func extent(n int64) string { return string(AppendExtent(nil, n)) }
