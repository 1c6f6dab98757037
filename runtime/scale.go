// This file locates and applies the scales of MX matrix operands.

package runtime

import "ptogo/ir/num"

// scaleFractal is the size in bytes of a block of MX scales. In MX formats, a group of
// elements along k (the common dimension of a product) shares one scale. A block contains
// the scales of 16 rows and 2 groups, one byte each. The blocks of 16 adjacent rows are
// adjacent in memory.
const scaleFractal = 32

// scaleValues contains the value of each 8-bit MX scale, indexed by its code in the
// format F8E8M0. Each value is a power of two.
var scaleValues = func() (values [256]float64) {
	for code := range values {
		values[code] = num.Decode(num.F8E8M0, uint64(code))
	}
	return values
}()

// scaleSize returns the size in bytes of the MX scales of a matrix with the given number
// of rows. In MX formats, a group of elements in a row shares one scale; the parameter
// groups is the number of groups per row.
func scaleSize(rows, groups int) int {
	return roundUp(rows, fractalRows) / fractalRows * (roundUp(groups, 2) / 2) * scaleFractal
}

// scaleOf returns the MX scale for the given row and group of a matrix. scales are all
// scales of the matrix, in the layout of the scale memory. In MX formats, a group of
// elements in a row shares one scale; the parameter groups is the number of groups per
// row.
func scaleOf(scales []byte, row, group, groups int) float64 {
	fractal := row/fractalRows*(roundUp(groups, 2)/2) + group/2
	return scaleValues[scales[fractal*scaleFractal+row%fractalRows*2+group%2]]
}

// scaleRows multiplies the elements of a left operand of a matrix product, rows x k in
// row-major order, by their MX scales. A group of elements in a row shares one scale. If
// vector is set, the operand is a single row whose scales are contiguous.
func scaleRows(x []float32, scales []byte, rows, k int, vector bool) {
	groups := (k + scaleGroup - 1) / scaleGroup
	for i := range rows {
		for g := range groups {
			by := 0.0
			if vector {
				by = scaleValues[scales[g]]
			} else {
				by = scaleOf(scales, i, g, groups)
			}
			part := x[i*k+g*scaleGroup : i*k+min((g+1)*scaleGroup, k)]
			for e, v := range part {
				part[e] = float32(float64(v) * by)
			}
		}
	}
}

// scaleColumns multiplies the elements of a right operand of a matrix product by their MX
// scales. y contains k x cols elements in row-major order, and scales are the scales. A
// group of elements in a column shares one scale.
func scaleColumns(y []float32, scales []byte, cols, k int) {
	groups := (k + scaleGroup - 1) / scaleGroup
	for i := range k {
		row := y[i*cols : (i+1)*cols]
		for j, v := range row {
			row[j] = float32(float64(v) * scaleOf(scales, j, i/scaleGroup, groups))
		}
	}
}
