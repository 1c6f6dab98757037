package runtime

import "ptogo/ir/num"

// Scales of an operand lie in fractals of 32 bytes: 16 rows of 2 groups along
// k. The fractals of a band of 16 rows follow each other.
const scaleFractal = 32

// scaleValues are what the codes of scales mean.
var scaleValues = func() (values [256]float64) {
	for code := range values {
		values[code] = num.Decode(num.F8E8M0, uint64(code))
	}
	return values
}()

// scaleSize is the size of the scales of rows rows.
func scaleSize(rows, groups int) int {
	return roundUp(rows, fractalRows) / fractalRows * (roundUp(groups, 2) / 2) * scaleFractal
}

// scaleOf returns the scale of a group of a row.
func scaleOf(scales []byte, row, group, groups int) float64 {
	fractal := row/fractalRows*(roundUp(groups, 2)/2) + group/2
	return scaleValues[scales[fractal*scaleFractal+row%fractalRows*2+group%2]]
}

// scaleRows multiplies the rows of a left operand by their scales. The scales of a row
// vector are contiguous.
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

// scaleColumns multiplies the columns of a right operand by their scales.
func scaleColumns(y []float32, scales []byte, cols, k int) {
	groups := (k + scaleGroup - 1) / scaleGroup
	for i := range k {
		row := y[i*cols : (i+1)*cols]
		for j, v := range row {
			row[j] = float32(float64(v) * scaleOf(scales, j, i/scaleGroup, groups))
		}
	}
}
